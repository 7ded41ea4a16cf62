/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_ldu -- golden model of the load unit; contract: rtl/nsu/nsu_ldu.ports.
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
  unsigned k; /* register of the list */
  uint64_t instr, cbase;
  uint8_t slot, idx;
  uint32_t mask;
} nsu_ldu_t;

void nsu_ldu_reset(nsu_ldu_t *s);
void nsu_ldu_eval(const nsu_ldu_t *s, const nsu_ldu_in_t *in, nsu_ldu_out_t *out);
void nsu_ldu_step(nsu_ldu_t *s, const nsu_ldu_in_t *in);
bool nsu_ldu_idle(const nsu_ldu_t *s); /* while go is 0 */

#endif
