/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_admission.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "block_engine.h"
#include "tom_meta.h"

static bool find_wires(tom_admission_t *a) {
  int place;
#define X(name)                                                                \
  if ((place = offload_instance_place(&a->instance, #name)) < 0) return false; \
  a->at.name = (unsigned)place;
  TOM_ADMISSION_WIRES(X)
#undef X
  return true;
}

int tom_admission_init(tom_admission_t *a, const gpu_config_t *c, const block_engine_t *const *engines) {
  *a = (tom_admission_t){.stacks = c->num_stacks,
                         .count_bits = gpu_config_tom_count_bits(c),
                         .control = c->tom_control,
                         .limit = gpu_config_tom_limit(c)};
  if (offload_instance_open(&a->instance, engines, 0)) return -1;
  return find_wires(a) && (a->in = calloc(engines[0]->in_words, sizeof(uint64_t))) ? 0 : -1;
}

void tom_admission_deinit(tom_admission_t *a) {
  offload_instance_close(&a->instance);
  free(a->in);
  a->in = NULL;
}

void tom_admission_wire(tom_admission_t *a, unsigned sm, bool ask, unsigned stack) {
  const uint64_t one = UINT64_C(1) << sm;
  a->asks = ask ? a->asks | one : a->asks & ~one;
  a->stack[sm] = (uint8_t)stack;
}

void tom_admission_ended(tom_admission_t *a, unsigned stack) {
  a->ended[stack]++;
}

bool tom_admission_asks(const tom_admission_t *a, unsigned sm, unsigned *stack) {
  *stack = a->stack[sm];
  return a->asks >> sm & 1;
}

static uint64_t out_of(const tom_admission_t *a, unsigned at) {
  return ((const uint64_t *)offload_instance_out(&a->instance))[at];
}

unsigned tom_admission_pending(const tom_admission_t *a, unsigned stack) {
  const uint64_t *out = offload_instance_out(&a->instance);
  return (unsigned)bits_get((const uint32_t *)(const void *)(out + a->at.pending), stack * a->count_bits,
                            a->count_bits);
}

/* Blocks that have ended, one a stack. */
static uint64_t tell_ended(tom_admission_t *a) {
  uint64_t done = 0;
  for (unsigned k = 0; k < a->stacks; k++) {
    if (!a->ended[k]) continue;
    done |= UINT64_C(1) << k;
    a->ended[k]--;
  }
  return done;
}

tom_answers_t tom_admission_tick(tom_admission_t *a, uint64_t seen, uint64_t target, trouble_t *fault) {
  uint64_t *in = a->in;
  in[a->at.ask] = a->asks;
  for (uint64_t m = a->asks; m; m &= m - 1) {
    const unsigned sm = (unsigned)__builtin_ctzll(m);
    bits_put((uint32_t *)(void *)(in + a->at.ask_stack), sm * TOM_STACK_W, TOM_STACK_W, a->stack[sm]);
  }
  in[a->at.limit] = a->limit, in[a->at.ctrl] = a->control;
  in[a->at.done] = tell_ended(a);
  in[a->at.seen] = seen, in[a->at.target] = target;
  offload_instance_step(&a->instance, in, fault);
  const tom_answers_t answers = {out_of(a, a->at.gnt), out_of(a, a->at.nak), out_of(a, a->at.irq)};
  if (out_of(a, a->at.err))
    trouble_fail(fault, TROUBLE_BROKEN,
                 "an instance of tom_gate says that a stack ended a block that it was not given");
  return answers;
}
