/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of device functions: what simt_decode knows of the functions that a kernel may reach, and
 * the activations of a warp.
 *
 * A kernel's code is its own instructions, then those of each function, one place free behind each.
 * Registers of each are apart; parameters and results of a call lie in a block of bytes of the
 * activation that has them (registers of a real ABI), .local variables in the thread's stack.
 */
#ifndef SIMT_CALL_H
#define SIMT_CALL_H

#include "simt.h"
#include "simt_stack.h"

/* flag of memory operations and mov: the address counts from the activation's place in the stack */
enum { SIMT_FRAME = SIMT_BAR_COUNT };

/* What a function's address is: device functions of a module by number. */
#define SIMT_CODE_BASE 0x6000000000000000ull
static inline uint64_t simt_function_address(uint32_t func) {
  return SIMT_CODE_BASE + 16 * (uint64_t)func;
}

/* A function of the linked code; the first is the kernel. */
struct simt_unit {
  const ptx_func_t *func;
  simt_reg_t *regs; /* of each PTX register */
  uint32_t first;   /* instruction in ops */
  uint32_t reg_at, reg_bytes, hw_regs;
  /* in its block of bytes: parameters, results, .param variables of its calls */
  uint32_t rets_at, calls_at, param_bytes;
  uint32_t stack_bytes; /* of an activation */
  bool recursive;       /* may be active already when it is called */
};

/* Units of a kernel that calls, in an order that depends on the module alone; 0, or -1: err.
 * placement: NULL, or who has their registers; these are not saved by simt_calls then. */
int simt_link(simt_kernel_t *k, const simt_placement_t *placement, trouble_t *err);
bool simt_calls_any(const ptx_func_t *f); /* whether it has to be linked */
void simt_unlink(simt_kernel_t *k);
const simt_unit_t *simt_unit_at(const simt_kernel_t *k, uint32_t pc); /* whose code it is */
/* The function that it is of, linked or not. */
static inline const ptx_func_t *simt_func(const simt_kernel_t *k, const simt_op_t *op) {
  return k->units ? simt_unit_at(k, (uint32_t)(op - k->ops))->func : k->func;
}
/* Whether a call passes as many .param variables as the
 * function has parameters and results, each as long. */
bool simt_call_fits(const simt_kernel_t *k, const simt_unit_t *from, const ptx_instr_t *call, const simt_unit_t *to);
/* of a thread; stack: of functions that call each other in a circle */
uint64_t simt_stack_bytes(const simt_kernel_t *k, uint64_t stack);

/* Decoding of ld.param, st.param and addresses in a function; param: where in the block. */
bool simt_param_place(const simt_unit_t *u, const ptx_module_t *m, int32_t var, uint32_t *at);
simt_fn_t simt_param_load, simt_param_store, simt_frame_address32, simt_frame_address64;

typedef struct {
  uint32_t unit;
  uint32_t frames; /* of the caller's reconvergence stack, saved */
  uint64_t bytes;  /* where its block of parameters is */
  uint64_t saved;  /* and the registers that it found */
  uint64_t stack;  /* in the thread's stack */
  const simt_op_t *call;
  uint32_t mask;
} simt_activation_t;

/* Of a warp. */
typedef struct {
  uint32_t depth, room; /* activations; the kernel's is the first */
  simt_activation_t *at;
  simt_frame_t *frames;
  uint32_t num_frames, frames_room;
  uint8_t *bytes;
  uint64_t num_bytes, bytes_room;
  uint32_t exited;
  const char *stack_key; /* that says how large the stack is; NULL: gpu.stack */
} simt_calls_t;

int simt_calls_begin(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w); /* -1: out of host memory */
void simt_calls_free(simt_calls_t *c);

typedef enum { SIMT_CALL_DONE, SIMT_CALL_WRONG, SIMT_CALL_MEMORY } simt_called_t;
/* Threads `mask`, not 0, call; those of an indirect one
 * that go elsewhere call later. wrong: of SIMT_CALL_WRONG. */
simt_called_t simt_calls_enter(simt_calls_t *c, const simt_kernel_t *k, const simt_op_t *op, simt_warp_t *w,
                               simt_stack_t *s, uint32_t mask, uint64_t stack, trouble_t *wrong);
/* Threads `mask` return from the function, or end. The function is left when none is in it any
 * more: the unit that was left, NULL: it goes on, or the kernel has ended. */
const simt_unit_t *simt_calls_leave(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w, simt_stack_t *s,
                                    uint32_t mask, bool ends);

#endif
