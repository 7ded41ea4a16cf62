/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_ext: an environment that plays the core above, the memory controller, the
 * register file and the shared memory.
 *
 * The core sends messages within its credits and keeps no more instructions under way than the done
 * FIFO holds. Profile `errors` breaks these rules now and then. The controller answers in any
 * order.
 *
 * In profiles `trickle` and `system`, register file and shared memory show rows only after a
 * request. So there are cycles without any input, in which the model may sleep. The other profiles
 * show a row in every cycle.
 */
#include "lsu_ext.h"

#include "lsu_ext_legal.h"
#include "lsu_stim.h"

enum { MIXED, MEMORY, LOADS, SHARED, ROWS, UP_BLOCKED, MC_SLOW, TRICKLE, SYSTEM, HOARD, ERRORS };

/* mixed reaches every type, but no queue stays full. memory, loads, shared and rows each fill the
 * path of one class of messages. up-blocked and mc-slow stop one neighbour, so that the
 * back-pressure reaches the bus down. trickle and system let the model sleep between messages.
 * hoard alone uses all entries and tags.
 *  errors: drops and flags, also more completions than the done FIFO holds. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "messages of all types, everybody answers soon"},
    [MEMORY] = {"memory", "reads and writes of 32 bytes: the bus up is what limits"},
    [LOADS] = {"loads", "offloaded loads and stores, answers in any order"},
    [SHARED] = {"shared", "shared memory, with and without bank conflicts"},
    [ROWS] = {"rows", "register writes and moves: the register file's ports are what limits"},
    [UP_BLOCKED] = {"up-blocked", "the bus up is taken rarely"},
    [MC_SLOW] = {"mc-slow", "the controller's credits and answers come rarely"},
    [TRICKLE] = {"trickle", "a message at a time"},
    [SYSTEM] = {"system", "a load or store of four transfers every ten cycles, as a system brings them"},
    [HOARD] =
        {"hoard",
         "loads and stores of one transfer, answered when no more come: all entries and tags in use, all completions at once"},
    [ERRORS] = {"errors", "also what breaks the rules of the bus and of the controller"},
};

/* Chances of 64. send: a beat comes. mem: a message is of class memory. offload: such a message is
 * offloaded. shared: a message of another class is of shared memory. The second row: the bus up
 * takes a word, a credit comes back, the controller answers, shared memory grants. */
typedef struct {
  unsigned send, mem, offload, shared;
  unsigned up, credit, answer, grant;
} knobs_t;

/* clang-format off */
static const knobs_t knobs[] = {
  /*              send mem offl shrd  up cred answ grnt */
  [MIXED] =      {56, 32, 32, 14, 60, 48, 56, 48},
  [MEMORY] =     {64, 64, 2, 0, 64, 64, 64, 64},
  [LOADS] =      {64, 60, 62, 1, 64, 60, 64, 60},
  [SHARED] =     {64, 6, 32, 56, 60, 48, 56, 56},
  [ROWS] =       {64, 10, 60, 8, 64, 64, 64, 64},
  [UP_BLOCKED] = {60, 40, 24, 10, 3, 60, 60, 60},
  [MC_SLOW] =    {60, 56, 40, 4, 60, 3, 3, 60},
  [TRICKLE] =    {12, 32, 32, 14, 60, 20, 20, 20},
  [SYSTEM] =     {6, 64, 64, 0, 64, 64, 64, 64},
  [HOARD] =      {64, 64, 64, 0, 64, 64, 64, 64},
  [ERRORS] =     {60, 40, 32, 12, 56, 48, 48, 48},
};
/* clang-format on */

/* the message being sent; places taken */
STIM_STATE(lsu_ext, bool begun; uint64_t nbu, hdr; unsigned left, class_sent[LSU_CLASSES];
           /* instructions, answers; beats of the message that comes up */
           unsigned under_way, owed, up_left;
           /* of the controller: owed, requests held */
           unsigned credits, tags;
           uint8_t tag[Xacts];
           /* hoard: cycles since a request; now it is answered */
           unsigned quiet; bool emptying; bool rf_asked, sm_asked;) /* in the cycle before */

static bool often(state_t *s, unsigned rate) {
  return rng_chance(&s->rng, rate, 64);
}

static unsigned any_type(state_t *s) {
  const knobs_t *k = &knobs[s->profile];
  if (often(s, k->mem)) {
    if (often(s, k->offload)) return rng_bits(&s->rng, 1) ? LSU_LDO : LSU_STO;
    return rng_bits(&s->rng, 1) ? LSU_RD : LSU_WR;
  }
  if (rng_chance(&s->rng, k->shared, 64 - k->mem + 1)) return rng_bits(&s->rng, 1) ? LSU_LDS : LSU_STS;
  return rng_below(&s->rng, 3) ? LSU_REGW : LSU_RMV;
}

