/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_endu, the NSU's end unit: it returns OFLD.END's registers to the GPU in an
 * acknowledgement (NSU paper, section 4.1.2; rtl/nsu/nsu_endu.ports).
 *
 * Call nsu_endu_eval for the outputs of a cycle, then nsu_endu_step with the same inputs for its
 * clock edge. cr_take, done and the header's credits depend on inputs of the same cycle (Mealy).
 * One END is under way at a time; go without ready is ignored.
 */
#ifndef NSU_ENDU_H
#define NSU_ENDU_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_isa.h"
#include "nsu_endu_ports.h"

/* READ waits for the register file's grant, DATA takes the row, ACK sends a beat. */
typedef enum { ENDU_IDLE, ENDU_READ, ENDU_DATA, ENDU_ACK } nsu_endu_state_t;

typedef struct {
  nsu_endu_state_t state;
  unsigned k;                  /* register of END's list and beat of the acknowledgement, from 0 */
  uint64_t instr;              /* the END */
  uint8_t slot, sm, warp, seq; /* the warp that ends */
  uint32_t mask;               /* its threads */
  uint32_t row[LINE_WORDS];    /* register k, a word a thread; valid in ACK */
} nsu_endu_t;

void nsu_endu_reset(nsu_endu_t *s);
void nsu_endu_eval(const nsu_endu_t *s, const nsu_endu_in_t *in, nsu_endu_out_t *out);
void nsu_endu_step(nsu_endu_t *s, const nsu_endu_in_t *in);
/* True: while go is 0, step changes nothing. It is also the output `ready`. */
bool nsu_endu_idle(const nsu_endu_t *s);
bool nsu_endu_acks(const nsu_endu_t *s); /* the output ack_valid */

#endif
