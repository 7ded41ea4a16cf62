/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of parts that compositions may name (parts.def).
 */
#include "part.h"

const part_kind_t *const part_kinds[] = {
#define PART(name) &part_##name,
#include "parts.def"
    NULL};
