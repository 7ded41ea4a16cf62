/* SPDX-License-Identifier: Apache-2.0
 *
 * One instance of a block in a system: its golden model, its RTL, or both in lockstep, behind one
 * interface.
 *
 * A system that registers all wires itself calls instance_cycle: inputs in, this cycle's outputs
 * out, clock edge. A system whose wires connect Moore blocks directly calls instance_step, then
 * instance_outputs for the coming cycle.
 *
 * In lockstep every output and probe is compared, the inputs are recorded, and the model's outputs
 * drive the system. The comparison ends at the first difference. The system goes on with the model
 * alone, or with the RTL alone if the model failed. instance_capture then makes a replay file of
 * the block.
 */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "lockstep.h"
#include "build.h"
#include "run.h"

/* ENGINE_FIRMWARE: software of a machine that replaces the block. */
typedef enum { ENGINE_MODEL, ENGINE_RTL, ENGINE_LOCKSTEP, ENGINE_FIRMWARE } engine_t;
const char *engine_name(engine_t engine);
bool engine_parse(const char *name, engine_t *engine);
static inline bool engine_has_rtl(engine_t engine) {
  return engine == ENGINE_RTL || engine == ENGINE_LOCKSTEP;
}

/* Settings such as "router=rtl", "router[*]=rtl", "router[0-3,7]=lockstep". engine_names: the
 * setting is about the instances `name`. engine_assign: applies it to engine[count]; `firmware`:
 * the block has firmware. INPUT: the setting is wrong. */
bool engine_names(const char *setting, const char *name);
bool engine_assign(const char *setting, const char *name, engine_t *engine, unsigned count, bool firmware,
                   trouble_t *trouble);

/* Contents of a replay file besides the inputs, and its folder. */
typedef struct {
  const char *folder; /* created when needed; NULL: write no replay files */
  const char *rtl;    /* folder of RTL that replaces the tree's; NULL: none */
  /* With rtl: where the tree's own RTL is. The shrinker also checks the remaining inputs on that
   * RTL. */
  places_t places;
  const char *commit;    /* of the tree; NULL: unknown */
  const char *cells;     /* cells of the gates; NULL: RTL ran beside the model */
  const char *params;    /* of the block, "Depth=4"; NULL: the defaults */
  uint64_t seed;         /* of the system's run */
  double shrink_seconds; /* time limit of the shrinker */
} capture_t;

typedef struct instance {
  engine_t engine;
  const dut_t *dut;
  void *model, *device; /* engines model and rtl */
  lockstep_t ls;        /* engine lockstep */
  bool open, diverged;
  bool lost;                 /* a call into the RTL did not return: it is neither used nor destroyed */
  bool model_gone;           /* diverged: the model asserted or crashed */
  uint64_t cycles, compared; /* cycles done, and cycles compared */
  failure_t failure;         /* diverged: the first failure */
  uint64_t *quiet;           /* inputs of a cycle without traffic */
  uint8_t *record;           /* lockstep: the recorded inputs (instance.c) */
  size_t recorded, room;     /* bytes used and bytes allocated */
  uint64_t record_cycle;     /* the cycle after the last one recorded */
  void *out;                 /* engine rtl: buffer of instance_outputs */
} instance_t;

/* `quiet`: inputs of a cycle without traffic; NULL: all zero. False: no memory, or the RTL could
 * not be created. */
bool instance_open(instance_t *instance, const dut_t *dut, engine_t engine, const void *quiet);
void instance_close(instance_t *instance);

/* Sets the handler of a model failure outside of lockstep, where no other engine can go on and the
 * run is worthless. `ended` gets one line and must not return. Without a handler the line is
 * printed and the program ends with exit 1 (interrupted: 3). */
typedef void instance_ended_t(void *context, int exit_code, const char *line);
void instance_on_end(instance_ended_t *ended, void *context);
/* Reports the failure of a model that runs without an instance_t (dut.h: on_model_assert). `who`:
 * "nsu[3]", in its cycle. Does not return. */
void instance_model_left(const char *who, uint64_t cycle, const char *file, unsigned line, const char *text)
    __attribute__((noreturn));

/* One cycle. NULL, or what failed: an RTL assertion (not in lockstep, where it is a divergence), or
 * memory. */
const char *instance_cycle(instance_t *instance, const void *in, void *out);

/* For Moore blocks: instance_step is the clock edge, instance_outputs the outputs of the coming
 * cycle. In lockstep the RTL follows up to a few dozen cycles later, so a difference is found after
 * its cycle. instance_settle lets the RTL catch up. */
const char *instance_step(instance_t *instance, const void *in);
const void *instance_outputs(instance_t *instance);
void instance_settle(instance_t *instance);

/* True if cycles may be skipped while the inputs are quiet; never true with RTL. */
bool instance_idle(const instance_t *instance);

/* After a divergence: writes the recorded inputs up to the failure as a replay file. The inputs are
 * shrunk by the rules of the block's environment or by the tree's own RTL (shrink.h:
 * shrink_judged), and kept whole without both. The file fails again by itself (again.h). `path`
 * gets its name, another one if a file of other contents had that name. BROKEN: the recording does
 * not fail again. */
bool instance_capture(instance_t *instance, char *path, size_t size, const capture_t *capture, trouble_t *trouble);
uint64_t instance_first_cycle(const instance_t *instance); /* diverged: the cycle */
/* diverged: outcome and port, or the assertion. */
void instance_first(const instance_t *instance, char *text, size_t size);

#endif
