/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_exec -- golden model of operand collection and execution; contract: rtl/nsu/nsu_exec.ports.
 */
#ifndef NSU_EXEC_H
#define NSU_EXEC_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_lanes.h"
#include "nsu_exec_ports.h"

/* Rows in the order in which they are read; AH, BH, CH: the high words of pairs. */
enum { EXEC_A, EXEC_B, EXEC_C, EXEC_GUARD, EXEC_AH, EXEC_BH, EXEC_CH, EXEC_OPERANDS };

enum { EXEC_COLLECTORS = 2 };

/* An instruction that collects its operands. */
typedef struct {
  uint64_t instr;
  uint8_t slot;
  uint32_t mask;
  unsigned to_read, to_come; /* operands that it has not asked for, or not got yet, a bit each */
  uint32_t row[EXEC_OPERANDS][PKT_WARP_WIDTH];
} nsu_exec_collector_t;

typedef struct {
  unsigned level;  /* instructions that collect */
  unsigned oldest; /* where the oldest one is; the next one is behind it, in a ring */
  /* the collector, counted from 1, whose row rf_rd_data holds in this cycle; 0: nobody's */
  unsigned coming, coming_operand;
  nsu_exec_collector_t collector[EXEC_COLLECTORS];
  nsu_lanes_t lanes;
} nsu_exec_t;

void nsu_exec_reset(nsu_exec_t *s);
void nsu_exec_eval(const nsu_exec_t *s, const nsu_exec_in_t *in, nsu_exec_out_t *out);
void nsu_exec_step(nsu_exec_t *s, const nsu_exec_in_t *in);
bool nsu_exec_idle(const nsu_exec_t *s); /* while disp_valid is 0 */

#endif
