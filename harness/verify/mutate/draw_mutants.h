/* SPDX-License-Identifier: Apache-2.0
 *
 * From a block's RTL to its gates and the mutants drawn in them.
 *
 * A mutant is a fault of a cell that an output of the block depends on. These are not drawn:
 *
 *   - cells that only probes need, or that are not connected
 *   - clocks, and the inside of memories (sram_*)
 *   - faults that change no gate, or that close a loop of gates
 */
#ifndef DRAW_MUTANTS_H
#define DRAW_MUTANTS_H

#include "build.h"

#include "mutant.h"
#include "yosys.h"

typedef struct {
  const block_t *block;
  const rtl_t *read;       /* sources of a block outside of the tree, as Yosys reads them (block_text) */
  const char *source;      /* the tree */
  const char *gen;         /* generated packages */
  const char *work;        /* folder, made if need be; scripts, lists and netlist stay there */
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

/* Makes draw->work and fills `drawn`. HOLDS: there may be fewer mutants than draw->count, or
 * none. BAD: the sources are wrong. INFRA: Yosys or the disk. STOPPED: draw->stop() said so.
 * Call draw_free in any case. */
answer_t draw_mutants(const draw_t *draw, drawn_t *drawn, trouble_t *trouble);
void draw_free(drawn_t *drawn);

#endif
