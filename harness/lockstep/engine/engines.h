/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the instances of one block in a machine. Each instance has its own engine: golden model,
 * RTL, both in lockstep, or firmware of the machine that replaces the block.
 *
 *   engines_config_t config = {.block = "lsu_ext", .places = &places, .engine = engine,
 *                              .count = n};
 *   if (!engines_open(&e, &config, trouble)) ...
 *   mpu_new(&mpu_config, engines_table(e), &err)
 *   ...                                   the machine opens, steps and closes the engines
 *                                         (cmodel/blocks/lib/block_engine.h)
 *   engines_settle(e);
 *   engines_report(e, k, &report);        for each instance k
 *   engines_capture(e, k, ...);           for each one that diverged
 *   mpu_free(mpu); engines_close(e);
 *
 * Engine model calls the model's functions directly, and engine firmware is the machine's own
 * table. The other engines are an instance_t (instance.h) each. Their inputs are set to zero where
 * nothing reads them before they are recorded. Missing objects are built (build.h); models alone
 * need no Verilator.
 */
#ifndef ENGINES_H
#define ENGINES_H

#include "block_engine.h"
#include "build.h"
#include "instance.h"

/* An input that is read only where another port is on, bit by bit: element k belongs to bit k.
 * Inputs with a valid port in the port file need no entry. */
typedef struct {
  const char *port;  /* NULL: the end of the list */
  const char *valid; /* an input; with `after` an output */
  bool after;        /* valid in the cycle before: an answer takes a cycle */
} engines_lane_t;

/* The gates of one instance, whose nets' toggles are counted (kind netlist+toggles, dut.h). The
 * gates run beside the model of the instance, in place of the RTL. */
typedef struct {
  unsigned instance; /* its engine is ENGINE_LOCKSTEP */
  const char *cells; /* as block_t.cells */
  uint64_t first;    /* cycles before the first call of take */
  /* Gets the counts of the device. Returns the number of cycles until the next call; 0: out of
   * memory. */
  uint64_t (*take)(void *context, const dut_t *dut, void *device);
  void *context;
} engines_gates_t;

enum { ENGINES_PARAMS = 1024, ENGINES_NAME = 64, ENGINES_NEVER = 256 };

typedef struct {
  const char *block; /* "router" */
  /* The machine's name for the instances, for file names; "": the block's name. */
  char name[ENGINES_NAME];
  char params[ENGINES_PARAMS]; /* "Ports=5,Crit=1"; "": the defaults */
  const char *constant;        /* An input that keeps its value of the first cycle; NULL: none. */
  const engines_lane_t *lanes; /* NULL: none */
  /* Sizes in bytes of X_in_t and X_out_t in the compiled machine; 0: the machine asks `place`. */
  size_t in_size, out_size;
  const places_t *places;
  const char *rtl;              /* RTL files of this folder come first; NULL: none */
  const engine_t *engine;       /* [count]; NULL: all are models */
  const engines_gates_t *gates; /* NULL: RTL runs beside all models. engines_open keeps the address. */
  /* The machine's functions of engine firmware, copied; NULL: no instance uses it. */
  const block_engine_t *firmware;
  /* Frees `firmware` when it is no longer needed; NULL: nothing to do. */
  void (*discard)(const block_engine_t *firmware);
  unsigned count;
  uint64_t seed; /* seed of $random and $urandom in the RTL, as in capture_t */
} engines_config_t;

typedef struct engines engines_t;

/* Builds missing objects and loads none. Errors as of block_object. */
bool engines_build(const engines_config_t *config, trouble_t *trouble);
/* The path of the object of that engine (BUILD_PATH bytes); built when missing. */
bool engines_object(const engines_config_t *config, engine_t engine, char *path, trouble_t *trouble);
/* The same for the gates. */
bool engines_gates_object(const engines_config_t *config, char *path, trouble_t *trouble);
/* Loads the objects and makes the table. False: `trouble`; the firmware is discarded. */
bool engines_open(engines_t **engines, const engines_config_t *config, trouble_t *trouble);
void engines_close(engines_t *engines); /* call after the machine has closed its blocks; NULL is allowed */
/* Frees the firmware of a configuration that never reaches engines_open, which frees it otherwise:
 * when it fails, or in engines_close. */
void engines_discard(const engines_config_t *config);

const block_engine_t *const *engines_table(const engines_t *engines); /* [count], for the machine */
unsigned engines_count(const engines_t *engines);

typedef struct {
  engine_t engine;
  uint64_t cycles, compared; /* rtl and lockstep: cycles computed, and those compared */
  /* lockstep: bytes of inputs kept for a replay. Cycles without any relevant input need none. */
  uint64_t recorded;
  bool diverged;        /* RTL and model differed, or one of them failed. The comparison ended there. */
  uint64_t first_cycle; /* diverged: the cycle */
  char first[512];      /* diverged: outcome and port, or the assertion */
  /* lockstep: outputs and probes that were never valid, "sum, flit[3]"; all of them if `compared`
   * is 0. */
  char never[ENGINES_NEVER];
} engines_report_t;

void engines_settle(engines_t *engines); /* the RTL catches up with the models */
void engines_report(const engines_t *engines, unsigned instance, engines_report_t *report);
/* Passes the gates' counts since the last call to take(), if the gates agree with the model. */
bool engines_gates_end(const engines_t *engines, bool (*take)(void *context, const dut_t *dut, void *device),
                       void *context);
uint64_t engines_divergences(const engines_t *engines); /* number of instances that diverged */

/* After a divergence: writes a replay file of that instance alone,
 * FOLDER/NAME-system-K-SEED.replay. If that name has other contents, the name gets -2 and so on;
 * `path` has the result. BROKEN: the recording does not fail again by itself. */
bool engines_capture(engines_t *engines, unsigned instance, const capture_t *capture, char *path, size_t size,
                     trouble_t *trouble);

#endif
