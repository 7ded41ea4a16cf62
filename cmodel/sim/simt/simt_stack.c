/* SPDX-License-Identifier: Apache-2.0
 *
 * The reconvergence stack of a warp. simt_stack.h has a picture.
 */
#include "simt_stack.h"

#include <assert.h>

void simt_stack_init(simt_stack_t *s, uint32_t mask) {
  s->top = 0;
  s->met = 0;
  s->loose = false;
  s->frame[0] = (simt_frame_t){0, SIMT_NO_RECONV, mask, false};
}

/* Pops frames that have reached their reconvergence point or have no threads left. */
static void pop_finished(simt_stack_t *s) {
  while (s->top && (s->frame[s->top].pc == s->frame[s->top].reconv || !s->frame[s->top].mask)) s->top--;
}

void simt_stack_advance(simt_stack_t *s, uint32_t pc) {
  s->frame[s->top].pc = pc;
  pop_finished(s);
}

static void push_frame(simt_stack_t *s, uint32_t pc, uint32_t reconv, uint32_t mask) {
  assert(s->top + 1 < SIMT_STACK_DEPTH);
  s->frame[++s->top] = (simt_frame_t){pc, reconv, mask, false};
}

/* Threads `taken` go to target, the rest to `next`. If the top frame already reconverges at
 * reconv, the frame below waits there, and no new waiting frame is needed. */
static bool split_frame(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconv) {
  simt_frame_t *f = &s->frame[s->top];
  uint32_t rest = f->mask & ~taken;
  if (!taken || !rest) {
    simt_stack_advance(s, taken ? target : next);
    return false;
  }
  if (reconv != f->reconv) {
    f->pc = reconv;
    push_frame(s, next, reconv, rest);
    f++;
  } else *f = (simt_frame_t){next, reconv, rest, false};
  if (next == reconv)
    *f = (simt_frame_t){target, reconv, taken, false}; /* the other threads are at the reconvergence point already */
  else push_frame(s, target, reconv, taken);
  pop_finished(s);
  return true;
}

bool simt_stack_branch(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t reconv) {
  return split_frame(s, taken, target, simt_stack_pc(s) + 1, reconv);
}

bool simt_stack_choose(simt_stack_t *s, uint32_t chosen, uint32_t target, uint32_t reconv) {
  return split_frame(s, chosen, target, simt_stack_pc(s), reconv);
}

/* Threads that exit leave all frames. */
void simt_stack_exit(simt_stack_t *s, uint32_t lanes) {
  s->frame[s->top].pc++;
  for (unsigned i = 0; i <= s->top; i++) s->frame[i].mask &= ~lanes;
  pop_finished(s);
}
