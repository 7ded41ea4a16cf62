/* SPDX-License-Identifier: Apache-2.0
 *
 * Single fields of a packed packet header (nsu_packet.h), for models that need few of them.
 *
 *   HDR_GET(words, addr)    HDR_SET(words, addr, value)    hdr_offs(words, thread)
 *
 * Field names are those of rtl/nsu/nsu_packet.def. HDR_SET cuts the value to the field's width and
 * leaves the other fields alone.
 */
#ifndef NSU_HDR_H
#define NSU_HDR_H

#include "bits.h"
#include "nsu_packet.h"

#define HDR_GET(words, field) bits_get(words, PKT_##field##_LSB, PKT_##field##_W)
#define HDR_SET(words, field, value) bits_put(words, PKT_##field##_LSB, PKT_##field##_W, value)

/* Thread's offset from addr in bytes, 0 .. 127; valid if the field `aligned` is 0. */
static inline unsigned hdr_offs(const uint32_t *words, unsigned thread) {
  return (unsigned)bits_get(words, PKT_offs_LSB + thread * PKT_OFFSET_BITS, PKT_OFFSET_BITS);
}

static inline void hdr_set_offs(uint32_t *words, unsigned thread, unsigned offset) {
  bits_put(words, PKT_offs_LSB + thread * PKT_OFFSET_BITS, PKT_OFFSET_BITS, offset);
}

#endif
