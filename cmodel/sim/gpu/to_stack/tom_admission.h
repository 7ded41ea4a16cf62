/* SPDX-License-Identifier: Apache-2.0
 *
 * Who may offload a block to a stack, and when enough instances have been seen to learn from (TOM
 * paper, sections 3.3 and 4.3): an instance of tom_gate (rtl/tom), and the wires between it and
 * SMs.
 *
 * An SM's controller asks for one block at a time. What is on the wires at the end of a cycle the
 * instance answers in the next one. Of blocks that end at a stack in one cycle it hears one a
 * cycle.
 */
#ifndef TOM_ADMISSION_H
#define TOM_ADMISSION_H

#include "gpu_config.h"
#include "offload_instance.h"

/* Ports by name; where they are depends on how many SMs and stacks there are. */
#define TOM_ADMISSION_WIRES(X) \
  X(ask) X(ask_stack) X(limit) X(ctrl) X(done) X(seen) X(target) X(gnt) X(nak) X(pending) X(irq) X(err)

typedef struct {
  offload_instance_t instance;
  struct {
#define X(name) unsigned name;
    TOM_ADMISSION_WIRES(X)
#undef X
  } at;
  void *in;
  unsigned stacks, count_bits;
  bool control;
  uint64_t limit;
  uint64_t asks;     /* SMs, a bit each */
  uint8_t stack[64]; /* of who asks */
  unsigned ended[GPU_MAX_NSU_STACKS];
} tom_admission_t;

typedef struct {
  uint64_t granted, refused; /* SMs, a bit each */
  bool enough;               /* instances have been seen */
} tom_answers_t;

/* count_bits: of the instance's parameter. -1: out of host memory, or the engine cannot be had. */
int tom_admission_init(tom_admission_t *a, const gpu_config_t *config, const struct block_engine *const *engines);
void tom_admission_deinit(tom_admission_t *a); /* also of one that could not be made */

void tom_admission_wire(tom_admission_t *a, unsigned sm, bool ask, unsigned stack); /* until it is set anew */
void tom_admission_ended(tom_admission_t *a, unsigned stack);                       /* a block */
unsigned tom_admission_pending(const tom_admission_t *a, unsigned stack);
bool tom_admission_asks(const tom_admission_t *a, unsigned sm, unsigned *stack); /* for which */

/* The next cycle. seen: SMs that have seen an instance more in the
 * last one; target: so many are enough, 0: nothing is learnt. */
tom_answers_t tom_admission_tick(tom_admission_t *a, uint64_t seen, uint64_t target, trouble_t *fault);

#endif
