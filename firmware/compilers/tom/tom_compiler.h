/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler of transparent offloading (TOM paper, sections 3.1 and 5.2). It finds the blocks of
 * a kernel that are candidates to run on the SM of a memory stack. For each candidate it says what
 * moves over the links, and under which condition the hardware should try.
 *
 *   tom_program_t *p = tom_compile(module, kernel, TOM_REGIONS_ALL);    NULL: out of memory
 *   for (uint32_t i = 0; i < p->num_blocks; i++) ... p->blocks[i] ...
 *   tom_program_free(p);
 *
 * A candidate is a set of instructions, entered at `begin` alone and left to `exit` alone. `exit`
 * is the "end PC" of section 4.2: the first instruction that runs on the GPU again, wherever it
 * stands. A warp that comes to `begin` from outside of the set is an instance; a branch back to it
 * from inside is none. Candidates nest: of several with one `begin` the outer one is asked first.
 * README.md of this folder lists the rules, and what is ours where the paper is silent.
 *
 * Traffic is counted in words of 4 bytes a warp; values below are quarters of a word, so that
 * equations 3 and 4 are exact.
 */
#ifndef TOM_COMPILER_H
#define TOM_COMPILER_H

#include "ptx.h"

enum {
  TOM_WARP = 32,         /* SW: threads of a warp */
  TOM_LINE = 32,         /* SC: words of a cache line; coalescing is 1, half of the loads miss (section 3.1.1) */
  TOM_MAX_BLOCKS = 40,   /* of a kernel: entries of the metadata table (section 6.6) */
  TOM_MAX_REGS = 64,     /* words alive at once: bits of the table's register vectors (section 6.6, inferred) */
  TOM_MAX_SENT = 28,     /* live-in words of a candidate (ours): a request fits 256 flits */
  TOM_MAX_INSTRS = 1024, /* instructions of a region that is no loop (ours) */
  TOM_QUARTERS = 4       /* units of a word */
};

/* Which regions may be candidates: all with one entry and one exit, or loops alone. */
typedef enum { TOM_REGIONS_ALL, TOM_REGIONS_LOOPS } tom_regions_t;
bool tom_regions_find(const char *name, tom_regions_t *regions); /* "all", "loops"; false: neither */
const char *tom_regions_name(tom_regions_t regions);

/* ---- Equations 3 and 4 ----------------------------------------------------------------------- */

/* What is sent or returned: words of every thread; predicates, a word for the whole warp each. */
typedef struct {
  uint32_t words, predicates;
} tom_size_t;

/* Change of traffic in quarters of a word a warp; below 0 is saved. TX: GPU to stack, RX: back. */
typedef struct {
  int64_t tx, rx;
} tom_change_t;

/* loads, stores: words that a thread accesses, trips multiplied in. */
tom_change_t tom_change(tom_size_t sent, tom_size_t returned, uint64_t loads, uint64_t stores);
static inline int64_t tom_sum(tom_change_t change) {
  return change.tx + change.rx;
}

/* ---- The condition of a candidate (section 3.1.3) -------------------------------------------- */

typedef enum {
  TOM_ALWAYS,   /* no condition */
  TOM_DISTANCE, /* distance >= imm */
  /* distance >= step << shift; with beyond >: the step is in a register, the steps rounded up to
   * a power of two */
  TOM_STEPS
} tom_kind_t;

/* The hardware reads the first active thread's registers at `begin`. The distance is bound - start
 * if `up`, else start - bound, exact. Registers are 32-bit values, taken as signed or unsigned. imm
 * is signed. A register that is PTX_NONE is 0: constants are part of imm. */
typedef struct {
  tom_kind_t kind;
  bool up, is_signed, beyond;
  uint8_t shift;
  int32_t start, bound, step;
  int32_t imm;
} tom_condition_t;

