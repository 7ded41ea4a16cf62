/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `run`. Instances of blocks are kept by family (a block in a part) and index; a
 * place_t walks over all of them.
 */
#include "run_report.h"

#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "energy.h"
#include "number.h"
#include "plain.h"
#include "replay_window.h"
#include "run_counts.h"
#include "run_launch.h"

/* ---- Instances of blocks, family by family --------------------------------------------------- */

/* A system and what it counted. */
typedef struct {
  const system_options_t *system;
  const system_stats_t *stats;
} counted_t;

/* An instance. */
typedef struct {
  counted_t of;
  unsigned family, index;
} place_t;

static counted_t counted_of(const run_report_t *r) {
  return (counted_t){&r->job->system, &r->result->stats};
}

/* Moves p on to the next family that has an instance p->index. False: there is none left. for
 * (place_t p = first_instance(c); has_instance(&p); p.index++) */
static bool has_instance(place_t *p) {
  for (; p->family < SYSTEM_FAMILIES; p->family++, p->index = 0)
    if (p->index < p->of.stats->instances[p->family]) return true;
  return false;
}

static place_t first_instance(counted_t c) {
  return (place_t){.of = c};
}

static const system_instance_t *instance_at(const place_t *p) {
  return &p->of.stats->instance[p->family][p->index];
}

static engine_t engine_at(const place_t *p) {
  return p->of.system->engine[p->family][p->index];
}

/* At most SHOWN_NEVER lines of instances that were not compared. */
enum { NAME = SYSTEM_NAME + 16, SHOWN_NEVER = 8 };

/* "router[5]". Returns name. */
static const char *name_at(const place_t *p, char name[NAME]) {
  system_family_t family;
  if (system_family(&p->of.system->composition, p->family, &family))
    snprintf(name, NAME, "%s[%u]", family.name, p->index);
  return name;
}

/* Instance-cycles: two instances that were compared for 100 cycles count as 200. */
static uint64_t lockstep_cycles(counted_t c) {
  uint64_t sum = 0;
  for (place_t p = first_instance(c); has_instance(&p); p.index++) sum += instance_at(&p)->compared;
  return sum;
}

/* Instances that diverged; the comparison of each ends there. */
static uint64_t divergences(counted_t c) {
  uint64_t sum = 0;
  for (place_t p = first_instance(c); has_instance(&p); p.index++) sum += instance_at(&p)->diverged;
  return sum;
}

/* Does any instance run RTL, so that there is something to say about lockstep? */
static bool any_rtl(const run_report_t *r) {
  for (place_t p = first_instance(counted_of(r)); has_instance(&p); p.index++)
    if (engine_has_rtl(engine_at(&p))) return true;
  return false;
}

bool run_report_held(const run_report_t *r) {
  return r->result->result_ok && r->baseline->result_ok && !divergences(counted_of(r));
}

/* The rival's cycles over ours; 0 if ours are not known, 1 without a rival. */
static double speedup(const run_report_t *r) {
  return r->result->stats.cycles ? (double)r->baseline->stats.cycles / (double)r->result->stats.cycles : 0;
}

/* ---- For people ------------------------------------------------------------------------------ */

static void print_number(FILE *out, const char *name, uint64_t value, const char *unit) {
  char text[32];
  fprintf(out, "  %-26s %16s %s\n", name, number_text(value, text), unit);
}

static bool in_lockstep(const place_t *p) {
  return engine_at(p) == ENGINE_LOCKSTEP;
}

/* Is it in lockstep, with something that was never compared? */
static bool misses_comparison(const place_t *p) {
  return in_lockstep(p) && (!instance_at(p)->compared || *instance_at(p)->never);
}

/* Do both instances of a family miss the same outputs? */
static bool misses_the_same(const place_t *a, const place_t *b) {
  const system_instance_t *x = instance_at(a), *y = instance_at(b);
  return a->family == b->family && misses_comparison(b) && !x->compared == !y->compared &&
         strcmp(x->never, y->never) == 0;
}

/* "nsu[0] to nsu[7], never compared: ...": neighbours that miss the same outputs share a line. */
static void print_not_compared(const run_report_t *r, FILE *out) {
  char name[NAME];
  unsigned lines = 0;
  for (place_t p = first_instance(counted_of(r)); has_instance(&p); p.index++) {
    const place_t from = p;
    if (!misses_comparison(&p)) continue;
    for (place_t next = p; next.index++, has_instance(&next) && misses_the_same(&from, &next);) p = next;
    if (lines++ >= SHOWN_NEVER) continue;
    fprintf(out, "  %s", name_at(&from, name));
    if (p.index > from.index) fprintf(out, " to %s", name_at(&p, name));
    if (instance_at(&p)->compared) fprintf(out, ", never compared: %s\n", instance_at(&p)->never);
    else fprintf(out, ": not compared, without a cycle\n");
  }
  if (lines > SHOWN_NEVER) fprintf(out, "  and %u more lines: --json has them all\n", lines - SHOWN_NEVER);
}

