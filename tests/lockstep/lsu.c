/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu: instructions of every shape, and an environment. A move engine brings rows of
 * stores; a bus and a network take what is shown; near-bank units and other cores answer in any
 * order. The shadow model tells which entries and request numbers are in use.
 */
#include "lsu.h"

#include "bits.h"
#include "lsu_stim.h"

enum { MIXED, OFFLOAD, STRIDED, SCATTER, REMOTE, FAR, PARTIAL, CONFLICT, STARVED, DOWN_SLOW, STORES, ABUSE };

/* mixed answers soon, so its tables never fill; each other profile makes one resource scarce.
 *  offload: accesses that pass all conditions of the offload decision but one.
 *  strided, scatter, conflict: transfers per instruction from one to 32, and several lanes a word.
 *  remote, far: targets in other cores; far reaches the greatest count of transfers of an entry.
 *  starved, down-slow, stores: entries wait for answers, for dn_take and rq_take, or for a row.
 *  abuse: inputs that the rules forbid; the block must ignore them or flag them. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "accesses of every shape, everybody answers soon"},
    [OFFLOAD] = {"offload",
                 "whole, coalesced, local: offloaded, or one condition short of it; rows that nobody waits for"},
    [STRIDED] = {"strided", "threads at equal distances, up and down"},
    [SCATTER] = {"scatter", "a transfer a thread: request numbers run out, or nearly"},
    [REMOTE] = {"remote", "threads in several cores and units, equal addresses there"},
    [FAR] =
        {"far",
         "loads of 32 transfers of other cores, answered when all are taken: each entry has as many under way as there can be"},
    [PARTIAL] = {"partial", "masks of all kinds, empty ones among them"},
    [CONFLICT] = {"conflict", "threads close together: several in a word, several on a byte"},
    [STARVED] = {"starved", "answers come rarely: all entries and numbers are in use"},
    [DOWN_SLOW] = {"down-slow", "dn_take and rq_take come rarely: loads that are done wait with what is shown"},
    [STORES] = {"stores", "stores alone, their rows come late"},
    [ABUSE] = {"abuse",
               "also answers to numbers that are free, of the wrong kind, two to one; rows that nobody waits for"},
};

/* Shapes of addresses: lanes in a row, in a row but one, equally spaced, anywhere, close, equal. */
enum { LINE, MISS, STRIDE, ANY, CLOSE, SAME };

/* Chances of 64: an instruction comes; it is a store; its mask is not full; a thread is elsewhere;
 * dn_ or rq_ is taken; a number is answered; a row comes. */
typedef struct {
  unsigned send, store, part, elsewhere, take, answer, row;
  uint8_t shapes[4];
} knobs_t;

/* clang-format off */
static const knobs_t knobs[] = {
  /*            send store part else take answ row */
  [MIXED] =     {48, 32, 16, 2, 48, 48, 32, {LINE, STRIDE, ANY, CLOSE}},
  [OFFLOAD] =   {64, 32, 2, 0, 56, 56, 48, {LINE, LINE, LINE, MISS}},
  [STRIDED] =   {56, 24, 8, 1, 60, 60, 48, {STRIDE, STRIDE, STRIDE, SAME}},
  [SCATTER] =   {64, 24, 4, 1, 64, 28, 60, {ANY, ANY, ANY, STRIDE}},
  [REMOTE] =    {56, 32, 16, 24, 48, 48, 48, {LINE, STRIDE, CLOSE, SAME}},
  [FAR] =       {64, 8, 2, 64, 64, 64, 60, {ANY, ANY, ANY, STRIDE}},
  [PARTIAL] =   {56, 24, 60, 2, 56, 56, 48, {LINE, LINE, STRIDE, CLOSE}},
  [CONFLICT] =  {56, 56, 12, 1, 60, 60, 56, {CLOSE, CLOSE, CLOSE, SAME}},
  [STARVED] =   {64, 24, 16, 8, 60, 2, 48, {LINE, STRIDE, ANY, CLOSE}},
  [DOWN_SLOW] = {64, 16, 16, 8, 4, 60, 48, {LINE, STRIDE, CLOSE, MISS}},
  [STORES] =    {64, 64, 24, 4, 56, 56, 4, {LINE, STRIDE, CLOSE, MISS}},
  [ABUSE] =     {56, 32, 16, 8, 44, 40, 24, {LINE, STRIDE, ANY, CLOSE}},
};
/* clang-format on */

STIM_STATE(lsu, bool begun; bool drains; uint64_t core, subcore, nbu, no_offload;)

static bool often(state_t *s, unsigned rate) {
  return rng_chance(&s->rng, rate, 64);
}

