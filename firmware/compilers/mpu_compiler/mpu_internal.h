/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the MPU's compiler share.
 */
#ifndef MPU_INTERNAL_H
#define MPU_INTERNAL_H

#include "mpu_compiler.h"

/* ---- Operands, gathered once: registers of an instruction without
 * predicates that steer, by what the engine does with them */

typedef struct {
  uint32_t first;    /* in operands_t.list: defs, then far, then sources */
  uint16_t num_defs; /* written */
  uint16_t num_far;  /* of KIND_GLOBAL: addresses (and cache policies) */
  uint16_t num_srcs; /* all others read */
  uint8_t kind;      /* mpu_kind_t */
  bool far_op, reachable;
  bool writes_pred;   /* it writes a predicate that steers */
  uint16_t num_preds; /* different predicates read, the guard included */
} facts_t;

typedef struct {
  facts_t *facts; /* of each instruction */
  int32_t *list;
} operands_t;

/* values[r]: is register r a predicate that is a value? False: out of memory. */
bool operands_make(operands_t *o, const mpu_program_t *p, const uint8_t *values);
void operands_free(operands_t *o);

/* The three parts of an instruction's registers in the list. */
static inline const int32_t *defs_of(const operands_t *o, const facts_t *f) {
  return o->list + f->first;
}
static inline const int32_t *far_of(const operands_t *o, const facts_t *f) {
  return o->list + f->first + f->num_defs;
}
static inline const int32_t *srcs_of(const operands_t *o, const facts_t *f) {
  return o->list + f->first + f->num_defs + f->num_far;
}

/* ---- Sets of locations (N, F bits) of registers ---- */

/* gain_locations adds locations to a set; true: the set has grown. */
static inline bool gain_locations(uint8_t *set, unsigned more) {
  unsigned now = *set | more;
  bool grown = now != *set;
  *set = (uint8_t)now;
  return grown;
}

static inline bool gain_all(uint8_t *sets, const int32_t *regs, unsigned count, unsigned more) {
  bool grown = false;
  for (unsigned k = 0; k < count; k++) grown |= gain_locations(&sets[regs[k]], more);
  return grown;
}

/* All locations of the registers together. */
static inline unsigned union_of(const uint8_t *sets, const int32_t *regs, unsigned count) {
  unsigned all = 0;
  for (unsigned k = 0; k < count; k++) all |= sets[regs[k]];
  return all;
}

/* The die that has shared memory. */
static inline mpu_loc_t shared_at(const mpu_program_t *p) {
  return p->smem_near ? MPU_N : MPU_F;
}

/* ---- The stages ---- */

/* Sets values[r] for each register that is a predicate and a value, and so is near the banks. Only
 * Algorithm 1's policy has such predicates. False: out of memory. */
bool mpu_value_predicates(const mpu_program_t *p, uint8_t *values);

/* Algorithm 1: fills `loc`, which is empty, with the registers' locations. */
void mpu_algorithm_1(const mpu_program_t *p, const operands_t *o, uint8_t *loc);

/* Fills hint, far_op, place, loc and annotated by the program's policy. false: out of memory. */
bool mpu_locate(mpu_program_t *p, const operands_t *o);

/* Fills rows and their counts. false: err says why. */
bool mpu_allocate(mpu_program_t *p, mpu_compile_error_t *err);

/* ---- Interference ---- */

/* Only registers of one class can share rows. */
enum { CLASS_NEAR, CLASS_BOTH, CLASS_FAR, CLASS_PRED, CLASS_NEAR_PRED, NUM_CLASSES };

unsigned class_of(const mpu_program_t *p, int32_t reg);

typedef struct {
  uint32_t *start; /* neighbours of register r: list[start[r]] .. list[start[r + 1]], no duplicates */
  uint32_t *list;
  uint32_t peak[NUM_CLASSES]; /* most rows of a class alive at once: no colouring needs fewer */
  int peak_line;              /* where most rows and predicates are alive */
} graph_t;

typedef enum { GRAPH_OK, GRAPH_TOO_MANY, GRAPH_NO_MEMORY } graph_result_t;

/* TOO_MANY: the peaks alone are beyond MPU_MAX_ROWS; no edges are made. */
graph_result_t graph_make(graph_t *g, const mpu_program_t *p);
void graph_free(graph_t *g);

#endif
