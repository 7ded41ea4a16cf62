/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that a port file writes as expressions: C's operators on 64-bit signed numbers, decimal,
 * hexadecimal and octal, names and CLOG2(x), the bits that number x things. What C leaves open or
 * wraps is an error: an overflow, a division by zero, a shift too far.
 */
#ifndef PORT_EXPR_H
#define PORT_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

/* The value of a name; false with the reason in trouble. */
typedef bool port_name_t(void *context, const char *name, size_t length, long long *value, trouble_t *trouble);

/* False with the reason in trouble, without file and line. */
bool port_expr(const char *text, port_name_t *name, void *context, long long *value, trouble_t *trouble);

#endif
