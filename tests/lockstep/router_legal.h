/* SPDX-License-Identifier: Apache-2.0
 *
 * What a router's environment never does (rtl/router/README.md, router_flit.def, and the port files
 * of router, router_input and router_output).
 */
#ifndef ROUTER_LEGAL_H
#define ROUTER_LEGAL_H

#include "router.h"
#include "stim.h"

#define ROUTER_RULES(R)                                          \
  R(LINK, "other managed links than after reset")                \
  R(NO_VC, "a flit on no VC")                                    \
  R(CREDIT, "a flit without a credit of its VC")                 \
  R(ORDER, "a head inside a packet, or a packet without a head") \
  R(PRIORITY, "a divergent packet in a priority buffer")         \
  R(ROUTE, "a packet whose route is no port")                    \
  R(TABLE, "a table's entry that is no port")                    \
  R(CREDIT_VC, "a credit for no VC")                             \
  R(CREDIT_MANY, "a credit for a flit that has not come")

#define ROUTER_RULE(name, text) ROUTER_RULE_##name,
enum { ROUTER_RULES(ROUTER_RULE) ROUTER_NUM_RULES };
#undef ROUTER_RULE

typedef struct {
  bool begun;
  uint64_t link;
  struct {
    /* flits whose credit has not come back; flits that
     * came out and whose credit was not given back */
    uint8_t sent, owed;
    bool inside; /* of a packet that is being sent */
  } vc[IVCS];
} router_legal_t;

static void legal_see(router_legal_t *s, const router_out_t *out) {
  for (uint64_t left = out->cr_valid; left; left &= left - 1) {
    const unsigned p = (unsigned)__builtin_ctzll(left), v = nibble(out->cr_vc, p);
    if (v < VCS) s->vc[p * VCS + v].sent -= s->vc[p * VCS + v].sent > 0;
  }
  for (uint64_t left = out->out_valid; left; left &= left - 1) {
    const unsigned p = (unsigned)__builtin_ctzll(left), v = FLIT_GET(out->out_flit[p * FLIT_WORDS], vc);
    if (v < VCS) s->vc[p * VCS + v].owed++;
  }
}

static int legal_flit(router_legal_t *s, unsigned p, uint32_t header) {
  const unsigned v = FLIT_GET(header, vc), i = p * VCS + v;
  const bool head = FLIT_GET(header, head);
  if (v >= VCS) return ROUTER_RULE_NO_VC;
  if (s->vc[i].sent++ >= vc_depth(v)) return ROUTER_RULE_CREDIT;
  if (head == s->vc[i].inside) return ROUTER_RULE_ORDER;
  if (head && v >= NumVCs && FLIT_GET(header, div)) return ROUTER_RULE_PRIORITY;
  if (head && Lookahead && FLIT_GET(header, route) >= Ports) return ROUTER_RULE_ROUTE;
  s->vc[i].inside = !FLIT_GET(header, tail);
  return -1;
}

static int legal_credit(router_legal_t *s, unsigned p, unsigned v) {
  if (v >= VCS) return ROUTER_RULE_CREDIT_VC;
  return s->vc[p * VCS + v].owed-- ? -1 : ROUTER_RULE_CREDIT_MANY;
}

static int router_broken(void *state, const void *in_bytes, const void *out_bytes) {
  router_legal_t *s = state;
  const router_in_t *in = in_bytes;
  int broken = -1;
  if (s->begun && in->link != s->link) return ROUTER_RULE_LINK;
  s->begun = true;
  s->link = in->link;
  legal_see(s, out_bytes);
  if (!Lookahead && in->cfg_valid && in->cfg_port >= Ports) return ROUTER_RULE_TABLE;
  for (unsigned p = 0; p < Ports && broken < 0; p++) {
    if (in->in_valid >> p & 1) broken = legal_flit(s, p, in->in_flit[p * FLIT_WORDS]);
    if (broken < 0 && in->ocr_valid >> p & 1) broken = legal_credit(s, p, nibble(in->ocr_vc, p));
  }
  return broken;
}

#define ROUTER_RULE(name, text) text,
static const char *const router_rules[] = {ROUTER_RULES(ROUTER_RULE)};
#undef ROUTER_RULE

static const legal_t router_legal = {router_rules, ROUTER_NUM_RULES, sizeof(router_legal_t), router_broken};

#endif
