/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_smem -- golden model of the shared-memory path; contract: rtl/lsu/lsu_smem.ports.
 */
#ifndef LSU_SMEM_H
#define LSU_SMEM_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_smem_ports.h"

typedef struct {
  enum { LSU_SMEM_ROWS, LSU_SMEM_PASSES, LSU_SMEM_WRITE, LSU_SMEM_DONE } state;
  unsigned asked;                          /* rows that the register file has granted */
  bool coming;                             /* the last of them comes in this cycle */
  uint32_t row[3][LSU_LANES];              /* addresses, data, upper words of data */
  bool upper;                              /* PASSES: the upper words are being served; WRITE: written */
  uint32_t addr[LSU_LANES];
  uint32_t legal, left;                    /* threads; which of them are still to be served in this half */
  uint32_t served;                         /* threads whose words come in this cycle */
  bool served_upper;
  uint32_t loaded[2][LSU_LANES];
  bool first, err;                         /* the cycle in which the first pass would start */
} lsu_smem_t;

void lsu_smem_reset(lsu_smem_t *s);
void lsu_smem_eval(const lsu_smem_t *s, const lsu_smem_in_t *in, lsu_smem_out_t *out);
void lsu_smem_step(lsu_smem_t *s, const lsu_smem_in_t *in);

#endif
