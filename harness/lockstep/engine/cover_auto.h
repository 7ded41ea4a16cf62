/* SPDX-License-Identifier: Apache-2.0
 *
 * Functional points from the port file alone, for every block: each 1-bit port that qualifies
 * others, and each 1-bit probe, seen high, high in two cycles in a row, and high again after a low
 * cycle; each pair of X_valid and X_ready or X_take held up and taken at once.
 */
#ifndef COVER_AUTO_H
#define COVER_AUTO_H

#include "dut.h"

typedef struct {
  uint32_t offset, partner; /* of the value; of X_ready or X_take: UINT32_MAX: none */
  bool in, partner_in;
  const char *name;
} cover_valid_t;

typedef struct {
  cover_valid_t *valids;
  unsigned num_valids, num_points;
  uint8_t *state; /* of each: the last values */
} cover_auto_t;

bool cover_auto_open(cover_auto_t *points, const dut_t *dut); /* false: out of memory */
void cover_auto_close(cover_auto_t *points);
void cover_auto_reset(cover_auto_t *points);
void cover_auto_cycle(cover_auto_t *points, const void *in, const void *out, uint32_t *counts);
const char *cover_auto_name(const cover_auto_t *points, unsigned point, char *buf, size_t size);
const char *cover_auto_text(const cover_auto_t *points, unsigned point);

#endif
