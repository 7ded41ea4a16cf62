/* SPDX-License-Identifier: Apache-2.0
 *
 * The offload controller. In a cycle all parts first decide by the state at its beginning, then the
 * decisions reach their warps. No two of them reach one warp, because each belongs to another
 * phase. Numbers in brackets are rules of the port file.
 */
#include "tom_ctrl.h"

#include <assert.h>
#include <string.h>

static_assert(META_cond_LSB + META_cond_W == TOM_META_BITS, "the condition is an entry's last field");

enum { FAULT_BEGIN, FAULT_REPORT, FAULT_ANSWER, FAULT_ACK }; /* bits of err [13] */
enum { FOR_NOTHING, FOR_DECISION, FOR_PACKING, FOR_END };    /* values of probe_read: who reads the table [11] */
static const uint64_t EVERYBODY = ~0ull >> (64 - (Warps));
enum { READS_FROM = 2 }; /* cycles from the choice to the first register read [3] */

/* The phase in which warps wait for each place. */
static const unsigned phase_of_place[] = {[TOM_CTRL_DECISION] = PHASE_WAITS,
                                          [TOM_CTRL_ASK] = PHASE_ASKS,
                                          [TOM_CTRL_PACKING] = PHASE_PACKS,
                                          [TOM_CTRL_TELLING] = PHASE_TOLD};

/* The metadata table, the first member, is a memory and stays. */
void tom_ctrl_reset(tom_ctrl_t *s) {
  memset((char *)s + sizeof s->entry, 0, sizeof *s - sizeof s->entry);
  s->look.warp = s->asks = s->goes = s->run = s->res = s->fence = s->done = TOM_CTRL_NOBODY;
  s->in[PHASE_NONE] = EVERYBODY;
  tom_pack_reset(&s->pack);
  tom_unpack_reset(&s->unpack);
}

/* A field of the warp's entry in the metadata table. */
static uint64_t field(const tom_ctrl_t *s, int warp, unsigned lsb, unsigned width) {
  return bits_get(s->entry[s->warp[warp].idx], lsb, width);
}
#define FIELD(s, warp, name) field(s, warp, META_##name##_LSB, META_##name##_W)

/* False also for a warp out of range, so events of such a warp are faults. */
static bool is_in(const tom_ctrl_t *s, uint64_t warp, unsigned phase) {
  return warp < (Warps) && s->in[phase] >> warp & 1;
}

/* The warp's phase in the coming cycle. */
static void go_on(tom_ctrl_t *s, int warp, unsigned phase) {
  const unsigned w = (unsigned)warp;
  s->in[tom_ctrl_phase(s->phases, w)] &= ~(1ull << w);
  s->in[phase] |= 1ull << w;
  bits_put(s->phases, w * TOM_PHASE_W, TOM_PHASE_W, phase);
}

static bool nobody_has_one(const tom_ctrl_t *s) {
  return s->in[PHASE_NONE] == EVERYBODY;
}

/* ---- Who is next ----------------------------------------------------------------------------- */

/* The warp that is chosen at a place: the first from `turn` on, cyclically;
 * TOM_CTRL_NOBODY if none waits. */
static int next_at(const tom_ctrl_t *s, tom_ctrl_place_t place) {
  const uint64_t wait = s->in[phase_of_place[place]], from = wait & ~0ull << s->turn[place] % (Warps);
  return !wait ? TOM_CTRL_NOBODY : __builtin_ctzll(from ? from : wait);
}

/* The next choice begins behind the warp that was chosen. */
static void take_turn(tom_ctrl_t *s, tom_ctrl_place_t place, int warp) {
  if (warp >= 0) s->turn[place] = (unsigned)warp + 1;
}

/* The warps chosen in this cycle, for each place. */
typedef struct {
  int ends, packs, looks, asks, told;
} tom_ctrl_chosen_t;

/* The table has one port for reads, so only one of the first three is chosen: an end,
 * then packing, then a decision [11]. */
static tom_ctrl_chosen_t choose(const tom_ctrl_t *s) {
  const tom_unpack_t *message = &s->unpack;
  tom_ctrl_chosen_t c = {TOM_CTRL_NOBODY, TOM_CTRL_NOBODY, TOM_CTRL_NOBODY, TOM_CTRL_NOBODY,
                         next_at(s, TOM_CTRL_TELLING)};
  if (tom_unpack_done(message) && is_in(s, message->warp, PHASE_AWAY)) c.ends = (int)message->warp;
  if (c.ends < 0 && !s->pack.busy && s->goes < 0) c.packs = next_at(s, TOM_CTRL_PACKING);
  if (c.ends < 0 && c.packs < 0 && s->look.warp < 0) c.looks = next_at(s, TOM_CTRL_DECISION);
  if (s->asks < 0) c.asks = next_at(s, TOM_CTRL_ASK);
  return c;
}

