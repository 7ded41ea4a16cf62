/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_stu -- golden model of the store unit; contract: rtl/nsu/nsu_stu.ports.
 */
#ifndef NSU_STU_H
#define NSU_STU_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_wgen.h"
#include "nsu_stu_ports.h"

typedef enum { STU_IDLE, STU_READ, STU_START, STU_WRITE } nsu_stu_state_t;

typedef struct {
  nsu_stu_state_t state;
  uint64_t instr;
  uint8_t slot, sm, warp, seq;
  nsu_wgen_t wgen;
} nsu_stu_t;

void nsu_stu_reset(nsu_stu_t *s);
void nsu_stu_eval(const nsu_stu_t *s, const nsu_stu_in_t *in, nsu_stu_out_t *out);
void nsu_stu_step(nsu_stu_t *s, const nsu_stu_in_t *in);
bool nsu_stu_idle(const nsu_stu_t *s);   /* while go is 0 */
bool nsu_stu_writes(const nsu_stu_t *s); /* wr_valid */

#endif
