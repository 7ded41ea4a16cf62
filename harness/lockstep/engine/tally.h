/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of a block was really compared: for each output and probe the cycles in which its valid
 * bit was 1, and which inputs ever changed.
 *
 *   tally_open(&tally, dut);
 *   tally_count(&tally, in, out, stride, n);   n cycles out of reset
 *   tally_outputs(&tally, TALLY_NEVER, text, sizeof text);
 *
 * Cycles in reset are not compared. A lockstep_t has a tally from its opening on; powering it up
 * again does not clear the tally.
 */
#ifndef TALLY_H
#define TALLY_H

#include "dut.h"

/* An output, probe, or bit of one that says when others have a meaning. */
typedef struct {
  unsigned port;   /* index in dut->ports */
  uint32_t word;   /* of the out struct */
  uint64_t cycles; /* compared ones in which it was not 0 */
  uint64_t seen;   /* its bits that were 1 in any of them */
  uint64_t off;    /* bits that the parameters hold at 0: by the port file, or by a proof */
  uint64_t bits;   /* all that it has */
} tally_valid_t;

/* An input that has not changed yet. */
typedef struct {
  unsigned port;
  uint32_t word, words; /* of the in struct */
  int32_t valid;        /* word of its valid bit; -1: always valid */
  bool known;           /* there is a first value: */
  uint64_t *first;
} tally_still_t;

typedef struct {
  const dut_t *dut;
  uint64_t cycles; /* out of reset, in which what is valid was compared */
  tally_valid_t *valid;
  unsigned num_valid;
  tally_still_t *still;
  unsigned num_still, num_inputs;
  uint64_t *values; /* the memory of `first` */
} tally_t;

typedef enum {
  TALLY_COMPARED,
  TALLY_NEVER,  /* its condition was never true, or that of an element of it */
  TALLY_OFF,    /* the parameters hold its condition at 0 */
  TALLY_ABSENT, /* a probe, and the device has none */
} tally_state_t;

bool tally_open(tally_t *tally, const dut_t *dut); /* false: out of memory */
void tally_close(tally_t *tally);
tally_t tally_take(tally_t *tally); /* what was counted, the caller's to close; `tally` is as one that was closed */

/* n compared cycles: their inputs and canonical
 * outputs, each `stride` bytes after the one before. */
void tally_count(tally_t *tally, const void *in, const void *out, size_t stride, unsigned n);

/* Of an output or probe, by its index in dut->ports. */
uint64_t tally_cycles(const tally_t *tally, unsigned port); /* in which it was compared, or an element of it */
tally_state_t tally_state(const tally_t *tally, unsigned port);
const tally_valid_t *tally_valid(const tally_t *tally, unsigned port); /* what qualifies it; NULL: always valid */
uint64_t tally_missing(const tally_valid_t *valid);                    /* bits that were never 1 and are not off */
const char *tally_state_name(tally_state_t state);                     /* "never" */

/* cycles of the output or probe that was compared most:
 * of one that is always valid all out of reset */
uint64_t tally_compared(const tally_t *tally);
uint64_t tally_probe_values(const tally_t *tally);                 /* of all probes, their cycles */
unsigned tally_outputs(const tally_t *tally, tally_state_t state); /* outputs and probes of this state */
/* the block has inputs, and none of them ever changed */
bool tally_unsent(const tally_t *tally);
/* off by the port file, and yet 1 in some cycle; NULL: none */
const tally_valid_t *tally_on(const tally_t *tally);

/* "sum, flit[3]": outputs and probes of this state, at most about `size` characters. */
const char *tally_list(const tally_t *tally, tally_state_t state, char *text, size_t size);
const char *tally_list_still(const tally_t *tally, char *text, size_t size); /* inputs that never changed */

#endif
