/* SPDX-License-Identifier: Apache-2.0
 *
 * From a block's RTL to its gates and the mutants drawn in them.
 *
 * Drawn from: cells that an output of the block depends on, so not what only probes need, and
 * nothing that is not connected; not clocks; memories (sram_*) stay whole; no fault that closes a
 * loop of gates or that changes no gate.
 */
#ifndef DRAW_MUTANTS_H
#define DRAW_MUTANTS_H

#include "build.h"

#include "mutant.h"
#include "yosys.h"

typedef struct {
  const block_t *block;
  const char *source;      /* the tree */
  const char *gen;         /* generated packages */
  const char *work;        /* a folder, made; scripts, lists and netlist stay there */
  const char *environment; /* X.env.sv (environment.h); NULL: none */
  uint64_t count, seed;
  bool (*stop)(void *context);
  void *context;
} draw_t;

typedef struct {
  netlist_t netlist;
  mutant_t *mutants;
  unsigned count;
  char *assumptions; /* labels, a blank behind each; NULL: none */
} drawn_t;

answer_t draw(const draw_t *draw, drawn_t *drawn, trouble_t *trouble);
void draw_free(drawn_t *drawn);

#endif
