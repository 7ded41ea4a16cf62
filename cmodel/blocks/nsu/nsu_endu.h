/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_endu -- golden model of the end unit; contract: rtl/nsu/nsu_endu.ports.
 */
#ifndef NSU_ENDU_H
#define NSU_ENDU_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_isa.h"
#include "nsu_endu_ports.h"

typedef enum { ENDU_IDLE, ENDU_READ, ENDU_DATA, ENDU_ACK } nsu_endu_state_t;

typedef struct {
  nsu_endu_state_t state;
  unsigned k; /* register of the list, and beat */
  uint64_t instr;
  uint8_t slot, sm, warp, seq;
  uint32_t mask;
  uint32_t row[LINE_WORDS];
} nsu_endu_t;

void nsu_endu_reset(nsu_endu_t *s);
void nsu_endu_eval(const nsu_endu_t *s, const nsu_endu_in_t *in, nsu_endu_out_t *out);
void nsu_endu_step(nsu_endu_t *s, const nsu_endu_in_t *in);
bool nsu_endu_idle(const nsu_endu_t *s); /* while go is 0 */
bool nsu_endu_acks(const nsu_endu_t *s); /* ack_valid */

#endif
