/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_remote -- golden model of a core's server for other cores' accesses; contract:
 * rtl/lsu/lsu_remote.ports.
 *
 * lsu_remote_idle: step would change nothing while the 1-bit inputs are 0.
 */
#ifndef LSU_REMOTE_H
#define LSU_REMOTE_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_remote_ports.h"

typedef struct {
  bool write;
  uint8_t core, subcore, id;
} lsu_remote_asker_t;

typedef struct {
  lsu_remote_asker_t from;
  uint8_t nbu;
  uint32_t addr, mask, data[LSU_XFER_WORDS];
} lsu_remote_request_t;

typedef struct {
  lsu_remote_asker_t to;
  uint32_t data[LSU_XFER_WORDS];
} lsu_remote_answer_t;

/* FIFOs are rings: the oldest at `first`. */
typedef struct {
  lsu_remote_request_t request[InDepth];
  unsigned first, requests;
  int shown; /* the oldest's entry; -1: it is not shown on dn_ */
  lsu_remote_asker_t entry[RemoteEntries];
  uint64_t used[(RemoteEntries + 63) / 64];
  unsigned in_use;
  lsu_remote_answer_t answer[RemoteEntries];
  unsigned answer_first, answers;
  bool credit;
  uint8_t err;
} lsu_remote_t;

void lsu_remote_reset(lsu_remote_t *s);
void lsu_remote_eval(const lsu_remote_t *s, const lsu_remote_in_t *in, lsu_remote_out_t *out);
void lsu_remote_step(lsu_remote_t *s, const lsu_remote_in_t *in);
bool lsu_remote_idle(const lsu_remote_t *s);

#endif
