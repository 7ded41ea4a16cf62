/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of device functions: the functions that a kernel may reach, and the activations of a warp.
 *
 * A linked kernel's code is its own instructions, then those of each function. One free place
 * follows each function. Every function has its own registers.
 *
 * Memory of an activation:
 *
 *   parameters, results    a block of bytes that the activation owns (registers in a real ABI)
 *   .local variables       the thread's stack
 */
#ifndef SIMT_CALL_H
#define SIMT_CALL_H

#include "simt.h"
#include "simt_stack.h"

/* Flag of memory operations and mov: the address counts from the activation's place in the
 * stack. */
enum { SIMT_FRAME = SIMT_BAR_COUNT };

/* Addresses of device functions, by their number in the module. */
#define SIMT_CODE_BASE 0x6000000000000000ull
static inline uint64_t simt_function_address(uint32_t func) {
  return SIMT_CODE_BASE + 16 * (uint64_t)func;
}

/* A function of the linked code. Unit 0 is the kernel. */
struct simt_unit {
  const ptx_func_t *func;
  simt_reg_t *regs; /* [PTX registers of the function] */
  uint32_t first;   /* its first instruction in ops */
  /* registers: offset in the register file, bytes, 32-bit words */
  uint32_t reg_at, reg_bytes, hw_regs;
  /* offsets in the activation's block: results, .param variables of its calls; size of the block */
  uint32_t rets_at, calls_at, param_bytes;
  uint32_t stack_bytes; /* bytes of an activation */
  bool recursive;       /* may already be active when it is called */
};

/* Finds the units of a kernel that calls functions. Their order depends only on the module.
 * Returns 0, or -1 with err. placement: NULL, or the caller's register placement; simt_calls
 * does not save such registers. */
int simt_link(simt_kernel_t *k, const simt_placement_t *placement, trouble_t *err);
bool simt_calls_any(const ptx_func_t *f); /* true: the function has to be linked */
void simt_unlink(simt_kernel_t *k);
/* unit whose code contains pc */
const simt_unit_t *simt_unit_at(const simt_kernel_t *k, uint32_t pc);
/* PTX function of an operation, in a linked kernel or not. */
static inline const ptx_func_t *simt_func(const simt_kernel_t *k, const simt_op_t *op) {
  return k->units ? simt_unit_at(k, (uint32_t)(op - k->ops))->func : k->func;
}
/* True if a call passes as many .param variables as `to` has parameters and results, each of the
 * same size. */
bool simt_call_fits(const simt_kernel_t *k, const simt_unit_t *from, const ptx_instr_t *call, const simt_unit_t *to);
/* Stack bytes of a thread; `stack`: bytes for functions that call each other recursively. */
uint64_t simt_stack_bytes(const simt_kernel_t *k, uint64_t stack);

/* Decoding of ld.param, st.param and addresses in a function. *at is the variable's offset in
 * the activation's block; false: not a .param variable of the unit. */
bool simt_param_place(const simt_unit_t *u, const ptx_module_t *m, int32_t var, uint32_t *at);
simt_fn_t simt_param_load, simt_param_store, simt_frame_address32, simt_frame_address64;

/* A function that a warp is executing. */
typedef struct {
  uint32_t unit;
  uint32_t frames;       /* saved frames of the caller's reconvergence stack */
  uint64_t bytes;        /* offset of its parameter block in simt_calls_t.bytes */
  uint64_t saved;        /* offset there of the registers that it saved */
  uint64_t stack;        /* offset in the thread's stack */
  const simt_op_t *call; /* instruction that called it */
  uint32_t mask;         /* threads that entered it */
} simt_activation_t;

/* Call state of a warp. simt_calls_begin allocates, simt_calls_free frees. */
typedef struct {
  uint32_t depth, room; /* activations; the kernel is the first */
  simt_activation_t *at;
  simt_frame_t *frames; /* saved reconvergence frames of all activations */
  uint32_t num_frames, frames_room;
  uint8_t *bytes; /* parameter blocks and saved registers */
  uint64_t num_bytes, bytes_room;
  uint32_t exited;       /* threads that ended inside a call */
  const char *stack_key; /* key that sets the stack size, for messages; NULL: gpu.stack */
} simt_calls_t;

/* -1: out of host memory */
int simt_calls_begin(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w);
void simt_calls_free(simt_calls_t *c);

typedef enum { SIMT_CALL_DONE, SIMT_CALL_WRONG, SIMT_CALL_MEMORY } simt_called_t;
/* The threads `mask` (not 0) call a function. If an indirect call has several targets, the
 * threads of one target enter now and the others later. SIMT_CALL_WRONG: `wrong` says why. */
simt_called_t simt_calls_enter(simt_calls_t *c, const simt_kernel_t *k, const simt_op_t *op, simt_warp_t *w,
                               simt_stack_t *s, uint32_t mask, uint64_t stack, trouble_t *wrong);
/* The threads `mask` return from the function, or end. When no thread is left in the function,
 * the warp leaves the function, and the result is its unit. NULL: the function continues, or the
 * kernel has ended. */
const simt_unit_t *simt_calls_leave(simt_calls_t *c, const simt_kernel_t *k, simt_warp_t *w, simt_stack_t *s,
                                    uint32_t mask, bool ends);

#endif
