/* SPDX-License-Identifier: Apache-2.0
 *
 * Full systems under SystemC: a composition (composition.h) made and run.
 *
 *   system_options_t options = {.places = ...};
 *   composition_load(&options.composition, path, &trouble); ... settings ...;
 *   composition_settle(&options.composition, &trouble); system_prepare(&options, &trouble);
 *   system_t *s = system_new(&options, &trouble);
 *   system_load, system_malloc, system_copy_in, system_launch, system_run, system_copy_out, ...
 *   system_stats(s, &stats);
 *   system_free(s);
 *
 * The parts are C models (cmodel/) and block instances that are model, RTL or both; SystemC modules
 * give them their clocks and carry packets between them so that everybody reads what was there
 * before the instant: results do not depend on the order in which SystemC runs the modules. SystemC
 * elaborates once a process: one system a process.
 *
 * Functions that return int return 0, or the exit status, which is the kind of the trouble.
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <signal.h>
#include <stdbool.h>

#include "build.h"
#include "composition.h"
#include "trouble.h"
#include "engines.h"
#include "ptx.h"
#include "runtime.h"
#include "toggles.h"

enum {
  SYSTEM_WAITS = 4096,
  SYSTEM_TEXT = 512,
  SYSTEM_FAMILIES = 16,
  SYSTEM_NAME = 2 * COMPOSITION_NAME,
  SYSTEM_COUNTS = 256,
  SYSTEM_TABLES = 8
};

typedef struct system_options system_options_t;
typedef struct simulated_system system_t;

/* Instances of one block in one part, each of which can be model, RTL or both, or firmware. */
typedef struct {
  unsigned part, index;   /* in the composition; of its kind's families */
  const char *block;      /* "router" */
  const char *called;     /* "router"; of ofld_ratio "ratio" */
  char name[SYSTEM_NAME]; /* as it is called, or its path "net.router" when several parts have instances of the block */
  char path[SYSTEM_NAME]; /* "net.router"; of a part that is the block: its name */
  unsigned count;         /* that there can be */
  bool firmware;          /* an instance can be that */
  /* what its instances execute firmware for, "ratio": they are
   * there only where one of that is firmware; NULL: always */
  const char *runs;
} system_family_t;

/* Gates beside the model of one instance, whose nets' toggles are counted (toggles.h). */
typedef struct {
  bool wanted;
  unsigned family, instance;
  char cells[RTL_LIST]; /* a choice of cells.h */
} system_gates_t;

struct system_options {
  composition_t composition;         /* settled */
  engine_t *engine[SYSTEM_FAMILIES]; /* [instances] from system_make_engines on; NULL: all are models */
  system_gates_t gates;
  const char *rtl[SYSTEM_FAMILIES]; /* RTL of this folder before the tree's; NULL: none */
  places_t places;                  /* where objects are found and built */
  const volatile sig_atomic_t *interrupted;
  /* Now and then: 0..1 of the running kernel's thread blocks,
   * and what all kernels have issued until then; may be NULL. */
  void (*progress)(void *ctx, double share, uint64_t warp_instructions);
  void *progress_ctx;
  bool reversed; /* make the modules in reverse order: results must be the same (for tests) */
};

/* "gpu": the kind of the part that takes kernels */
const char *system_machine(const composition_t *composition);
bool system_family(const composition_t *composition, unsigned f, system_family_t *family); /* false: no more than f */
/* that there are, by the engines as they are set; 0: no such family */
unsigned system_instances(const system_options_t *options, unsigned f);

/* "nsu=rtl", "router[0-3]=lockstep", "net.router[5]=rtl": by path, or by the
 * block where only one part has it or all are meant. False: bad input. */
bool system_set_engine(system_options_t *options, const char *setting, trouble_t *trouble);

/* The one instance that this names ("nsu[0]") runs in lockstep with
 * its gates; after all engines are set. False: bad input. */
bool system_set_gates(system_options_t *options, const char *instance, trouble_t *trouble);
/* Of these: its parameters, what it is called, its clock's period in ns,
 * the object of its gates (BUILD_PATH bytes), built if it is missing. */
typedef struct {
  char name[SYSTEM_NAME + 16], block[ENGINES_NAME], params[ENGINES_PARAMS], object[BUILD_PATH];
  double period;
} system_gates_facts_t;
bool system_gates_facts(const system_options_t *options, system_gates_facts_t *facts, trouble_t *trouble);

/* All instances models, for the configuration that is there. False: out of memory. */
bool system_make_engines(system_options_t *options);
void system_free_engines(system_options_t *options);

/* builds the blocks' objects that are missing */
bool system_prepare(const system_options_t *options, trouble_t *trouble);

/* The object of that family's models, BUILD_PATH bytes. False: there is none. */
bool system_model_object(const system_options_t *options, unsigned family, char *path);

system_t *system_new(const system_options_t *options, trouble_t *trouble);
void system_free(system_t *system);

/* What a host program can know of the machine. */
typedef struct {
  unsigned cores, core_threads, core_blocks, core_registers, core_shared_bytes;
  uint64_t memory_bytes;
  double core_mhz;
} system_facts_t;
void system_facts(const system_t *system, system_facts_t *facts);

