/* SPDX-License-Identifier: Apache-2.0
 *
 * The transaction table as a mask of used entries. Numbers in brackets are rules of the port file.
 */
#include "lsu_xact.h"

#include <string.h>

#include "lsu_access.h"

void lsu_xact_reset(lsu_xact_t *s) {
  memset(s->used, 0, sizeof s->used);
  s->level = s->err = 0;
}

int lsu_xact_free(const lsu_xact_t *s) {
  for (unsigned i = 0; i < Xacts; i += 64) {
    int free = lsu_lowest_free(s->used[i / 64], Xacts - i < 64 ? Xacts - i : 64);
    if (free >= 0) return (int)i + free;
  }
  return -1;
}

void lsu_xact_eval(const lsu_xact_t *s, const lsu_xact_in_t *in, lsu_xact_out_t *out) {
  int tag = lsu_xact_free(s);
  const lsu_xact_entry_t lk = in->lk_valid ? lsu_xact_look(s, in->lk_tag) : (lsu_xact_entry_t){0};
  const lsu_xact_entry_t up = in->up_valid ? lsu_xact_look(s, in->up_tag) : (lsu_xact_entry_t){0};
  *out = (lsu_xact_out_t){.free = tag >= 0, .tag = tag >= 0 ? (unsigned)tag : 0, .err = s->err, .probe_used = s->level};
  out->lk_hit = lk.used;
  out->lk_kind = lk.kind;
  out->lk_ref = lk.ref;
  out->up_hit = up.used;
  out->up_kind = up.kind;
  out->up_ref = up.ref;
}

enum { ERR_RELEASE = 1, ERR_ANSWER = 2 };

/* The entry must be in use. */
static void release(lsu_xact_t *s, uint64_t tag) {
  s->used[tag / 64] &= ~(UINT64_C(1) << tag % 64);
  s->level--;
}

/* All events of a cycle see the table as it was before. Two releases of one entry
 * count once, without an error [3, 4]. */
void lsu_xact_step(lsu_xact_t *s, const lsu_xact_in_t *in) {
  int tag = in->alloc ? lsu_xact_free(s) : -1;
  bool rel = in->rel_valid && lsu_xact_in_use(s, in->rel_tag),
       rel2 = in->rel2_valid && lsu_xact_in_use(s, in->rel2_tag);
  s->err = in->rel_valid != rel || in->rel2_valid != rel2 ? ERR_RELEASE : 0;
  if (in->lk_valid && !lsu_xact_in_use(s, in->lk_tag)) s->err |= ERR_ANSWER;
  if (rel) release(s, in->rel_tag);
  if (rel2 && !(rel && in->rel_tag == in->rel2_tag)) release(s, in->rel2_tag);
  if (tag < 0) return;
  s->used[tag / 64] |= UINT64_C(1) << tag % 64;
  s->level++;
  s->kind[tag] = (uint8_t)in->al_kind;
  s->ref[tag] = (uint16_t)in->al_ref;
}

extern inline bool lsu_xact_idle(const lsu_xact_t *s);
