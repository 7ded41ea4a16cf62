/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_xact.h"

void lsu_xact_reset(lsu_xact_t *s) { *s = (lsu_xact_t){0}; }

static int lowest_free(const lsu_xact_t *s) {
  for (int i = 0; i < Xacts; i++)
    if (!s->entry[i].used) return i;
  return -1;
}

static bool in_use(const lsu_xact_t *s, uint64_t tag) { return tag < Xacts && s->entry[tag].used; }

void lsu_xact_eval(const lsu_xact_t *s, const lsu_xact_in_t *in, lsu_xact_out_t *out) {
  int tag = lowest_free(s);
  *out = (lsu_xact_out_t){.free = tag >= 0, .tag = tag >= 0 ? (unsigned)tag : 0, .err = s->err};
  out->lk_hit = in->lk_valid && in_use(s, in->lk_tag);
  out->lk_kind = out->lk_hit ? s->entry[in->lk_tag].kind : 0;
  out->lk_ref = out->lk_hit ? s->entry[in->lk_tag].ref : 0;
  out->up_hit = in->up_valid && in_use(s, in->up_tag);
  out->up_kind = out->up_hit ? s->entry[in->up_tag].kind : 0;
  out->up_ref = out->up_hit ? s->entry[in->up_tag].ref : 0;
  for (unsigned i = 0; i < Xacts; i++) out->probe_used += s->entry[i].used;
}

enum { ERR_RELEASE = 1, ERR_ANSWER = 2 };

/* All of a cycle's events see the table as it was before. */
void lsu_xact_step(lsu_xact_t *s, const lsu_xact_in_t *in) {
  int tag = lowest_free(s);
  bool rel = in->rel_valid && in_use(s, in->rel_tag), rel2 = in->rel2_valid && in_use(s, in->rel2_tag);
  s->err = in->rel_valid != rel || in->rel2_valid != rel2 ? ERR_RELEASE : 0;
  if (in->lk_valid && !in_use(s, in->lk_tag)) s->err |= ERR_ANSWER;
  if (rel) s->entry[in->rel_tag].used = false;
  if (rel2) s->entry[in->rel2_tag].used = false;
  if (!in->alloc || tag < 0) return;
  s->entry[tag].used = true;
  s->entry[tag].kind = (uint8_t)in->al_kind;
  s->entry[tag].ref = (uint16_t)in->al_ref;
}
