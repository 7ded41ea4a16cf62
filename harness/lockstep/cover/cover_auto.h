/* SPDX-License-Identifier: Apache-2.0
 *
 * Automatic functional points, derived from the port file of any block. Each 1-bit port that
 * qualifies others, and each 1-bit probe, should be seen three ways: high, high in two successive
 * cycles, and high after a low cycle. Each pair of X_valid and X_ready (or X_take) should be seen
 * held up and taken at once.
 */
#ifndef COVER_AUTO_H
#define COVER_AUTO_H

#include "dut.h"

/* A watched port. */
typedef struct {
  /* Byte offsets of the port and of its X_ready or X_take; UINT32_MAX: no partner. */
  uint32_t offset, partner;
  bool in, partner_in; /* whether each of the two is an input */
  bool low;            /* what it qualifies is valid while it is 0 */
  const char *name;
} cover_valid_t;

typedef struct {
  cover_valid_t *valids;
  unsigned num_valids, num_points;
  uint8_t *state; /* the last values of each */
} cover_auto_t;

/* Finds the ports to watch. */
bool cover_auto_open(cover_auto_t *points, const dut_t *dut); /* false: out of memory */
void cover_auto_close(cover_auto_t *points);
void cover_auto_reset(cover_auto_t *points); /* forgets the last values, as at power-up */
/* Adds one cycle (X_in_t, X_out_t) to counts[num_points]. */
void cover_auto_cycle(cover_auto_t *points, const void *in, const void *out, uint32_t *counts);
/* name and description of a point; `buf` is returned */
const char *cover_auto_name(const cover_auto_t *points, unsigned point, char *buf, size_t size);
const char *cover_auto_text(const cover_auto_t *points, unsigned point);

#endif
