/* SPDX-License-Identifier: Apache-2.0
 *
 * A device for tests of the engine: an adder with a memory, whose "RTL" is the same C code with
 * faults that a test switches on. Inputs: add (1 bit), value (8, qualified by add; 250 makes the
 * sum one more two cycles later), wide (70, qualified by add). With fake_stim_rules its stimulus
 * keeps two rules: values are odd, and the topmost 6 bits of wide stay as they were at the first
 * add after reset. Outputs: sum (16), not_zero (1), echo (70, qualified by not_zero), probe_count
 * (8).
 */
#ifndef FAKE_DUT_H
#define FAKE_DUT_H

#include "lockstep.h"

typedef struct {
  uint64_t add, value;
  uint32_t wide[4];
} fake_in_t;

typedef struct {
  uint64_t sum, not_zero;
  uint32_t echo[4];
  uint64_t probe_count;
} fake_out_t;

/* What is wrong with the device (or the model). A
 * fault that names a value is woken by that value. */
typedef struct {
  unsigned wrong_sum_after; /* 1..255: from the cycle after this value on, sum is one too much */
  unsigned armed_by;        /* with it: only when this value came before; 0: no condition */
  bool wrong_probe_too;     /* the probe is wrong in the same cycle */
  bool junk_when_invalid;   /* echo is full of ones while not_zero is 0 */
  unsigned dut_assert_on;   /* this value trips an assertion of the device */
  unsigned model_assert_on; /* this value trips an assertion of the model */
  /* after this value echo's field `high` or `low` is wrong
   * in a bit; high only when armed_by came before */
  unsigned high_after, low_after;
  /* once one of fake_stim_rules' rules is broken, sum is wrong as it is after wrong_sum_after */
  bool wrong_when_illegal;
  bool wide_bit;   /* bit 69 of echo is dropped */
  bool wrong_idle; /* the model says that it sleeps when it does not */
  bool create_fails;
  bool no_snapshots;
  bool static_sum;     /* the model keeps the sum in a static variable, not in its struct */
  bool static_resets;  /* the model's sum is one too much after every other reset of any model */
  bool static_devices; /* the device's sum is wrong after `wrong_sum_after` in every other device that was ever made */
  enum {
    WRITES_NOTHING,
    EVAL_WRITES_STATE,
    EVAL_WRITES_INPUTS,
    STEP_WRITES_INPUTS,
    IDLE_WRITES_STATE,
    NEXT_WRITES_OUTPUTS
  } writes;
} fake_faults_t;

extern fake_faults_t fake_faults;
/* the stimulus says that an answer is owed, and stops feeding after 100 cycles */
extern bool fake_stim_waits;
extern bool fake_stim_rules, fake_stim_tells; /* tells: the rules are written down for others, too (stim.h: legal) */
/* an answer is owed, and it adds 0 in every cycle: all that
 * changes is probe_count, the same every 256 cycles */
extern bool fake_stim_repeats;

/* The table; with fake_faults.no_snapshots the device has none. */
const dut_t *fake_dut(void);
const dut_t *fake_dut_repaired(void); /* whose device has not the fault wrong_sum_after */

#endif
