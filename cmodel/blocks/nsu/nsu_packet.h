/* SPDX-License-Identifier: Apache-2.0
 *
 * Packet headers in C, all from rtl/nsu/nsu_packet.def: the struct, its packed form on the wires,
 * and names.
 *
 * Models and systems work with pkt_hdr_t. Ports carry the packed form: PKT_HDR_WORDS words of 32
 * bits, fields in the list's order, the last field at bit 0. pkt_pack and pkt_unpack are inverse
 * for values that fit their fields; pkt_pack cuts other values. PKT_X_W and PKT_X_LSB are the width
 * and the lowest bit of field X.
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

/* One char a bit: offsetof gives a field's distance in bits from the top of the header. */
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
