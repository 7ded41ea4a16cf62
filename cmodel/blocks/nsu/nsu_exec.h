/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_exec: it collects an instruction's operands in two collectors and executes it
 * on the lanes (NSU paper, section 4.1.2; rtl/nsu/nsu_exec.ports).
 *
 * Call nsu_exec_eval for the outputs of a cycle, then nsu_exec_step with the same inputs for its
 * clock edge. All outputs are state (Moore). disp_valid without disp_ready is ignored.
 */
#ifndef NSU_EXEC_H
#define NSU_EXEC_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_lanes.h"
#include "nsu_exec_ports.h"

/* Rows in the order in which they are read. AH, BH and CH are the high words of pairs. */
enum { EXEC_A, EXEC_B, EXEC_C, EXEC_GUARD, EXEC_AH, EXEC_BH, EXEC_CH, EXEC_OPERANDS };

enum { EXEC_COLLECTORS = 2 };

/* An instruction that collects its operands. */
typedef struct {
  uint64_t instr;
  uint8_t slot;                                /* the warp slot */
  uint32_t mask;                               /* its threads, before the guard */
  unsigned to_read, to_come;                   /* operands not asked for; operands not received; a bit each */
  uint32_t row[EXEC_OPERANDS][PKT_WARP_WIDTH]; /* operand rows, a word a thread */
} nsu_exec_collector_t;

typedef struct {
  unsigned level;  /* instructions in collectors, 0 .. 2 */
  unsigned oldest; /* collector of the oldest; the next one follows in the ring */
  /* The collector, counted from 1, whose operand is on rf_rd_data in this cycle; 0: none. */
  unsigned coming, coming_operand;
  nsu_exec_collector_t collector[EXEC_COLLECTORS];
  nsu_lanes_t lanes;
} nsu_exec_t;

void nsu_exec_reset(nsu_exec_t *s);
void nsu_exec_eval(const nsu_exec_t *s, const nsu_exec_in_t *in, nsu_exec_out_t *out);
void nsu_exec_step(nsu_exec_t *s, const nsu_exec_in_t *in);
/* True: while disp_valid is 0, step changes nothing. */
bool nsu_exec_idle(const nsu_exec_t *s);

#endif
