/* SPDX-License-Identifier: Apache-2.0
 *
 * How the stack gives way to threads that others wait for: a frame that waits stays where it is; a
 * frame below it, or the threads that wait at its join, come on top. So the order of frames is that
 * of a tree still: who joins at a frame is above it. Threads that come to where others wait join
 * their frame.
 */
#include "simt_meet.h"

#include <string.h>

#include "simt_lanes.h"

/* At most so many frames when others are let go first:
 * then there is room for all splits of 32 threads. */
enum { ENOUGH_ROOM = SIMT_STACK_DEPTH - 66 };

/* ---- Who is where ---------------------------------------------------------------------------- */

static bool ends(const simt_kernel_t *k, uint32_t pc) {
  return pc < k->num_ops && k->ops[pc].kind == SIMT_EXIT && !(k->ops[pc].flags & SIMT_GUARDED);
}

/* Threads of frames, from the last down, whose next instruction ends them;
 * *above: those that are in frames above, and then in these, too. */
static uint32_t leaving(const simt_kernel_t *k, const simt_frame_t *frame, uint32_t frames, uint32_t *above) {
  uint32_t leave = 0;
  while (frames--) {
    if (ends(k, frame[frames].pc)) leave |= frame[frames].mask & ~*above;
    *above |= frame[frames].mask;
  }
  return leave;
}

/* Of the warp, those that have not exited and do something before they do. */
static uint32_t staying(const simt_kernel_t *k, const simt_calls_t *calls, const simt_stack_t *s) {
  uint32_t all = 0, leave = leaving(k, s->frame, s->top + 1, &all);
  if (calls) leave |= leaving(k, calls->frames, calls->num_frames, &all) | calls->exited;
  return all & ~leave;
}

/* Threads of a frame that are in none above it. */
static uint32_t own(const simt_stack_t *s, unsigned frame) {
  uint32_t above = 0;
  for (unsigned i = frame + 1; i <= s->top; i++) above |= s->frame[i].mask;
  return s->frame[frame].mask & ~above;
}

/* ---- Membermasks ----------------------------------------------------------------------------- */

/* A group is the threads of one membermask. False: what is undefined. */
static bool check(uint32_t mask, const uint32_t members[32], trouble_t *wrong) {
  for (uint32_t m = mask; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (!(members[i] >> i & 1))
      return trouble_set(wrong, TROUBLE_INPUT,
                         "has lane %u, which is not in its own membermask 0x%08x; PTX leaves that undefined", i,
                         members[i]);
    for (uint32_t n = mask & members[i]; n; n &= n - 1) {
      const unsigned j = (unsigned)__builtin_ctz(n);
      if (members[j] == members[i]) continue;
      return trouble_set(
          wrong, TROUBLE_INPUT,
          "has lane %u with membermask 0x%08x and, in it, lane %u with 0x%08x; one for both would be right", i,
          members[i], j, members[j]);
    }
  }
  return true;
}

static bool alike(uint32_t mask, const uint32_t members[32]) {
  const uint32_t first = members[__builtin_ctz(mask)];
  uint32_t other = 0;
  for (uint32_t m = mask; m; m &= m - 1) other |= members[__builtin_ctz(m)] ^ first;
  return !other && !(mask & ~first);
}

/* Of the threads `mask`, those that wait for one of `missing`. */
static uint32_t waiting_for(uint32_t mask, const uint32_t members[32], uint32_t missing) {
  uint32_t late = 0;
  for (uint32_t m = mask; m; m &= m - 1)
    if (members[__builtin_ctz(m)] & missing) late |= m & -m;
  return late;
}

