/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_ctrl -- golden model of the offload controller of an SM; contract: rtl/tom/tom_ctrl.ports.
 *
 * tom_ctrl_idle: step would change nothing that is seen while the 1-bit inputs are 0.
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

/* Places that take warps in turn. */
typedef enum { TOM_CTRL_DECISION, TOM_CTRL_ASK, TOM_CTRL_PACKING, TOM_CTRL_TELLING, TOM_CTRL_PLACES } tom_ctrl_place_t;

/* What a condition names. */
typedef enum { TOM_CTRL_START, TOM_CTRL_BOUND, TOM_CTRL_STEP, TOM_CTRL_OPERANDS } tom_ctrl_operand_t;

typedef struct {
  unsigned idx, stack, why;
  uint32_t mask;
} tom_ctrl_warp_t;

/* The warp that is decided on. */
typedef struct {
  int warp;     /* or nobody */
  unsigned age; /* cycles since it was chosen */
  unsigned num; /* registers that its condition names */
  tom_ctrl_operand_t operand[TOM_CTRL_OPERANDS];
  uint32_t word[TOM_CTRL_OPERANDS]; /* of each operand; 0: not named */
} tom_ctrl_look_t;

typedef struct {
  uint32_t entry[Entries][PORT_WORDS(TOM_META_BITS)]; /* a memory, which no reset clears */
  tom_ctrl_warp_t warp[Warps];
  uint32_t phases[PORT_WORDS((Warps)*TOM_PHASE_W)]; /* of each warp, as probe_phase shows them */
  uint64_t in[1 << TOM_PHASE_W];                    /* the same: of each phase its warps, a bit each */
  unsigned turn[TOM_CTRL_PLACES];                   /* the warp that is looked at first */
  tom_ctrl_look_t look;
  int asks, goes;            /* a warp, or nobody: whose ask is out; who is given to tom_pack in this cycle */
  int run, res, fence, done; /* who is told so in this cycle */
  bool fault[TOM_CTRL_FAULTS];
  tom_pack_t pack;
  tom_unpack_t unpack;
} tom_ctrl_t;

void tom_ctrl_reset(tom_ctrl_t *s);
void tom_ctrl_eval(const tom_ctrl_t *s, const tom_ctrl_in_t *in, tom_ctrl_out_t *out);
void tom_ctrl_step(tom_ctrl_t *s, const tom_ctrl_in_t *in);
bool tom_ctrl_idle(const tom_ctrl_t *s);

/* For points of coverage, of probe_phase: the phase of a
 * warp; how many are in one; that as none, one, some, all. */
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
