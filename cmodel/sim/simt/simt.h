/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel decoded for execution, and the registers of a warp. simt_decode builds a kernel;
 * simt_alu.c and its neighbours execute it.
 *
 * Each PTX instruction becomes one simt_op_t. Its function is specialised for the operand types and
 * works on 32 lanes. Virtual registers get slots by live range, so a warp needs about as many
 * registers as under a real allocator.
 *
 * Register file of a warp, by byte offset:
 *
 *   64-bit slots         256 bytes: 32 lanes
 *   32-bit slots         128 bytes: 32 lanes; 8- and 16-bit registers are zero-extended
 *   special registers    as 32-bit slots
 *   predicates           4 bytes: one bit a lane
 *
 * An operand offset counts from the start of the register file. An offset with SIMT_CONST set
 * counts in the kernel's constants, which have the same layouts, broadcast to all lanes.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"
#include "trouble.h"
#include "ptx.h"

/* Most scoreboard slots and most vector elements of an instruction. */
enum { SIMT_MAX_DEPS = 36, SIMT_MAX_VEC = 8 };
#define SIMT_CONST 0x80000000u
#define SIMT_NO_OPERAND 0x7fffffffu
#define SIMT_NO_SLOT 0xffffu

/* From sm_80 on, the driver reserves bytes of a CTA's shared memory. PTX names the area, and
 * cooperative groups use it. simt_reserved_at returns the offset of its first byte; `own` is the
 * number of bytes that the CTA itself uses. */
enum { SIMT_RESERVED_SHARED = 1024, SIMT_SHARED_UNIT = 128 };
static inline uint64_t simt_reserved_at(uint64_t own) {
  return (own + SIMT_SHARED_UNIT - 1) / SIMT_SHARED_UNIT * SIMT_SHARED_UNIT;
}

/* Windows of the generic address space: global memory below SIMT_WINDOW_SHARED, then one window
 * of 2^40 bytes for each other space. */
#define SIMT_WINDOW_SHARED 0x10000000000ull
#define SIMT_WINDOW_LOCAL 0x20000000000ull
#define SIMT_WINDOW_CONST 0x30000000000ull
#define SIMT_WINDOW_PARAM 0x40000000000ull
#define SIMT_WINDOW_END 0x50000000000ull
#define SIMT_WINDOW_MASK 0xffffffffffull

/* What executes an instruction. Words such as alu_latency are fields of gpu_sm_config. */
typedef enum {
  SIMT_ALU,    /* fn; alu_latency; busy for fp_interval if `single`, else for int_interval */
  SIMT_SFU,    /* fn; sfu_latency; busy for sfu_interval */
  SIMT_DP,     /* fn; alu_latency; busy for dp_interval */
  SIMT_MATRIX, /* fn on a tensor unit; matrix_latency; busy for matrix->work / matrix_rate */
  SIMT_LOAD,   /* global, local, generic, shared; const and param if the address is in a register */
  SIMT_STORE,
  SIMT_ATOM,    /* also red: no destination */
  SIMT_TEXTURE, /* tex, tld4, txq, suq (texture_decode.h) */
  SIMT_BRANCH,
  SIMT_EXIT,
  /* call of a device function: target is its unit, or a is the register with its address
   * (simt_call.h) */
  SIMT_CALL,
  SIMT_RETURN,
  /* call of a function that the host executes (simt_host.h): sub is a simt_host_t, v and imm are
   * offsets of parameters and result in the activation's block */
  SIMT_HOST,
  SIMT_BARRIER, /* bar.sync, bar.arrive, bar.red */
  SIMT_MEMBAR,
  SIMT_COPY,   /* cp.async.ca, .cg (async_copy.h) */
  SIMT_COPIES, /* cp.async.commit_group, .wait_group, .wait_all */
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
       SIMT_ADDR32 = 512,  /* the base register has 32 bits */
       SIMT_ARRIVE = 1024, /* bar.arrive */
       SIMT_CARRY_IN = 2048,
       SIMT_BAR_COUNT = 4096,
       SIMT_NEG_B = 8192,
       SIMT_INDEXED = 16384, /* brx: target is a jump table of the function, a is the index */
       /* bar.red: sub selects the reduction of predicate c, d is the result */
       SIMT_REDUCES = 32768,
};

/* Memory ordering of an instruction (PTX ISA, memory consistency model). */
enum {
  SIMT_RELEASE = 1, /* earlier accesses of the warp complete before it issues */
  SIMT_ACQUIRE = 2, /* it completes before later instructions of the warp issue */
  SIMT_BEYOND = 4,  /* its scope is beyond the CTA: later loads see what other SMs have stored */
};

