/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes of the simulated processes, as they come:
 *
 *   NOTE_BEGIN   a new process           NOTE_LAUNCH  a row; its counters become traffic and energy
 *   NOTE_ABSENT  a missing function      NOTE_LINE    a message for the user
 *   exec_launches_end: the sums of all launches, lockstep, CPU time
 */
#include "exec_launches.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "energy.h"
#include "part.h"
#include "quantity.h"
#include "run_counts.h"

/* The first trouble stays. */
static void out_of_memory(exec_launches_t *l) {
  if (!l->trouble.kind) trouble_memory(&l->trouble);
}

/* The list with room for one more entry, which is zeroed. NULL: out of memory; the list is as it
 * was. */
static void *grown(exec_launches_t *l, void *list, unsigned count, size_t size) {
  char *more = realloc(list, (count + 1) * size);
  if (more) memset(more + count * size, 0, size);
  else out_of_memory(l);
  return more;
}

/* ---- what counters say ---- */

/* A quantity of counters that is traffic: of which kind of part, and whether it is links or
 * DRAM. */
typedef struct {
  const char *kind, *name, *quantity;
} traffic_key_t;

static const traffic_key_t keys[] = {
#define TRAFFIC(kind, name, quantity) {kind, name, quantity},
#include "exec_traffic.def"
};

/* Does the system have a part of this kind? */
static bool has_kind(const composition_t *c, const char *kind) {
  for (unsigned i = 0; i < c->parts; i++)
    if (!strcmp(c->part[i].kind->name, kind)) return true;
  return false;
}

/* Sums the traffic of a result. False: a counter that exec_traffic.def names is missing. */
static bool measure_traffic(exec_launches_t *l, const json_t *root, exec_traffic_t *t) {
  char missing[QUANTITY_NAME];
  double value;
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (!has_kind(&l->system->composition, keys[i].kind)) continue;
    if (!quantity(keys[i].quantity, root, &value, missing))
      return trouble_set(&l->trouble, TROUBLE_ENVIRONMENT, "harness/cli/run/exec_traffic.def: no counter '%s'",
                         missing);
    *(strcmp(keys[i].name, "links") ? &t->dram : &t->links) += value;
  }
  t->energy_nj = json_number_value(json_object_get(json_object_get(root, "energy"), "total_nj"));
  return true;
}

/* The counters as the result of a run has them: parts, what is made of their counters, energy.
 * NULL: a counter is missing, as l->trouble says. */
static json_t *result_of(exec_launches_t *l, const system_stats_t *stats) {
  json_t *root =
      json_pack("{s:I, s:f, s:I, s:I, s:f, s:O, s:o}", "cycles", (json_int_t)stats->cycles, "time_ns", stats->time_ns,
                "warp_instructions", (json_int_t)stats->warp_instructions, "cores", (json_int_t)stats->cores,
                "cpu_seconds", 0.0, "settings", l->settings, "parts", run_counts_parts(&l->system->composition, stats));
  json_t *energy = run_counts_keys(root, &l->trouble) ? energy_of(root, &l->trouble) : NULL;
  if (energy) json_object_set_new(root, "energy", energy);
  if (energy) return root;
  json_decref(root);
  return NULL;
}

/* ---- notes ---- */

/* Prints a line on standard error, unless it is the same as the last one: some errors come with
 * every launch. */
static void say_once(exec_launches_t *l, const char *line) {
  if (!*line || !strcmp(line, l->last)) return;
  snprintf(l->last, sizeof l->last, "%s", line);
  fprintf(stderr, "lockstack: %s\n", line);
}

/* Adds a launch to its process. `counts` has the counters of n->parts parts for this launch
 * alone. */
static void add_launch(exec_launches_t *l, exec_process_t *p, const note_t *n,
                       const uint64_t (*counts)[SYSTEM_COUNTS]) {
  static system_stats_t stats;
  exec_launch_t *more = grown(l, p->launch, p->launches, sizeof *more);
  if (!more) return;
  p->launch = more;
  exec_launch_t *row = &more[p->launches++];
  *row = (exec_launch_t){.kernel = strdup(n->launch.kernel),
                         .error = strdup(n->status == WIRE_DONE ? "" : n->text),
                         .shared_bytes = n->launch.shared_bytes,
                         .cycles = n->cycles,
                         .warp_instructions = n->warp_instructions,
                         .time_ns = n->time_ns,
                         .begin_ns = n->begin_ns};
  memcpy(row->grid, n->launch.grid, sizeof row->grid);
  memcpy(row->block, n->launch.block, sizeof row->block);
  if (!row->kernel || !row->error) out_of_memory(l);
  memset(&stats, 0, sizeof stats);
  stats.cycles = n->cycles, stats.cores = n->cores, stats.time_ns = n->time_ns,
  stats.warp_instructions = n->warp_instructions;
  memcpy(stats.counts, counts, n->parts * sizeof *stats.counts);
  json_t *root = result_of(l, &stats);
  if (root) measure_traffic(l, root, &row->traffic);
  json_decref(root);
  p->cycles += n->cycles, p->warp_instructions += n->warp_instructions, p->time_ns += n->time_ns;
  if (n->status == WIRE_DONE) return;
  l->failed |= n->status != WIRE_REFUSED; /* that one a program knows of itself: it would be refused anywhere */
  say_once(l, n->text);
}