/* Does the condition hold for these register values? `step` counts for TOM_STEPS alone. */
bool tom_holds(const tom_condition_t *cond, uint32_t start, uint32_t bound, uint32_t step);

/* ---- Candidates ------------------------------------------------------------------------------ */

/* A register, or a special register such as %tid.x. */
typedef struct {
  int32_t reg;   /* PTX_NONE: special register `sreg`, component `sel` */
  uint16_t sreg; /* ptx_sreg_t */
  uint8_t sel;   /* 0..3; of an environment register its number */
  uint8_t words; /* of each thread; 0: a predicate */
} tom_reg_t;

enum { TOM_OFFSET = 128 };
#define TOM_NO_INSTR UINT32_MAX

/* A load or store of a candidate, and how its address is fixed to others (section 3.2.1). Fixed
 * means the same distance in all threads and instances of a launch. Distances are made of
 * constants, parameters and the sizes of the grid. */
typedef struct {
  uint32_t instr;
  /* another access of the candidate, always at the same distance in a trip; TOM_NO_INSTR: none */
  uint32_t to;
  char offset[TOM_OFFSET]; /* how far behind it: "k_b - k_a + 4" */
  bool has_step;           /* in a loop of the candidate: every trip moves the address by `step` */
  char step[TOM_OFFSET];   /* "4 * k_n"; "0" */
} tom_access_t;

typedef struct {
  uint32_t begin, exit;  /* instructions of the function */
  uint32_t first_access; /* in a straight line from begin: its address chooses the stack (section 4.2) */
  bool is_loop;          /* its trips are known at entry */
  const uint8_t *inside; /* of each instruction of the function */
  uint32_t num_instrs;
  const tom_reg_t *sent, *returned; /* ascending */
  uint32_t num_sent, num_returned;
  tom_size_t sent_size, returned_size;
  uint64_t loads, stores;       /* words a thread, in one trip of a loop */
  uint64_t trips;               /* of a loop, when constant; otherwise 0 */
  uint32_t least_trips;         /* from this many trips on it saves traffic; 1: always */
  tom_change_t change;          /* with `trips`, if there are, or with `least_trips` */
  bool saves_tx, saves_rx;      /* the 2-bit tag (section 3.1.2) */
  const tom_access_t *accesses; /* ascending */
  uint32_t num_accesses;
  uint32_t num_fixed;   /* accesses at a fixed offset to another one */
  uint32_t num_regular; /* these, and accesses at a fixed offset to themselves a trip later */
  tom_condition_t cond;
} tom_block_t;

enum { TOM_TEXT = 160 };

/* A loop that is no candidate as it stands, or accesses of a basic block that are in none; and
 * why. */
typedef struct {
  bool is_loop;
  uint32_t begin; /* the loop's, or the first access */
  int line;       /* of begin */
  int at;         /* line of what is in the way; 0: none */
  bool has_change;
  tom_change_t change; /* the best change that is possible */
  char text[TOM_TEXT];
} tom_refused_t;

typedef struct {
  const ptx_func_t *func;
  tom_regions_t regions;
  uint32_t num_blocks;
  tom_block_t *blocks; /* by begin, outer before inner */
  uint32_t num_refused;
  tom_refused_t *refused; /* by line */
  uint32_t dropped;       /* candidates beyond TOM_MAX_BLOCKS: those that save least */
  uint32_t most_alive;    /* words, predicates apart */
  int most_alive_line;
  bool too_many_alive; /* beyond TOM_MAX_REGS: no blocks */
} tom_program_t;

/* Finds the candidates of a function that has a body. NULL: out of memory. */
tom_program_t *tom_compile(const ptx_module_t *module, const ptx_func_t *func, tom_regions_t regions);
void tom_program_free(tom_program_t *program); /* NULL is allowed */

/* "%r1", "%tid.x" */
void tom_reg_name(const ptx_func_t *func, const tom_reg_t *reg, char *text, size_t size);

#endif
