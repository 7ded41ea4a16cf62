/* SPDX-License-Identifier: Apache-2.0
 *
 * From a packed packet header to what the merge buffers keep: the packet's identity and masks, and
 * a WTA's addresses.
 */
#ifndef NSU_MERGE_PACKET_H
#define NSU_MERGE_PACKET_H

#include "nsu_hdr.h"
#include "nsu_merge_core.h"

static inline merge_packet_t merge_packet_of(const uint32_t *hdr) {
  return (merge_packet_t){
      .id = {.sm = (uint8_t)HDR_GET(hdr, sm), .warp = (uint8_t)HDR_GET(hdr, warp), .seq = (uint8_t)HDR_GET(hdr, seq)},
      .mask = (uint32_t)HDR_GET(hdr, mask),
      .lmask = (uint32_t)HDR_GET(hdr, lmask),
      .size = (uint8_t)HDR_GET(hdr, size)};
}

/* The addresses of mask's threads, 40 bits a thread: addr
 * + i * bytes where aligned, else addr + offs[i]. */
static inline void merge_wta_addrs(const uint32_t *hdr, uint32_t mask, uint32_t *addrs) {
  uint64_t addr = HDR_GET(hdr, addr);
  unsigned bytes = 1u << HDR_GET(hdr, size);
  bool aligned = HDR_GET(hdr, aligned);
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if (mask >> i & 1)
      bits_put(addrs, i * PKT_ADDR_BITS, PKT_ADDR_BITS, addr + (aligned ? i * bytes : hdr_offs(hdr, i)));
}

#endif