/* Counts a call of a missing function. */
static void add_absent(exec_launches_t *l, exec_process_t *p, const char *name) {
  for (unsigned i = 0; i < p->absents; i++)
    if (!strcmp(p->absent[i].name, name)) {
      p->absent[i].calls++;
      return;
    }
  exec_absent_t *more = grown(l, p->absent, p->absents, sizeof *more);
  if (!more) return;
  p->absent = more;
  exec_absent_t *a = &more[p->absents++];
  *a = (exec_absent_t){strdup(name), 1};
  if (!a->name) out_of_memory(l);
}

/* Takes a message: what it says about the exit status, and the line itself. */
static void add_line(exec_launches_t *l, const note_t *n) {
  l->bad_image |= n->status == WIRE_NO_PTX || n->status == WIRE_BAD_IMAGE;
  l->failed |= n->status == WIRE_BROKEN;
  if (n->status != WIRE_NOT_FOUND) say_once(l, n->text); /* programs ask for names that may not be there */
}

void exec_launches_note(void *ctx, unsigned process, const note_t *n, const uint64_t (*counts)[SYSTEM_COUNTS]) {
  exec_launches_t *l = ctx;
  exec_process_t *p;
  if (n->kind == NOTE_BEGIN) {
    if (!(p = grown(l, l->process, l->processes, sizeof *p))) return;
    l->process = p;
    p += l->processes++;
    p->pid = n->process;
    snprintf(p->name, sizeof p->name, "%.*s", WIRE_NAME - 1, n->text);
    return;
  }
  if (process >= l->processes) return;
  p = &l->process[process];
  if (n->kind == NOTE_LAUNCH) add_launch(l, p, n, counts);
  if (n->kind == NOTE_ABSENT) add_absent(l, p, n->text);
  if (n->kind == NOTE_LINE) add_line(l, n);
}

/* The line of an instance that diverged, with the command that replays it. */
static void say_divergence(const exec_launches_t *l, unsigned f, unsigned k, const system_instance_t *i) {
  system_family_t family;
  if (!system_family(&l->system->composition, f, &family)) return;
  fprintf(stderr, "lockstack: %s[%u] first differs in its cycle %llu: %s%s%s\n", family.name, k,
          (unsigned long long)i->first_cycle, i->first, *i->replay ? "; lockstack replay " : "", i->replay);
}

/* Sums what was compared, over all instances. */
static void add_lockstep(const exec_launches_t *l, exec_process_t *p, const system_stats_t *stats) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    for (unsigned k = 0; k < stats->instances[f]; k++) {
      const system_instance_t *i = &stats->instance[f][k];
      p->lockstep |= l->system->engine[f][k] == ENGINE_LOCKSTEP;
      p->compared += i->compared;
      p->divergences += i->diverged;
      if (i->diverged) say_divergence(l, f, k, i);
    }
}

void exec_launches_end(void *ctx, unsigned process, const program_end_t *end) {
  exec_launches_t *l = ctx;
  if (process >= l->processes) return;
  exec_process_t *p = &l->process[process];
  p->cpu_seconds = end->cpu_seconds;
  p->peak_rss_bytes = end->peak_rss_bytes;
  l->failed |= !end->stats;
  if (!end->stats) return;
  p->result = result_of(l, end->stats);
  if (p->result) measure_traffic(l, p->result, &p->traffic);
  add_lockstep(l, p, end->stats);
}

void exec_launches_free(exec_launches_t *l) {
  for (exec_process_t *p = l->process; p < l->process + l->processes; p++) {
    for (unsigned i = 0; i < p->launches; i++) free(p->launch[i].kernel), free(p->launch[i].error);
    for (unsigned i = 0; i < p->absents; i++) free(p->absent[i].name);
    free(p->launch);
    free(p->absent);
    json_decref(p->result);
  }
  free(l->process);
  json_decref(l->settings);
}
