/* SPDX-License-Identifier: Apache-2.0
 *
 * From a packed packet header to what the merge buffers keep: the packet's identity and masks, and
 * the addresses of a WTA.
 */
#ifndef NSU_MERGE_PACKET_H
#define NSU_MERGE_PACKET_H

#include "nsu_hdr.h"
#include "nsu_merge_core.h"

/* The fields of a header that nsu_merge_core.h needs. */
static inline merge_packet_t merge_packet_of(const uint32_t *hdr) {
  return (merge_packet_t){
      .id = {.sm = (uint8_t)HDR_GET(hdr, sm), .warp = (uint8_t)HDR_GET(hdr, warp), .seq = (uint8_t)HDR_GET(hdr, seq)},
      .mask = (uint32_t)HDR_GET(hdr, mask),
      .lmask = (uint32_t)HDR_GET(hdr, lmask),
      .size = (uint8_t)HDR_GET(hdr, size)};
}

/* The byte addresses of mask's threads, 40 bits a thread, modulo 2^40. Thread i has
 * addr + i * bytes if the packet is aligned, else addr + offs[i]. Other threads are not written. */
static inline void merge_wta_addrs(const uint32_t *hdr, uint32_t mask, uint32_t *addrs) {
  uint64_t addr = HDR_GET(hdr, addr);
  unsigned bytes = 1u << HDR_GET(hdr, size);
  bool aligned = HDR_GET(hdr, aligned);
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    if (mask >> i & 1)
      bits_put(addrs, i * PKT_ADDR_BITS, PKT_ADDR_BITS, addr + (aligned ? i * bytes : hdr_offs(hdr, i)));
}

#endif