/* The host's side. A module must outlive the system, or until it is unloaded. */
int system_load(system_t *system, const ptx_module_t *module, trouble_t *err); /* instead of all that were loaded */
int system_load_also(system_t *system, const ptx_module_t *module, trouble_t *err);
/* of several, the one whose kernels are launched; at first the last */
int system_select(system_t *system, const ptx_module_t *module, trouble_t *err);
void system_unload(system_t *system, const ptx_module_t *module);
/* where they are (simt_module.h); NULL: it is not loaded */
struct simt_variables *system_variables(system_t *system, const ptx_module_t *module);
/* Blocks of such a launch that a core holds at once, and
 * registers a thread; 0: err says why there can be none. */
unsigned system_occupancy(const system_t *system, const rt_launch_t *launch, uint32_t *registers, trouble_t *err);
uint64_t system_malloc(system_t *system, uint64_t bytes, trouble_t *err); /* 0: failed */
int system_release(system_t *system, uint64_t addr, trouble_t *err);
int system_copy_in(system_t *system, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
/* Bytes of the heap of kernels' malloc, before one that calls it is launched;
 * status 2: no such size, too late, or the machine's kernels cannot call it. */
int system_heap(system_t *system, uint64_t bytes, trouble_t *err);
bool system_has_heap(const system_t *system);
/* A texture, surface or sampler and its handle, and the end of it;
 * status 2: it is wrong, or the machine has no texture units. */
int system_texture(system_t *system, const rt_texture_t *texture, uint64_t *handle, trouble_t *err);
int system_texture_drop(system_t *system, uint64_t handle, trouble_t *err);
bool system_has_textures(const system_t *system);
/* What kernels have printed since the last call, to be freed,
 * `size` bytes; NULL: nothing. lost: calls that found no room. */
char *system_printed(system_t *system, size_t *size, uint64_t *lost);
int system_copy_out(system_t *system, void *data, uint64_t addr, size_t bytes, trouble_t *err);
int system_launch(system_t *system, const rt_launch_t *launch, trouble_t *err);

/* One whose blocks wait for each other (CUDA's cooperative launch):
 * all of them are on the cores at once, or it is refused. */
int system_launch_cooperative(system_t *system, const rt_launch_t *launch, trouble_t *err);
/* all at once; false: err says why not */
bool system_holds(const system_t *system, const rt_launch_t *launch, trouble_t *err);

/* What was simulated until now; counts of each part, as system_stats
 * has them, and what they say of the part that takes kernels. */
double system_time_ns(const system_t *system);
void system_counts(const system_t *system, uint64_t (*counts)[SYSTEM_COUNTS]);
uint64_t system_cycles(const system_t *system, const uint64_t (*counts)[SYSTEM_COUNTS]);
uint64_t system_warp_instructions(const system_t *system, const uint64_t (*counts)[SYSTEM_COUNTS]);

/* Runs until the launched kernel has ended and all is quiet. False: BROKEN, a deadlock or a broken
 * rule; INPUT, the kernel faulted; ENVIRONMENT, interrupted. */
bool system_run(system_t *system, trouble_t *trouble);

/* After a deadlock: a line for each thing that waits, and for what. "" after any other end. Returns
 * the length as snprintf does; SYSTEM_WAITS is enough. */
size_t system_describe_waits(const system_t *system, char *text, size_t size);

/* Makes replay files of the instances that diverged, as many as
 * it can; false: one could not be made, and why the last of them. */
bool system_capture(system_t *system, const capture_t *capture, trouble_t *trouble);

typedef struct {
  uint64_t compared;        /* cycles in lockstep */
  bool diverged;            /* RTL and model differed, or an assertion failed; comparison ended there */
  uint64_t first_cycle;     /* in which cycle of this instance */
  char first[SYSTEM_TEXT];  /* outcome and port, or the assertion */
  char never[SYSTEM_TEXT];  /* in lockstep: outputs and probes that were never compared, "sum, flit[3]" */
  char replay[SYSTEM_TEXT]; /* replay file of this instance alone; "": none */
} system_instance_t;

/* Rows of numbers of a part (part_table_t). */
typedef struct {
  unsigned part, table; /* in the composition; of its kind's tables */
  unsigned rows, values;
  uint64_t *value; /* [rows][values] */
} system_table_t;

/* What the gates counted; the caller closes it. NULL: there are none, or they are not as the model.
 * `work`: how much its instance did of what `counter` says; NULL: nothing is counted of one
 * instance. */
toggles_t *system_toggles(system_t *system, const char **counter, uint64_t *work);

typedef struct {
  uint64_t cycles; /* of the cores' clock, while kernels ran */
  uint64_t warp_instructions;
  unsigned cores; /* whose cycles these are */
  double time_ns; /* that was simulated */
  unsigned instances[SYSTEM_FAMILIES];
  system_instance_t *instance[SYSTEM_FAMILIES];      /* [instances] */
  uint64_t counts[COMPOSITION_PARTS][SYSTEM_COUNTS]; /* of each part, by its kind's list of counters (part.h) */
  unsigned tables;
  system_table_t table[SYSTEM_TABLES];
} system_stats_t;
bool system_stats(system_t *system, system_stats_t *stats); /* false: out of memory */
void system_stats_free(system_stats_t *stats);

#endif