static uint32_t union_of(uint32_t mask, const uint32_t members[32]) {
  uint32_t all = 0;
  for (; mask; mask &= mask - 1) all |= members[__builtin_ctz(mask)];
  return all;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static void drop(simt_stack_t *s, unsigned frame) {
  memmove(&s->frame[frame], &s->frame[frame + 1], (s->top - frame) * sizeof *s->frame);
  s->top--;
}

static void put(simt_stack_t *s, simt_frame_t frame) {
  s->frame[++s->top] = frame;
  simt_stack_advance(s, frame.pc);
}

/* The frame's own threads come on top. */
static void raise_frame(simt_stack_t *s, unsigned frame) {
  simt_frame_t f = s->frame[frame];
  f.mask = own(s, frame);
  s->frame[frame].mask &= ~f.mask;
  if (!s->frame[frame].mask) drop(s, frame);
  put(s, f);
}

/* The threads on top join those that wait for them at their instruction,
 * and all that these wait to join. False: nobody waits there. */
static bool join(simt_stack_t *s) {
  const simt_frame_t come = s->frame[s->top];
  unsigned i = 0;
  while (i < s->top && !(s->frame[i].waits && s->frame[i].pc == come.pc)) i++;
  if (i == s->top) return false;
  simt_frame_t both = s->frame[i];
  s->top--;
  for (unsigned j = 0; j <= s->top; j++)
    if (s->frame[j].mask & both.mask) s->frame[j].mask |= come.mask;
    else s->frame[j].mask &= ~come.mask;
  both.mask |= come.mask, both.waits = false;
  drop(s, i);
  for (unsigned j = s->top + 1; j-- > 0;)
    if (!s->frame[j].mask) drop(s, j);
  put(s, both);
  return true;
}

/* A frame below the top whose threads can go on, best one with some of these; -1: none. */
static int find_mover(const simt_stack_t *s, uint32_t wanted) {
  int any = -1;
  for (unsigned i = s->top; i-- > 0;) {
    const uint32_t threads = s->frame[i].waits ? 0 : own(s, i);
    if (threads & wanted) return (int)i;
    if (threads && any < 0) any = (int)i;
  }
  return any;
}

/* ---- Meeting --------------------------------------------------------------------------------- */

typedef const simt_op_t *at_t[32]; /* of threads that wait: where */

static uint32_t find_waiting(const simt_kernel_t *k, const simt_stack_t *s, at_t at) {
  uint32_t wait = 0;
  for (unsigned i = 0; i <= s->top; i++) {
    const uint32_t threads = s->frame[i].waits ? own(s, i) : 0;
    for (uint32_t m = threads; m; m &= m - 1) at[__builtin_ctz(m)] = &k->ops[s->frame[i].pc];
    wait |= threads;
  }
  return wait;
}

static bool same_operation(const simt_op_t *a, const simt_op_t *b) {
  return a->fn == b->fn && a->sub == b->sub && a->bytes == b->bytes && !((a->flags ^ b->flags) & SIMT_SIGNED);
}

/* Threads that wait at several instructions of one operation with one membermask have met if all
 * that it names are there. False: none have. w: what they exchange; NULL: they cannot but at
 * barriers. */
static bool meet_apart(const simt_kernel_t *k, simt_stack_t *s, simt_warp_t *w, uint32_t staying) {
  at_t at;
  uint32_t wait = find_waiting(k, s, at), met = 0;
  for (; wait; wait &= wait - 1) {
    const unsigned i = (unsigned)__builtin_ctz(wait);
    uint32_t same = 0;
    for (uint32_t n = wait & s->members[i]; n; n &= n - 1) {
      const unsigned j = (unsigned)__builtin_ctz(n);
      if (s->members[j] == s->members[i] && same_operation(at[i], at[j])) same |= n & -n;
    }
    if (same != (s->members[i] & staying) || (at[i]->fn && !w)) continue;
    if (at[i]->fn) simt_exchange(at, w, same);
    met |= same;
  }
  for (unsigned i = 0; i <= s->top; i++)
    if (own(s, i) & met) s->frame[i].waits = false;
  s->met |= met;
  return met;
}

/* Those on top wait for `missing`. */
static simt_meeting_t give_way(const simt_kernel_t *k, simt_stack_t *s, simt_warp_t *w, uint32_t missing,
                               uint32_t staying, trouble_t *wrong) {
  simt_frame_t *f = &s->frame[s->top];
  const int mover = find_mover(s, missing);
  f->waits = true;
  if (meet_apart(k, s, w, staying)) return SIMT_MEET_LATER;
  if (mover >= 0 && s->top < ENOUGH_ROOM) {
    raise_frame(s, (unsigned)mover);
    return SIMT_MEET_LATER;
  }
  trouble_set(wrong, TROUBLE_INPUT,
              "is deadlocked: its lanes 0x%08x wait for lanes 0x%08x of their membermask, which %s", f->mask, missing,
              mover < 0 ? "wait at another instruction or in another function" : "are on too many paths");
  return SIMT_MEET_NEVER;
}

/* Some threads wait, or have met others: those that do not wait go first. */
static bool part(simt_stack_t *s, uint32_t stay) {
  const uint32_t pc = simt_stack_pc(s), go = simt_stack_mask(s) & ~stay;
  return stay && go && simt_stack_choose(s, go, pc, pc + 1);
}

simt_meeting_t simt_meet(const simt_kernel_t *k, const simt_calls_t *calls, simt_stack_t *s, simt_warp_t *w,
                         uint32_t mask, const uint32_t members[32], trouble_t *wrong) {
  s->frame[s->top].waits = false;
  if (!mask) return SIMT_MEET_NOW;
  if (mask & s->met) {
    if (part(s, mask & ~s->met)) return SIMT_MEET_LATER;
    s->met &= ~mask;
    return SIMT_MEET_PAST;
  }
  if (!alike(mask, members) && !check(mask, members, wrong)) return SIMT_MEET_NEVER;
  const uint32_t others = union_of(mask, members) & ~mask, stay = others ? staying(k, calls, s) : 0,
                 missing = others & stay;
  const uint32_t late = waiting_for(mask, members, missing);
  if (!late) return SIMT_MEET_NOW;
  if (join(s) || part(s, late)) return SIMT_MEET_LATER;
  for (uint32_t m = late; m; m &= m - 1) s->members[__builtin_ctz(m)] = members[__builtin_ctz(m)];
  return give_way(k, s, w, missing, stay, wrong);
}
