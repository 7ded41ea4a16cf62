/* SPDX-License-Identifier: Apache-2.0
 *
 * An entry of the metadata table and its condition in C: fields and kinds, all from
 * rtl/tom/tom_meta.def.
 *
 * META_pc_LSB and META_pc_W are place and width of an entry's field, COND_kind_LSB and COND_kind_W
 * those of a condition's. REQ_ and ACK_ are fields of message headers. KIND_STEPS is a kind of
 * condition, PHASE_AWAY a phase of a warp, WHY_FULL a reason. COND_PUT cuts the value to the
 * field's width.
 */
#ifndef TOM_META_H
#define TOM_META_H

#include <stdint.h>

enum {
#define TOM_CONST(name, value, text) TOM_##name = (value),
#define TOM_FIELD(name, lsb, width, text) META_##name##_LSB = (lsb), META_##name##_W = (width),
#define TOM_COND(name, lsb, width, text) COND_##name##_LSB = (lsb), COND_##name##_W = (width),
#define TOM_REQ(name, lsb, width, text) REQ_##name##_LSB = (lsb), REQ_##name##_W = (width),
#define TOM_ACK(name, lsb, width, text) ACK_##name##_LSB = (lsb), ACK_##name##_W = (width),
#define TOM_KIND(name, code, text) KIND_##name = (code),
#define TOM_PHASE(name, code, text) PHASE_##name = (code),
#define TOM_WHY(name, code, text) WHY_##name = (code),
#include "tom_meta.def"
};

#define COND_MASK(field) ((UINT64_C(1) << COND_##field##_W) - 1)
#define COND_GET(cond, field) ((cond) >> COND_##field##_LSB & COND_MASK(field))
/* clang-format off */
#define COND_PUT(cond, field, value) \
  (((cond) & ~(COND_MASK(field) << COND_##field##_LSB)) | ((uint64_t)(value) & COND_MASK(field)) << COND_##field##_LSB)
/* clang-format on */

#endif
