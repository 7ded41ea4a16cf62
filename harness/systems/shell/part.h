/* SPDX-License-Identifier: Apache-2.0
 *
 * A part: what a system is made of, besides instances of blocks. Each file parts/part_X.c is one
 * kind of part; parts/parts.def lists them.
 *
 * A composition (composition.h) names parts, how many there are of each, and what is linked to
 * what. A kind says
 *   - its ports: an end of a link either offers something (a memory stack: channels for packets) or
 *     uses what the other end offers;
 *   - its clocks, its keys (key_list.h), and what follows for it from the rest of a composition
 *     (settle);
 *   - the blocks that it has instances of: each can be model, RTL or both;
 *   - what it counts: a list (counters.h), which makes report, JSON, energy and figures;
 *   - how it is made: its shell parts (shell.h) tick it.
 *
 * The order of calls for a system:
 *
 *   defaults -> (keys are set) -> check -> settle      on values, for each kind and part
 *   make, offer                                        parts that offer before those that use
 *   tick ... check_rules, describe_waits, count        while it runs, and at its end
 *   destroy
 *
 * Functions that take a trouble_t return false with it set. A kind must have count and
 * describe_waits; all other functions may be NULL.
 */
#ifndef PART_H
#define PART_H

#include <stdio.h>

#include "composition.h"
#include "counters.h"
#include "engines.h"
#include "trouble.h"
#include "ptx.h"
#include "runtime.h"
#include "shell.h"
#include "simt_module.h"
#include "simt_spin.h"
#include "system.h"

enum { PART_PORTS = 4, PART_FAMILIES = 9, PART_CLOCKS = SHELL_CLOCKS };

typedef struct part part_t;

typedef struct {
  const char *name;     /* "gpu"; NULL: the end of the list */
  const char *protocol; /* "packets": what is offered (protocols.h); both ends' must be the same */
  bool offers;          /* else this end uses */
  /* One part has any number of connections here, or its kind's `number`. Else each of its instances
   * has one. */
  bool many;
  bool optional; /* may be left without a link */
  bool shared;   /* a connection may have several links, each with a place of its own; else one */
} part_port_t;

typedef struct {
  const char *name; /* "core": also the domain, if a composition names no other; NULL: the end of the list */
  double only_mhz;  /* the one frequency that the model is written for; 0: any */
  /* An earlier clock of the kind. This one takes its domain if the composition has no domain of
   * this name. NULL: none. */
  const char *like;
} part_clock_t;

/* Instances of a block. */
typedef struct {
  const char *block; /* NULL: the end of the list */
  const char *name;  /* what a system calls the instances; NULL: the block's name */
  unsigned (*count)(const composition_t *c, unsigned part);
  /* Fills in what depends on the block: parameters, which inputs count, and firmware if an instance
   * is that. */
  bool (*engines)(const composition_t *c, engines_config_t *engines, trouble_t *trouble);
  bool firmware; /* firmware can stand in for the block */
  /* These instances execute firmware for the family of this name. They exist only if one of its
   * instances is firmware. NULL: they always exist. */
  const char *runs;
  unsigned clock;   /* number of the kind's clock that the instances run at */
  const char *work; /* unit of what each instance counts, "flits"; NULL: it counts nothing */
  uint64_t (*worked)(const part_t *p, unsigned instance);
} part_family_t;

/* A table that a part keeps beside its counters. A list of counters describes its columns. */
typedef struct {
  const char *name; /* "epochs"; NULL: the end of the list */
  const char *text;
  const counter_t *columns;
  unsigned (*rows)(const part_t *p, const uint64_t **rows); /* how many; each is a struct of its columns */
  unsigned values;                                          /* columns of a row */
} part_table_t;

