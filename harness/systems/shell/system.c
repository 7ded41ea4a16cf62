/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts made in the order of their links, and time that goes on in chunks, between two of which
 * come the rules, Ctrl-C, progress and the watchdog.
 */
#include "system.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "describe.h"
#include "part.h"
#include "system_engines.h"

enum { CHUNK_NS = 2000 };

struct simulated_system {
  system_options_t options;
  engines_t *engines[SYSTEM_FAMILIES];
  char (*replay[SYSTEM_FAMILIES])[SYSTEM_TEXT]; /* files of instances that diverged; "": none */
  uint64_t ticks_per_ns;
  part_t part[COMPOSITION_PARTS];
  part_t *host;      /* that takes kernels */
  toggles_t toggles; /* of the gates that count */
  engines_gates_t gates;
  uint64_t workspace; /* of cooperative grids; 0: none yet */
  bool deadlocked;
};

static uint64_t take_toggles(void *context, const dut_t *dut, void *device) {
  return toggles_next(&((system_t *)context)->toggles, dut, device);
}

static bool end_toggles(void *context, const dut_t *dut, void *device) {
  return toggles_end(&((system_t *)context)->toggles, dut, device);
}

toggles_t *system_toggles(system_t *s, const char **counter, uint64_t *work) {
  const system_gates_t *gates = &s->options.gates;
  system_family_t family;
  engines_report_t report;
  *counter = NULL, *work = 0;
  if (!gates->wanted || !system_family(&s->options.composition, gates->family, &family)) return NULL;
  const part_family_t *of = system_engines_family(&s->options, &family);
  if (of->work) *counter = of->work, *work = of->worked(&s->part[family.part], gates->instance);
  engines_report(s->engines[gates->family], gates->instance, &report);
  return !report.diverged && engines_gates_end(s->engines[gates->family], end_toggles, s) ? &s->toggles : NULL;
}

static bool open_engines(system_t *s, trouble_t *trouble) {
  system_family_t family;
  for (unsigned f = 0; system_family(&s->options.composition, f, &family); f++) {
    engines_config_t config;
    if (!system_engines_of(&s->options, f, &family, &s->gates, &config, trouble) ||
        !engines_open(&s->engines[f], &config, trouble))
      return false;
    if (!(s->replay[f] = calloc(config.count + 1, sizeof *s->replay[f]))) return trouble_memory(trouble);
    s->part[family.part].engine[family.index] = engines_table(s->engines[f]);
  }
  return true;
}

/* ---- parts ---- */

void *part_peer(const part_t *p, unsigned port, unsigned connection) {
  unsigned peer, peer_port, peer_connection;
  if (!composition_peer(p->composition, p->index, port, connection, &peer, &peer_port, &peer_connection)) return NULL;
  part_t *other = (part_t *)&p->system->part[peer];
  return other->kind->offer(other, peer_port, peer_connection,
                            composition_which(p->composition, p->index, port, connection));
}

static void place_parts(system_t *s) {
  const composition_t *c = &s->options.composition;
  clocks_t clocks = {0};
  for (unsigned d = 0; d < c->domains; d++) clocks_add(&clocks, c->domain[d].num, c->domain[d].den);
  s->ticks_per_ns = clocks_ticks_per_ns(&clocks);
  for (unsigned i = 0; i < c->parts; i++) {
    const part_kind_t *kind = c->part[i].kind;
    part_t *p = &s->part[i];
    p->kind = kind, p->composition = c, p->system = s, p->index = i, p->count = c->part[i].count;
    p->values = composition_kind_values_const(c, kind);
    for (unsigned k = 0; kind->clock[k].name; k++)
      p->period[k] = clocks_period(&clocks, composition_domain(c, c->part[i].clock[k]));
    if (kind->host) s->host = p;
  }
}

static bool make_part(part_t *p, trouble_t *trouble) {
  if (!(p->state = calloc(1, p->kind->size))) return trouble_memory(trouble);
  return p->kind->make(p, trouble);
}

/* All that it uses has been made. */
static bool can_make(const system_t *s, unsigned part) {
  const composition_t *c = &s->options.composition;
  for (unsigned i = 0; i < c->links; i++)
    if (c->link[i].user.part == part && !s->part[c->link[i].offer.part].state) return false;
  return true;
}

static bool make_parts(system_t *s, trouble_t *trouble) {
  const composition_t *c = &s->options.composition;
  for (unsigned made = 0, before; made < c->parts;) {
    before = made;
    for (unsigned i = 0; i < c->parts; i++) {
      if (s->part[i].state || !can_make(s, i)) continue;
      if (!make_part(&s->part[i], trouble)) return false;
      made++;
    }
    if (made == before)
      return trouble_set(trouble, TROUBLE_INPUT, "links lead in a circle: each part waits for what another offers");
  }
  return true;
}

