/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the offload compiler share: facts of a kernel, the plan of a candidate block,
 * translation.
 */
#ifndef OFFLOAD_INTERNAL_H
#define OFFLOAD_INTERNAL_H

#include "nsu_isa.h"
#include "offload.h"

enum {
  MAX_WORDS = 1 << PKT_SEQ_BITS, /* loads and stores of a block (footnote 3) */
  MAX_RANGE = 1024,              /* instructions from first to last */
  MAX_NSU = 2048,                /* NSU instructions of a block */
  MAX_EXPAND = 24,               /* NSU instructions of one PTX instruction */
  MAX_PAIRS = MAX_WORDS * MAX_WORDS / 4
};

/* ---- Facts of a kernel ---- */

typedef enum { CLASS_HARD, CLASS_LOAD, CLASS_STORE, CLASS_ALU } class_t; /* HARD: never inside a block */

/* What a register is read for. OLD: its value stays where a guarded write does not happen. */
typedef enum { USE_ADDRESS, USE_GUARD, USE_DATA, USE_OLD } use_kind_t;

typedef struct {
  int32_t reg;
  int32_t def; /* the instruction of this basic block that the value comes from; PTX_NONE: from outside */
  use_kind_t kind;
} use_t;

/* The address of an access of memory, with the constants that its basic block adds taken apart. */
typedef struct {
  bool is_var;
  int32_t base, def; /* register and where it was last written in this basic block (PTX_NONE: outside); or variable */
  int64_t offset;
  /* the pointer parameter that the address was made from, as its place in the
   * parameter block; PTX_NONE: unknown */
  int32_t param;
} address_t;

typedef struct {
  class_t class;
  bool translates; /* the NSU can execute it */
  bool indirect;   /* a load whose address comes from memory */
  bool repeats;    /* arithmetic that gives the same result at another time, without memory */
  uint32_t first_use, num_uses, first_def, num_defs;
  address_t address; /* LOAD, STORE */
  /* LOAD: the last store before it that the load always reads, or may read (alias_of); PTX_NONE:
   * none that one block could have with the load */
  int32_t always, asks;
} fact_t;

typedef struct {
  const ptx_module_t *module;
  const ptx_func_t *func;
  fact_t *facts; /* of each instruction */
  use_t *uses;
  int32_t *defs;         /* registers written */
  int32_t *uniform;      /* for each register: its only definition, an ld.param or ld.const; or PTX_NONE */
  uint64_t *seen;        /* scratch: func.live_words; zero between uses */
  uint32_t *first_touch; /* offload_live.c: of each register, where its list begins */
  uint64_t *touches;
  /* scratch of the register allocator: 2 * num_regs + MAX_NSU virtual registers; slot is
   * -1 between uses */
  int32_t *end, *slot;
  uint32_t const_offset;
} kernel_t;

/* false: out of memory */
bool facts_make(kernel_t *k, const ptx_module_t *module, const ptx_func_t *func, uint32_t const_offset);
void facts_free(kernel_t *k);

bool live_make(kernel_t *k); /* false: out of memory; part of facts_make */
/* Is the register alive before instruction i of a basic block? i may be one behind its last. */
bool live_before(const kernel_t *k, uint32_t block, uint32_t i, int32_t reg);

/* ---- What a load may read (offload_alias.c) ---- */

bool alias_make(kernel_t *k); /* false: out of memory; part of facts_make */

/* Does a load in some thread read bytes that a store before it wrote, in that thread or another?
 * Both are in one basic block. The answer holds for all executions, or is ASK_GPU: the GPU decides
 * at each one. */
typedef enum { ALIAS_NEVER, ALIAS_ALWAYS, ALIAS_ASK_GPU } alias_t;
alias_t alias_of(const kernel_t *k, uint32_t store, uint32_t load);

/* ---- Translation ---- */

/* Virtual registers: a register's words are 2 * reg and 2 * reg + 1; temporaries follow, pairs
 * of them at even numbers. */
typedef struct {
  uint8_t op;
  int32_t rd, ra, rb, rc, guard; /* PTX_NONE: not there; of a pair of words the low one, which is even */
  bool guard_inverted, is_imm;
  uint32_t imm;
  int32_t source; /* instruction of the function, or PTX_NONE */
} vinstr_t;

unsigned reg_words(const ptx_func_t *func, int32_t reg);         /* 1, 2; 0: the NSU cannot hold it */
bool load_widens(const ptx_func_t *func, const ptx_instr_t *in); /* does a load write wider registers? */

/* Writes the NSU instructions for instruction i; *temps counts temporaries taken. Returns how many,
 * 0: the NSU lacks it. */
unsigned translate_instr(const kernel_t *k, uint32_t i, vinstr_t out[MAX_EXPAND], uint32_t *temps);

/* ---- A candidate ---- */

typedef struct {
  uint32_t first, last;
  uint8_t role[MAX_RANGE], seq[MAX_RANGE];
  bool loaded[MAX_RANGE], on_nsu[MAX_RANGE], on_gpu[MAX_RANGE];
  uint32_t num_loads, num_stores;
  uint32_t num_sent, num_returned, num_uniform;
  offload_reg_t sent[PKT_MAX_CMD_REGS], returned[PKT_MAX_CMD_REGS];
  offload_pair_t pairs[MAX_PAIRS];
  uint32_t num_pairs;
  int32_t uniform[ISA_NUM_REGS]; /* registers that LDC fetches */
  int32_t score, reduction, overhead;
  uint32_t count, num_nsu;
  uint64_t nsu[MAX_NSU];
  int32_t nsu_source[MAX_NSU];
} plan_t;

typedef enum { PLAN_OK, PLAN_UNFIT, PLAN_HOPELESS } plan_result_t; /* HOPELESS: a longer range from here fails too */

/* Fills the plan for first .. last, except its code. */
plan_result_t plan_range(const kernel_t *k, uint32_t first, uint32_t last, plan_t *plan);

/* ---- A candidate that grows ---- */

typedef struct {
  const kernel_t *k;
  uint32_t first, end; /* instructions first .. end - 1 */
  bool loaded[MAX_RANGE], on_nsu[MAX_RANGE], on_gpu[MAX_RANGE];
  uint32_t nsu_needs[MAX_RANGE], gpu_needs[MAX_RANGE]; /* uses of a result on that side */
  uint32_t odd[MAX_RANGE], num_odd;                    /* arithmetic that does not repeat */
  /* for each register: its marks (offload_grow.c); its words on the NSU */
  uint8_t *marks, *words;
  /* for each register its last definition in the candidate; registers with marks or definitions */
  int32_t *last_def, *met;
  uint32_t num_met;
  int32_t last_load;
  bool asks, hopeless;
  uint32_t wrong_sides, num_loads, access_words, count;
  uint32_t sent, uniform, returned, both_ways; /* words */
  uint32_t unsendable;                         /* registers returned that the NSU cannot hold */
  int32_t reduction, score;
} grow_t;

bool grow_make(grow_t *g, const kernel_t *k); /* false: out of memory */
void grow_free(grow_t *g);
void grow_begin(grow_t *g, uint32_t first); /* empty */

/* Adds the next instruction. Returns what plan_range would say of first .. end - 1; if PLAN_OK,
 * score and count are those of plan_range, too. */
plan_result_t grow_add(grow_t *g);

/* ---- The code of a candidate ---- */

/* Allocates registers and writes the code. false: it does not fit into the NSU's registers. */
bool plan_emit(const kernel_t *k, plan_t *plan);

#endif
