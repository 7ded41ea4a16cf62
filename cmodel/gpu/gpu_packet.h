/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets inside the GPU: those of the system, and atomics, which never leave it.
 *
 *   GPU_ATOM       SM to L2: addr, mask, offs; seq the operation (ptx_mod_t), count the type (ptx_type_t), tag the access;
 *                  data[0], data[1] operand b (low, high word), data[2], data[3] operand c of cas
 *   GPU_ATOM_RESP  back: data[0], data[1] the old value
 *   GPU_INVAL      SM to L2: the line at addr is forgotten
 */
#ifndef GPU_PACKET_H
#define GPU_PACKET_H

#include <string.h>

#include "packet.h"
#include "stack_address.h"

enum { GPU_ATOM = 16, GPU_ATOM_RESP = 17, GPU_INVAL = 18 };

static inline unsigned gpu_packet_bytes(const packet_t *p) {
  if (p->hdr.type != GPU_ATOM && p->hdr.type != GPU_ATOM_RESP) return packet_bytes(p);
  return 16 + 12 * (unsigned)__builtin_popcountll(p->hdr.mask); /* offset, operands or old value, rounded up */
}

/* Copies header and the first payload line. */
static inline void gpu_packet_reply(packet_t *p, unsigned type, const uint32_t *line) {
  p->hdr.type = type;
  memcpy(p->data[0], line, PKT_LINE_BYTES);
}

/* An RDF becomes the response with data of its line. */
static inline void gpu_packet_rdf_response(packet_t *p, const uint32_t *words) {
  unsigned bytes = 1u << p->hdr.size;
  uint32_t data[32] = {0};
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.aligned ? i * bytes : p->hdr.offs[i];
    memcpy(&data[i], (const uint8_t *)words + at, bytes);
  }
  gpu_packet_reply(p, PKT_RDF_RESP, data);
  p->hdr.dst = p->hdr.target;
  p->hdr.aligned = 1;
  memset(p->hdr.offs, 0, sizeof p->hdr.offs);
}

#endif
