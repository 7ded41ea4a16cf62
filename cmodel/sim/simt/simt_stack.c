/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_stack.h"

#include <assert.h>

void simt_stack_init(simt_stack_t *s, uint32_t mask) {
  s->top = 0;
  s->met = 0;
  s->frame[0] = (simt_frame_t){0, SIMT_NO_RECONV, mask, false};
}

/* Pops what has reached its reconvergence point or lost all threads. */
static void settle(simt_stack_t *s) {
  while (s->top && (s->frame[s->top].pc == s->frame[s->top].reconv || !s->frame[s->top].mask)) s->top--;
}

void simt_stack_advance(simt_stack_t *s, uint32_t pc) {
  s->frame[s->top].pc = pc;
  settle(s);
}

static void push(simt_stack_t *s, uint32_t pc, uint32_t reconv, uint32_t mask) {
  assert(s->top + 1 < SIMT_STACK_DEPTH);
  s->frame[++s->top] = (simt_frame_t){pc, reconv, mask, false};
}

static bool split(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconv) {
  simt_frame_t *f = &s->frame[s->top];
  uint32_t rest = f->mask & ~taken;
  if (!taken || !rest) {
    simt_stack_advance(s, taken ? target : next);
    return false;
  }
  if (reconv != f->reconv) { /* else the entry below is waiting there already */
    f->pc = reconv;
    push(s, next, reconv, rest);
    f++;
  } else *f = (simt_frame_t){next, reconv, rest, false};
  if (next == reconv) *f = (simt_frame_t){target, reconv, taken, false}; /* the others are there at once */
  else push(s, target, reconv, taken);
  settle(s);
  return true;
}

bool simt_stack_branch(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t reconv) {
  return split(s, taken, target, simt_stack_pc(s) + 1, reconv);
}

bool simt_stack_choose(simt_stack_t *s, uint32_t chosen, uint32_t target, uint32_t reconv) {
  return split(s, chosen, target, simt_stack_pc(s), reconv);
}

void simt_stack_exit(simt_stack_t *s, uint32_t lanes) {
  s->frame[s->top].pc++;
  for (unsigned i = 0; i <= s->top; i++) s->frame[i].mask &= ~lanes;
  settle(s);
}