/* True if a message ends with a CPL, which takes a place of the done FIFO. */
static bool commits(uint64_t hdr) {
  unsigned type = (unsigned)LSU_GET(hdr, type);
  if (type == LSU_REGW) return !(LSU_GET(hdr, areg) & LSU_FLAG);
  return type == LSU_LDO || type == LSU_STO || type == LSU_LDS || type == LSU_STS;
}

/* Class of a message; 0 for a type that is not legal. */
static unsigned class_of(uint64_t hdr) {
  int cls = lsu_down_class((unsigned)LSU_GET(hdr, type));
  return cls < 0 ? 0 : (unsigned)cls;
}

/* True if a message has a credit of its class and a place for its completion. */
static bool has_place(const state_t *s, uint64_t hdr) {
  static const unsigned depth[] = {MemDepth, SmemDepth, WriteDepth, MoveDepth};
  unsigned cls = class_of(hdr);
  return s->class_sent[cls] < depth[cls] && (!commits(hdr) || s->under_way < LSU_EXT_COMMITS);
}

/* Begins a message in s->hdr. False: it has no credit now. */
static bool new_message(state_t *s) {
  unsigned type = any_type(s), wrong = s->profile == ERRORS ? (unsigned)rng_below(&s->rng, 24) : 24;
  s->hdr = LSU_PUT(stim_lsu_hdr(&s->rng, type), nbu, s->nbu);
  if (s->profile == TRICKLE && s->owed) return false;
  if (s->profile == HOARD) s->hdr = LSU_PUT(LSU_PUT(s->hdr, size, 0), addr, LSU_GET(s->hdr, addr) & ~UINT64_C(31));
  if (s->profile == SYSTEM) s->hdr = LSU_PUT(LSU_PUT(s->hdr, size, 2), addr, LSU_GET(s->hdr, addr) & ~UINT64_C(127));
  if (wrong == 0) s->hdr = LSU_PUT(s->hdr, type, rng_range(&s->rng, 12, 15));
  if (wrong == 1) s->hdr = LSU_PUT(s->hdr, nbu, s->nbu ^ 1u << rng_bits(&s->rng, 1));
  s->left = lsu_down_beats((unsigned)LSU_GET(s->hdr, type));
  if (!s->left) s->left = 1;
  if (wrong < 2) return true;
  if (wrong > 2 && !has_place(s, s->hdr)) {
    s->left = 0;
    return false;
  }
  s->class_sent[class_of(s->hdr)]++;
  s->under_way += commits(s->hdr);
  s->owed += commits(s->hdr) || type == LSU_RD || type == LSU_WR || type == LSU_RMV;
  return true;
}

/* One beat of the message being sent, or the first of a new one. Offsets of messages of shared
 * memory are small, so that most of their addresses are legal. Returns 1 if there is a beat. */
static uint64_t drive_beat(state_t *s, uint32_t *words) {
  uint64_t beat = rng_next(&s->rng);
  if (s->left) {
    if (!chance8(&s->rng, 1)) beat &= ~(UINT64_C(0x1ffff) << 32);
    if (chance8(&s->rng, 3)) beat |= 0xffffffff;
    /* a mask without a thread, or of some threads */
    else if (chance8(&s->rng, 2))
      beat = (beat & ~UINT64_C(0xffffffff)) | (chance8(&s->rng, 4) ? stim_mask(&s->rng) : 0);
  } else {
    if (!new_message(s)) return 0;
    beat = s->hdr;
  }
  s->left--;
  words[0] = (uint32_t)beat;
  words[1] = (uint32_t)(beat >> 32);
  return 1;
}

/* The block returns no credit for a message that it dropped. */
static void forget_dropped(state_t *s) {
  for (unsigned cls = 0; cls < LSU_CLASSES; cls++) s->class_sent[cls] = s->shadow.rx.count[cls];
  s->under_way = 0;
}

static unsigned up_beats(unsigned type) {
  switch (type) {
/* clang-format off */
#define LSU_UP(name, code, beats, text) case code: return beats;
#include "lsu_msg.def"
    /* clang-format on */
  default: return 1;
  }
}

/* The core above takes what the bus up shows: answers and completions return their places. */
static void take_up(state_t *s, const lsu_ext_out_t *now) {
  for (unsigned i = 0; i < 2; i++) {
    if (!(now->up_valid >> i & 1)) continue;
    unsigned type = now->up_beat[2 * i] & 15;
    if (!s->up_left) {
      s->up_left = up_beats(type);
      s->owed -= s->owed > 0;
      if (type == LSU_CPL) s->under_way -= s->under_way > 0;
    }
    s->up_left--;
  }
}

