/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the host executes for a kernel: at once, thread by thread, in one issue slot, with
 * memory as it is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu_copy.h"
#include "sm.h"

typedef struct {
  const sm_t *sm;
  unsigned warp, lane;
} thread_t;

/* Memory of a thread: its own spaces, or global memory. */
static bool read_thread(void *ctx, uint64_t address, void *to, size_t bytes) {
  const thread_t *t = ctx;
  trouble_t err = {0};
  return sm_own_bytes(t->sm, t->warp, t->lane, address, to, bytes) ||
         !gpu_copy(t->sm->sh, address, NULL, to, bytes, &err);
}

/* malloc and free. Returns NULL, or an error message. */
static const char *use_heap(sm_t *sm, const simt_op_t *op, uint8_t *block, uint64_t param, char text[SIMT_HOST_LINE]) {
  uint64_t address = 0;
  if (op->sub == SIMT_HOST_FREE) {
    if (!device_heap_give(sm->sh->heap, param)) return NULL;
    snprintf(text, SIMT_HOST_LINE, "free of 0x%" PRIx64 ", which malloc has not given, or which was given back", param);
    return text;
  }
  if (device_heap_take(sm->sh->heap, param, &address))
    trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for the heap of kernels");
  if (op->imm >= 0) memcpy(block + op->imm, &address, sizeof address);
  return NULL;
}

/* The call of one thread. Returns NULL, or an error message. */
static const char *call_for_thread(sm_t *sm, unsigned warp, const simt_op_t *op, unsigned lane,
                                   char text[SIMT_HOST_LINE]) {
  sm_warp_t *w = &sm->warps[warp];
  thread_t thread = {sm, warp, lane};
  const simt_host_memory_t memory = {read_thread, &thread};
  uint8_t *block = w->simt.frame + (size_t)lane * w->simt.frame_stride;
  uint64_t params[SIMT_HOST_PARAMS] = {0};
  for (unsigned i = 0; i < op->vec; i++) memcpy(&params[i], block + op->v[i], simt_host_bytes(op->sub, i));
  if (op->sub == SIMT_HOST_MALLOC || op->sub == SIMT_HOST_FREE) return use_heap(sm, op, block, params[0], text);
  if (op->sub == SIMT_HOST_ASSERT) {
    simt_host_assertion(text, &memory, params);
    return text;
  }
  const int32_t printed = simt_host_print(sm->sh->text, &memory, params[0], params[1]);
  if (op->imm >= 0) memcpy(block + op->imm, &printed, sizeof printed);
  if (printed == -2) trouble_fail(sm->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for what the kernel prints");
  return printed == -1 ? "vprintf: a format, a string or an argument that cannot be read" : NULL;
}

void sm_call_host(sm_t *sm, unsigned warp, const simt_op_t *op, uint32_t mask) {
  const simt_run_t *run = &sm->sh->run->simt;
  const sm_warp_t *w = &sm->warps[warp];
  char text[SIMT_HOST_LINE], thread[96];
  for (; mask; mask &= mask - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const char *wrong = call_for_thread(sm, warp, op, lane, text);
    if (!wrong) continue;
    simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread + lane, thread, sizeof thread);
    trouble_fail(sm->sh->fault, TROUBLE_INPUT, "%s:%d: kernel %s: %s: %s", sm_func(sm, op)->file,
                 sm_instr(sm, op)->line, run->kernel->func->name, thread, wrong);
    return;
  }
}
