/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the instances of one block in a machine: golden model, RTL, both in lockstep, or
 * firmware of the machine's that stands in for it, each instance its own choice.
 *
 *   engines_t *e;
 *   if (!engines_open(&e, &(engines_config_t){.block = "lsu_ext", .places = &places, .engine =
 *   engine, .count = n}, trouble)) return false; mpu_new(&config, engines_table(e), &err) ... the
 *   machine opens, steps and closes them (cmodel/blocks/lib/block_engine.h) ... engines_settle(e);
 *   for each instance: engines_report(e, k, &report), and of one that diverged engines_capture(e,
 *   k, ...) mpu_free(mpu); engines_close(e);
 *
 * An instance of engine model is its model's functions with nothing between them and the machine,
 * one of engine firmware what the machine says; the others are an instance_t (instance.h)
 * each, whose inputs are made zero where nothing looks at them before they are recorded. The
 * loadable objects are built when they are missing (build.h): models alone need no Verilator.
 */
#ifndef ENGINES_H
#define ENGINES_H

#include "block_engine.h"
#include "build.h"
#include "instance.h"

/* An input that is looked at only where another port is on, bit by bit of that port: its element k
 * belongs to bit k. Inputs that the port file gives a valid port need none. */
typedef struct {
  const char *port;  /* NULL: the end of the list */
  const char *valid; /* an input; with `after` an output */
  bool after;        /* valid in the cycle before: an answer that takes a cycle */
} engines_lane_t;

/* The gates of one instance, whose nets' toggles are counted (kind
 * netlist+toggles, dut.h): they run beside its model instead of the RTL. */
typedef struct {
  unsigned instance; /* its engine is lockstep */
  const char *cells; /* block_t's */
  uint64_t first;    /* cycles after which counts are taken for the first time */
  /* What the device has counted. Returns in how many
   * cycles it is to be called again; 0: out of memory. */
  uint64_t (*take)(void *context, const dut_t *dut, void *device);
  void *context;
} engines_gates_t;

enum { ENGINES_PARAMS = 1024, ENGINES_NAME = 64, ENGINES_NEVER = 256 };

typedef struct {
  const char *block;           /* "router" */
  char name[ENGINES_NAME];     /* what the machine calls them, for names of files; "": as the block */
  char params[ENGINES_PARAMS]; /* "Ports=5,Crit=1"; "": the defaults */
  const char *constant;        /* an input that stays what it is in the first cycle; NULL: none */
  const engines_lane_t *lanes; /* NULL: none */
  /* bytes of X_in_t and X_out_t as the machine was compiled with them; 0: it asks `place` */
  size_t in_size, out_size;
  const places_t *places;
  const char *rtl;              /* RTL files of this folder are taken first; NULL: none */
  const engine_t *engine;       /* [count]; NULL: models */
  const engines_gates_t *gates; /* NULL: RTL is beside all models; kept by address */
  /* engine firmware: the machine's own, copied; NULL: no instance is that */
  const block_engine_t *firmware;
  void (*discard)(const block_engine_t *firmware); /* when it is needed no more; NULL: nothing is to be done */
  unsigned count;
  uint64_t seed; /* of $random and $urandom in the RTL: capture_t's */
} engines_config_t;

typedef struct engines engines_t;

/* INPUT, ENVIRONMENT: as of block_object. build: makes
 * the objects that are missing and loads nothing. */
bool engines_build(const engines_config_t *config, trouble_t *trouble);
/* The file of that engine's object, BUILD_PATH bytes; built when it is missing. */
bool engines_object(const engines_config_t *config, engine_t engine, char *path, trouble_t *trouble);
/* the same of the gates */
bool engines_gates_object(const engines_config_t *config, char *path, trouble_t *trouble);
bool engines_open(engines_t **engines, const engines_config_t *config, trouble_t *trouble);
void engines_close(engines_t *engines); /* after the machine; NULL is fine */
/* instead of engines_open, which discards the firmware itself: with close, or when it fails */
void engines_discard(const engines_config_t *config);

const block_engine_t *const *engines_table(const engines_t *engines); /* [count] */
unsigned engines_count(const engines_t *engines);

typedef struct {
  engine_t engine;
  uint64_t cycles, compared; /* rtl and lockstep: cycles computed; of these, in lockstep */
  uint64_t recorded;         /* lockstep: bytes of inputs kept for a replay; cycles in which nothing counts need none */
  bool diverged;             /* RTL and model differed, or one of them failed; comparison ended there */
  uint64_t first_cycle;      /* diverged: in which of them */
  char first[512];           /* diverged: outcome and port, or the assertion */
  /* lockstep: outputs and probes whose condition was never
   * true, "sum, flit[3]"; all where compared is 0 */
  char never[ENGINES_NEVER];
} engines_report_t;

void engines_settle(engines_t *engines); /* the RTL catches up with the models */
void engines_report(const engines_t *engines, unsigned instance, engines_report_t *report);
/* What the gates counted since the last call, if they are as the model. */
bool engines_gates_end(const engines_t *engines, bool (*take)(void *context, const dut_t *dut, void *device),
                       void *context);
uint64_t engines_divergences(const engines_t *engines); /* instances that diverged */

/* After a divergence: the replay file of that instance alone, FOLDER/NAME-system-K-SEED.replay or,
 * where that is another file, with -2 ...; its path in `path`. BROKEN: the
 * recording does not fail again by itself. */
bool engines_capture(engines_t *engines, unsigned instance, const capture_t *capture, char *path, size_t size,
                     trouble_t *trouble);

#endif
