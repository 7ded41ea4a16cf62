/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_ctrl, the offload controller of an SM: it decides which candidate blocks are
 * offloaded, sends them and resumes their warps (TOM paper, sections 3.3, 4.1 and 4.2;
 * rtl/tom/tom_ctrl.ports).
 *
 * Call tom_ctrl_eval for the outputs of a cycle, then tom_ctrl_step with the same inputs for its
 * clock edge. All outputs are state (Moore). Faults set err bits that stay until reset.
 */
#ifndef TOM_CTRL_H
#define TOM_CTRL_H

#include <stdbool.h>

#include "bits.h"
#include "tom_cond.h"
#include "tom_ctrl_ports.h"
#include "tom_pack.h"
#include "tom_unpack.h"

enum { TOM_CTRL_NOBODY = -1, TOM_CTRL_FAULTS = 4 };

/* Places that serve warps in turn; each has its own pointer. */
typedef enum { TOM_CTRL_DECISION, TOM_CTRL_ASK, TOM_CTRL_PACKING, TOM_CTRL_TELLING, TOM_CTRL_PLACES } tom_ctrl_place_t;

/* Operands of a condition. */
typedef enum { TOM_CTRL_START, TOM_CTRL_BOUND, TOM_CTRL_STEP, TOM_CTRL_OPERANDS } tom_ctrl_operand_t;

/* A warp's instance: entry of the metadata table, stack of its first access, why it is not
 * offloaded (WHY_*), threads. Each is valid from the phase on that sets it. */
typedef struct {
  unsigned idx, stack, why;
  uint32_t mask;
} tom_ctrl_warp_t;

/* The decision under way. */
typedef struct {
  int warp;                                      /* the warp, or TOM_CTRL_NOBODY */
  unsigned age;                                  /* cycles since it was chosen, from 1 */
  unsigned num;                                  /* registers that its condition names, 0 .. 3 */
  tom_ctrl_operand_t operand[TOM_CTRL_OPERANDS]; /* the first `num`, in the order of reading */
  uint32_t word[TOM_CTRL_OPERANDS];              /* by operand; 0: not named */
} tom_ctrl_look_t;

typedef struct {
  uint32_t entry[Entries][PORT_WORDS(TOM_META_BITS)]; /* a memory: reset leaves it; the first member */
  tom_ctrl_warp_t warp[Warps];
  uint32_t phases[PORT_WORDS((Warps)*TOM_PHASE_W)]; /* each warp's phase, packed as probe_phase */
  uint64_t in[1 << TOM_PHASE_W];                    /* the same by phase: its warps, a bit each */
  unsigned turn[TOM_CTRL_PLACES];                   /* the warp with priority at each place */
  tom_ctrl_look_t look;
  int asks, goes;              /* warps or TOM_CTRL_NOBODY: its ask is out; it goes to tom_pack now */
  int run, res, fence, done;   /* warps with run_valid, res_valid and so on in this cycle */
  bool fault[TOM_CTRL_FAULTS]; /* bits 0 .. 3 of err, without tom_unpack's */
  tom_pack_t pack;
  tom_unpack_t unpack;
} tom_ctrl_t;

void tom_ctrl_reset(tom_ctrl_t *s);
void tom_ctrl_eval(const tom_ctrl_t *s, const tom_ctrl_in_t *in, tom_ctrl_out_t *out);
void tom_ctrl_step(tom_ctrl_t *s, const tom_ctrl_in_t *in);
/* True: while the 1-bit inputs are 0, step changes nothing visible. */
bool tom_ctrl_idle(const tom_ctrl_t *s);

/* For coverage, from probe_phase: the phase of a warp (~0u for one out of range), then the number
 * of warps in a phase. The last one gives that number as 0 none, 1 one, 2 some, 3 all. */
static inline unsigned tom_ctrl_phase(const uint32_t *phases, uint64_t warp) {
  return warp < (Warps) ? (unsigned)bits_get(phases, (unsigned)warp * TOM_PHASE_W, TOM_PHASE_W) : ~0u;
}
static inline unsigned tom_ctrl_many(const uint32_t *phases, unsigned phase) {
  unsigned n = 0;
  for (unsigned w = 0; w < (Warps); w++) n += tom_ctrl_phase(phases, w) == phase;
  return n;
}
static inline int64_t tom_ctrl_share(const uint32_t *phases, unsigned phase) {
  const unsigned n = tom_ctrl_many(phases, phase);
  return n == (Warps) ? 3 : n < 2 ? n : 2;
}

#endif
