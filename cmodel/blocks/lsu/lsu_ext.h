/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_ext -- golden model of the LSU-Extension: the blocks' models, wired as rtl/lsu/lsu_ext.ports
 * says.
 *
 * lsu_ext_eval writes only the wide fields whose valid bit is on, and looks at no input. While
 * lsu_ext_idle says true and dn_valid, mr_valid, mc_credit, sm_gnt and up_take are 0, lsu_ext_step
 * changes nothing, and all outputs are as they are (0 but for probes), so that such cycles may be
 * skipped: nothing is under way, or all of it waits for the memory controller. Other inputs do not
 * matter then.
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

/* Rule 4: instructions under way whose CPL the sender
 * has not seen, at most; the depth of lsu_done. */
enum {
  LSU_EXT_PLACES = 4 + Gathers + Stores + MemDepth + SmemDepth + WriteDepth,
  LSU_EXT_COMMITS = (int)LSU_EXT_PLACES < (int)LSU_DONE_MOST ? (int)LSU_EXT_PLACES : (int)LSU_DONE_MOST
};

/* What the blocks ask of each other in a cycle, as far as it follows from their states alone. Rows
 * and vectors stay where they are: eval looks them up when they are shown. */
typedef struct {
  bool idle;
  int reader, writer;      /* who is granted the register file's ports: lsu_rfport.h */
  lsu_issue_in_t issue_in; /* rf_data is not looked at */
  lsu_issue_out_t issue;   /* all zero without a message */
} lsu_ext_wires_t;

typedef struct {
  lsu_ext_wires_t wires; /* of the coming cycle */
  lsu_rfport_t rfport;
  lsu_done_core_t done;
  lsu_stores_t stores;
  lsu_xact_t xact;
  lsu_tx_t tx;
  lsu_rx_t rx;
  lsu_dramq_t dramq;
  lsu_gather_t gather;
  lsu_issue_t issue;
  lsu_smem_t smem;
  move_near_t move;
  bool reading;                           /* the buffer was read in the cycle before, */
  uint8_t read_tag;                       /* this entry of it, */
  uint32_t read[LSU_XFER_WORDS];          /* and this is what was read last */
  uint32_t buffer[Xacts][LSU_XFER_WORDS]; /* read data on their way up */
} lsu_ext_t;

void lsu_ext_reset(lsu_ext_t *s);
void lsu_ext_eval(const lsu_ext_t *s, const lsu_ext_in_t *in, lsu_ext_out_t *out);
void lsu_ext_step(lsu_ext_t *s, const lsu_ext_in_t *in);
bool lsu_ext_idle(const lsu_ext_t *s);

#endif
