/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a flit in C: its fields, from rtl/router/router_flit.def.
 *
 * FLIT_GET(header, dest) reads a field. FLIT_PUT(header, dest, 5) returns the header with the field
 * replaced; the value is cut to the field's width. FLIT_dest_W is a field's width, as in port
 * files.
 */
#ifndef ROUTER_HEADER_H
#define ROUTER_HEADER_H

#include <stdint.h>

enum {
#define FLIT_FIELD(name, lsb, width, text) FLIT_##name##_LSB = (lsb), FLIT_##name##_W = (width),
#include "router_flit.def"
};

#define FLIT_MASK(field) ((UINT32_C(1) << FLIT_##field##_W) - 1)
#define FLIT_GET(header, field) ((header) >> FLIT_##field##_LSB & FLIT_MASK(field))
/* clang-format off */
#define FLIT_PUT(header, field, value) \
(((header) & ~(FLIT_MASK(field) << FLIT_##field##_LSB)) | ((uint32_t)(value) & FLIT_MASK(field)) << FLIT_##field##_LSB)
/* clang-format on */

#endif
