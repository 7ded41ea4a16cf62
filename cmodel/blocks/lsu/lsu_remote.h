/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_remote, a core's server for other cores' accesses (MPU paper, section IV-B2,
 * Fig. 4 (2); rtl/lsu/lsu_remote.ports).
 *
 * Call lsu_remote_eval for the outputs of a cycle, then lsu_remote_step with the same inputs for
 * its clock edge. All outputs are state (Moore). lsu_remote_eval writes a field only if its valid
 * bit is 1.
 */
#ifndef LSU_REMOTE_H
#define LSU_REMOTE_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_remote_ports.h"

/* The origin of a request: where its answer goes. */
typedef struct {
  bool write;
  uint8_t core, subcore, id;
} lsu_remote_asker_t;

/* A transfer to one of this core's near-bank units. mask and data are 0 for a read. */
typedef struct {
  lsu_remote_asker_t from;
  uint8_t nbu;
  uint32_t addr, mask, data[LSU_XFER_WORDS]; /* addr: byte address, low five bits zero */
} lsu_remote_request_t;

/* An answer on its way back; data is 0 for a write. */
typedef struct {
  lsu_remote_asker_t to;
  uint32_t data[LSU_XFER_WORDS];
} lsu_remote_answer_t;

/* The FIFOs are rings. */
typedef struct {
  lsu_remote_request_t request[InDepth];
  unsigned first, requests;                 /* oldest request; requests waiting */
  int shown;                                /* entry of the oldest request on dn_; -1: it is not shown */
  lsu_remote_asker_t entry[RemoteEntries];  /* requests under way */
  uint64_t used[(RemoteEntries + 63) / 64]; /* entries in use, a bit each */
  unsigned in_use;
  lsu_remote_answer_t answer[RemoteEntries];
  unsigned answer_first, answers; /* oldest answer; answers waiting */
  bool credit;                    /* a request left the input FIFO in the last cycle */
  uint8_t err;                    /* the output, for one cycle */
} lsu_remote_t;

void lsu_remote_reset(lsu_remote_t *s);
void lsu_remote_eval(const lsu_remote_t *s, const lsu_remote_in_t *in, lsu_remote_out_t *out);
void lsu_remote_step(lsu_remote_t *s, const lsu_remote_in_t *in);
/* True: while the 1-bit inputs are 0, step changes nothing. */
bool lsu_remote_idle(const lsu_remote_t *s);

#endif
