/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_ctrl: an SM whose warps reach candidates and wait where they should, its gate,
 * and its stacks. The stimulus knows the phases of all warps. Each neighbour acts only in its turn,
 * unless the profile is faults.
 */
#include "tom_ctrl.h"

#include "tom_stim.h"

enum { MIXED, RUSH, ALONE, CONDITIONS, BUSY, REFUSED, NO_ACCESS, CHOKED, LISTS, FAULTS, PROFILES };

/* mixed passes every phase; rush and alone set how many warps compete.
 *  conditions, busy, refused, no_access: instances that stay here, each for one reason.
 *  choked: each neighbour is slow.
 *  lists: the longest messages.
 *  faults: inputs that err must report. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "instances of all kinds, everybody takes some time"},
    [RUSH] = {"rush", "all warps at once, everybody answers at once"},
    [ALONE] = {"alone", "one warp has an instance, now and then"},
    [CONDITIONS] = {"conditions", "conditions on three registers, at their thresholds"},
    [BUSY] = {"busy", "links that are busy, a map that is learnt"},
    [REFUSED] = {"refused", "stacks that are full"},
    [NO_ACCESS] = {"no_access", "candidates without an access, many warps that are to be told"},
    [CHOKED] = {"choked", "the gate, fences, places at the receiver and invalidations are slow"},
    [LISTS] = {"lists", "acknowledgements with many lines, lists ahead, requests of many registers"},
    [FAULTS] = {"faults", "what no SM, gate or stack does"},
};

/* Chances of 16 in a cycle in which the event is legal. */
typedef struct {
  unsigned begin, mem, none, answer, refuse, fence, credit, ack, inv, hot, learn;
} rates_t;

static const rates_t rates[] = {
    [MIXED] = {4, 6, 1, 6, 2, 4, 8, 12, 8, 3, 1},          [RUSH] = {16, 16, 1, 16, 1, 16, 16, 16, 16, 1, 0},
    [ALONE] = {2, 8, 2, 8, 2, 8, 16, 8, 16, 0, 0},         [CONDITIONS] = {12, 12, 4, 12, 4, 12, 16, 12, 16, 1, 0},
    [BUSY] = {10, 10, 1, 10, 1, 10, 12, 12, 12, 8, 8},     [REFUSED] = {10, 12, 1, 10, 13, 10, 12, 12, 12, 1, 0},
    [NO_ACCESS] = {16, 6, 8, 6, 13, 12, 12, 12, 12, 1, 0}, [CHOKED] = {8, 1, 1, 1, 1, 1, 1, 4, 1, 1, 0},
    [LISTS] = {6, 12, 0, 14, 0, 14, 14, 14, 10, 0, 0},     [FAULTS] = {6, 6, 2, 6, 4, 6, 8, 12, 8, 3, 1},
};

/* Faults. One kind from reset to reset, so that err shows it before others. */
enum { ODD_ENTRY, ODD_BEGIN, ODD_REPORT, ODD_ANSWER, ODD_BOTH, ODD_CREDIT, ODD_WARP, ODD_LIST, ODD_END, ODD_KINDS };

/* to_write: table entries still to be written. owed: credits that the receiver has not returned.
 * lists: lists still to come in this message. */
typedef struct {
  rng_t rng;
  unsigned profile, odd;
  tom_ctrl_t shadow;
  unsigned to_write, owed, lists;
  bool learning;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->odd = (unsigned)rng_below(&s->rng, ODD_KINDS);
  s->to_write = Entries;
  tom_ctrl_reset(&s->shadow);
}

/* A reset at any time; the table keeps its entries. no_access resets often, because it shows
 * which of two warps is told first after a reset. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, s->profile == FAULTS ? 200 : s->profile == NO_ACCESS ? 60 : 4000)) return false;
  tom_ctrl_reset(&s->shadow);
  s->odd = (unsigned)rng_below(&s->rng, ODD_KINDS);
  s->to_write = s->owed = s->lists = 0;
  return true;
}

static bool of_16(state_t *s, unsigned rate) {
  return rng_chance(&s->rng, rate, 16);
}

static bool is_wrong(state_t *s, unsigned odd, unsigned in) {
  return s->profile == FAULTS && s->odd == odd && rng_chance(&s->rng, 1, in);
}

/* A warp in that phase, or TOM_CTRL_NOBODY. */
static int any_in(state_t *s, unsigned phase) {
  const unsigned from = (unsigned)rng_below(&s->rng, Warps);
  for (unsigned i = 0; i < (Warps); i++)
    if (tom_ctrl_phase(s->shadow.phases, (from + i) % (Warps)) == phase) return (int)((from + i) % (Warps));
  return TOM_CTRL_NOBODY;
}