/* Hoard: the controller waits until no request came for 64 cycles or all tags are in
 * use. Then it answers all of them. */
static bool answers(state_t *s, const lsu_ext_out_t *now) {
  s->quiet = now->mc_valid ? 0 : s->quiet + 1;
  if (s->tags == 0) s->emptying = false;
  if (s->tags == Xacts || s->quiet > 64) s->emptying = true;
  return s->profile != HOARD || s->emptying;
}

static void drive_controller(state_t *s, const lsu_ext_out_t *now, lsu_ext_in_t *in) {
  const knobs_t *k = &knobs[s->profile];
  if (answers(s, now) && s->tags && often(s, k->answer)) {
    unsigned i = rng_bits(&s->rng, 1) ? 0 : (unsigned)rng_below(&s->rng, s->tags);
    in->mr_valid = 1;
    in->mr_tag = s->tag[i];
    memmove(&s->tag[i], &s->tag[i + 1], --s->tags - i);
  } else if (s->profile == ERRORS && rng_below(&s->rng, 64) == 0) {
    in->mr_tag = rng_bits(&s->rng, 8);
    in->mr_valid = in->mr_tag >= Xacts || !lsu_xact_in_use(&s->shadow.xact, in->mr_tag);
    in->mr_tag = in->mr_valid ? in->mr_tag : 0;
  }
  if (in->mr_valid) stim_lsu_row(&s->rng, in->mr_data, LSU_XFER_BITS);
  in->mc_credit = s->credits && often(s, k->credit);
  s->credits -= in->mc_credit != 0;
  if (s->profile == ERRORS && rng_below(&s->rng, 256) == 0)
    in->mc_credit = s->shadow.dramq.credits == McCredits || in->mc_credit;
  if (!now->mc_valid) return;
  s->tag[s->tags++] = (uint8_t)now->mc_tag;
  s->credits++;
}

/* A row of thread addresses. Seven of eight rows are legal addresses of shared memory: in sequence,
 * in one bank, or in few words. */
static void drive_row(state_t *s, uint32_t *row) {
  static const unsigned strides[] = {0, 1, 2, 4, 8, 12, 128, 132};
  unsigned stride = strides[rng_bits(&s->rng, 3)], some = (unsigned)rng_bits(&s->rng, 1);
  uint32_t base = (uint32_t)rng_below(&s->rng, SmemBytes) & ~7u;
  if (chance8(&s->rng, 1)) rng_fill(&s->rng, row, 1024);
  else
    for (unsigned i = 0; i < LSU_LANES; i++)
      row[i] = (base + (some ? i : (uint32_t)rng_below(&s->rng, 4)) * stride) % SmemBytes;
}

/* Rows that register file and shared memory return, and shared memory's grant. */
static void drive_rows(state_t *s, const lsu_ext_out_t *now, lsu_ext_in_t *in) {
  bool always = s->profile != TRICKLE && s->profile != SYSTEM;
  if (always || s->rf_asked) drive_row(s, in->rf_rd_data);
  if (always || s->sm_asked) stim_lsu_row(&s->rng, in->sm_rdata, 1024);
  in->sm_gnt = now->sm_req && often(s, knobs[s->profile].grant);
  s->rf_asked = now->rf_rd_valid;
  s->sm_asked = in->sm_gnt;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_ext_in_t *in = in_bytes;
  const knobs_t *k = &knobs[s->profile];
  (void)out;
  STIM_LOOK(lsu_ext, s, in);
  if (!s->begun) s->nbu = rng_bits(&s->rng, 2); /* constant from reset to reset */
  s->begun = true;
  in->nbu_id = s->nbu;
  for (unsigned cls = 0; cls < LSU_CLASSES; cls++) s->class_sent[cls] -= s->class_sent[cls] && now.dn_credit >> cls & 1;
  if (s->profile == ERRORS && rng_below(&s->rng, 64) == 0) forget_dropped(s);
  if (often(s, k->send)) in->dn_valid = drive_beat(s, in->dn_beat);
  if (in->dn_valid && often(s, k->send)) in->dn_valid |= drive_beat(s, in->dn_beat + 2) << 1;
  drive_controller(s, &now, in);
  drive_rows(s, &now, in);
  bool stopped = s->profile == ERRORS && cycle / 1024 % 8 == 7; /* so that more ids wait than fit */
  in->up_take = now.up_valid && often(s, stopped ? 1 : k->up);
  if (in->up_take) take_up(s, &now);
  lsu_ext_step(&s->shadow, in);
}

static bool waiting(const void *state) {
  const state_t *s = state;
  return s->profile != ERRORS && s->owed > 0;
}

STIM_DEFINE(lsu_ext, .reset = reset, .waiting = waiting, .legal = &lsu_ext_legal)