typedef enum { SIMT_RN, SIMT_RZ, SIMT_RM, SIMT_RP } simt_round_t;
typedef enum { SIMT_BOOL_NONE, SIMT_BOOL_AND, SIMT_BOOL_OR, SIMT_BOOL_XOR } simt_bool_t;

typedef struct simt_op simt_op_t;
typedef struct simt_matrix simt_matrix_t; /* matrix.h */
typedef struct simt_warp simt_warp_t;
/* Executes an instruction for the lanes in `mask`. */
typedef void simt_fn_t(const simt_op_t *op, simt_warp_t *w, uint32_t mask);
/* Compares and returns one bit a lane, for all lanes. */
typedef uint32_t simt_cmp_t(const simt_op_t *op, const simt_warp_t *w);

/* A decoded instruction. Operand fields are offsets (see above) or SIMT_NO_OPERAND. */
struct simt_op {
  simt_fn_t *fn;               /* computes the result, in kinds that say so above */
  simt_cmp_t *cmp;             /* setp, set */
  uint32_t d, e, a, b, c, x;   /* operands; e: second destination (q of p|q); x: fourth source */
  uint32_t v[SIMT_MAX_VEC];    /* load destinations or store sources; SIMT_NO_OPERAND: sink */
  uint8_t kind;                /* simt_kind_t */
  uint8_t vec;                 /* elements of a memory access */
  uint8_t bytes;               /* bytes of an element; cvt: of the destination */
  uint8_t src_bytes;           /* cvt: bytes of the source */
  uint8_t reg_bytes;           /* bytes a lane of destination or data registers: 4 or 8 */
  uint8_t space;               /* ptx_space_t */
  uint8_t round;               /* simt_round_t */
  uint8_t sub;                 /* bool combination, or atomic operation (ptx_mod_t index); see simt_alu.c */
  uint8_t type;                /* ptx_type_t of the access */
  uint8_t num_deps, num_dsts;  /* entries of dep; the first num_dsts are written */
  bool single;                 /* f32 add or multiply */
  uint8_t order;               /* SIMT_RELEASE, SIMT_ACQUIRE, SIMT_BEYOND */
  uint16_t flags;              /* SIMT_FTZ ... SIMT_REDUCES */
  uint32_t guard;              /* guard predicate */
  uint32_t base;               /* memory: address register; SIMT_NO_OPERAND: none */
  uint32_t members;            /* membermask (simt_meet.h); SIMT_NO_OPERAND: none */
  int64_t imm;                 /* memory: bytes added to the base */
  uint16_t dep[SIMT_MAX_DEPS]; /* scoreboard slots that it reads or writes */
  uint32_t target, reconv;     /* branch: indices in ops of target and reconvergence point */
  uint32_t index;              /* index of the PTX instruction in its function */
  /* matrix instructions, which a whole warp executes together; else NULL */
  const simt_matrix_t *matrix;
};

/* A constant operand, and the source of its value. */
typedef enum {
  SIMT_K_VALUE,
  SIMT_K_PARAM,    /* bytes of the parameter block */
  SIMT_K_CONST,    /* bytes of the const segment */
  SIMT_K_GLOBAL,   /* address of a global variable */
  SIMT_K_REFERENCE /* handle bound to a texture, sampler or surface reference */
} simt_konst_kind_t;
typedef struct {
  uint8_t kind, lane_bytes; /* 4, 8; 1: predicate */
  uint8_t bytes;            /* PARAM, CONST: size of the source */
  bool sign;                /* PARAM, CONST: sign-extend */
  uint32_t at;              /* byte offset in the kernel's constants */
  /* VALUE: the value; REFERENCE: number of the variable; else an offset in the parameter block,
   * the const segment or the global segment */
  int64_t value;
} simt_konst_t;

/* A special register that the kernel reads, and its place in the register file. */
typedef struct {
  uint8_t sreg, sel; /* PTX special register, and its component */
  uint32_t at;
  uint16_t slot;
} simt_sreg_t;

/* A PTX register's place in the register file. */
typedef struct {
  uint32_t at;   /* register file offset; SIMT_NO_OPERAND: never used */
  uint16_t slot; /* scoreboard slot */
  uint8_t bytes; /* bytes a lane: 4 or 8; 1: predicate */
} simt_reg_t;

/* Bytes of the register file. */
typedef struct {
  uint32_t at, bytes;
} simt_span_t;

typedef struct simt_unit simt_unit_t; /* simt_call.h */
/* A decoded kernel. simt_decode allocates everything but module and func; simt_kernel_free frees
 * it. */
