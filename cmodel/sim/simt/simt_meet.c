/* SPDX-License-Identifier: Apache-2.0
 *
 * Convergence at membermasks. A frame whose threads wait for others stays in the stack, and another
 * frame comes on top: one below it, or the threads that wait at its reconvergence point. The frames
 * still form a tree, in which frames that reconverge at a frame are above it. Threads that reach an
 * instruction where others wait join their frame.
 *
 *   simt_meet: all members here? ------yes---> NOW
 *     | no
 *     join those that wait at this instruction -> LATER
 *     threads that need not wait go first ------> LATER
 *     give_way: members at other instructions? -> exchanged, LATER, then PAST
 *               raise a frame with missing ones-> LATER
 *               none can move ----------------> NEVER (deadlock)
 */
#include "simt_meet.h"

#include <string.h>

#include "simt_lanes.h"

/* Most frames when others are let go first. The rest is room for all splits of 32 threads. Turns
 * need no such room: sets of threads that are part of each other or have none in common are 63, and
 * a thread that exits makes at most two of them the same. */
enum { ENOUGH_ROOM = SIMT_STACK_DEPTH - 66, ROOM_FOR_TURNS = SIMT_STACK_DEPTH - 4 };

/* ---- Where the threads are ------------------------------------------------------------------- */

/* True if the instruction at pc ends its threads. */
static bool ends_threads(const simt_kernel_t *k, uint32_t pc) {
  return pc < k->num_ops && k->ops[pc].kind == SIMT_EXIT && !(k->ops[pc].flags & SIMT_GUARDED);
}

/* Threads of these frames whose next instruction ends them. *above has the threads of the frames
 * above, and afterwards of these frames, too. */
static uint32_t find_leaving(const simt_kernel_t *k, const simt_frame_t *frame, uint32_t frames, uint32_t *above) {
  uint32_t leave = 0;
  while (frames--) {
    if (ends_threads(k, frame[frames].pc)) leave |= frame[frames].mask & ~*above;
    *above |= frame[frames].mask;
  }
  return leave;
}

/* Threads of the warp that have not exited, and will do something before they do. */
static uint32_t find_staying(const simt_kernel_t *k, const simt_calls_t *calls, const simt_stack_t *s) {
  uint32_t all = 0, leave = find_leaving(k, s->frame, s->top + 1, &all);
  if (calls) leave |= find_leaving(k, calls->frames, calls->num_frames, &all) | calls->exited;
  return all & ~leave;
}

/* Threads of a frame that are in no frame above it. */
static uint32_t own_threads(const simt_stack_t *s, unsigned frame) {
  uint32_t above = 0;
  for (unsigned i = frame + 1; i <= s->top; i++) above |= s->frame[i].mask;
  return s->frame[frame].mask & ~above;
}

/* ---- Membermasks ----------------------------------------------------------------------------- */

/* PTX demands that all threads of a group name the same membermask, which contains them. False:
 * what is undefined. */
