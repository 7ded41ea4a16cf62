/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of TOM's compiler share.
 *
 *    tom_facts     acts, operands, liveness       tom_trips     how often a loop runs, conditions
 *    tom_loops     dominators, natural loops      tom_value     what registers hold, as sums
 *    tom_region    one region, its registers      tom_offset    accesses at fixed distances
 *    tom_search    all regions that save          tom_compiler  candidates and refusals
 */
#ifndef TOM_INTERNAL_H
#define TOM_INTERNAL_H

#include "tom_compiler.h"

/* ---- What an instruction is to a candidate (section 3.1.4) ---- */

typedef enum {
  ACT_PLAIN,
  ACT_LOAD,
  ACT_STORE,
  ACT_BRANCH,
#define TOM_ILLEGAL(name, text) ACT_##name,
#include "tom_illegal.def"
  NUM_ACTS
} act_t;

act_t act_of(const ptx_module_t *module, const ptx_instr_t *in);
const char *act_text(act_t act); /* of an illegal one */
/* May no candidate have it? */
static inline bool is_illegal(unsigned act) {
  return act > ACT_BRANCH;
}
static inline bool is_access(unsigned act) {
  return act == ACT_LOAD || act == ACT_STORE;
}

/* ---- Loops: natural ones, back edges to one header together ---- */

typedef enum { TRIPS_UNKNOWN, TRIPS_CONSTANT, TRIPS_REGISTER } trips_kind_t;

/* A counter's test. It continues for the m-th time if distance >= offset + (m - 1) * step (+ 1 if
 * strict). A test for inequality continues for the m-th time if distance >= offset + m * step. */
typedef struct {
  trips_kind_t kind;
  uint64_t count; /* CONSTANT */
  bool behind;    /* accesses are behind the test: trips are the times that it continues; otherwise one more */
  bool up, is_signed, strict, exact;
  bool start_is_const, bound_is_const;
  int32_t start, bound; /* registers */
  int64_t start_value, bound_value;
  int32_t step_reg;     /* PTX_NONE: step */
  int64_t step, offset; /* with step_reg offset counts steps */
  int line;             /* UNKNOWN: source line of what is in the way; 0: none */
  char why[TOM_TEXT];
} trips_t;

typedef struct {
  uint32_t header;
  int32_t parent; /* the loop around it */
  uint8_t *has;   /* of each block */
  uint32_t num_blocks;
  bool single_exit;
  uint32_t exit;      /* instruction, if single_exit */
  uint32_t exit_from; /* block of the only exit edge; UINT32_MAX: there are several edges */
  int exit_line[2];   /* lines of two branches that leave to different places */
  trips_t trips;
} loop_t;

/* ---- A kernel ---- */

typedef struct {
  const ptx_module_t *module;
  const ptx_func_t *f;
  uint8_t *act;    /* act_t of each instruction */
  uint8_t *access; /* words that a thread accesses */
  /* of instruction i: list[uses[i]] .. list[defs[i] - 1] are read, list[defs[i]] .. list[uses[i
   * + 1] - 1] written */
  uint32_t *uses;
  uint32_t *defs;
  uint32_t *list;
  tom_reg_t *ids; /* registers, then special registers */
  uint32_t num_ids;
  uint32_t words;                 /* 64-bit words of a set of ids */
  uint32_t *line_access;          /* of each instruction: the first access in a straight line from it, or NOWHERE */
  uint64_t *gen, *kill, *written; /* of each block: read before written, written for certain, written */
  uint32_t *idom;                 /* for each block its immediate dominator; block 0 has itself */
  uint32_t *depth;                /* depth in the tree of dominators */
  loop_t *loops;                  /* inner loops behind the outer ones */
  uint32_t num_loops;
  int32_t *innermost; /* of each block: its loop */
  uint64_t *flow;     /* for each block a set of ids: what region_flow finds */
  uint64_t *sets;     /* NUM_SETS scratch sets */
  uint32_t *stack;    /* of blocks */
} kernel_t;

enum { NOWHERE = UINT32_MAX, NUM_SETS = 8 };