static bool nobody_has_one(const state_t *s) {
  for (unsigned w = 0; w < (Warps); w++)
    if (tom_ctrl_phase(s->shadow.phases, w) != PHASE_NONE) return false;
  return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

static uint64_t registers(state_t *s) {
  const uint64_t few = rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng);
  if (s->profile == LISTS) return rng_bits(&s->rng, 1) ? UINT64_MAX : rng_next(&s->rng);
  if (s->profile == RUSH || s->profile == CHOKED) return few & rng_next(&s->rng) & rng_next(&s->rng);
  return rng_bits(&s->rng, 2) ? few : 0;
}

static uint64_t condition(state_t *s) {
  const bool always = s->profile == RUSH || s->profile == LISTS || s->profile == CHOKED;
  const unsigned most = s->profile == CONDITIONS ? 16 : 2;
  uint64_t c = rng_next(&s->rng);
  c = COND_PUT(c, kind, rng_bits(&s->rng, 1) ? KIND_DISTANCE : KIND_STEPS);
  if (rng_chance(&s->rng, always ? 14 : 1, s->profile == CONDITIONS ? 16 : 15))
    c = COND_PUT(c, kind, rng_bits(&s->rng, 3) ? KIND_ALWAYS : KIND_NEVER);
  c = COND_PUT(c, imm, tom_number(&s->rng, COND_imm_W));
  if (rng_chance(&s->rng, most - 1, most)) c = COND_PUT(COND_PUT(c, has_start, 1), has_bound, 1);
  return c;
}

static void configure(state_t *s, tom_ctrl_in_t *in) {
  if (!s->to_write && rng_chance(&s->rng, 1, 600)) s->to_write = (unsigned)rng_range(&s->rng, 1, Entries);
  in->cfg_valid = s->to_write ? of_16(s, 12) : rng_chance(&s->rng, 1, 64);
  in->cfg_idx = s->to_write ? s->to_write - 1 : rng_below(&s->rng, Entries);
  if (is_wrong(s, ODD_ENTRY, 20)) in->cfg_valid = 1, in->cfg_idx = rng_bits(&s->rng, CLOG2(Entries));
  bits_put(in->cfg_entry, META_pc_LSB, META_pc_W, rng_bits(&s->rng, META_pc_W));
  bits_put(in->cfg_entry, META_exit_LSB, META_exit_W, rng_bits(&s->rng, META_exit_W));
  bits_put(in->cfg_entry, META_in_LSB, META_in_W, registers(s));
  bits_put(in->cfg_entry, META_out_LSB, META_out_W, registers(s));
  bits_put(in->cfg_entry, META_tx_LSB, META_tx_W, rng_bits(&s->rng, 1));
  bits_put(in->cfg_entry, META_rx_LSB, META_rx_W, rng_bits(&s->rng, 1));
  bits_put(in->cfg_entry, META_cond_LSB, META_cond_W, condition(s));
}

/* ---- The SM ---------------------------------------------------------------------------------- */

static void begin(state_t *s, tom_ctrl_in_t *in) {
  const int warp = any_in(s, PHASE_NONE);
  const bool others = any_in(s, PHASE_WAITS) >= 0 || any_in(s, PHASE_RUNS) >= 0 || any_in(s, PHASE_ASKS) >= 0 ||
                      any_in(s, PHASE_AWAY) >= 0;
  in->beg_valid = warp >= 0 && !s->to_write && of_16(s, rates[s->profile].begin) && (s->profile != ALONE || !others);
  in->beg_warp = warp < 0 ? 0 : (unsigned)warp;
  in->beg_idx = rng_below(&s->rng, Entries);
  in->beg_mask = stim_mask(&s->rng);
  if (!in->beg_mask) in->beg_mask = UINT32_C(1) << rng_bits(&s->rng, 5);
  if (!is_wrong(s, ODD_BEGIN, 40)) return;
  in->beg_valid = 1;
  switch (rng_below(&s->rng, 3)) {
  case 0: in->beg_warp = rng_bits(&s->rng, CLOG2(Warps)); break;
  case 1: in->beg_idx = rng_bits(&s->rng, CLOG2(Entries)); break;
  default: in->beg_mask = 0; break;
  }
}

