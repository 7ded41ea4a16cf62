/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel decoded for execution, and a warp's registers: what simt_decode makes and simt_alu
 * executes.
 *
 * Every PTX instruction becomes one simt_op_t with a function specialised for its types that works
 * on 32 lanes. Virtual registers are given slots by live range, so a warp's registers are about as
 * many as a real allocation needs.
 *
 * Register file of a warp, by byte offset: 64-bit slots (256 B: 32 lanes), 32-bit slots (128 B; 8-
 * and 16-bit registers are kept zero-extended), special registers (as 32-bit slots), predicates (4
 * B: a bit a lane). Operand offsets: 0 and up in the register file; with SIMT_CONST set in the
 * kernel's constants (same layouts, broadcast).
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"
#include "trouble.h"
#include "ptx.h"

enum { SIMT_MAX_DEPS = 36, SIMT_MAX_VEC = 8 };
#define SIMT_CONST 0x80000000u
#define SIMT_NO_OPERAND 0x7fffffffu
#define SIMT_NO_SLOT 0xffffu

/* What a driver reserves of a block's shared memory from sm_80 on, and what the
 * first byte of it is aligned to (PTX names it, cooperative groups use it). */
enum { SIMT_RESERVED_SHARED = 1024, SIMT_SHARED_UNIT = 128 };
static inline uint64_t simt_reserved_at(uint64_t own) { /* own: bytes of the block's own */
  return (own + SIMT_SHARED_UNIT - 1) / SIMT_SHARED_UNIT * SIMT_SHARED_UNIT;
}

/* Generic addresses: below SIMT_WINDOW_SHARED global, then windows of 2^40 bytes. */
#define SIMT_WINDOW_SHARED 0x10000000000ull
#define SIMT_WINDOW_LOCAL 0x20000000000ull
#define SIMT_WINDOW_CONST 0x30000000000ull
#define SIMT_WINDOW_PARAM 0x40000000000ull
#define SIMT_WINDOW_END 0x50000000000ull
#define SIMT_WINDOW_MASK 0xffffffffffull

typedef enum {
  SIMT_ALU,    /* fn, alu_latency; fp_interval if single, else int_interval */
  SIMT_SFU,    /* fn, sfu_latency, sfu_interval */
  SIMT_DP,     /* fn, alu_latency, dp_interval */
  SIMT_MATRIX, /* fn, of a tensor unit: matrix_latency, and matrix->work by matrix_macs */
  SIMT_LOAD,   /* global, local, generic or shared; const and param with an address in a register */
  SIMT_STORE,
  SIMT_ATOM,    /* also red: no destination */
  SIMT_TEXTURE, /* tex, tld4, txq, suq (texture_decode.h) */
  SIMT_BRANCH,
  SIMT_EXIT,
  SIMT_CALL, /* of a device function: target is its unit, or a the register with its address (simt_call.h) */
  SIMT_RETURN,
  /* of a function that the host executes, sub: simt_host_t; v: where
   * its parameters are, imm: its result, in the activation's block */
  SIMT_HOST,
  SIMT_BARRIER, /* bar.sync, bar.arrive, bar.red */
  SIMT_MEMBAR,
  SIMT_COPY,   /* cp.async.ca, .cg (async_copy.h) */
  SIMT_COPIES, /* its commit_group, wait_group, wait_all */
  SIMT_NOP,    /* prefetch, pmevent and the like */
  SIMT_TRAP
} simt_kind_t;

enum { /* flags */
       SIMT_FTZ = 1,
       SIMT_SAT = 2,
       SIMT_NEG_C = 4,  /* predicate operand c is negated */
       SIMT_SIGNED = 8, /* loads: sign-extend; cvt: source is signed */
       SIMT_GUARDED = 16,
       SIMT_GUARD_NOT = 32,
       SIMT_UNCACHED = 64, /* ld.volatile, .cv, .cg: not served by L1 */
       SIMT_CARRY_OUT = 128,
       SIMT_NEG_A = 256,
       SIMT_ADDR32 = 512,  /* base register has 32 bits */
       SIMT_ARRIVE = 1024, /* bar.arrive */
       SIMT_CARRY_IN = 2048,
       SIMT_BAR_COUNT = 4096,
       SIMT_NEG_B = 8192,
       SIMT_INDEXED = 16384, /* brx: target is a table of the function, a the index */
       SIMT_REDUCES = 32768, /* bar.red: sub says what comes of predicate c, d is the result */
};

