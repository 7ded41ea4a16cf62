/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for people: digits in groups of three.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

/* 1234567 becomes "1,234,567". Returns buf, which has at least 28 chars. */
char *number_text(uint64_t value, char *buf);

#endif