static unsigned read_for(const tom_ctrl_chosen_t *c) {
  return c->ends >= 0 ? FOR_END : c->packs >= 0 ? FOR_PACKING : c->looks >= 0 ? FOR_DECISION : FOR_NOTHING;
}

/* ---- The decision ---------------------------------------------------------------------------- */

static unsigned operand_reg(uint64_t cond, tom_ctrl_operand_t operand) {
  switch (operand) {
  case TOM_CTRL_START: return (unsigned)COND_GET(cond, start);
  case TOM_CTRL_BOUND: return (unsigned)COND_GET(cond, bound);
  default: return (unsigned)COND_GET(cond, step);
  }
}

/* True if the condition names a register for this operand [3]. */
static bool names(uint64_t cond, tom_ctrl_operand_t operand) {
  const uint64_t kind = COND_GET(cond, kind);
  if (kind != KIND_DISTANCE && kind != KIND_STEPS) return false;
  switch (operand) {
  case TOM_CTRL_START: return COND_GET(cond, has_start);
  case TOM_CTRL_BOUND: return COND_GET(cond, has_bound);
  default: return kind == KIND_STEPS;
  }
}

/* The decision begins: which registers it will read, and in which order [3]. */
static void begin_look(tom_ctrl_t *s, int warp) {
  const uint64_t cond = FIELD(s, warp, cond);
  s->look = (tom_ctrl_look_t){.warp = warp, .age = 1};
  for (tom_ctrl_operand_t o = 0; o < TOM_CTRL_OPERANDS; o++)
    if (names(cond, o)) s->look.operand[s->look.num++] = o;
}

/* A register is read in this cycle. */
static bool reads(const tom_ctrl_look_t *l) {
  return l->warp >= 0 && l->age >= READS_FROM && l->age < READS_FROM + l->num;
}

/* The decision falls in this cycle: one cycle after the last register's row came [3]. */
static bool decides(const tom_ctrl_look_t *l) {
  return l->warp >= 0 && l->age == READS_FROM + l->num;
}

/* tom_cond's answer; operands that the condition does not name are 0 [4]. */
static bool holds(const tom_ctrl_t *s) {
  const uint64_t cond = FIELD(s, s->look.warp, cond);
  const tom_cond_in_t in = {.kind = COND_GET(cond, kind),
                            .up = COND_GET(cond, up),
                            .is_signed = COND_GET(cond, is_signed),
                            .shift = COND_GET(cond, shift),
                            .beyond = COND_GET(cond, beyond),
                            .imm = COND_GET(cond, imm),
                            .start = s->look.word[TOM_CTRL_START],
                            .bound = s->look.word[TOM_CTRL_BOUND],
                            .step = s->look.word[TOM_CTRL_STEP]};
  const tom_cond_t none = {0};
  tom_cond_out_t out;
  tom_cond_eval(&none, &in, &out);
  return out.hold;
}

/* The warp will be told no, and why [7]. */
static void tell_no(tom_ctrl_t *s, int warp, unsigned why) {
  go_on(s, warp, PHASE_TOLD);
  s->warp[warp].why = why;
}

/* The order of rule 4: condition, channel, learning, else yes [4, 5]. */
static void decide(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  const int w = s->look.warp;
  const bool adds_tx = !FIELD(s, w, tx), adds_rx = !FIELD(s, w, rx);
  if (!holds(s)) tell_no(s, w, WHY_CONDITION);
  else if ((in->hot_tx && adds_tx) || (in->hot_rx && adds_rx)) tell_no(s, w, WHY_CHANNEL);
  else if (in->learn) tell_no(s, w, WHY_LEARNING);
  else {
    go_on(s, w, PHASE_RUNS);
    s->run = w;
  }
  s->look.warp = TOM_CTRL_NOBODY;
}

/* One cycle of the decision. The row asked for in the last cycle is there: the
 * first active thread's word counts [3]. */
static void step_look(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  tom_ctrl_look_t *l = &s->look;
  if (l->warp < 0) return;
  if (l->age > READS_FROM && l->age <= READS_FROM + l->num)
    l->word[l->operand[l->age - READS_FROM - 1]] = in->op_data[__builtin_ctz(s->warp[l->warp].mask)];
  if (decides(l)) decide(s, in);
  else l->age++;
}