/* The host's side of a part that runs kernels. A system has one such part. */
typedef struct {
  /* The part's counter of the cores' cycles while kernels ran. The part must also count
   * warp_instructions. */
  const char *cycles;
  unsigned (*cores)(const part_t *p);
  void (*facts)(const part_t *p, system_facts_t *facts);
  int (*load)(part_t *p, const ptx_module_t *module, trouble_t *err); /* in place of all loaded modules */
  int (*load_also)(part_t *p, const ptx_module_t *module, trouble_t *err);
  void (*unload)(part_t *p, const ptx_module_t *module);
  int (*select)(part_t *p, const ptx_module_t *module, trouble_t *err);
  simt_variables_t *(*variables)(part_t *p, const ptx_module_t *module); /* NULL: it is not loaded */
  unsigned (*occupancy)(const part_t *p, const rt_launch_t *launch, uint32_t *registers, trouble_t *err);
  uint64_t (*malloc)(part_t *p, uint64_t bytes, trouble_t *err);
  int (*release)(part_t *p, uint64_t addr, trouble_t *err);
  int (*copy_in)(part_t *p, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
  int (*copy_out)(part_t *p, void *data, uint64_t addr, size_t bytes, trouble_t *err);
  /* as system_heap; NULL: its kernels take no memory */
  int (*heap)(part_t *p, uint64_t bytes, trouble_t *err);
  /* as system_texture; NULL: it has no texture units */
  int (*texture)(part_t *p, const rt_texture_t *texture, uint64_t *handle, trouble_t *err);
  int (*texture_drop)(part_t *p, uint64_t handle, trouble_t *err);
  /* workspace: simt_launch_t's */
  int (*launch)(part_t *p, const rt_launch_t *launch, uint64_t workspace, trouble_t *err);
  /* as system_printed; NULL: its kernels print nothing */
  char *(*printed)(part_t *p, size_t *size, uint64_t *lost);
  bool (*running)(const part_t *p);
  double (*progress)(const part_t *p);
  /* The watchdog begins a look at the warps (simt_spin.h), 0: ends it; asks what it has seen. */
  void (*watch)(part_t *p, uint32_t look);
  void (*spins)(const part_t *p, simt_spin_t *spin);
} part_host_t;

/* One kind of part. `values` are its keys' struct, shared by all parts of the kind; `state` is a
 * part's own. */
struct part_kind {
  const char *name, *text; /* "stack", "memory stack: vaults, logic layer, links" */
  part_port_t port[PART_PORTS + 1];
  part_clock_t clock[PART_CLOCKS + 1];
  const config_key_t *keys; /* NULL: none; of `values` */
  size_t values_size;
  void (*defaults)(void *values);
  /* what `count: PART` and a `many` port mean; NULL: the part's count */
  unsigned (*number)(const composition_t *c, unsigned part);
  bool (*check)(const void *values, trouble_t *trouble); /* values alone, before all else */
  /* counts, clocks and values are known: fills in what follows from them */
  bool (*settle)(composition_t *c, unsigned part, trouble_t *trouble);
  const part_family_t *family;
  size_t size;                                 /* of `state`, which is zeroed */
  bool (*make)(part_t *p, trouble_t *trouble); /* also calls shell_add */
  /* also after a `make` that failed half way */
  void (*destroy)(part_t *p);
  /* which: the number of the link at a shared port, from 0 */
  void *(*offer)(part_t *p, unsigned port, unsigned connection, unsigned which);
  bool (*check_rules)(const part_t *p, trouble_t *trouble);           /* false: a fault, a broken rule */
  size_t (*describe_waits)(const part_t *p, char *text, size_t size); /* as snprintf */
  const counter_t *counters;                                          /* what it counts */
  /* fills the struct of the counters, zeroed before, with sums over all instances */
  void (*count)(const part_t *p, uint64_t *counts);
  /* at most SYSTEM_TABLES of all parts together; NULL: none */
  const part_table_t *tables;
  const part_host_t *host;
};

/* One entry of a composition's `parts`, made: all its instances. */
struct part {
  const part_kind_t *kind;
  const composition_t *composition;
  const system_t *system;
  unsigned index, count;                              /* its number in the composition; its instances */
  uint64_t period[PART_CLOCKS];                       /* of its clocks, in ticks */
  const block_engine_t *const *engine[PART_FAMILIES]; /* [instances] of each family */
  const void *values;                                 /* the kind's values */
  void *state;
};

#define PART(name) extern const part_kind_t part_##name;
#include "parts.def"
#undef PART

/* What is linked to a port of this part: connection k of a `many` port, or of instance k. NULL:
 * nothing is. */
void *part_peer(const part_t *p, unsigned port, unsigned connection);

/* A launch as the SIMT models take it. It points to the same parameters. */
static inline simt_launch_t part_launch(const rt_launch_t *l, uint64_t workspace) {
  return (simt_launch_t){.kernel = l->kernel,
                         .grid = {l->grid.x, l->grid.y, l->grid.z},
                         .block = {l->block.x, l->block.y, l->block.z},
                         .shared_bytes = l->shared_bytes,
                         .params = l->params,
                         .param_bytes = l->param_bytes,
                         .workspace = workspace};
}

#endif
