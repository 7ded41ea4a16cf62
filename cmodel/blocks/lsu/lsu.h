/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu, a subcore's load/store unit for ld/st.global (MPU paper, section IV-B2, Fig.
 * 4 (1); rtl/lsu/lsu.ports).
 *
 * Call lsu_eval for the outputs of a cycle, then lsu_step with the same inputs for its clock edge.
 * The constant inputs apart, all outputs are state (Moore): lsu_step chooses what the coming cycle
 * shows (`shown`, `number`). lsu_eval writes dn_ and rq_ only if their valid bit is 1. lsu_step
 * asserts that addresses of threads in the mask are multiples of the size.
 */
#ifndef LSU_H
#define LSU_H

#include <stdbool.h>

#include "lsu_msg.h"
#include "lsu_ports.h"

/* EMPTY commits an instruction without threads. OFFLOAD shows its LDO or STO. DATA waits for a
 * store's rows. TRANSFERS shows one transfer after the other. */
typedef enum { LSU_WORK_NONE, LSU_WORK_EMPTY, LSU_WORK_OFFLOAD, LSU_WORK_DATA, LSU_WORK_TRANSFERS } lsu_phase_t;

/* The instruction in work, and its next transfer. */
typedef struct {
  lsu_phase_t phase;
  bool store, sign, second;            /* second: waits for the row of the upper words */
  uint8_t warp, reg, tag, size, entry; /* size: a thread has 2^size bytes; entry: index of its entry */
  uint32_t left;                       /* threads not served yet, with those of this transfer */
  uint32_t line[LSU_LANES];            /* a thread's transfer: core, unit, address bits 25..5 */
  uint8_t off[LSU_LANES];              /* a thread's place in it: address bits 4..0 */
  uint32_t row[2][LSU_LANES];          /* a store's data */
  uint32_t group, where;               /* this transfer's threads; its `line` */
  uint32_t mask, data[LSU_XFER_WORDS]; /* bytes it writes; 0 for a read */
  int number;                          /* its request number; -1: it has none and is not shown */
} lsu_work_t;

/* An instruction that is not offloaded, from its acceptance until its end. */
typedef struct {
  bool store, sign, second; /* second: the first of two REGWs is taken */
  uint8_t warp, reg, tag, size;
  uint32_t mask;    /* the instruction's threads */
  unsigned pending; /* transfers taken and not answered */
  uint8_t off[LSU_LANES];
  uint32_t row[2][LSU_LANES]; /* a load's words, extended; [1]: the upper words */
} lsu_entry_t;

typedef struct {
  lsu_work_t work;
  lsu_entry_t entry[Entries];
  uint32_t used, regw, commit;        /* entries, a bit each: in use; load done; store done */
  uint64_t numbers[(Reqs + 63) / 64]; /* request numbers in use */
  unsigned in_use;
  struct {
    uint8_t entry;
    uint32_t group;
  } req[Reqs];    /* by request number: its entry, its threads */
  int shown;      /* on dn_: -1 nothing, 0 .. Entries - 1 that entry's REGW, Entries the work's */
  bool offloaded; /* the instruction accepted in the last cycle is offloaded */
  uint8_t err;    /* the output, for one cycle */
} lsu_t;

void lsu_reset(lsu_t *s);
void lsu_eval(const lsu_t *s, const lsu_in_t *in, lsu_out_t *out);
void lsu_step(lsu_t *s, const lsu_in_t *in);
/* True: while the 1-bit inputs are 0, step changes nothing. */
bool lsu_idle(const lsu_t *s);

#endif
