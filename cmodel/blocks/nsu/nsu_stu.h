/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_stu, the NSU's store unit: it reads a store's register and has nsu_wgen write
 * the packets (rtl/nsu/nsu_stu.ports).
 *
 * Call nsu_stu_eval for the outputs of a cycle, then nsu_stu_step with the same inputs for its
 * clock edge. ready, done and sent depend on inputs of the same cycle (Mealy). One store is under
 * way at a time; go without ready is ignored.
 */
#ifndef NSU_STU_H
#define NSU_STU_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_wgen.h"
#include "nsu_stu_ports.h"

/* READ waits for the register file's grant, START gives row and
 * addresses to nsu_wgen, WRITE sends. */
typedef enum { STU_IDLE, STU_READ, STU_START, STU_WRITE } nsu_stu_state_t;

typedef struct {
  nsu_stu_state_t state;
  uint64_t instr;              /* the ST */
  uint8_t slot, sm, warp, seq; /* the warp, and the store's number in its block */
  nsu_wgen_t wgen;
} nsu_stu_t;

void nsu_stu_reset(nsu_stu_t *s);
void nsu_stu_eval(const nsu_stu_t *s, const nsu_stu_in_t *in, nsu_stu_out_t *out);
void nsu_stu_step(nsu_stu_t *s, const nsu_stu_in_t *in);
/* True: while go is 0, step changes nothing. */
bool nsu_stu_idle(const nsu_stu_t *s);
bool nsu_stu_writes(const nsu_stu_t *s); /* the output wr_valid */

#endif
