/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates the numbers of a port file: C's operators on signed 64-bit numbers (decimal,
 * hexadecimal, octal), names, and CLOG2(x), the bits that number x things. Overflow, division by
 * zero and a shift beyond the width are errors: C leaves them undefined or wraps.
 */
#ifndef PORT_EXPR_H
#define PORT_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

/* Looks up the value of a name. False: the reason is in `trouble`. */
typedef bool port_name_t(void *context, const char *name, size_t length, long long *value, trouble_t *trouble);

/* Evaluates `text`; name(context, ...) looks up names. False: `trouble` has the reason, without
 * file and line. */
bool port_expr(const char *text, port_name_t *name, void *context, long long *value, trouble_t *trouble);

#endif
