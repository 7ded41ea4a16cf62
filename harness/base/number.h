/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people read them.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

/* 1234567 -> "1,234,567"; buf of at least 28 chars is returned. */
char *number_text(uint64_t value, char *buf);

#endif
