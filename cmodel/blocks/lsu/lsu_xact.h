/* SPDX-License-Identifier: Apache-2.0
 *
 * lsu_xact -- golden model of the transaction table; contract: rtl/lsu/lsu_xact.ports.
 */
#ifndef LSU_XACT_H
#define LSU_XACT_H

#include <stdbool.h>

#include "lsu_xact_ports.h"

typedef struct {
  uint64_t used[(Xacts + 63) / 64]; /* a bit for each entry */
  unsigned level, err;              /* entries in use */
  uint8_t kind[Xacts];
  uint16_t ref[Xacts];
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

static inline bool lsu_xact_in_use(const lsu_xact_t *s, uint64_t tag) {
  return tag < Xacts && s->used[tag / 64] >> tag % 64 & 1;
}

/* All zero when it is not in use. */
static inline lsu_xact_entry_t lsu_xact_look(const lsu_xact_t *s, uint64_t tag) {
  if (!lsu_xact_in_use(s, tag)) return (lsu_xact_entry_t){0};
  return (lsu_xact_entry_t){.used = true, .kind = s->kind[tag], .ref = s->ref[tag]};
}

/* Step changes nothing while alloc, lk_valid, rel_valid and rel2_valid are 0. */
inline bool lsu_xact_idle(const lsu_xact_t *s) {
  return !s->err;
}

#endif