/* What of memory an instruction orders (PTX ISA, memory consistency model). */
enum {
  SIMT_RELEASE = 1, /* all that its warp has accessed is over before it issues */
  SIMT_ACQUIRE = 2, /* it is over before what comes after it issues */
  SIMT_BEYOND = 4,  /* beyond the CTA: then what comes after it sees what other cores have stored before */
};

typedef enum { SIMT_RN, SIMT_RZ, SIMT_RM, SIMT_RP } simt_round_t;
typedef enum { SIMT_BOOL_NONE, SIMT_BOOL_AND, SIMT_BOOL_OR, SIMT_BOOL_XOR } simt_bool_t;

typedef struct simt_op simt_op_t;
typedef struct simt_matrix simt_matrix_t; /* matrix.h */
typedef struct simt_warp simt_warp_t;
typedef void simt_fn_t(const simt_op_t *op, simt_warp_t *w, uint32_t mask);
typedef uint32_t simt_cmp_t(const simt_op_t *op, const simt_warp_t *w); /* result of all lanes */

struct simt_op {
  simt_fn_t *fn;
  simt_cmp_t *cmp;           /* setp, set */
  uint32_t d, e, a, b, c, x; /* operand offsets; e: q of p|q, second destination; x: fourth source */
  uint32_t v[SIMT_MAX_VEC];  /* load destinations, store sources; SIMT_NO_OPERAND: sink */
  uint8_t kind;              /* simt_kind_t */
  uint8_t vec;               /* elements of a memory access */
  uint8_t bytes;             /* of an element; cvt: of the destination */
  uint8_t src_bytes;         /* cvt */
  uint8_t reg_bytes;         /* lanes of destination or data registers: 4 or 8 */
  uint8_t space;             /* ptx_space_t */
  uint8_t round;             /* simt_round_t */
  uint8_t sub;               /* bool combination; atomic operation (ptx_mod_t index) ; see simt_alu.c */
  uint8_t type;              /* ptx_type_t of the access */
  uint8_t num_deps, num_dsts;
  bool single;   /* adds or multiplies f32 */
  uint8_t order; /* SIMT_RELEASE, _ACQUIRE, _BEYOND */
  uint16_t flags;
  uint32_t guard;              /* offset of the guard predicate */
  uint32_t base;               /* memory: offset of the address register, SIMT_NO_OPERAND: none */
  uint32_t members;            /* offset of the membermask (simt_meet.h), SIMT_NO_OPERAND: none */
  int64_t imm;                 /* memory: added to the base */
  uint16_t dep[SIMT_MAX_DEPS]; /* scoreboard slots read or written (a prefix num_dsts is written) */
  uint32_t target, reconv;     /* branch */
  uint32_t index;              /* PTX instruction */
  const simt_matrix_t *matrix; /* of those on matrices, which all threads of a warp execute together; NULL: none */
};

/* A constant operand and where its value comes from. */
typedef enum {
  SIMT_K_VALUE,
  SIMT_K_PARAM,    /* contents of the parameter block */
  SIMT_K_CONST,    /* contents of the const segment */
  SIMT_K_GLOBAL,   /* address of a global variable */
  SIMT_K_REFERENCE /* handle that a texture, sampler or surface reference is bound to */
} simt_konst_kind_t;
typedef struct {
  uint8_t kind, lane_bytes; /* 4, 8; 1: predicate */
  uint8_t bytes;            /* PARAM, CONST: how many */
  bool sign;                /* PARAM, CONST: sign-extend */
  uint32_t at;              /* byte offset in the constants */
  /* VALUE; REFERENCE: variable; else offset in the
   * parameter block, the const or the global segment */
  int64_t value;
} simt_konst_t;

/* A special register that a warp has in its register file. */
typedef struct {
  uint8_t sreg, sel;
  uint32_t at;
  uint16_t slot;
} simt_sreg_t;

typedef struct {
  uint32_t at;   /* register file offset; SIMT_NO_OPERAND: never used */
  uint16_t slot; /* scoreboard */
  uint8_t bytes; /* a lane: 1 predicate, 4, 8 */
} simt_reg_t;

