/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts how much of a block was compared: the cycles in which each output and probe was valid, and
 * the inputs that ever changed.
 *
 *   tally_open(&tally, dut);
 *   tally_count(&tally, in, out, stride, n);   n cycles out of reset
 *   tally_outputs(&tally, TALLY_NEVER);
 *
 * Cycles in reset are not compared. A lockstep_t opens its tally with itself; another power-up does
 * not clear the tally.
 */
#ifndef TALLY_H
#define TALLY_H

#include "dut_table.h"

/* What qualifies other ports: an output or a probe, or several, of which all have to be 1. */
typedef struct {
  const char *text; /* as the port file has it: "ok", "valid & !err" */
  dut_term_t terms[DUT_TERMS_MOST];
  unsigned num_terms;
  unsigned port;   /* of the first term: index in dut->ports */
  uint32_t word;   /* its word in the out struct */
  bool simple;     /* one term, as it is */
  uint64_t cycles; /* compared cycles in which the word was not 0 */
  uint64_t seen;   /* bits that were 1 in any compared cycle */
  uint64_t off;    /* bits that the parameters hold at 0, by the port file or a proof */
  uint64_t bits;   /* all bits of the word */
} tally_valid_t;

/* An input that has not changed yet. */
typedef struct {
  unsigned port;
  uint32_t word, words; /* in the in struct */
  bool qualified;       /* not always valid */
  bool known;           /* `first` has the first value */
  uint64_t *first;
} tally_still_t;

typedef struct {
  const dut_t *dut;
  uint64_t cycles; /* compared cycles, out of reset */
  tally_valid_t *valid;
  unsigned num_valid;
  tally_still_t *still;
  unsigned num_still, num_inputs;
  uint64_t *values; /* the memory of all `first` */
} tally_t;

typedef enum {
  TALLY_COMPARED,
  TALLY_NEVER,  /* never valid, or one of its elements never was */
  TALLY_OFF,    /* the parameters hold its valid bit at 0 */
  TALLY_ABSENT, /* a probe that the device lacks */
} tally_state_t;

bool tally_open(tally_t *tally, const dut_t *dut); /* false: out of memory */
void tally_close(tally_t *tally);
/* Moves the counts to the caller, who closes them; `tally` is then closed. */
tally_t tally_take(tally_t *tally);

/* Adds n compared cycles: inputs and canonical outputs, each `stride` bytes behind the
 * one before. */
void tally_count(tally_t *tally, const void *in, const void *out, size_t stride, unsigned n);

/* By index in dut->ports: the cycles in which an output, a probe or an element of it
 * was compared. */
uint64_t tally_cycles(const tally_t *tally, unsigned port);
tally_state_t tally_state(const tally_t *tally, unsigned port);
/* its qualifying word; NULL: always valid */
const tally_valid_t *tally_valid(const tally_t *tally, unsigned port);
uint64_t tally_missing(const tally_valid_t *valid); /* bits that were never 1 and are not off */
const char *tally_state_name(tally_state_t state);  /* "never" */

/* Cycles of the most compared output or probe. An always-valid one counts all cycles out
 * of reset. */
uint64_t tally_compared(const tally_t *tally);
uint64_t tally_probe_values(const tally_t *tally); /* compared cycles, summed over all probes */
/* number of outputs and probes in this state */
unsigned tally_outputs(const tally_t *tally, tally_state_t state);
/* True if the block has inputs and none of them ever changed. */
bool tally_unsent(const tally_t *tally);
/* A word that is off by the port file and yet was 1 in some cycle; NULL: none. */
const tally_valid_t *tally_on(const tally_t *tally);

/* Names of outputs and probes in this state, "sum, flit[3]", at most about `size` characters. */
const char *tally_list(const tally_t *tally, tally_state_t state, char *text, size_t size);
/* names of inputs that never changed */
const char *tally_list_still(const tally_t *tally, char *text, size_t size);

#endif