static void begin(state_t *s) {
  s->begun = true;
  s->core = chance8(&s->rng, 2) ? 127 * rng_bits(&s->rng, 1) : rng_bits(&s->rng, 7);
  s->subcore = rng_bits(&s->rng, 2);
  s->nbu = rng_bits(&s->rng, 2);
  s->no_offload = s->profile != OFFLOAD && s->profile != DOWN_SLOW && chance8(&s->rng, 1);
}

/* One lane's address is wrong by a bit or by one step, so that the
 * access just fails to coalesce. */
static void spoil(state_t *s, uint64_t *addr, unsigned size) {
  uint64_t *one = &addr[chance8(&s->rng, 4) ? 31 * rng_bits(&s->rng, 1) : rng_bits(&s->rng, 5)];
  if (rng_bits(&s->rng, 1)) *one ^= UINT64_C(1) << rng_range(&s->rng, size, LSU_GADDR_BITS - 1);
  else *one += UINT64_C(1) << size;
}

/* Distance of neighbouring lanes in units of the size. */
static uint64_t distance(state_t *s, unsigned shape) {
  switch (shape) {
  case STRIDE: return rng_bits(&s->rng, 1) ? rng_below(&s->rng, 80) - 40 : UINT64_C(1) << rng_below(&s->rng, 20);
  case SAME: return 0;
  default: return 1;
  }
}

/* Offsets in the unit, multiples of the size; now and then they are near its ends and wrap. */
static void shape_addresses(state_t *s, unsigned shape, unsigned size, uint64_t *addr) {
  uint64_t start = rng_bits(&s->rng, LSU_ADDR_BITS), step = distance(s, shape) << size,
           end = UINT64_C(1) << LSU_ADDR_BITS;
  if (chance8(&s->rng, 1)) start = end - (LSU_LANES << size) + (rng_below(&s->rng, 3) << size) - (UINT64_C(1) << size);
  if (chance8(&s->rng, 3)) start &= ~UINT64_C(31);
  start = start >> size << size;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    addr[i] = start + i * step;
    if (shape == ANY) addr[i] = rng_bits(&s->rng, LSU_ADDR_BITS);
    if (shape == CLOSE) addr[i] = (start & ~UINT64_C(63)) + rng_below(&s->rng, 80);
    addr[i] = addr[i] % end >> size << size;
  }
}

/* Full addresses: the offsets of the shape, with a unit and a core in front. */
static void addresses(state_t *s, unsigned shape, unsigned size, uint64_t *addr) {
  const knobs_t *k = &knobs[s->profile];
  uint64_t unit = s->core << 2 | s->nbu,
           other = chance8(&s->rng, 4) ? unit ^ UINT64_C(1) << rng_below(&s->rng, 9) : rng_bits(&s->rng, 9);
  bool whole = often(s, k->elsewhere);
  shape_addresses(s, shape, size, addr);
  for (unsigned i = 0; i < LSU_LANES; i++) addr[i] |= (whole || often(s, k->elsewhere) ? other : unit) << LSU_ADDR_BITS;
  if (shape == LINE && chance8(&s->rng, 1)) /* runs into the next unit */
    for (unsigned i = 0; i < LSU_LANES; i++) addr[i] = (addr[0] + ((uint64_t)i << size)) & (bits_ones(LSU_GADDR_BITS));
  if (shape == MISS) spoil(s, addr, size);
}

static void instruction(state_t *s, lsu_in_t *in) {
  const knobs_t *k = &knobs[s->profile];
  uint64_t addr[LSU_LANES];
  in->in_valid = 1;
  in->in_store = often(s, k->store);
  in->in_warp = rng_bits(&s->rng, 6);
  in->in_reg = chance8(&s->rng, 1) ? 255 : rng_bits(&s->rng, 8);
  in->in_tag = rng_bits(&s->rng, 8);
  in->in_size = s->profile == CONFLICT ? rng_below(&s->rng, 3) : rng_bits(&s->rng, 2);
  if (s->profile == FAR && rng_bits(&s->rng, 1)) in->in_size = 3;
  in->in_sign = rng_bits(&s->rng, 1);
  in->in_mask = often(s, k->part) ? stim_mask(&s->rng) : UINT32_MAX;
  if (s->profile == OFFLOAD && chance8(&s->rng, 1)) in->in_mask &= ~(UINT64_C(1) << rng_bits(&s->rng, 5));
  addresses(s, k->shapes[rng_bits(&s->rng, 2)], (unsigned)in->in_size, addr);
  for (unsigned i = 0; i < LSU_LANES; i++) {
    if (!(in->in_mask >> i & 1)) addr[i] = rng_bits(&s->rng, LSU_GADDR_BITS);
    bits_put(in->in_addr, i * LSU_GADDR_BITS, LSU_GADDR_BITS, addr[i]);
  }
}

