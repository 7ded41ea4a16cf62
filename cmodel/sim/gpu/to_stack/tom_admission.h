/* SPDX-License-Identifier: Apache-2.0
 *
 * Admission of blocks at stacks (TOM paper, section 3.3), and the end of learning (section 4.3): an
 * instance of tom_gate (rtl/tom), with its wires to the SMs.
 *
 * Each SM's controller asks for one block at a time. The instance answers in the cycle after the
 * wires are set. It takes one ended block a stack and cycle; the others wait here.
 */
#ifndef TOM_ADMISSION_H
#define TOM_ADMISSION_H

#include "gpu_config.h"
#include "offload_instance.h"

/* Port names. Their offsets depend on the numbers of SMs and stacks. */
#define TOM_ADMISSION_WIRES(X) \
  X(ask) X(ask_stack) X(limit) X(ctrl) X(done) X(seen) X(target) X(gnt) X(nak) X(pending) X(irq) X(err)

/* State of the gate. */
typedef struct {
  offload_instance_t instance;
  struct { /* offset of each port's first word */
#define X(name) unsigned name;
    TOM_ADMISSION_WIRES(X)
#undef X
  } at;
  void *in; /* [words of all inputs] */
  unsigned stacks, count_bits;
  bool control;
  uint64_t limit;
  uint64_t asks;     /* SMs that ask, one bit each */
  uint8_t stack[64]; /* stack that each SM asks for */
  /* ended blocks of each stack that the instance has not heard of */
  unsigned ended[GPU_MAX_NSU_STACKS];
} tom_admission_t;

/* Answers of a cycle. */
typedef struct {
  uint64_t granted, refused; /* SMs, one bit each */
  bool enough;               /* enough instances have been seen */
} tom_answers_t;

/* -1: out of host memory, or the engine failed. */
int tom_admission_init(tom_admission_t *a, const gpu_config_t *config, const struct block_engine *const *engines);
void tom_admission_deinit(tom_admission_t *a); /* also after a failed init */

/* Sets an SM's wires; they hold until the next call. */
void tom_admission_wire(tom_admission_t *a, unsigned sm, bool ask, unsigned stack);
void tom_admission_ended(tom_admission_t *a, unsigned stack); /* a block of the stack has ended */
/* Blocks under way at a stack. */
unsigned tom_admission_pending(const tom_admission_t *a, unsigned stack);
/* True: the SM asks, for *stack. */
bool tom_admission_asks(const tom_admission_t *a, unsigned sm, unsigned *stack);

/* Next cycle. seen: SMs that have seen one more instance in the last cycle, one bit each.
 * target: number of instances that are enough; 0: nothing is learnt. */
tom_answers_t tom_admission_tick(tom_admission_t *a, uint64_t seen, uint64_t target, trouble_t *fault);

#endif
