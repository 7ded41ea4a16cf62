/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of packets inside the GPU.
 */
#ifndef GPU_PACKET_H
#define GPU_PACKET_H

#include <string.h>

#include "gpu_config.h"
#include "packet.h"
#include "stack_address.h"

/* Numbers that packets have in place of an SM's, of what sends into memory beside SMs. */
enum {
  PAGER_SM = 254, /* pager.h */
};
_Static_assert((int)GPU_MAX_SMS <= (int)PAGER_SM, "no SM has its number");

/* Copies header and the first payload line. */
static inline void gpu_packet_reply(packet_t *p, unsigned type, const uint32_t *line) {
  p->hdr.type = type;
  memcpy(p->data[0], line, PKT_LINE_BYTES);
}

/* An RDF becomes the response with data of its line; its offsets stay in it (read_only_answer). */
static inline void gpu_packet_rdf_response(packet_t *p, const uint32_t *words) {
  unsigned bytes = 1u << p->hdr.size;
  uint32_t data[32] = {0};
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.aligned ? i * bytes : p->hdr.offs[i];
    memcpy(&data[i], (const uint8_t *)words + at, bytes);
  }
  gpu_packet_reply(p, PKT_RDF_RESP, data);
  p->hdr.dst = p->hdr.target;
}

#endif