static void report(state_t *s, tom_ctrl_in_t *in) {
  const int runs = any_in(s, PHASE_RUNS), fence = any_in(s, PHASE_FENCE);
  in->mem_valid = runs >= 0 && of_16(s, rates[s->profile].mem);
  in->mem_warp = runs < 0 ? 0 : (unsigned)runs;
  in->mem_none = of_16(s, rates[s->profile].none);
  in->mem_stack = rng_bits(&s->rng, TOM_STACK_W);
  in->fence_done_valid = fence >= 0 && of_16(s, rates[s->profile].fence);
  in->fence_done_warp = fence < 0 ? 0 : (unsigned)fence;
  if (is_wrong(s, ODD_REPORT, 60)) in->mem_valid = 1, in->mem_warp = rng_bits(&s->rng, CLOG2(Warps));
  if (is_wrong(s, ODD_REPORT, 60)) in->fence_done_valid = 1, in->fence_done_warp = rng_bits(&s->rng, CLOG2(Warps));
}

/* Value of a condition's last register that puts the distance at the threshold, or one off. */
static uint64_t at_threshold(state_t *s, tom_ctrl_operand_t last) {
  const tom_ctrl_look_t *l = &s->shadow.look;
  const uint64_t cond = bits_get(s->shadow.entry[s->shadow.warp[l->warp].idx], META_cond_LSB, META_cond_W),
                 off = rng_below(&s->rng, 3) - 1;
  const uint64_t start = l->word[TOM_CTRL_START], bound = l->word[TOM_CTRL_BOUND], want = COND_GET(cond, imm) + off;
  const bool up = COND_GET(cond, up);
  switch (last) {
  case TOM_CTRL_START: return up ? bound - want : bound + want;
  case TOM_CTRL_BOUND: return up ? start + want : start - want;
  default: return (((up ? bound - start : start - bound) & UINT32_MAX) >> COND_GET(cond, shift)) + off;
  }
}

/* Rows are random when nothing is read. Profile alone leaves them 0, so that
 * there are cycles without any input. */
static void register_file(state_t *s, tom_ctrl_in_t *in) {
  const tom_ctrl_look_t *l = &s->shadow.look;
  const bool asked = l->warp >= 0 && l->age > 2 && l->age <= 2 + l->num;
  if (s->profile != ALONE || s->shadow.pack.read.valid) rng_fill(&s->rng, in->rd_data, TOM_ROW_BITS);
  if (s->profile != ALONE || asked) rng_fill(&s->rng, in->op_data, TOM_ROW_BITS);
  if (!asked || rng_chance(&s->rng, 1, 4)) return;
  const unsigned number = l->age - 3;
  const bool last = number == l->num - 1;
  in->op_data[__builtin_ctz(s->shadow.warp[l->warp].mask)] =
      (uint32_t)(last ? at_threshold(s, l->operand[number]) : tom_number(&s->rng, 32));
}

/* ---- Gate and stacks ------------------------------------------------------------------------- */

static void gate(state_t *s, tom_ctrl_in_t *in) {
  const bool answers = s->shadow.asks >= 0 && of_16(s, rates[s->profile].answer),
             refuses = of_16(s, rates[s->profile].refuse);
  in->gnt = answers && !refuses;
  in->nak = answers && refuses;
  if (is_wrong(s, ODD_ANSWER, 60)) in->gnt = 1;
  if (is_wrong(s, ODD_ANSWER, 60)) in->nak = 1;
  if (answers && is_wrong(s, ODD_BOTH, 3)) in->gnt = in->nak = 1;
}

static void receiver(state_t *s, tom_ctrl_in_t *in) {
  if (s->shadow.pack.out.valid) s->owed++;
  in->credit = s->owed && of_16(s, rates[s->profile].credit);
  if (in->credit) s->owed--;
  if (is_wrong(s, ODD_CREDIT, 60)) in->credit = 1;
}

