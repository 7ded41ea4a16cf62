/* SPDX-License-Identifier: Apache-2.0
 *
 * rv_core -- golden model of the controller, an RV32IM core; contract: rtl/ctrl/rv_core.ports.
 */
#ifndef RV_CORE_H
#define RV_CORE_H

#include <stdbool.h>

#include "rv_core_ports.h"
#include "rv_csr.h"
#include "rv_isa.h"

_Static_assert((ResetPc) % 4 == 0, "ResetPc: a multiple of four");

typedef enum {
  RV_CORE_ASKS,      /* for an instruction */
  RV_CORE_WAITS,     /* for it */
  RV_CORE_WORKS,     /* for `left` cycles more */
  RV_CORE_ASKS_DATA, /* or brings them */
  RV_CORE_WAITS_DATA,
  RV_CORE_OVER,
} rv_core_phase_t;

/* What an instruction has done, and what is left of it to do. */
typedef struct {
  uint32_t next; /* pc behind it */
  unsigned rd;   /* 0: writes none */
  uint32_t value;
  bool trap, sleeps;
  bool memory, store; /* it is a load or store, without a trap so far */
  uint32_t address, data;
  unsigned size; /* bytes */
} rv_effect_t;

typedef struct {
  uint32_t x[32];
  uint32_t pc, insn;
  rv_core_phase_t phase;
  unsigned left;
  rv_effect_t effect;
  rv_csr_t csr;
} rv_core_t;

void rv_core_reset(rv_core_t *s); /* the registers stay */
void rv_core_eval(const rv_core_t *s, const rv_core_in_t *in, rv_core_out_t *out);
void rv_core_step(rv_core_t *s, const rv_core_in_t *in);
bool rv_core_quiet(const rv_core_t *s); /* it sleeps: while irq is 0 nothing changes but mcycle */

#endif
