/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_ldu, the NSU's load unit: OFLD.BEG's registers, LD and LDC into the register
 * file (rtl/nsu/nsu_ldu.ports).
 *
 * Call nsu_ldu_eval for the outputs of a cycle, then nsu_ldu_step with the same inputs for its
 * clock edge. ready, done, miss, cb_free and the write port depend on inputs of the same cycle
 * (Mealy). One instruction is under way at a time; go without ready is ignored. nsu_ldu_step
 * asserts that an accepted instruction is a BEG, LD or LDC.
 */
#ifndef NSU_LDU_H
#define NSU_LDU_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_isa.h"
#include "nsu_ldu_ports.h"

typedef enum {
  LDU_IDLE,
  LDU_LD,        /* writes the read data */
  LDU_BEG_EMPTY, /* an OFLD.BEG without registers */
  LDU_BEG_READ,  /* asks the command buffer for the k-th register ... */
  LDU_BEG_WRITE, /* ... and writes it */
  LDU_LDC_READ,  /* asks the constant cache ... */
  LDU_LDC_WRITE  /* ... and writes the word, or gives up */
} nsu_ldu_state_t;

typedef struct {
  nsu_ldu_state_t state;
  unsigned k;            /* register of BEG's list, from 0 */
  uint64_t instr, cbase; /* the instruction; byte address of the warp's constants */
  uint8_t slot, idx;     /* the warp slot; its command's entry in nsu_cmdbuf */
  uint32_t mask;         /* the warp's threads */
} nsu_ldu_t;

void nsu_ldu_reset(nsu_ldu_t *s);
void nsu_ldu_eval(const nsu_ldu_t *s, const nsu_ldu_in_t *in, nsu_ldu_out_t *out);
void nsu_ldu_step(nsu_ldu_t *s, const nsu_ldu_in_t *in);
/* True: while go is 0, step changes nothing. */
bool nsu_ldu_idle(const nsu_ldu_t *s);

#endif
