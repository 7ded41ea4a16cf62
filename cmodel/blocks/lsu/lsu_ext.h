/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_ext, the LSU-Extension of a near-bank unit (MPU paper, sections IV-B2 and
 * IV-C, Fig. 4 (3)). The blocks' models are wired as rtl/lsu/lsu_ext.ports says.
 *
 * Call lsu_ext_eval for the outputs of a cycle, then lsu_ext_step with the same inputs for its
 * clock edge. lsu_ext_eval reads no input, and writes a wide output only if its valid bit is 1.
 *
 * Callers may skip a cycle in which lsu_ext_idle is true and dn_valid, mr_valid, mc_credit, sm_gnt
 * and up_take are 0: lsu_ext_step would change nothing. All outputs but probes are 0 then. Either
 * nothing is under way, or everything waits for the memory controller.
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

/* Rule 4, the depth of lsu_done: the most instructions under way with a CPL that the sender has
 * not seen. */
enum {
  LSU_EXT_PLACES = 4 + Gathers + Stores + MemDepth + SmemDepth + WriteDepth,
  LSU_EXT_COMMITS = (int)LSU_EXT_PLACES < (int)LSU_DONE_MOST ? (int)LSU_EXT_PLACES : (int)LSU_DONE_MOST
};

/* What the blocks ask of each other in a cycle, as far as it follows from state. Rows and vectors
 * are not copied here: eval finds them in the blocks. */
typedef struct {
  bool idle;               /* what lsu_ext_idle returns */
  int reader, writer;      /* the granted requesters (lsu_rfport.h); -1: none */
  lsu_issue_in_t issue_in; /* without rf_data */
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
  bool reading;                           /* the buffer was read in the last cycle */
  uint8_t read_tag;                       /* the entry that was read */
  uint32_t read[LSU_XFER_WORDS];          /* the row that was read last */
  uint32_t buffer[Xacts][LSU_XFER_WORDS]; /* read data on their way up, by tag */
} lsu_ext_t;

void lsu_ext_reset(lsu_ext_t *s);
void lsu_ext_eval(const lsu_ext_t *s, const lsu_ext_in_t *in, lsu_ext_out_t *out);
void lsu_ext_step(lsu_ext_t *s, const lsu_ext_in_t *in);
bool lsu_ext_idle(const lsu_ext_t *s);

#endif