static bool in_use(const lsu_t *u, unsigned number) {
  return u->numbers[number / 64] >> number % 64 & 1;
}

/* A number in use that is not `other`, and whether a store has it. Reqs: there is none. */
static unsigned any_number(state_t *s, unsigned other, bool *write) {
  unsigned first = (unsigned)rng_below(&s->rng, Reqs);
  for (unsigned i = 0; i < Reqs; i++) {
    unsigned number = (first + i) % Reqs;
    if (!in_use(&s->shadow, number) || number == other) continue;
    *write = s->shadow.entry[s->shadow.req[number].entry].store;
    return number;
  }
  return Reqs;
}

/* Drives one answer port. Returns the number it answers, or Reqs if it stays idle. */
static unsigned answer(state_t *s, unsigned other, uint64_t *valid, uint64_t *write, uint64_t *id, uint32_t *data) {
  bool store = false, abuse = s->profile == ABUSE && chance8(&s->rng, 1);
  unsigned number = often(s, knobs[s->profile].answer) ? any_number(s, other, &store) : Reqs;
  /* Abuse: a number that may be free or answered twice, or an answer of the wrong kind. */
  if (abuse && rng_bits(&s->rng, 1)) number = (unsigned)rng_bits(&s->rng, chance8(&s->rng, 2) ? 8 : 5);
  else if (abuse) store = !store;
  else if (number == Reqs) return Reqs;
  if (number > 255) return Reqs;
  *valid = 1;
  *write = store;
  *id = number;
  stim_lsu_row(&s->rng, data, LSU_XFER_BITS);
  return number;
}

/* Profile far: rows go down when all entries have theirs, and then all of them. Until then one
 * load at a time makes its transfers without an answer. They drain at random times, too,
 * because a transfer of this core may wait for a row. */
static bool rows_wait(state_t *s) {
  const lsu_t *u = &s->shadow;
  if (!u->used) s->drains = false;
  if ((u->used == bits_ones(Entries) && !u->in_use && u->work.phase == LSU_WORK_NONE) || rng_chance(&s->rng, 1, 2000))
    s->drains = true;
  return s->profile == FAR && !s->drains && u->shown != Entries;
}

/* Profile scatter with many numbers: answers wait until few numbers are free. All
 * numbers are then used again and again. */
static bool fills(state_t *s) {
  const lsu_t *u = &s->shadow;
  const bool works = u->work.phase != LSU_WORK_NONE || u->used != bits_ones(Entries);
  return s->profile == SCATTER && Reqs > 32 && u->in_use + 4 < Reqs && works && !rng_chance(&s->rng, 1, 32);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_in_t *in = in_bytes;
  const knobs_t *k = &knobs[s->profile];
  bool abuse = s->profile == ABUSE && chance8(&s->rng, 2);
  (void)cycle;
  (void)out;
  if (!s->begun) begin(s);
  STIM_LOOK(lsu, s, in);
  in->core_id = s->core;
  in->subcore_id = s->subcore;
  in->nbu_id = s->nbu;
  in->no_offload = s->no_offload;
  bool pushes = abuse || (s->profile == STARVED && chance8(&s->rng, 1)); /* also when there is no place */
  bool far = s->profile == FAR, rows = rows_wait(s);
  if ((now.in_ready || pushes) && !(far && s->shadow.in_use) && often(s, k->send)) instruction(s, in);
  const bool stray = s->profile == OFFLOAD && chance8(&s->rng, 1); /* also while an access is offloaded */
  in->dt_valid = (now.need_data || abuse || stray) && often(s, k->row);
  if (in->dt_valid) stim_lsu_row(&s->rng, in->dt_data, 1024);
  in->dn_take = (now.dn_valid || abuse) && !rows && often(s, k->take);
  in->rq_take = (now.rq_valid || abuse) && often(s, k->take);
  if ((far && s->shadow.work.phase != LSU_WORK_NONE && s->shadow.in_use < Reqs) || fills(s)) {
    lsu_step(&s->shadow, in);
    return;
  }
  unsigned number = answer(s, Reqs, &in->rs_valid, &in->rs_write, &in->rs_id, in->rs_data);
  answer(s, number, &in->rr_valid, &in->rr_write, &in->rr_id, in->rr_data);
  lsu_step(&s->shadow, in);
}

static bool waiting(const void *state) {
  const lsu_t *u = &((const state_t *)state)->shadow;
  return u->used || u->work.phase != LSU_WORK_NONE;
}

STIM_DEFINE(lsu, .reset = reset, .waiting = waiting)
