/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of rv_core, the controller's RV32IM core with machine mode, one instruction after
 * the other (rtl/ctrl/rv_core.ports).
 *
 * Call rv_core_eval for the outputs of a cycle, then rv_core_step with the same inputs for its
 * clock edge. All outputs are state (Moore). Addresses are byte addresses. Any inputs are legal.
 */
#ifndef RV_CORE_H
#define RV_CORE_H

#include <stdbool.h>

#include "rv_core_ports.h"
#include "rv_csr.h"
#include "rv_isa.h"

_Static_assert((ResetPc) % 4 == 0, "ResetPc: a multiple of four");

typedef enum {
  RV_CORE_ASKS,       /* requests an instruction */
  RV_CORE_WAITS,      /* for the response */
  RV_CORE_WORKS,      /* for `left` cycles more */
  RV_CORE_ASKS_DATA,  /* requests a load or store */
  RV_CORE_WAITS_DATA, /* for the response */
  RV_CORE_OVER,       /* the instruction ends, or sleeps */
} rv_core_phase_t;

/* An instruction's effect: what it has computed, and what it still has to do. */
typedef struct {
  uint32_t next;          /* address of the next instruction */
  unsigned rd;            /* the register that it writes; 0: none */
  uint32_t value;         /* what it writes */
  bool trap, sleeps;      /* it ends with a trap; it is a WFI */
  bool memory, store;     /* a load or store without a trap so far; a store */
  uint32_t address, data; /* valid with `memory` */
  unsigned size;          /* bytes, 1, 2 or 4; valid with `memory` */
} rv_effect_t;

typedef struct {
  uint32_t x[32];    /* the registers; x[0] is 0 */
  uint32_t pc, insn; /* the instruction under way */
  rv_core_phase_t phase;
  unsigned left; /* cycles of WORKS still to come */
  rv_effect_t effect;
  rv_csr_t csr;
} rv_core_t;

/* The registers keep their values; they are 0 at power-up. */
void rv_core_reset(rv_core_t *s);
void rv_core_eval(const rv_core_t *s, const rv_core_in_t *in, rv_core_out_t *out);
void rv_core_step(rv_core_t *s, const rv_core_in_t *in);
/* True: the core sleeps, and while irq is 0 step changes only mcycle. */
bool rv_core_quiet(const rv_core_t *s);

#endif
