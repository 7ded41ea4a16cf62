/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of lsu_xact, the transaction table: what the controller's answer with a tag is for
 * (rtl/lsu/lsu_xact.ports).
 *
 * Call lsu_xact_eval for the outputs of a cycle, then lsu_xact_step with the same inputs for its
 * clock edge. Look-ups answer in the same cycle (Mealy); free and tag are state. An alloc without
 * free is ignored.
 */
#ifndef LSU_XACT_H
#define LSU_XACT_H

#include <stdbool.h>

#include "lsu_xact_ports.h"

typedef struct {
  uint64_t used[(Xacts + 63) / 64]; /* entries in use, a bit each */
  unsigned level, err;              /* entries in use; the output err, for one cycle */
  uint8_t kind[Xacts];              /* LSU_KIND_*, by tag */
  uint16_t ref[Xacts];              /* what lsu_issue stored, by tag */
} lsu_xact_t;

typedef struct {
  bool used;
  uint8_t kind;
  uint16_t ref;
} lsu_xact_entry_t;

void lsu_xact_reset(lsu_xact_t *s);
void lsu_xact_eval(const lsu_xact_t *s, const lsu_xact_in_t *in, lsu_xact_out_t *out);
void lsu_xact_step(lsu_xact_t *s, const lsu_xact_in_t *in);

int lsu_xact_free(const lsu_xact_t *s); /* the lowest free entry; -1: none */

/* False also for a tag out of range. */
static inline bool lsu_xact_in_use(const lsu_xact_t *s, uint64_t tag) {
  return tag < Xacts && s->used[tag / 64] >> tag % 64 & 1;
}

/* The entry of a tag; all zero if it is not in use. */
static inline lsu_xact_entry_t lsu_xact_look(const lsu_xact_t *s, uint64_t tag) {
  if (!lsu_xact_in_use(s, tag)) return (lsu_xact_entry_t){0};
  return (lsu_xact_entry_t){.used = true, .kind = s->kind[tag], .ref = s->ref[tag]};
}

/* True: while alloc, lk_valid, rel_valid and rel2_valid are 0, step changes nothing. */
inline bool lsu_xact_idle(const lsu_xact_t *s) {
  return !s->err;
}

#endif
