/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle counts stalls, selects an output for at most one tracker, and notes the trackers that
 * left. At the end of an epoch it makes the list anew: the pairs of this epoch, then the others,
 * which age. Numbers in brackets are rules of the port file.
 */
#include "router_crit.h"

#include <string.h>

#include "bits.h"

_Static_assert(!(PairSent) || (RankNext), "PairSent: needs RankNext");
_Static_assert((uint64_t)(CountStart) >> (CountBits) == 0, "CountStart: less than 2^CountBits");

static const uint32_t most_stalls = (uint32_t)((UINT64_C(1) << CountBits) - 1);
static const unsigned oldest = 1u << HystBits; /* the age at which pairs and ports leave, in epochs */

static uint32_t bit(unsigned port) {
  return UINT32_C(1) << port;
}

/* CountStart is 0 but in checks of the counters' high bits. */
static void start_counters(router_crit_t *s) {
  for (unsigned o = 0; o < Ports; o++) s->probe_live[o] = CountStart;
}

void router_crit_reset(router_crit_t *s) {
  memset(s, 0, sizeof *s);
  start_counters(s);
}

void router_crit_eval(const router_crit_t *s, const router_crit_in_t *in, router_crit_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->start = s->start;
  out->trk_req = s->trk_req;
  out->crit_port = s->crit_port;
  out->sent = s->sent;
  out->list_len = s->list_len;
  out->probe_pending = s->probe_pending;
  for (unsigned pair = 0; pair < Ports * Ports; pair++) bits_put(out->rank, 7 * pair, 7, s->rank[pair]);
  for (unsigned o = 0; o < Ports; o++) {
    bits_put(out->latched, CountBits * o, CountBits, s->latched[o]);
    bits_put(out->probe_live, CountBits * o, CountBits, s->probe_live[o]);
  }
  for (unsigned place = 0; place < s->list_len; place++)
    bits_put(out->list, 8 * place, 8, (unsigned)s->list[place].in << 4 | s->list[place].out);
}

/* --- Selection */

/* The highest latched counter of all outputs. */
static uint64_t highest_stalls(const router_crit_t *s) {
  uint64_t highest = 0;
  for (unsigned o = 0; o < Ports; o++)
    if (s->latched[o] > highest) highest = s->latched[o];
  return highest;
}

/* The output with most stalls that is not excluded, the lowest among equals. -1 if none has
 * track_pct % of the highest counter [5, 6]. */
static int most_congested(const router_crit_t *s, uint32_t excluded, uint64_t track_pct) {
  uint64_t highest = highest_stalls(s);
  int best = -1;
  for (unsigned o = 0; o < Ports; o++) {
    uint64_t stalls = s->latched[o];
    if ((excluded & bit(o)) || stalls == 0 || stalls * 100 < track_pct * highest) continue;
    if (best < 0 || stalls > s->latched[best]) best = (int)o;
  }
  return best;
}

/* The next flit at this output takes a tracker. */
static void request_tracker(router_crit_t *s, int o) {
  s->sent |= bit((unsigned)o);
  s->trk_req |= bit((unsigned)o);
}

/* Rule 8: the first place has the highest rank. */
static void rank_pairs(router_crit_t *s) {
  memset(s->rank, 0, sizeof s->rank);
  for (unsigned place = 0; place < s->list_len; place++)
    s->rank[s->list[place].in * Ports + s->list[place].out] = (uint8_t)(ListLen - place);
}

/* Pairs behind close up; a pair that is not listed changes nothing. */
static void remove_pair(router_crit_t *s, unsigned i, unsigned o) {
  unsigned kept = 0;
  for (unsigned place = 0; place < s->list_len; place++)
    if (s->list[place].in != i || s->list[place].out != o) s->list[kept++] = s->list[place];
  s->list_len = (uint8_t)kept;
}

/* Rule 9, without PairSent: the pair goes behind those selected before it in this epoch. A pair
 * that no longer fits at the end is dropped. */
static void list_pair(router_crit_t *s, unsigned i, unsigned o) {
  if (s->selected == ListLen) return;
  remove_pair(s, i, o);
  if (s->list_len < ListLen) s->list_len++;
  for (unsigned place = s->list_len - 1u; place > s->selected; place--) s->list[place] = s->list[place - 1];
  s->list[s->selected++] = (router_crit_pair_t){.in = (uint8_t)i, .out = (uint8_t)o};
  if (!RankNext) rank_pairs(s);
}

