/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_ext -- golden model of the LSU-Extension: the blocks' models, wired as rtl/lsu/lsu_ext.ports says.
 */
#ifndef LSU_EXT_H
#define LSU_EXT_H

#include <stdbool.h>

#include "lsu_done_core.h"
#include "lsu_dramq.h"
#include "lsu_ext_ports.h"
#include "lsu_gather.h"
#include "lsu_issue.h"
#include "lsu_rfport.h"
#include "lsu_rx.h"
#include "lsu_smem.h"
#include "lsu_stores.h"
#include "lsu_tx.h"
#include "lsu_xact.h"
#include "move_near.h"

/* What the blocks show in a cycle, as far as it follows from their states alone. */
typedef struct {
  lsu_rx_out_t rx;
  lsu_dramq_out_t dramq;
  lsu_xact_out_t xact;
  lsu_gather_out_t gather;
  lsu_stores_out_t stores;
  lsu_issue_in_t issue_in;
  lsu_issue_out_t issue;
  lsu_smem_in_t smem_in;
  lsu_smem_out_t smem;
  move_near_in_t move_in;
  move_near_out_t move;
  lsu_rfport_in_t rfport_in;
  lsu_rfport_out_t rfport;
} lsu_ext_wires_t;

typedef struct {
  lsu_rx_t rx;
  lsu_dramq_t dramq;
  lsu_xact_t xact;
  lsu_gather_t gather;
  lsu_stores_t stores;
  lsu_issue_t issue;
  lsu_smem_t smem;
  move_near_t move;
  lsu_rfport_t rfport;
  lsu_done_core_t done;
  lsu_tx_t tx;
  uint32_t buffer[Xacts][LSU_XFER_WORDS]; /* read data on their way up */
  uint32_t read[LSU_XFER_WORDS];          /* what was read of it in the cycle before */
  lsu_ext_wires_t wires;                  /* of the coming cycle */
} lsu_ext_t;

void lsu_ext_reset(lsu_ext_t *s);
void lsu_ext_eval(const lsu_ext_t *s, const lsu_ext_in_t *in, lsu_ext_out_t *out);
void lsu_ext_step(lsu_ext_t *s, const lsu_ext_in_t *in);

#endif
