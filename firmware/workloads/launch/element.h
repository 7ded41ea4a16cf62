/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of arrays: whole numbers of 8 to 64 bits and binary16, 32, 64 (element_types.def),
 * little endian, at any address.
 *
 *   const element_t *t = element_find("f32");
 *   if (!element_read(t, "1.5", false, at, &trouble)) ...
 */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

enum { ELEMENT_BYTES = 8, ELEMENT_TEXT = 40 };

/* A type of elements: "f32", 4 bytes, 'f'. */
typedef struct {
  const char *name;
  unsigned bytes;
  char kind; /* 'i', 'u', 'f' */
} element_t;

extern const element_t elements[]; /* ends with a NULL name */

const element_t *element_find(const char *name);        /* "f32"; NULL: none of that name */
const element_t *element_of(char kind, unsigned bytes); /* NULL: none */
const char *element_names(void);                        /* "u8, u16, ..., f64" */

/* Reads a number from text into the type's bytes at `to`. False: *trouble says what is wrong and
 * what would be right. any_sign: an unsigned type also takes -2^(n-1) and up. */
bool element_read(const element_t *type, const char *text, bool any_sign, void *to, trouble_t *trouble);
/* Writes all digits that tell the number from its neighbours. */
void element_print(const element_t *type, const void *at, char text[ELEMENT_TEXT]);

/* Whole numbers as they are, extended to 64 bits; floating ones as numbers. */
int64_t element_whole(const element_t *type, const void *at);
double element_real(const element_t *type, const void *at);
void element_put_whole(const element_t *type, int64_t value, void *to); /* keeps the low bits */
void element_put_real(const element_t *type, double value, void *to);   /* rounded to nearest even */

/* How far two elements may be apart and still count as equal: they differ if they exceed
 * all of these. */
typedef struct {
  bool exact;                /* bit for bit; else equal numbers are equal, and NaN is equal to NaN */
  uint64_t ulps;             /* steps of the type from one to the other; whole numbers: their difference */
  double absolute, relative; /* relative: to `want` */
} element_tolerance_t;

/* Does `got` equal `want`, both elements of the type, within the tolerance? */
bool element_same(const element_t *type, const void *got, const void *want, const element_tolerance_t *tolerance);

#endif
