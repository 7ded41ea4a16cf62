/* SPDX-License-Identifier: Apache-2.0
 *
 * Packet headers in C: the struct, its packed form on the wires, and names, all from
 * rtl/nsu/nsu_packet.def.
 *
 * pkt_hdr_t is what models and systems work with; the packed form (PKT_HDR_WORDS 32-bit words,
 * field order as in the list, last field at bit 0) is what ports carry. pack and unpack are inverse
 * for values that fit their fields.
 */
#ifndef NSU_PACKET_H
#define NSU_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum {
#define PKT_CONST(name, value) PKT_##name = (value),
#include "nsu_packet.def"
#define PKT_TYPE(name, code, cls, text) PKT_##name = (code),
#include "nsu_packet.def"
#define PKT_ERR(name, bit, text) ERR_##name = (bit),
#include "nsu_packet.def"
#define PKT_ERR(name, bit, text) +1
  PKT_NUM_ERR = 0
#include "nsu_packet.def"
};

typedef struct pkt_hdr {
#define PKT_FIELD(name, width, text) uint64_t name;
#define PKT_FIELD_V(name, n, width, text) uint8_t name[n];
#include "nsu_packet.def"
} pkt_hdr_t;

/* One char a bit: offsetof gives a field's distance from the most significant bit. */
struct pkt_layout {
#define PKT_FIELD(name, width, text) char name[width];
#include "nsu_packet.def"
};

enum {
  PKT_HDR_W = sizeof(struct pkt_layout),
  PKT_HDR_WORDS = (PKT_HDR_W + 31) / 32,
/* clang-format off */
#define PKT_FIELD(name, width, text) \
  PKT_##name##_W = (width),          \
  PKT_##name##_LSB = PKT_HDR_W - (int)offsetof(struct pkt_layout, name) - (width),
/* clang-format on */
#include "nsu_packet.def"
};

void pkt_pack(const pkt_hdr_t *hdr, uint32_t *words);
void pkt_unpack(const uint32_t *words, pkt_hdr_t *hdr);

const char *pkt_type_name(unsigned type); /* "RDF_RESP"; "?" for an unknown type */
int pkt_type_class(unsigned type);        /* 0 request, 1 response, -1 unknown */
const char *pkt_err_name(unsigned bit);   /* "RD_OVERFLOW"; "?" for an unknown bit */

#endif
