/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of a program that a test writes, piece by piece, and the draws by which a random one is
 * made.
 */
#ifndef PROGRAM_TEXT_H
#define PROGRAM_TEXT_H

#include <stdio.h>

#include "unit_test.h"

typedef struct {
  char text[128 << 10];
  size_t used;
  uint64_t seed;
  unsigned said; /* pieces */
} program_text_t;

/* Appends text as printf() does and counts one piece. A program that does not fit fails the
 * test. */
__attribute__((format(printf, 2, 3))) static inline void say(program_text_t *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  p->used += (size_t)vsnprintf(p->text + p->used, sizeof p->text - p->used, format, args);
  va_end(args);
  p->said++;
  assert_true(p->used < sizeof p->text);
}

/* A number from 0 to n - 1, from the program's own seed. */
static inline unsigned pick(program_text_t *p, unsigned n) {
  return (unsigned)(test_random(&p->seed) % n);
}

#endif