/* ---- What comes to warps --------------------------------------------------------------------- */

/* A warp comes to a candidate [2]; an illegal begin is a fault [13]. */
static void begin(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  if (!in->beg_valid) return;
  if (is_in(s, in->beg_warp, PHASE_NONE) && in->beg_mask && in->beg_idx < (Entries)) {
    s->warp[in->beg_warp] = (tom_ctrl_warp_t){.idx = (unsigned)in->beg_idx, .mask = (uint32_t)in->beg_mask};
    go_on(s, (int)in->beg_warp, PHASE_WAITS);
  } else s->fault[FAULT_BEGIN] = true;
}

/* A running warp has its first access, or came to none [5]. */
static void report(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  if (!in->mem_valid) return;
  if (!is_in(s, in->mem_warp, PHASE_RUNS)) s->fault[FAULT_REPORT] = true;
  else if (in->mem_none) tell_no(s, (int)in->mem_warp, WHY_NO_ACCESS);
  else {
    go_on(s, (int)in->mem_warp, PHASE_ASKS);
    s->warp[in->mem_warp].stack = (unsigned)in->mem_stack;
  }
}

/* A warp's stores are acknowledged: it can be packed [8]. */
static void end_fence(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  if (!in->fence_done_valid) return;
  if (is_in(s, in->fence_done_warp, PHASE_FENCE)) go_on(s, (int)in->fence_done_warp, PHASE_PACKS);
  else s->fault[FAULT_REPORT] = true;
}

/* tom_gate's answer to the ask that is out [6]. gnt and nak together are
 * a fault and count as gnt [13]. */
static void answer(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  if (!in->gnt && !in->nak) return;
  if (s->asks < 0 || (in->gnt && in->nak)) s->fault[FAULT_ANSWER] = true;
  if (s->asks < 0) return;
  if (in->gnt) {
    go_on(s, s->asks, PHASE_FENCE);
    s->fence = s->asks;
  } else tell_no(s, s->asks, WHY_FULL);
  s->asks = TOM_CTRL_NOBODY;
}

/* Writes the table; ignored without cfg_ready [1]. */
static void configure(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  if (!in->cfg_valid) return;
  if (in->cfg_idx >= (Entries)) s->fault[FAULT_BEGIN] = true;
  else if (nobody_has_one(s)) memcpy(s->entry[in->cfg_idx], in->cfg_entry, sizeof s->entry[0]);
}

/* A row or an end for a warp that is not away [13]. */
static void look_for_bad_acks(tom_ctrl_t *s, int ends) {
  const tom_unpack_t *message = &s->unpack;
  if (message->writes && !is_in(s, message->warp, PHASE_AWAY)) s->fault[FAULT_ACK] = true;
  if (tom_unpack_done(message) && ends < 0) s->fault[FAULT_ACK] = true;
}

/* ---- Requests and acknowledgements ----------------------------------------------------------- */

/* tom_pack takes the chosen warp one cycle after its choice [9]. */
static void step_pack(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  tom_pack_in_t to = {.credit = in->credit};
  memcpy(to.rd_data, in->rd_data, sizeof to.rd_data);
  if (s->goes >= 0) {
    const tom_ctrl_warp_t *w = &s->warp[s->goes];
    to.go_valid = 1;
    to.go_warp = (unsigned)s->goes, to.go_stack = w->stack, to.go_mask = w->mask;
    to.go_pc = FIELD(s, s->goes, pc), to.go_exit = FIELD(s, s->goes, exit);
    to.go_in = FIELD(s, s->goes, in), to.go_out = FIELD(s, s->goes, out);
  }
  tom_pack_step(&s->pack, &to);
}

static void step_unpack(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  tom_unpack_in_t to = {.ack_valid = in->ack_valid, .ack_last = in->ack_last, .inv_ready = in->inv_ready};
  memcpy(to.ack_beat, in->ack_beat, sizeof to.ack_beat);
  tom_unpack_step(&s->unpack, &to);
}

/* Events of later phases come first, so an event finds the phase that its warp
 * had at the beginning of the cycle. */