typedef struct {
  const ptx_module_t *module;
  const ptx_func_t *func;
  simt_op_t *ops; /* one for each PTX instruction, same index; then those of called functions */
  uint32_t num_ops;
  simt_reg_t *regs; /* [PTX registers of the function] */
  simt_konst_t *konsts;
  uint32_t num_konsts, konst_bytes; /* konst_bytes: size of the constants */
  simt_sreg_t sregs[64];
  uint32_t num_sregs;
  uint32_t reg_bytes; /* bytes of a warp's register file */
  uint32_t num_slots; /* scoreboard slots */
  /* 32-bit registers a thread, for occupancy; without special registers and predicates */
  uint32_t hw_regs;
  simt_unit_t *units; /* the kernel and the functions that it may call; NULL: it calls none */
  uint32_t num_units;
  bool recursive; /* a function can reach itself */
  /* the kernel asks for the reserved shared memory: each CTA gets SIMT_RESERVED_SHARED bytes
   * more */
  bool reserves_shared;
  uint64_t stack_bytes;    /* stack of the deepest call chain, each function once */
  simt_matrix_t *matrices; /* list, of its instructions */
  /* registers on which the way of its loops depends (simt_deciders.h); NULL: all */
  simt_span_t *deciders;
  uint32_t num_deciders;
} simt_kernel_t;

/* Position in the machine, for special registers. The owner fills smid, nsmid, warpid, nwarpid;
 * simt_block_warp fills the rest. */
typedef struct {
  uint32_t ntid[3], nctaid[3], ctaid[3];
  /* first_thread: of the warp, linear in the CTA */
  uint32_t smid, nsmid, warpid, nwarpid, first_thread;
  uint32_t dynamic_shared, total_shared;
  uint64_t gridid, workspace;
} simt_place_t;

/* Registers of a warp. The owner allocates the memory behind the pointers. */
struct simt_warp {
  uint8_t *base[2];     /* [0] register file, [1] constants */
  uint32_t carry;       /* carry flag, one bit a lane */
  uint64_t clock;       /* SM cycle, for %clock */
  uint64_t nanoseconds; /* for %globaltimer */
  uint8_t *frame;       /* activation's parameters and results; thread i's are at i * frame_stride */
  uint32_t frame_stride;
  uint64_t frame_at; /* bytes: place of its .local variables in the thread's stack */
};

/* Decodes a kernel. Returns NULL with err for an unsupported instruction (status 2) or no memory
 * (status 3). */
simt_kernel_t *simt_decode(const ptx_module_t *module, const ptx_func_t *func, trouble_t *err);

/* For inspection without execution: `each` reports every unsupported instruction. The
 * instruction becomes a SIMT_TRAP, and decoding continues. */
typedef struct {
  void (*each)(void *ctx, uint32_t instr, const char *why);
  void *ctx;
} simt_refusals_t;

/* Register placement by the caller. Offsets are multiples of 4 for predicates, else of 128. */
typedef struct {
  const simt_reg_t *regs; /* [PTX registers of the kernel] */
  uint32_t reg_bytes, num_slots, hw_regs;
  /* [functions, in the order of simt_link][PTX registers]; NULL: calls are refused */
  const simt_reg_t *const *units;
  /* for messages: the machine that refuses an instruction, and the page with its instructions */
  const char *machine, *page;
  const simt_refusals_t *refusals; /* NULL: the first refusal is an error */
} simt_placement_t;
/* simt_decode with registers placed by the caller. */
simt_kernel_t *simt_decode_placed(const ptx_module_t *module, const ptx_func_t *func, const simt_placement_t *placement,
                                  trouble_t *err);
void simt_kernel_free(simt_kernel_t *k);

/* Fills `konsts`, the kernel's constants, for a launch. params is the launch's parameter block;
 * variables are the module's. */
struct simt_variables; /* simt_module.h */
void simt_fill_consts(const simt_kernel_t *k, uint8_t *konsts, const uint8_t *params,
                      const struct simt_variables *variables);

/* simt_fill_sregs writes the special registers that depend only on `place`. simt_has_sreg says
 * whether a special register is supported; simt_is_reserved_shared, whether it needs reserved
 * shared memory. */
bool simt_has_sreg(unsigned sreg);
bool simt_is_reserved_shared(unsigned sreg);
void simt_fill_sregs(const simt_kernel_t *k, uint8_t *regs, const simt_place_t *place);

/* Selects the function of an arithmetic instruction: fills fn, cmp, kind, flags and the like.
 * Returns false if there is none for the instruction and its types. */
bool simt_alu_bind(simt_op_t *op, const ptx_instr_t *instr);

/* Pointers to an operand's lanes. A destination is always in the register file. */
static inline void *simt_dst(simt_warp_t *w, uint32_t at) {
  return w->base[0] + at;
}
static inline const void *simt_src(const simt_warp_t *w, uint32_t at) {
  return w->base[at >> 31] + (at & ~SIMT_CONST);
}

#endif
