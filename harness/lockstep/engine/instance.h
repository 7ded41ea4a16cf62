/* SPDX-License-Identifier: Apache-2.0
 *
 * One instance of a block in a system: its golden model, its RTL, or both in lockstep, all behind
 * the same cycle.
 *
 * A system whose wires are registered by its own shell calls instance_cycle: inputs in, this
 * cycle's outputs out, clock edge. One whose wires go straight from Moore block to Moore block
 * calls instance_step, then instance_outputs for the coming cycle. In lockstep every output and
 * probe is compared and what was put in is kept; the model's outputs drive the system. The first
 * difference ends the comparison, and the system goes on with the model alone, or with the RTL
 * alone when it was the model that failed; instance_capture then makes a replay file of the block.
 */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "lockstep.h"
#include "build.h"
#include "run.h"

/* firmware: software of a machine that stands in for the block */
typedef enum { ENGINE_MODEL, ENGINE_RTL, ENGINE_LOCKSTEP, ENGINE_FIRMWARE } engine_t;
const char *engine_name(engine_t engine);
bool engine_parse(const char *name, engine_t *engine);
static inline bool engine_has_rtl(engine_t engine) {
  return engine == ENGINE_RTL || engine == ENGINE_LOCKSTEP;
}

/* A setting such as "router=rtl", "router[*]=rtl", "router[0-3,7]=lockstep". engine_names: is it
 * about these instances? engine_assign: sets engine[count] so; firmware: there is some that stands
 * in for the block. INPUT: it is none. */
bool engine_names(const char *setting, const char *name);
bool engine_assign(const char *setting, const char *name, engine_t *engine, unsigned count, bool firmware,
                   trouble_t *trouble);

/* What goes into a replay file besides the inputs, and where it goes. */
typedef struct {
  const char *folder; /* made when needed; NULL: no replay files are made */
  const char *rtl;    /* folder of RTL that was taken before the tree's; NULL: none */
  places_t places;    /* with rtl: where the tree's own is, which judges what is left of the inputs, too */
  const char *commit; /* of the tree; NULL: not known */
  const char *cells;  /* of gates; NULL: the RTL was beside the model */
  const char *params; /* of the block, "Depth=4"; NULL: the defaults */
  uint64_t seed;      /* of the system's run */
  double shrink_seconds;
} capture_t;

typedef struct instance {
  engine_t engine;
  const dut_t *dut;
  void *model, *device; /* engines model and rtl */
  lockstep_t ls;        /* engine lockstep */
  bool open, diverged;
  bool model_gone; /* diverged: an assertion of the model failed, or it crashed */
  uint64_t cycles, compared;
  failure_t failure; /* diverged: the first */
  uint64_t *quiet;   /* inputs when nothing comes in */
  uint8_t *record;   /* lockstep: what came in (instance.c) */
  size_t recorded, room;
  uint64_t record_cycle; /* the cycle after the last one recorded */
  void *out;             /* engine rtl, instance_outputs */
} instance_t;

/* quiet: inputs of a cycle in which nothing comes in; NULL: all
 * zero. False: no memory, or the RTL could not be created. */
bool instance_open(instance_t *instance, const dut_t *dut, engine_t engine, const void *quiet);
void instance_close(instance_t *instance);

/* Outside of lockstep there is nobody to go on with when a model fails: the run is worthless. This
 * is called with one line, and must not return; without it, the line is printed and the program
 * ends, exit 1 (interrupted: 3). */
typedef void instance_ended_t(void *context, int exit_code, const char *line);
void instance_on_end(instance_ended_t *ended, void *context);
/* A model that runs without an instance_t has failed (dut.h:
 * on_model_assert); who: "nsu[3]", in its cycle. Does not return. */
void instance_model_left(const char *who, uint64_t cycle, const char *file, unsigned line, const char *text)
    __attribute__((noreturn));

/* NULL, or what failed: an assertion of the RTL (in lockstep
 * that is a divergence, and not told here), memory. */
const char *instance_cycle(instance_t *instance, const void *in, void *out);

/* Moore blocks: the clock edge, then the outputs of the coming cycle. In lockstep the RTL follows
 * up to a few dozen cycles later, so a difference is known a little after its cycle;
 * instance_settle makes both equal old. */
const char *instance_step(instance_t *instance, const void *in);
const void *instance_outputs(instance_t *instance);
void instance_settle(instance_t *instance);

bool instance_idle(const instance_t *instance); /* cycles may be left out while inputs are quiet; never true with RTL */

/* After a divergence: the recorded inputs up to it as a replay file, made smaller by the rules of
 * the block's environment or by the tree's own RTL (shrink.h: shrink_judged); without both they
 * stay as they were. The file fails again by itself (again.h); path says its name, which is another
 * where a file of other contents had that one. BROKEN: it does not fail again. */
bool instance_capture(instance_t *instance, char *path, size_t size, const capture_t *capture, trouble_t *trouble);
uint64_t instance_first_cycle(const instance_t *instance); /* diverged: in which cycle */
/* diverged: outcome and port, or the assertion */
void instance_first(const instance_t *instance, char *text, size_t size);

#endif