/* ---- from the first to the last ---- */

system_t *system_new(const system_options_t *options, trouble_t *trouble) {
  system_t *s = calloc(1, sizeof *s);
  if (!s) return trouble_memory(trouble), NULL;
  s->options = *options;
  place_parts(s);
  s->gates = (engines_gates_t){.take = take_toggles, .context = s};
  bool good = !options->gates.wanted || toggles_open_run(&s->toggles) || trouble_memory(trouble);
  s->gates.first = s->toggles.window;
  if (good && open_engines(s, trouble) && make_parts(s, trouble)) {
    shell_elaborate(options->reversed);
    return s;
  }
  system_free(s);
  return NULL;
}

void system_free(system_t *s) {
  if (!s) return;
  for (unsigned i = s->options.composition.parts; i-- > 0;)
    if (s->part[i].state) s->part[i].kind->destroy(&s->part[i]);
  for (unsigned i = 0; i < s->options.composition.parts; i++) free(s->part[i].state);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    engines_close(s->engines[f]);
    free(s->replay[f]);
  }
  toggles_close(&s->toggles);
  free(s);
}

int system_load(system_t *s, const ptx_module_t *module, trouble_t *err) {
  return s->host->kind->host->load(s->host, module, err);
}

int system_load_also(system_t *s, const ptx_module_t *module, trouble_t *err) {
  return s->host->kind->host->load_also(s->host, module, err);
}

int system_select(system_t *s, const ptx_module_t *module, trouble_t *err) {
  return s->host->kind->host->select(s->host, module, err);
}

void system_unload(system_t *s, const ptx_module_t *module) {
  s->host->kind->host->unload(s->host, module);
}

simt_variables_t *system_variables(system_t *s, const ptx_module_t *module) {
  return s->host->kind->host->variables(s->host, module);
}

unsigned system_occupancy(const system_t *s, const rt_launch_t *launch, uint32_t *registers, trouble_t *err) {
  return s->host->kind->host->occupancy(s->host, launch, registers, err);
}

void system_facts(const system_t *s, system_facts_t *facts) {
  s->host->kind->host->facts(s->host, facts);
}

uint64_t system_malloc(system_t *s, uint64_t bytes, trouble_t *err) {
  return s->host->kind->host->malloc(s->host, bytes, err);
}

int system_release(system_t *s, uint64_t addr, trouble_t *err) {
  return s->host->kind->host->release(s->host, addr, err);
}

int system_copy_in(system_t *s, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return s->host->kind->host->copy_in(s->host, addr, data, bytes, err);
}

int system_copy_out(system_t *s, void *data, uint64_t addr, size_t bytes, trouble_t *err) {
  return s->host->kind->host->copy_out(s->host, data, addr, bytes, err);
}

bool system_has_heap(const system_t *s) {
  return s->host->kind->host->heap;
}

int system_heap(system_t *s, uint64_t bytes, trouble_t *err) {
  const part_host_t *host = s->host->kind->host;
  return host->heap ? host->heap(s->host, bytes, err)
                    : trouble_fail(err, TROUBLE_INPUT, "kernels of %s take no memory", s->host->kind->name);
}

bool system_has_textures(const system_t *s) {
  return s->host->kind->host->texture;
}

int system_texture(system_t *s, const rt_texture_t *texture, uint64_t *handle, trouble_t *err) {
  const part_host_t *host = s->host->kind->host;
  if (!host->texture)
    return trouble_fail(err, TROUBLE_INPUT, "%s has no texture units; a system with a GPU would be right",
                        s->host->kind->name);
  return host->texture(s->host, texture, handle, err);
}

int system_texture_drop(system_t *s, uint64_t handle, trouble_t *err) {
  const part_host_t *host = s->host->kind->host;
  return host->texture_drop ? host->texture_drop(s->host, handle, err)
                            : trouble_fail(err, TROUBLE_INPUT, "%s has no texture units", s->host->kind->name);
}

int system_launch(system_t *s, const rt_launch_t *launch, trouble_t *err) {
  return s->host->kind->host->launch(s->host, launch, 0, err);
}

/* ---- cooperative grids ---- */

/* What the barrier of a grid works in, as CUDA's cooperative groups
 * know it: its size, and the barrier's word, which is 0 at first. */
typedef struct {
  uint32_t bytes, barrier;
} workspace_t;

bool system_holds(const system_t *s, const rt_launch_t *l, trouble_t *err) {
  uint32_t registers;
  system_facts_t of;
  system_facts(s, &of);
  const uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z,
                 of_core = system_occupancy(s, l, &registers, err);
  if (!of_core) return false;
  if (blocks <= of_core * of.cores) return true;
  trouble_fail(err, TROUBLE_INPUT,
               "kernel %s: %llu blocks are to wait for each other, but %u cores hold %llu each at once", l->kernel,
               (unsigned long long)blocks, of.cores, (unsigned long long)of_core);
  return false;
}