/* With PairSent a pair waits for its tracker, and is listed at the end of the epoch. */
static void select_pair(router_crit_t *s, unsigned i, unsigned o) {
  if (PairSent) s->pair[s->selected++] = (router_crit_pair_t){.in = (uint8_t)i, .out = (uint8_t)o};
  else list_pair(s, i, o);
}

/* One selection a cycle [4]: the router's own tracker at the start of an epoch, then
 * one for each tracker that came in. */
static void select_output(router_crit_t *s) {
  if (s->start) {
    int o = most_congested(s, 0, 100);
    if (o >= 0) request_tracker(s, o);
  } else if (s->probe_pending) {
    unsigned i = (unsigned)__builtin_ctz(s->probe_pending);
    s->probe_pending &= ~bit(i);
    int o = most_congested(s, s->sent | bit(i), TrackPct);
    if (o < 0) return;
    request_tracker(s, o);
    select_pair(s, i, (unsigned)o);
  }
}

/* --- End of an epoch */

/* Rule 2. */
static void latch_stalls(router_crit_t *s) {
  memcpy(s->latched, s->probe_live, sizeof s->latched);
  start_counters(s);
}

/* Rule 7: pairs of this epoch whose tracker has left take the first places. They leave
 * their old places. Returns their number. */
static unsigned put_selected(router_crit_t *s, router_crit_pair_t *list) {
  unsigned placed = 0;
  for (unsigned n = 0; n < s->selected; n++) {
    if (s->trk_req & bit(s->pair[n].out)) continue;
    remove_pair(s, s->pair[n].in, s->pair[n].out);
    if (placed < ListLen) list[placed++] = s->pair[n];
  }
  return placed;
}

/* The list of the next epoch. Pairs that were not selected age, and leave at `oldest` [7, 10]. */
static void make_list(router_crit_t *s) {
  router_crit_pair_t list[ListLen];
  const unsigned young = PairSent ? 0 : s->selected; /* places of pairs selected in this epoch */
  unsigned kept = PairSent ? put_selected(s, list) : 0;
  for (unsigned place = 0; place < s->list_len && kept < ListLen; place++) {
    router_crit_pair_t pair = s->list[place];
    if (place >= young) pair.age++;
    if (pair.age < oldest) list[kept++] = pair;
  }
  memcpy(s->list, list, kept * sizeof *list);
  s->list_len = (uint8_t)kept;
  rank_pairs(s);
}

/* Rule 13: a critical output that no tracker left by ages, and stops being critical at `oldest`. */
static void age_ports(router_crit_t *s) {
  for (unsigned o = 0; o < Ports; o++) {
    s->port_age[o] = s->touched & bit(o) || !(s->crit_port & bit(o)) ? 0 : (uint16_t)(s->port_age[o] + 1);
    if (s->port_age[o] >= oldest) s->crit_port &= ~bit(o);
  }
}

/* Trackers that no flit took by now are dropped [13]. */
static void end_epoch(router_crit_t *s) {
  latch_stalls(s);
  make_list(s);
  age_ports(s);
  s->probe_pending = s->sent = s->trk_req = s->touched = 0;
  s->selected = 0;
}

/* Counters stop at their highest value. */
static void count_stalls(router_crit_t *s, uint64_t stall) {
  for (; stall; stall &= stall - 1) {
    uint32_t *live = &s->probe_live[__builtin_ctzll(stall)];
    if (*live < most_stalls) (*live)++;
  }
}

/* An epoch's end sees the trackers that left in the same cycle [12, 13]. */
void router_crit_step(router_crit_t *s, const router_crit_in_t *in) {
  count_stalls(s, in->stall);
  if (!in->epoch && !in->trk_in && !in->trk_sent && router_crit_quiet(s)) return;
  if (!in->epoch) select_output(s);
  s->probe_pending |= (uint32_t)in->trk_in;
  s->trk_req &= ~(uint32_t)in->trk_sent;
  s->crit_port |= (uint32_t)in->trk_sent;
  s->touched |= (uint32_t)in->trk_sent;
  if (in->epoch) end_epoch(s);
  s->start = in->epoch;
}
