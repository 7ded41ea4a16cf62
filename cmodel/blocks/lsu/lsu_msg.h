/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages on the TSV bus in C: constants, codes and header fields, all from rtl/lsu/lsu_msg.def.
 *
 * LSU_GET(hdr, addr) reads a field of beat 0. LSU_PUT(hdr, addr, 64) returns the header with the
 * field replaced; the value is cut to the field's width. Beats have 64 bits.
 */
#ifndef LSU_MSG_H
#define LSU_MSG_H

#include <stdint.h>

enum {
#define LSU_CONST(name, value) LSU_##name = (value),
#include "lsu_msg.def"
#define LSU_FIELD(name, lsb, width, text) LSU_##name##_LSB = (lsb), LSU_##name##_W = (width),
#include "lsu_msg.def"
/* clang-format off */
#define LSU_DOWN(name, code, cls, beats, text) LSU_##name = (code),
#define LSU_UP(name, code, beats, text) LSU_##name = (code),
#include "lsu_msg.def"
  /* clang-format on */
};

/* Message classes to the near-bank unit; each has its own FIFO and credits. */
enum { LSU_CLASS_MEM, LSU_CLASS_SMEM, LSU_CLASS_WRITE, LSU_CLASS_MOVE, LSU_CLASSES };

/* What a transaction is for: the kinds in lsu_xact. */
enum { LSU_KIND_RD, LSU_KIND_WR, LSU_KIND_LDO, LSU_KIND_STO };

enum { LSU_XFER_WORDS = LSU_XFER_BITS / 32, LSU_MAX_BEATS = 18, LSU_FLAG = 1 /* areg bit 0: sign, or no CPL */ };

/* Constants of the list that follow from others of the list. */
_Static_assert(LSU_XFER_BITS == 8 * LSU_XFER_BYTES, "XFER_BITS");
_Static_assert(LSU_ROW_BITS == 32 * LSU_LANES, "ROW_BITS");
_Static_assert(LSU_SMEM_BANKS << LSU_SMEM_ROW_BITS << 2 == 1 << LSU_SMEM_BITS, "SMEM_ROW_BITS");
_Static_assert((int)LSU_addr_W == (int)LSU_ADDR_BITS, "field addr");
_Static_assert((int)LSU_GADDR_BITS == (int)LSU_CORE_BITS + (int)LSU_nbu_W + (int)LSU_ADDR_BITS, "GADDR_BITS");
_Static_assert(LSU_MAX_XFERS == 8 * LSU_LANES / LSU_XFER_BYTES + 1, "MAX_XFERS");

#define LSU_MASK(field) ((UINT64_C(1) << LSU_##field##_W) - 1)
#define LSU_GET(hdr, field) ((hdr) >> LSU_##field##_LSB & LSU_MASK(field))
/* clang-format off */
#define LSU_PUT(hdr, field, value) \
  (((hdr) & ~(LSU_MASK(field) << LSU_##field##_LSB)) | ((uint64_t)(value) & LSU_MASK(field)) << LSU_##field##_LSB)
/* clang-format on */

/* The class of a message to the near-bank unit; -1 for a type that does not exist. */
static inline int lsu_down_class(unsigned type) {
  switch (type) {
/* clang-format off */
#define LSU_DOWN(name, code, cls, beats, text) case code: return cls;
#include "lsu_msg.def"
    /* clang-format on */
  default: return -1;
  }
}

/* Its length in beats, header included; 0 for a type that does not exist. */
static inline unsigned lsu_down_beats(unsigned type) {
  switch (type) {
/* clang-format off */
#define LSU_DOWN(name, code, cls, beats, text) case code: return beats;
#include "lsu_msg.def"
    /* clang-format on */
  default: return 0;
  }
}

#endif