int system_launch_cooperative(system_t *s, const rt_launch_t *launch, trouble_t *err) {
  static const workspace_t empty = {.bytes = sizeof empty};
  if (!system_holds(s, launch, err)) return -1;
  if (!s->workspace) s->workspace = system_malloc(s, sizeof empty, err);
  if (!s->workspace || system_copy_in(s, s->workspace, &empty, sizeof empty, err)) return -1;
  return s->host->kind->host->launch(s->host, launch, s->workspace, err);
}

char *system_printed(system_t *s, size_t *size, uint64_t *lost) {
  const part_host_t *host = s->host->kind->host;
  *size = 0, *lost = 0;
  return host->printed ? host->printed(s->host, size, lost) : NULL;
}

/* ---- running ---- */

/* for (const part_t *p = first_part(s); p; p = next_part(p)) */
static const part_t *first_part(const system_t *s) {
  return s->part;
}

static const part_t *next_part(const part_t *p) {
  return p->index + 1 < p->composition->parts ? p + 1 : NULL;
}

static void count(const part_t *p, uint64_t counts[SYSTEM_COUNTS]) {
  memset(counts, 0, SYSTEM_COUNTS * sizeof *counts);
  p->kind->count(p, counts);
}

static uint64_t activity(const system_t *s) {
  uint64_t sum = 0, counts[SYSTEM_COUNTS];
  for (const part_t *p = first_part(s); p; p = next_part(p)) {
    count(p, counts);
    sum += counters_work(p->kind->counters, counts);
  }
  return sum;
}

static bool check_rules(const system_t *s, trouble_t *trouble) {
  for (const part_t *p = first_part(s); p; p = next_part(p))
    if (p->kind->check_rules && !p->kind->check_rules(p, trouble)) return false;
  return true;
}

size_t system_describe_waits(const system_t *s, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  if (!s->deadlocked) return 0;
  for (const part_t *p = first_part(s); p; p = next_part(p))
    used += p->kind->describe_waits(p, describe_end(text, size, used), describe_room(size, used));
  return used;
}

static uint64_t instructions(const system_t *s) {
  uint64_t counts[SYSTEM_COUNTS];
  count(s->host, counts);
  return counts[counters_find(s->host->kind->counters, "warp_instructions")->at];
}

/* Looks at the warps for endless loops. A look costs host time, so the pauses between looks double
 * until one of them sees nothing else but loops. */
typedef struct {
  uint64_t period, since; /* ticks of a look; when this one, or the pause, began */
  uint32_t look;          /* number of the look; 0: a pause */
  uint32_t looks, pause, left;
  unsigned found; /* looks in a row that have seen nothing but the same loops */
  simt_spin_t last;
} loop_watch_t;

enum { LOOKS_IN_A_ROW = 3, LONGEST_PAUSE = 64, SHORTEST_LOOK_US = 20 };

/* What a look has seen. True: loops without end. */
static bool end_look(const system_t *s, loop_watch_t *w) {
  simt_spin_t now;
  s->host->kind->host->spins(s->host, &now);
  const bool same = !w->found || (now.progress == w->last.progress && now.warps == w->last.warps);
  w->found = simt_spin_is_endless(&now) && same ? w->found + 1 : 0;
  w->last = now;
  return w->found == LOOKS_IN_A_ROW;
}

static bool finds_loop(system_t *s, loop_watch_t *w) {
  if (shell_now - w->since < w->period) return false;
  w->since = shell_now;
  if (w->look && end_look(s, w)) return true;
  if (w->look && !w->found) w->left = w->pause = w->pause < LONGEST_PAUSE ? 2 * w->pause : LONGEST_PAUSE;
  if (w->left) w->left--, w->look = 0;
  else w->look = ++w->looks;
  s->host->kind->host->watch(s->host, w->look);
  return false;
}

bool system_run(system_t *s, trouble_t *trouble) {
  const system_options_t *o = &s->options;
  const part_host_t *host = s->host->kind->host;
  const uint64_t patience = o->composition.watchdog_us * 1000 * s->ticks_per_ns;
  uint64_t last = activity(s), since = shell_now;
  const uint64_t least = SHORTEST_LOOK_US * 1000 * s->ticks_per_ns;
  loop_watch_t loops = {.period = patience > least ? patience : least, .since = shell_now, .pause = 1};
  while (host->running(s->host)) {
    shell_run(CHUNK_NS * s->ticks_per_ns);
    if (!check_rules(s, trouble)) return false;
    if (o->interrupted && *o->interrupted) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted");
    if (o->progress) o->progress(o->progress_ctx, host->progress(s->host), instructions(s));
    if (finds_loop(s, &loops)) {
      s->deadlocked = true;
      return simt_spin_fail(&loops.last, trouble);
    }
    const uint64_t moved = activity(s);
    if (moved != last) last = moved, since = shell_now;
    else if (shell_now - since >= patience) {
      s->deadlocked = true;
      return trouble_set(trouble, TROUBLE_BROKEN, "deadlock: nothing has moved for %llu us; waiting:",
                         (unsigned long long)o->composition.watchdog_us);
    }
  }
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    if (s->engines[f]) engines_settle(s->engines[f]);
  return check_rules(s, trouble);
}