typedef struct simt_unit simt_unit_t; /* simt_call.h */
typedef struct {
  const ptx_module_t *module;
  const ptx_func_t *func;
  simt_op_t *ops; /* one a PTX instruction, same index; behind them those of functions that are called */
  uint32_t num_ops;
  simt_reg_t *regs; /* of each PTX register */
  simt_konst_t *konsts;
  uint32_t num_konsts, konst_bytes;
  simt_sreg_t sregs[64];
  uint32_t num_sregs;
  uint32_t reg_bytes; /* register file of a warp */
  uint32_t num_slots; /* scoreboard */
  uint32_t hw_regs;   /* 32-bit registers a thread, for occupancy; special registers and predicates not counted */
  simt_unit_t *units; /* the kernel and what it may call; NULL: it calls nothing */
  uint32_t num_units;
  bool recursive;
  /* it asks where shared memory is reserved: each block
   * gets SIMT_RESERVED_SHARED bytes behind its own */
  bool reserves_shared;
  uint64_t stack_bytes;    /* of the deepest chain of calls, each function once */
  simt_matrix_t *matrices; /* of its instructions */
} simt_kernel_t;

/* Machine facts a special register shows. */
typedef struct {
  uint32_t ntid[3], nctaid[3], ctaid[3];
  uint32_t smid, nsmid, warpid, nwarpid, first_thread; /* of the warp, linear in the CTA */
  uint32_t dynamic_shared, total_shared;
  uint64_t gridid, workspace;
} simt_place_t;

struct simt_warp {
  uint8_t *base[2];     /* register file, constants */
  uint32_t carry;       /* condition code, a bit a lane */
  uint64_t clock;       /* SM cycle, for %clock */
  uint64_t nanoseconds; /* %globaltimer */
  uint8_t *frame;       /* of its activation: parameters and results, thread i's at i * frame_stride */
  uint32_t frame_stride;
  uint64_t frame_at; /* where its .local variables are in the thread's stack */
};

/* NULL and err: an instruction that is not supported (status 2), or no memory (3). */
simt_kernel_t *simt_decode(const ptx_module_t *module, const ptx_func_t *func, trouble_t *err);

/* Of a kernel that is looked at, not executed: it is told of each instruction
 * that is not executed, which becomes a SIMT_TRAP; the others go on. */
typedef struct {
  void (*each)(void *ctx, uint32_t instr, const char *why);
  void *ctx;
} simt_refusals_t;

/* The same with registers placed by somebody else: offsets are
 * multiples of 4 (predicates), 128 and, for 64-bit registers, 128. */
typedef struct {
  const simt_reg_t *regs; /* of each PTX register */
  uint32_t reg_bytes, num_slots, hw_regs;
  /* of each function that the kernel may reach, as simt_link
   * finds them: of each PTX register. NULL: calls are refused */
  const simt_reg_t *const *units;
  const char *machine, *page;      /* what does not execute an instruction, and the page that says what it does */
  const simt_refusals_t *refusals; /* NULL: the first one is an error */
} simt_placement_t;
simt_kernel_t *simt_decode_placed(const ptx_module_t *module, const ptx_func_t *func, const simt_placement_t *placement,
                                  trouble_t *err);
void simt_kernel_free(simt_kernel_t *k);

/* Fills the constant operands for a launch; params:
 * the parameter block; variables: the module's. */
struct simt_variables; /* simt_module.h */
void simt_fill_consts(const simt_kernel_t *k, uint8_t *konsts, const uint8_t *params,
                      const struct simt_variables *variables);

/* Fills the special registers of a warp; those that it can. */
bool simt_has_sreg(unsigned sreg);
bool simt_is_reserved_shared(unsigned sreg);
void simt_fill_sregs(const simt_kernel_t *k, uint8_t *regs, const simt_place_t *place);

/* Finds the function of an instruction that is not memory or
 * control; false: none. Fills fn, cmp, kind, flags, ... */
bool simt_alu_bind(simt_op_t *op, const ptx_instr_t *instr);

static inline void *simt_dst(simt_warp_t *w, uint32_t at) {
  return w->base[0] + at;
}
static inline const void *simt_src(const simt_warp_t *w, uint32_t at) {
  return w->base[at >> 31] + (at & ~SIMT_CONST);
}

#endif