void tom_ctrl_step(tom_ctrl_t *s, const tom_ctrl_in_t *in) {
  const tom_ctrl_chosen_t c = choose(s);
  look_for_bad_acks(s, c.ends);
  step_pack(s, in);
  step_unpack(s, in);
  configure(s, in);
  s->run = s->fence = TOM_CTRL_NOBODY;
  end_fence(s, in);
  answer(s, in);
  report(s, in);
  step_look(s, in);
  begin(s, in);
  s->done = c.ends, s->goes = c.packs, s->res = c.told;
  if (c.ends >= 0) go_on(s, c.ends, PHASE_NONE);
  if (c.packs >= 0) go_on(s, c.packs, PHASE_AWAY);
  if (c.told >= 0) go_on(s, c.told, PHASE_NONE);
  if (c.asks >= 0) s->asks = c.asks;
  if (c.looks >= 0) begin_look(s, c.looks);
  take_turn(s, TOM_CTRL_DECISION, c.looks);
  take_turn(s, TOM_CTRL_ASK, c.asks);
  take_turn(s, TOM_CTRL_PACKING, c.packs);
  take_turn(s, TOM_CTRL_TELLING, c.told);
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static void show_pack(const tom_ctrl_t *s, tom_ctrl_out_t *out) {
  static const tom_pack_in_t quiet;
  tom_pack_out_t o;
  tom_pack_eval(&s->pack, &quiet, &o);
  out->rd_valid = o.rd_valid, out->rd_warp = o.rd_warp, out->rd_reg = o.rd_reg;
  out->out_valid = o.out_valid, out->out_last = o.out_last;
  memcpy(out->out_beat, o.out_beat, sizeof out->out_beat);
  out->probe_credits = o.probe_credits;
  out->err |= o.err << TOM_CTRL_FAULTS;
}

static void show_unpack(const tom_ctrl_t *s, tom_ctrl_out_t *out) {
  static const tom_unpack_in_t quiet;
  tom_unpack_out_t o;
  tom_unpack_eval(&s->unpack, &quiet, &o);
  out->ack_ready = o.ack_ready;
  out->wr_valid = o.wr_valid, out->wr_warp = o.wr_warp, out->wr_reg = o.wr_reg, out->wr_mask = o.wr_mask;
  memcpy(out->wr_row, o.wr_row, sizeof out->wr_row);
  out->inv_valid = o.inv_valid, out->inv_line = o.inv_line;
  out->probe_state = o.probe_state;
  out->err |= o.err << FAULT_ACK;
}

/* What the SM and the gate are told in this cycle [5, 6, 7, 10]. */
static void show_told(const tom_ctrl_t *s, tom_ctrl_out_t *out) {
  if (s->run >= 0) out->run_valid = 1, out->run_warp = (unsigned)s->run;
  if (s->fence >= 0) out->fence_valid = 1, out->fence_warp = (unsigned)s->fence;
  if (s->res >= 0) out->res_valid = 1, out->res_warp = (unsigned)s->res, out->res_why = s->warp[s->res].why;
  if (s->done >= 0) out->done_valid = 1, out->done_warp = (unsigned)s->done, out->done_exit = FIELD(s, s->done, exit);
  if (s->asks >= 0) out->ask = 1, out->ask_stack = s->warp[s->asks].stack;
}

void tom_ctrl_eval(const tom_ctrl_t *s, const tom_ctrl_in_t *in, tom_ctrl_out_t *out) {
  const tom_ctrl_chosen_t c = choose(s);
  (void)in;
  memset(out, 0, sizeof *out);
  out->cfg_ready = nobody_has_one(s);
  show_told(s, out);
  if (reads(&s->look)) {
    out->op_valid = 1, out->op_warp = (unsigned)s->look.warp;
    out->op_reg = operand_reg(FIELD(s, s->look.warp, cond), s->look.operand[s->look.age - READS_FROM]);
  }
  for (unsigned i = 0; i < TOM_CTRL_FAULTS; i++) out->err |= (uint64_t)s->fault[i] << i;
  show_pack(s, out);
  show_unpack(s, out);
  memcpy(out->probe_phase, s->phases, sizeof s->phases);
  out->probe_decides = decides(&s->look);
  out->probe_read = read_for(&c);
}

/* Warps may wait for the SM, the gate or a stack, but for no part of the controller. */
bool tom_ctrl_idle(const tom_ctrl_t *s) {
  const tom_ctrl_chosen_t c = choose(s);
  const bool tells = s->run >= 0 || s->res >= 0 || s->fence >= 0 || s->done >= 0;
  const bool packs =
      s->goes >= 0 || s->pack.read.valid || s->pack.out.valid || (s->pack.busy && (s->pack.wait || s->pack.credits));
  const bool unpacks = s->unpack.writes || (s->unpack.next == UNPACK_NOTHING && !s->unpack.num);
  return !tells && !packs && !unpacks && s->look.warp < 0 && c.asks < 0 && c.told < 0 && read_for(&c) == FOR_NOTHING;
}