/* The sums, what was not compared, and each divergence with its replay. */
static void print_lockstep(const run_report_t *r, FILE *out) {
  char name[NAME];
  fprintf(out, "Lockstep\n");
  print_number(out, "cycles compared", lockstep_cycles(counted_of(r)), "");
  if (lockstep_cycles(counted_of(r))) print_number(out, "divergences", divergences(counted_of(r)), "");
  else fprintf(out, "  not compared: no instance in lockstep had a cycle\n");
  print_not_compared(r, out);
  for (place_t p = first_instance(counted_of(r)); has_instance(&p); p.index++) {
    const system_instance_t *i = instance_at(&p);
    if (!i->diverged) continue;
    fprintf(out, "  %s first differs in its cycle %" PRIu64 ": %s\n", name_at(&p, name), i->first_cycle, i->first);
    if (*i->replay) fprintf(out, "    lockstack replay %s\n", plain_word(i->replay, (char[PLAIN_WORD]){0}));
  }
}

/* The system's file; one of the tree by its path from the tree's root. */
static const char *config_of(const run_report_t *r) {
  const char *path = r->job->system.composition.path, *root = cli_data("");
  const size_t length = strlen(root);
  return strncmp(path, root, length) ? path : path + length + strspn(path + length, "/");
}

void run_report_print(const run_report_t *r, const json_t *root, FILE *out) {
  const workload_t *w = r->job->workload;
  fprintf(out, "%s on %s: %s\n", w->name, r->job->system.composition.name, w->text);
  fprintf(out, "  %-26s %s%s%s, seed %" PRIu64 "\n", "configuration", config_of(r), r->config ? ", " : "",
          r->config ? r->config : "", r->job->system.composition.seed);
  for (unsigned i = 0; w->params[i].name; i++)
    fprintf(out, "  %-26s %16" PRId64 " %s\n", w->params[i].name, r->job->values[i], w->params[i].text);
  print_number(out, "cycles", r->result->stats.cycles, "of the cores' clock");
  if (r->baseline != r->result) {
    print_number(out, r->rival->system.composition.name, r->baseline->stats.cycles,
                 r->rival_known ? "cycles of its rival, known of an earlier run" : "cycles of its rival");
    fprintf(out, "  %-26s %16.3f\n", "speedup", speedup(r));
  }
  run_counts_print(&r->job->system.composition, &r->result->stats, root, out);
  energy_print(out, json_object_get(root, "energy"));
  if (any_rtl(r)) print_lockstep(r, out);
  run_launch_print(root, out);
  fprintf(out, "Simulation                   %16.2f s of CPU, %.0f MiB at most\n", r->result->cpu_seconds,
          (double)r->result->peak_rss_bytes / 1048576);
  if (!r->result->result_ok) fprintf(out, "WRONG RESULT: %s\n", r->result->wrong.text);
  else if (!r->baseline->result_ok) fprintf(out, "WRONG RESULT of the baseline: %s\n", r->baseline->wrong.text);
  else run_launch_held(root, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_uint(uint64_t value) {
  return json_integer((json_int_t)value);
}

/* Each counted instance's name and its engine. */
static json_t *json_engines(counted_t c) {
  char name[NAME];
  json_t *object = json_object();
  for (place_t p = first_instance(c); has_instance(&p); p.index++)
    json_object_set_new(object, name_at(&p, name), json_string(engine_name(engine_at(&p))));
  return object;
}

/* An instance; a divergence has the last cycles of its replay (replay_window.h). */
static json_t *json_instance(const place_t *p) {
  char name[NAME];
  const system_instance_t *i = instance_at(p);
  json_t *entry = json_pack("{s:s, s:I, s:I}", "name", name_at(p, name), "cycles", (json_int_t)i->compared,
                            "divergences", (json_int_t)i->diverged);
  if (engine_at(p) == ENGINE_LOCKSTEP) json_object_set_new(entry, "never_compared", json_string(i->never));
  if (i->diverged) {
    json_t *first_one =
        json_pack("{s:I, s:s, s:s}", "cycle", (json_int_t)i->first_cycle, "what", i->first, "replay", i->replay);
    replay_window(first_one);
    json_object_set_new(entry, "first", first_one);
  }
  return entry;
}

/* All instances, whatever engine they run. */
static json_t *json_lockstep(counted_t c) {
  json_t *list = json_array();
  for (place_t p = first_instance(c); has_instance(&p); p.index++) json_array_append_new(list, json_instance(&p));
  return json_pack("{s:I, s:I, s:o}", "cycles", (json_int_t)lockstep_cycles(c), "divergences",
                   (json_int_t)divergences(c), "instances", list);
}

/* The workload's parameters with the values that ran. */
static json_t *json_params(const run_report_t *r) {
  json_t *object = json_object();
  for (unsigned i = 0; r->job->workload->params[i].name; i++)
    json_object_set_new(object, r->job->workload->params[i].name, json_integer(r->job->values[i]));
  return object;
}

/* A key's value in JSON's own type: number, boolean or text. */
static json_t *json_setting(const config_key_t *key, const void *values) {
  char text[CONFIG_TEXT_SIZE];
  switch (key->type) {
  case CONFIG_UINT: return json_integer((json_int_t)config_value(key, values));
  case CONFIG_REAL: return json_real(config_value(key, values));
  case CONFIG_BOOL: return json_boolean(config_value(key, values) != 0);
  default: config_text(key, values, text, sizeof text); return json_string(text);
  }
}

/* The section of a key is what stands before its dot: "gpu.sms" is sms of the object gpu. */
json_t *run_report_settings(const composition_t *c) {
  json_t *settings = json_object();
  const config_key_t *key;
  const void *values;
  char text[CONFIG_TEXT_SIZE];
  for (unsigned i = 0; (key = composition_key(c, i, &values)); i++) {
    const char *dot = strchr(key->key, '.');
    snprintf(text, sizeof text, "%.*s", (int)(dot - key->key), key->key);
    json_t *section = json_object_get(settings, text);
    if (!section) json_object_set_new(settings, text, section = json_object());
    json_object_set_new(section, dot + 1, json_setting(key, values));
  }
  json_t *domains = json_object();
  for (unsigned d = 0; d < c->domains; d++)
    json_object_set_new(domains, c->domain[d].name,
                        json_real(1000 * (double)c->domain[d].den / (double)c->domain[d].num));
  json_object_set_new(settings, "clocks", domains);
  return settings;
}

bool run_report_machine(json_t *root, const system_options_t *system, const system_stats_t *stats, trouble_t *trouble) {
  const counted_t c = {system, stats};
  json_object_set_new(root, "settings", run_report_settings(&system->composition));
  json_object_set_new(root, "cycles", json_uint(stats->cycles));
  json_object_set_new(root, "time_ns", json_real(stats->time_ns));
  json_object_set_new(root, "engines", json_engines(c));
  json_object_set_new(root, "lockstep", json_lockstep(c));
  json_object_set_new(root, "warp_instructions", json_uint(stats->warp_instructions));
  json_object_set_new(root, "cores", json_integer(stats->cores));
  json_object_set_new(root, "parts", run_counts_parts(&system->composition, stats));
  json_t *energy = run_counts_keys(root, trouble) ? energy_of(root, trouble) : NULL;
  return energy && !json_object_set_new(root, "energy", energy);
}

json_t *run_report_json(const run_report_t *r, trouble_t *trouble) {
  json_t *root = cli_json("run", 1);
  json_object_set_new(root, "system", json_string(r->job->system.composition.name));
  json_object_set_new(root, "machine", json_string(system_machine(&r->job->system.composition)));
  json_object_set_new(root, "rival", r->rival ? json_string(r->rival->system.composition.name) : json_null());
  json_object_set_new(root, "rival_known", json_boolean(r->rival_known));
  json_object_set_new(root, "workload", json_string(r->job->workload->name));
  json_object_set_new(root, "parameters", json_params(r));
  json_object_set_new(root, "config", json_string(r->config ? r->config : config_of(r)));
  json_object_set_new(root, "seed", json_uint(r->job->system.composition.seed));
  json_object_set_new(root, "baseline_cycles", json_uint(r->baseline->stats.cycles));
  json_object_set_new(root, "speedup", json_real(speedup(r)));
  json_object_set_new(root, "result_ok", json_boolean(r->result->result_ok && r->baseline->result_ok));
  json_object_set_new(root, "cpu_seconds", json_real(r->result->cpu_seconds));
  json_object_set_new(root, "peak_rss_bytes", json_uint(r->result->peak_rss_bytes));
  if (run_report_machine(root, &r->job->system, &r->result->stats, trouble)) {
    run_launch_add(root, r->result->facts);
    if (!run_launch_compared(root) && r->result->result_ok && r->baseline->result_ok)
      json_object_set_new(root, "result_ok", json_null());
    return root;
  }
  json_decref(root);
  return NULL;
}