static bool check_members(uint32_t mask, const uint32_t members[32], trouble_t *wrong) {
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

/* The common case: one membermask for all threads, without other threads. */
static bool members_agree(uint32_t mask, const uint32_t members[32]) {
  const uint32_t first = members[__builtin_ctz(mask)];
  uint32_t other = 0;
  for (uint32_t m = mask; m; m &= m - 1) other |= members[__builtin_ctz(m)] ^ first;
  return !other && !(mask & ~first);
}

/* Threads of `mask` whose membermask has a missing thread. */
static uint32_t waiting_for(uint32_t mask, const uint32_t members[32], uint32_t missing) {
  uint32_t late = 0;
  for (uint32_t m = mask; m; m &= m - 1)
    if (members[__builtin_ctz(m)] & missing) late |= m & -m;
  return late;
}

/* All threads that some membermask of `mask` names. */
static uint32_t union_of(uint32_t mask, const uint32_t members[32]) {
  uint32_t all = 0;
  for (; mask; mask &= mask - 1) all |= members[__builtin_ctz(mask)];
  return all;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* Removes a frame. */
static void drop_frame(simt_stack_t *s, unsigned frame) {
  memmove(&s->frame[frame], &s->frame[frame + 1], (s->top - frame) * sizeof *s->frame);
  s->top--;
}

/* Pushes a frame. */
static void push_frame(simt_stack_t *s, simt_frame_t frame) {
  s->frame[++s->top] = frame;
  simt_stack_advance(s, frame.pc);
}

/* A frame without threads goes. So does one that waits for the threads of a single other frame:
 * they reconverge where it would. Then no two frames have the same threads, and the stack has room
 * for all. */
static void drop_needless(simt_stack_t *s, unsigned frame) {
  const simt_frame_t f = s->frame[frame];
  unsigned i = frame + 1;
  while (f.mask && i <= s->top && s->frame[i].mask != f.mask) i++;
  if (i > s->top && f.mask) return;
  if (f.mask) s->frame[i].reconv = f.reconv;
  drop_frame(s, frame);
}

/* Moves a frame's own threads to the top. */
static void raise_frame(simt_stack_t *s, unsigned frame) {
  simt_frame_t f = s->frame[frame];
  f.mask = own_threads(s, frame);
  s->frame[frame].mask &= ~f.mask;
  drop_needless(s, frame);
  push_frame(s, f);
}

/* The threads on top join those that wait at their instruction, and all frames where these will
 * reconverge. false: nobody waits there. */
static bool join_waiting(simt_stack_t *s) {
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
  drop_frame(s, i);
  for (unsigned j = s->top + 1; j-- > 0;)
    if (!s->frame[j].mask) drop_frame(s, j);
  push_frame(s, both);
  return true;
}

/* A frame below the top whose threads can run, if possible one with wanted threads. -1: none. */
static int find_mover(const simt_stack_t *s, uint32_t wanted) {
  int any = -1;
  for (unsigned i = s->top; i-- > 0;) {
    const uint32_t threads = s->frame[i].waits ? 0 : own_threads(s, i);
    if (threads & wanted) return (int)i;
    if (threads && any < 0) any = (int)i;
  }
  return any;
}

/* ---- Meeting --------------------------------------------------------------------------------- */

/* Instruction at which each waiting thread stands. */
typedef const simt_op_t *at_t[32];

/* Waiting threads, and their instructions. */
static uint32_t find_waiting(const simt_kernel_t *k, const simt_stack_t *s, at_t at) {
  uint32_t wait = 0;
  for (unsigned i = 0; i <= s->top; i++) {
    const uint32_t threads = s->frame[i].waits ? own_threads(s, i) : 0;
    for (uint32_t m = threads; m; m &= m - 1) at[__builtin_ctz(m)] = &k->ops[s->frame[i].pc];
    wait |= threads;
  }
  return wait;
}

/* Threads may meet at different instructions of the same operation. */
static bool same_operation(const simt_op_t *a, const simt_op_t *b) {
  return a->fn == b->fn && a->sub == b->sub && a->bytes == b->bytes && !((a->flags ^ b->flags) & SIMT_SIGNED);
}

/* Lets groups meet whose threads wait at different instructions of one operation. All members of
 * the common membermask that stay must wait. w: registers, to exchange values; NULL: only barriers
 * can meet. false: no group has met. */
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
    if (own_threads(s, i) & met) s->frame[i].waits = false;
  s->met |= met;
  return met;
}

/* The threads on top wait for `missing`: lets these run, or reports a deadlock. */
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

/* Some threads wait, or have met others. The rest runs first. */
static bool let_others_go(simt_stack_t *s, uint32_t stay) {
  const uint32_t pc = simt_stack_pc(s), go = simt_stack_mask(s) & ~stay;
  return stay && go && simt_stack_choose(s, go, pc, pc + 1);
}

/* Exited threads, and threads about to exit, count as absent. */
simt_meeting_t simt_meet(const simt_kernel_t *k, const simt_calls_t *calls, simt_stack_t *s, simt_warp_t *w,
                         uint32_t mask, const uint32_t members[32], trouble_t *wrong) {
  s->frame[s->top].waits = false;
  if (!mask) return SIMT_MEET_NOW;
  if (mask & s->met) {
    if (let_others_go(s, mask & ~s->met)) return SIMT_MEET_LATER;
    s->met &= ~mask;
    return SIMT_MEET_PAST;
  }
  if (!members_agree(mask, members) && !check_members(mask, members, wrong)) return SIMT_MEET_NEVER;
  const uint32_t others = union_of(mask, members) & ~mask, stay = others ? find_staying(k, calls, s) : 0,
                 missing = others & stay;
  const uint32_t late = waiting_for(mask, members, missing);
  if (!late) return SIMT_MEET_NOW;
  if (join_waiting(s) || let_others_go(s, late)) return SIMT_MEET_LATER;
  for (uint32_t m = late; m; m &= m - 1) s->members[__builtin_ctz(m)] = members[__builtin_ctz(m)];
  return give_way(k, s, w, missing, stay, wrong);
}

/* ---- Turns ----------------------------------------------------------------------------------- */

/* The lowest path has waited longest: who gives a turn comes on top. */
static int find_oldest(const simt_stack_t *s) {
  for (unsigned i = 0; i < s->top; i++)
    if (!s->frame[i].waits && own_threads(s, i)) return (int)i;
  return -1;
}

bool simt_give_turn(simt_stack_t *s) {
  const int oldest = s->top < ROOM_FOR_TURNS ? find_oldest(s) : -1;
  if (oldest < 0) return false;
  raise_frame(s, (unsigned)oldest);
  s->loose = true;
  return true;
}

bool simt_gather(const simt_kernel_t *k, simt_stack_t *s) {
  simt_frame_t *f = &s->frame[s->top];
  f->waits = false;
  if (!s->loose || !(find_staying(k, NULL, s) & ~f->mask)) return true;
  if (join_waiting(s)) return false;
  const int mover = s->top < ROOM_FOR_TURNS ? find_mover(s, 0) : -1;
  if (mover < 0) return true;
  f->waits = true;
  raise_frame(s, (unsigned)mover);
  return false;
}
