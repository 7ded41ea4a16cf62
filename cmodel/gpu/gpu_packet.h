/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets inside the GPU: those of the system, and atomics, which never leave it.
 *
 *   GPU_ATOM        SM to L2: addr, mask, offs; seq the operation (ptx_mod_t), count the type (ptx_type_t), tag the access;
 *                   data[0], data[1] operand b (low, high word), data[2], data[3] operand c of cas
 *   GPU_ATOM_RESP   back: data[0], data[1] the old value
 */
#ifndef GPU_PACKET_H
#define GPU_PACKET_H

#include <string.h>

#include "packet.h"

enum { GPU_ATOM = 16, GPU_ATOM_RESP = 17 };

static inline unsigned gpu_packet_bytes(const packet_t *p) {
  if (p->hdr.type != GPU_ATOM && p->hdr.type != GPU_ATOM_RESP) return packet_bytes(p);
  return 16 + 12 * (unsigned)__builtin_popcountll(p->hdr.mask); /* offset, operands or old value, rounded up */
}

static inline unsigned gpu_stack_of(uint64_t paddr) {
  return (unsigned)(paddr >> PKT_STACK_LSB) & ((1u << PKT_STACK_BITS) - 1);
}

/* Copies header and the first payload line. */
static inline void gpu_packet_reply(packet_t *p, unsigned type, const uint32_t *line) {
  p->hdr.type = type;
  memcpy(p->data[0], line, PKT_LINE_BYTES);
}

#endif