/* A warp whose request has left, or TOM_CTRL_NOBODY. */
static int away(state_t *s) {
  const int warp = any_in(s, PHASE_AWAY);
  const tom_pack_t *p = &s->shadow.pack;
  const bool leaves =
      warp == s->shadow.goes || ((p->busy || p->read.valid || p->out.valid) && (unsigned)warp == p->warp);
  return leaves ? TOM_CTRL_NOBODY : warp;
}

/* First beat of a message for a warp that is away. False: there is none. */
static bool header(state_t *s, tom_ctrl_in_t *in) {
  const int who = away(s);
  const bool many = s->profile == LISTS, astray = is_wrong(s, ODD_WARP, 8);
  const uint64_t out = s->profile == RUSH && rng_bits(&s->rng, 1) ? 0 : registers(s);
  s->lists = many                                         ? (unsigned)rng_below(&s->rng, 4)
             : s->profile == RUSH || rng_bits(&s->rng, 1) ? 0
                                                          : (unsigned)rng_below(&s->rng, 3);
  bits_put(in->ack_beat, ACK_warp_LSB, ACK_warp_W,
           astray ? rng_bits(&s->rng, CLOG2(Warps)) : (unsigned)(who < 0 ? 0 : who));
  bits_put(in->ack_beat, ACK_done_LSB, ACK_done_W, many ? rng_bits(&s->rng, 1) : rng_bits(&s->rng, 3) != 0);
  bits_put(in->ack_beat, ACK_mask_LSB, ACK_mask_W, stim_mask(&s->rng));
  bits_put(in->ack_beat, ACK_out_LSB, ACK_out_W, out);
  in->ack_last = !out && !s->lists;
  return who >= 0 || astray;
}

static void list(state_t *s, tom_ctrl_in_t *in) {
  const unsigned lines =
      rng_bits(&s->rng, 1) ? (unsigned)rng_below(&s->rng, 3) : (unsigned)rng_below(&s->rng, TOM_LIST_MOST + 1);
  bits_put(in->ack_beat, 0, TOM_LIST_COUNT_W,
           is_wrong(s, ODD_LIST, 2) ? rng_range(&s->rng, TOM_LIST_MOST, bits_ones(TOM_LIST_COUNT_W)) : lines);
  in->ack_last = !s->lists || !--s->lists;
}

/* The next beat of a message, in the order that the block expects; faults ends messages early. */
static void stacks(state_t *s, tom_ctrl_in_t *in) {
  const tom_unpack_t *u = &s->shadow.unpack;
  const unsigned lists = s->lists;
  in->ack_valid = of_16(s, rates[s->profile].ack);
  rng_fill(&s->rng, in->ack_beat, TOM_ROW_BITS);
  switch (u->next) {
  case UNPACK_HEADER:
    if (!header(s, in)) in->ack_valid = 0;
    break;
  case UNPACK_ROW: in->ack_last = !(u->left & (u->left - 1)) && !s->lists; break;
  case UNPACK_LIST: list(s, in); break;
  default: break;
  }
  if (u->next == UNPACK_ROW && is_wrong(s, ODD_END, 8)) in->ack_last = 1;
  in->inv_ready = (s->profile != ALONE || u->num) && of_16(s, rates[s->profile].inv);
  if (!in->ack_valid || u->next == UNPACK_NOTHING || u->num) s->lists = lists; /* the beat is not taken */
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_ctrl_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  configure(s, in);
  begin(s, in);
  report(s, in);
  register_file(s, in);
  gate(s, in);
  receiver(s, in);
  stacks(s, in);
  if (rng_chance(&s->rng, 1, 32)) s->learning = of_16(s, rates[s->profile].learn);
  in->learn = s->learning;
  in->hot_tx = of_16(s, rates[s->profile].hot);
  in->hot_rx = of_16(s, rates[s->profile].hot);
  if (in->cfg_valid && s->to_write && nobody_has_one(s)) s->to_write--;
  tom_ctrl_step(&s->shadow, in);
}

STIM_DEFINE(tom_ctrl, .reset = reset)
