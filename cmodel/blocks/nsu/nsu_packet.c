/* SPDX-License-Identifier: Apache-2.0
 *
 * Packing and names of packet headers, made from rtl/nsu/nsu_packet.def.
 */
#include "nsu_packet.h"

#include <string.h>

/* words[lsb +: width] = value, cut to width. */
static void put_bits(uint32_t *words, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned done = 0; done < width;) {
    unsigned bit = lsb + done, off = bit % 32, n = 32 - off;
    if (n > width - done) n = width - done;
    uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << off;
    words[bit / 32] = (words[bit / 32] & ~mask) | ((uint32_t)(value >> done) << off & mask);
    done += n;
  }
}

/* words[lsb +: width], width at most 64. */
static uint64_t get_bits(const uint32_t *words, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    unsigned bit = lsb + done, off = bit % 32, n = 32 - off;
    if (n > width - done) n = width - done;
    uint64_t part = (words[bit / 32] >> off) & (n == 32 ? ~0u : (1u << n) - 1);
    value |= part << done;
    done += n;
  }
  return value;
}

void pkt_pack(const pkt_hdr_t *hdr, uint32_t *words) {
  memset(words, 0, PKT_HDR_WORDS * sizeof *words);
#define PKT_FIELD(name, width, text) put_bits(words, PKT_##name##_LSB, width, hdr->name);
#define PKT_FIELD_V(name, n, width, text) \
  for (unsigned i = 0; i < (n); i++) put_bits(words, PKT_##name##_LSB + i * (width), width, hdr->name[i]);
#include "nsu_packet.def"
}

void pkt_unpack(const uint32_t *words, pkt_hdr_t *hdr) {
#define PKT_FIELD(name, width, text) hdr->name = get_bits(words, PKT_##name##_LSB, width);
#define PKT_FIELD_V(name, n, width, text) \
  for (unsigned i = 0; i < (n); i++) hdr->name[i] = (uint8_t)get_bits(words, PKT_##name##_LSB + i * (width), width);
#include "nsu_packet.def"
}

const char *pkt_type_name(unsigned type) {
  switch (type) {
/* clang-format off */
#define PKT_TYPE(name, code, cls, text) \
  case code: return #name;
#include "nsu_packet.def"
    /* clang-format on */
  default: return "?";
  }
}

int pkt_type_class(unsigned type) {
  switch (type) {
/* clang-format off */
#define PKT_TYPE(name, code, cls, text) \
  case code: return cls;
#include "nsu_packet.def"
    /* clang-format on */
  default: return -1;
  }
}

const char *pkt_err_name(unsigned bit) {
  switch (bit) {
/* clang-format off */
#define PKT_ERR(name, bit, text) \
  case bit: return #name;
#include "nsu_packet.def"
    /* clang-format on */
  default: return "?";
  }
}
