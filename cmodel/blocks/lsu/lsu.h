/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu -- golden model of a subcore's load/store unit; contract: rtl/lsu/lsu.ports.
 *
 * What a cycle shows is chosen at the end of the cycle before (`shown`, `number`), so eval only
 * reads. lsu_idle: step would change nothing while the 1-bit inputs are 0.
 */
#ifndef LSU_H
#define LSU_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_ports.h"

/* EMPTY: commits an instruction without threads; OFFLOAD: its LDO or
 * STO goes; DATA: a store's row is awaited; TRANSFERS: they go. */
typedef enum { LSU_WORK_NONE, LSU_WORK_EMPTY, LSU_WORK_OFFLOAD, LSU_WORK_DATA, LSU_WORK_TRANSFERS } lsu_phase_t;

/* The instruction that is worked on, and the transfer that is next of it. */
typedef struct {
  lsu_phase_t phase;
  bool store, sign, second; /* second: the upper words' row is awaited */
  uint8_t warp, reg, tag, size, entry;
  uint32_t left;                       /* threads not served yet, those of this transfer among them */
  uint32_t line[LSU_LANES];            /* a thread's transfer: core, unit, address bits 25..5 */
  uint8_t off[LSU_LANES];              /* address bits 4..0 */
  uint32_t row[2][LSU_LANES];          /* a store's data */
  uint32_t group, where;               /* of this transfer: its threads, its `line` */
  uint32_t mask, data[LSU_XFER_WORDS]; /* what it writes */
  int number;                          /* its request number; -1: not shown yet */
} lsu_work_t;

typedef struct {
  bool store, sign, second; /* second: the first of two REGWs is taken */
  uint8_t warp, reg, tag, size;
  uint32_t mask;
  unsigned pending; /* transfers taken and not answered */
  uint8_t off[LSU_LANES];
  uint32_t row[2][LSU_LANES]; /* as the register will have it */
} lsu_entry_t;

typedef struct {
  lsu_work_t work;
  lsu_entry_t entry[Entries];
  uint32_t used, regw, commit;        /* entries: not free; done, a load; done, a store */
  uint64_t numbers[(Reqs + 63) / 64]; /* in use */
  unsigned in_use;
  struct {
    uint8_t entry;
    uint32_t group;
  } req[Reqs];
  int shown; /* on dn_: -1 nothing, 0 .. Entries - 1 that entry's REGW, Entries the work's */
  bool offloaded;
  uint8_t err;
} lsu_t;

void lsu_reset(lsu_t *s);
void lsu_eval(const lsu_t *s, const lsu_in_t *in, lsu_out_t *out);
void lsu_step(lsu_t *s, const lsu_in_t *in);
bool lsu_idle(const lsu_t *s);

#endif