/* ---- what came of it ---- */

static unsigned instances(const system_t *s, unsigned f) {
  return s->engines[f] ? engines_count(s->engines[f]) : 0;
}

bool system_capture(system_t *s, const capture_t *capture, trouble_t *trouble) {
  bool good = true;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    for (unsigned k = 0; k < instances(s, f); k++) {
      engines_report_t report;
      engines_report(s->engines[f], k, &report);
      if (!report.diverged ||
          engines_capture(s->engines[f], k, capture, s->replay[f][k], sizeof s->replay[f][k], trouble))
        continue;
      s->replay[f][k][0] = 0;
      good = false;
    }
  return good;
}

static void instance_stats(const system_t *s, unsigned family, unsigned k, system_instance_t *i) {
  engines_report_t report;
  engines_report(s->engines[family], k, &report);
  i->compared = report.compared;
  i->diverged = report.diverged;
  i->first_cycle = report.first_cycle;
  snprintf(i->never, sizeof i->never, "%s", report.never);
  snprintf(i->first, sizeof i->first, "%s", report.first);
  snprintf(i->replay, sizeof i->replay, "%s", s->replay[family][k]);
}

double system_time_ns(const system_t *s) {
  return (double)shell_now / (double)s->ticks_per_ns;
}

void system_counts(const system_t *s, uint64_t (*counts)[SYSTEM_COUNTS]) {
  for (const part_t *p = first_part(s); p; p = next_part(p)) count(p, counts[p->index]);
}

static uint64_t of_host(const system_t *s, const uint64_t (*counts)[SYSTEM_COUNTS], const char *counter) {
  const part_t *p = s->host;
  return counts[p->index][counters_find(p->kind->counters, counter)->at];
}

uint64_t system_cycles(const system_t *s, const uint64_t (*counts)[SYSTEM_COUNTS]) {
  return of_host(s, counts, s->host->kind->host->cycles);
}

uint64_t system_warp_instructions(const system_t *s, const uint64_t (*counts)[SYSTEM_COUNTS]) {
  return of_host(s, counts, "warp_instructions");
}

static bool keep_table(const part_t *p, unsigned t, system_stats_t *stats) {
  const part_table_t *table = &p->kind->tables[t];
  const uint64_t *rows;
  assert(stats->tables < SYSTEM_TABLES);
  system_table_t *to = &stats->table[stats->tables];
  *to = (system_table_t){.part = p->index, .table = t, .rows = table->rows(p, &rows), .values = table->values};
  const size_t bytes = (size_t)to->rows * to->values * sizeof *rows;
  if (!(to->value = malloc(bytes + 1))) return false;
  if (bytes) memcpy(to->value, rows, bytes);
  stats->tables++;
  return true;
}

static bool keep_tables(const system_t *s, system_stats_t *stats) {
  for (const part_t *p = first_part(s); p; p = next_part(p))
    for (unsigned t = 0; p->kind->tables && p->kind->tables[t].name; t++)
      if (!keep_table(p, t, stats)) return false;
  return true;
}

bool system_stats(system_t *s, system_stats_t *stats) {
  memset(stats, 0, sizeof *stats);
  if (!keep_tables(s, stats)) return false;
  system_counts(s, stats->counts);
  stats->cycles = system_cycles(s, (const uint64_t(*)[SYSTEM_COUNTS])stats->counts);
  stats->cores = s->host->kind->host->cores(s->host);
  stats->time_ns = system_time_ns(s);
  stats->warp_instructions = system_warp_instructions(s, (const uint64_t(*)[SYSTEM_COUNTS])stats->counts);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    const unsigned count = instances(s, f);
    if (!(stats->instance[f] = calloc(count + 1, sizeof *stats->instance[f]))) return false;
    stats->instances[f] = count;
    for (unsigned k = 0; k < count; k++) instance_stats(s, f, k, &stats->instance[f][k]);
  }
  return true;
}

void system_stats_free(system_stats_t *stats) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    free(stats->instance[f]);
    stats->instance[f] = NULL;
  }
  for (unsigned t = 0; t < stats->tables; t++) {
    free(stats->table[t].value);
    stats->table[t].value = NULL;
  }
  stats->tables = 0;
}
