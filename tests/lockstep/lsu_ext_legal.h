/* SPDX-License-Identifier: Apache-2.0
 *
 * What lsu_ext's environment never does (rtl/lsu/README.md, lsu_msg.def, and the port files of
 * lsu_ext, lsu_rx and lsu_dramq).
 */
#ifndef LSU_EXT_LEGAL_H
#define LSU_EXT_LEGAL_H

#include "lsu_ext.h"
#include "stim.h"

#define LSU_EXT_RULES(R)                                         \
  R(UNIT, "another unit number than after reset")                \
  R(SECOND_BEAT, "a second beat without a first")                \
  R(TYPE, "a message of no type")                                \
  R(ELSEWHERE, "a message to another unit")                      \
  R(ALIGNED, "an offloaded access that is not aligned")          \
  R(CREDIT, "a message without a credit of its class")           \
  R(UNDER_WAY, "more instructions under way than CPLs can wait") \
  R(ANSWER, "an answer that nobody asked for")                   \
  R(MC_CREDIT, "a credit for a request that was not sent")       \
  R(GRANT, "a grant of banks that were not asked for")

#define LSU_EXT_RULE(name, text) LSU_EXT_RULE_##name,
enum { LSU_EXT_RULES(LSU_EXT_RULE) LSU_EXT_NUM_RULES };
#undef LSU_EXT_RULE

typedef struct {
  bool begun;
  uint64_t nbu;
  unsigned left;               /* beats to come of the message that is being sent */
  unsigned sent[LSU_CLASSES];  /* messages whose credit has not come back */
  unsigned under_way, up_left; /* instructions whose CPL has not gone up; beats of the message that goes up */
  unsigned credits;            /* requests whose credit has not been given back */
  uint16_t asked[256];         /* requests to answer, by tag */
} lsu_ext_legal_t;

static bool legal_commits(uint64_t hdr) {
  const unsigned type = (unsigned)LSU_GET(hdr, type);
  if (type == LSU_REGW) return !(LSU_GET(hdr, areg) & LSU_FLAG);
  return type == LSU_LDO || type == LSU_STO || type == LSU_LDS || type == LSU_STS;
}

static unsigned legal_up_beats(unsigned type) {
  switch (type) {
/* clang-format off */
#define LSU_UP(name, code, beats, text) case code: return beats;
#include "lsu_msg.def"
    /* clang-format on */
  default: return 1;
  }
}

/* What the unit gives back and asks for in the cycle. */
static void legal_see(lsu_ext_legal_t *s, const lsu_ext_in_t *in, const lsu_ext_out_t *out) {
  for (unsigned cls = 0; cls < LSU_CLASSES; cls++) s->sent[cls] -= s->sent[cls] && out->dn_credit >> cls & 1;
  for (unsigned i = 0; i < 2 && in->up_take; i++) {
    if (!(out->up_valid >> i & 1)) continue;
    const unsigned type = out->up_beat[2 * i] & 15;
    if (!s->up_left && type == LSU_CPL) s->under_way -= s->under_way > 0;
    s->up_left = (s->up_left ? s->up_left : legal_up_beats(type)) - 1;
  }
  if (!out->mc_valid) return;
  s->asked[out->mc_tag & 255]++;
  s->credits++;
}

static int legal_message(lsu_ext_legal_t *s, uint64_t hdr) {
  static const unsigned depth[] = {MemDepth, SmemDepth, WriteDepth, MoveDepth};
  const unsigned type = (unsigned)LSU_GET(hdr, type);
  const int cls = lsu_down_class(type);
  if (cls < 0) return LSU_EXT_RULE_TYPE;
  if (LSU_GET(hdr, nbu) != s->nbu) return LSU_EXT_RULE_ELSEWHERE;
  const bool offloaded = type == LSU_LDO || type == LSU_STO;
  if (offloaded && LSU_GET(hdr, addr) % (UINT64_C(1) << LSU_GET(hdr, size))) return LSU_EXT_RULE_ALIGNED;
  if (s->sent[cls]++ >= depth[cls]) return LSU_EXT_RULE_CREDIT;
  if (legal_commits(hdr) && s->under_way++ >= LSU_EXT_COMMITS) return LSU_EXT_RULE_UNDER_WAY;
  s->left = lsu_down_beats(type);
  return -1;
}

static int legal_beats(lsu_ext_legal_t *s, const lsu_ext_in_t *in) {
  if (in->dn_valid == 2) return LSU_EXT_RULE_SECOND_BEAT;
  for (unsigned i = 0; i < 2; i++) {
    if (!(in->dn_valid >> i & 1)) continue;
    const int broken = s->left ? -1 : legal_message(s, in->dn_beat[2 * i] | (uint64_t)in->dn_beat[2 * i + 1] << 32);
    if (broken >= 0) return broken;
    s->left--;
  }
  return -1;
}

static int lsu_ext_broken(void *state, const void *in_bytes, const void *out_bytes) {
  lsu_ext_legal_t *s = state;
  const lsu_ext_in_t *in = in_bytes;
  const lsu_ext_out_t *out = out_bytes;
  if (s->begun && in->nbu_id != s->nbu) return LSU_EXT_RULE_UNIT;
  s->begun = true;
  s->nbu = in->nbu_id;
  legal_see(s, in, out);
  if (in->mr_valid && !s->asked[in->mr_tag & 255]--) return LSU_EXT_RULE_ANSWER;
  if (in->mc_credit && !s->credits--) return LSU_EXT_RULE_MC_CREDIT;
  if (in->sm_gnt && !out->sm_req) return LSU_EXT_RULE_GRANT;
  return legal_beats(s, in);
}

#define LSU_EXT_RULE(name, text) text,
static const char *const lsu_ext_rules[] = {LSU_EXT_RULES(LSU_EXT_RULE)};
#undef LSU_EXT_RULE

static const legal_t lsu_ext_legal = {lsu_ext_rules, LSU_EXT_NUM_RULES, sizeof(lsu_ext_legal_t), lsu_ext_broken};

#endif