/* false: out of memory; kernel_free all the same */
bool kernel_make(kernel_t *k, const ptx_module_t *module, const ptx_func_t *func);
void kernel_free(kernel_t *k);
bool loops_make(kernel_t *k);
bool dominates(const kernel_t *k, uint32_t a, uint32_t b); /* of reachable blocks; true if a == b */

/* Blocks and sets of ids: small questions that every part asks. */
static inline bool reachable(const kernel_t *k, uint32_t block) {
  return k->f->blocks[block].reachable;
}
static inline bool has_id(const uint64_t *set, uint32_t id) {
  return set[id / 64] >> (id % 64) & 1;
}
static inline void add_id(uint64_t *set, uint32_t id) {
  set[id / 64] |= UINT64_C(1) << (id % 64);
}

/* Steps a set of ids alive backwards over an instruction. */
void step_back(const kernel_t *k, uint32_t i, uint64_t *set);
/* Alive before instruction i of the function; no special registers. */
void alive_at(const kernel_t *k, uint32_t i, uint64_t *set);
/* Words and predicates of a set. */
tom_size_t size_of(const kernel_t *k, const uint64_t *set);

/* ---- Trips (section 3.1.3) ---- */

void trips_find(kernel_t *k, uint32_t loop); /* fills loops[loop].trips; loops inside must have theirs */
/* The condition under which there are at least `least` trips. False: it cannot be written, and
 * *why says why not. */
bool trips_condition(const trips_t *t, uint64_t least, tom_condition_t *cond, const char **why);
/* Words that a thread loads and stores in one trip of the loop. Constant trips of loops inside
 * are multiplied in. */
void loop_accesses(const kernel_t *k, uint32_t loop, uint64_t *loads, uint64_t *stores);

/* ---- Regions ---- */

/* A region has instructions from[b] .. to[b] of block b, or none if from[b] is NOWHERE. */
typedef struct {
  uint32_t begin, exit;
  uint32_t *from, *to;
  uint32_t *blocks; /* blocks that the region has a part of */
  uint32_t num_blocks;
} region_t;

bool region_alloc(const kernel_t *k, region_t *r);
void region_free(region_t *r);
void region_clear(region_t *r);
void region_add(region_t *r, uint32_t block, uint32_t from, uint32_t to);
bool region_has(const kernel_t *k, const region_t *r, uint32_t instr);
/* Collects all instructions that are reached from begin without passing exit. False: exit is not
 * the only way out, or begin not the only way in. */
bool region_collect(kernel_t *k, region_t *r, uint32_t begin, uint32_t exit);
/* Alive at the beginning of each part, with `seed` alive at exit: in k->flow. */
void region_flow(kernel_t *k, const region_t *r, const uint64_t *seed);

/* Live-ins and live-outs (sets of ids). */
void region_registers(kernel_t *k, const region_t *r, uint64_t *sent, uint64_t *returned);

/* D5: a straight line must lead from begin to its first access, and overwrite no live-in. Returns
 * the source line of what is in the way and sets *why, or returns 0. */
int region_line(const kernel_t *k, const region_t *r, const uint64_t *sent, const char **why);

/* ---- Accesses at a fixed offset (section 3.2.1) ---- */

bool offsets_find(kernel_t *k, tom_program_t *p); /* of all candidates; false: out of memory */

/* ---- Candidates other than loops with known trips ---- */

typedef struct {
  uint32_t begin, exit;
  int64_t change;
  uint32_t num_instrs, loops;
} found_t;

typedef struct {
  found_t *all;
  uint32_t count, room;
  int64_t *best; /* of each block: the lowest change of a region whose first access is in it; INT64_MAX: none */
  tom_change_t *best_change;
  const char **why; /* for each block: why the last region failed */
  int *why_line;
  bool failed;
} search_t;

bool search_make(const kernel_t *k, search_t *s);    /* false: out of memory; search_free all the same */
void search_keep(search_t *s, const found_t *found); /* sets s->failed */
bool search_regions(kernel_t *k, search_t *s);       /* false: out of memory */
void search_free(search_t *s);

#endif
