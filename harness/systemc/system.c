/* SPDX-License-Identifier: Apache-2.0
 *
 * What all systems have in common: engines, and time that goes on in chunks, between two of which come the rules, Ctrl-C, progress and the
 * watchdog.
 */
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell.h"
#include "simulated_system.h"

enum { CHUNK_NS = 2000 };

const system_kind_t *system_find(const char *name) {
  for (const system_kind_t *const *k = systems; *k; k++)
    if (!strcmp((*k)->name, name)) return *k;
  return NULL;
}

unsigned system_instances(const system_options_t *o, unsigned family) {
  const system_family_t *f = &o->kind->family[family];
  return f->block ? f->count(&o->config) : 0;
}

/* ---- engines ---- */

bool system_make_engines(system_options_t *o) {
  bool good = true;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    o->engine[f] = calloc(system_instances(o, f) + 1, sizeof *o->engine[f]); /* 0 is ENGINE_MODEL */
    good &= o->engine[f] != NULL;
  }
  return good;
}

void system_free_engines(system_options_t *o) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    free(o->engine[f]);
    o->engine[f] = NULL;
  }
}

static int status_of(outcome_t outcome) {
  return outcome == OUTCOME_PASS ? 0 : outcome == OUTCOME_BAD_INPUT ? 2 : 3;
}

/* What computes a family's instances. */
static outcome_t engines_of(const system_options_t *o, unsigned family, engines_config_t *config, char error[SYSTEM_ERROR]) {
  *config = (engines_config_t){.places = &o->places, .rtl = o->rtl[family], .engine = o->engine[family], .count = system_instances(o, family)};
  return o->kind->family[family].engines(&o->config, config, error, SYSTEM_ERROR);
}

int system_prepare(const system_options_t *options, char error[SYSTEM_ERROR]) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    engines_config_t config;
    outcome_t outcome = engines_of(options, f, &config, error);
    if (outcome == OUTCOME_PASS) outcome = engines_build(&config, error, SYSTEM_ERROR);
    if (outcome != OUTCOME_PASS) return status_of(outcome);
  }
  return 0;
}

static int open_engines(system_t *s, char error[SYSTEM_ERROR]) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    engines_config_t config;
    outcome_t outcome = engines_of(&s->options, f, &config, error);
    if (outcome == OUTCOME_PASS) outcome = engines_open(&s->engines[f], &config, error, SYSTEM_ERROR);
    if (outcome != OUTCOME_PASS) return status_of(outcome);
    if (!(s->replay[f] = calloc(config.count + 1, sizeof *s->replay[f]))) return system_fail(error, 3, "out of memory");
  }
  return 0;
}

/* ---- from the first to the last ---- */

system_t *system_new(const system_options_t *options, int *status, char error[SYSTEM_ERROR]) {
  system_t *s = calloc(1, options->kind->ops->size);
  *status = 3;
  if (!s) {
    system_fail(error, 3, "out of memory");
    return NULL;
  }
  s->ops = options->kind->ops;
  s->options = *options;
  *status = open_engines(s, error);
  if (!*status) *status = s->ops->make(s, error);
  if (!*status) {
    shell_elaborate(options->reversed);
    return s;
  }
  system_free(s);
  return NULL;
}

void system_free(system_t *s) {
  if (!s) return;
  s->ops->destroy(s);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    engines_close(s->engines[f]);
    free(s->replay[f]);
  }
  free(s);
}

int system_load(system_t *s, const ptx_module_t *module, gpu_error_t *err) {
  return s->ops->load(s, module, err);
}

uint64_t system_malloc(system_t *s, uint64_t bytes, gpu_error_t *err) {
  return s->ops->malloc(s, bytes, err);
}

int system_release(system_t *s, uint64_t addr, gpu_error_t *err) {
  return s->ops->release(s, addr, err);
}

int system_copy_in(system_t *s, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) {
  return s->ops->copy_in(s, addr, data, bytes, err);
}

int system_copy_out(system_t *s, void *data, uint64_t addr, size_t bytes, gpu_error_t *err) {
  return s->ops->copy_out(s, data, addr, bytes, err);
}

int system_launch(system_t *s, const rt_launch_t *launch, gpu_error_t *err) {
  return s->ops->launch(s, launch, err);
}

/* ---- running ---- */

static int deadlock(const system_t *s, char error[SYSTEM_ERROR]) {
  const int n = snprintf(error, SYSTEM_ERROR, "deadlock: nothing has moved for %llu us; waiting:\n",
                         (unsigned long long)s->options.config.watchdog_us);
  s->ops->describe_waits(s, error + n, SYSTEM_ERROR - (size_t)n);
  return 1;
}

int system_run(system_t *s, char error[SYSTEM_ERROR]) {
  const system_options_t *o = &s->options;
  const uint64_t patience = o->config.watchdog_us * 1000 * s->ticks_per_ns;
  uint64_t last = s->ops->activity(s), since = shell_now;
  int status;
  while (s->ops->running(s)) {
    shell_run(CHUNK_NS * s->ticks_per_ns);
    if ((status = s->ops->check_rules(s, error))) return status;
    if (o->interrupted && *o->interrupted) return system_fail(error, 3, "interrupted");
    if (o->progress) o->progress(o->progress_ctx, s->ops->progress(s));
    const uint64_t moved = s->ops->activity(s);
    if (moved != last) last = moved, since = shell_now;
    else if (shell_now - since >= patience) return deadlock(s, error);
  }
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) engines_settle(s->engines[f]);
  return s->ops->check_rules(s, error);
}

/* ---- what came of it ---- */

const char *system_capture(system_t *s, const capture_t *capture) {
  const char *failed = NULL, *why;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    for (unsigned k = 0; k < engines_count(s->engines[f]); k++) {
      engines_report_t report;
      engines_report(s->engines[f], k, &report);
      if (!report.diverged || !(why = engines_capture(s->engines[f], k, capture, s->replay[f][k], sizeof s->replay[f][k]))) continue;
      s->replay[f][k][0] = 0;
      failed = why;
    }
  return failed;
}

static void instance_stats(const system_t *s, unsigned family, unsigned k, system_instance_t *i) {
  engines_report_t report;
  engines_report(s->engines[family], k, &report);
  i->compared = report.compared;
  i->diverged = report.diverged;
  i->first_cycle = report.first_cycle;
  snprintf(i->first, sizeof i->first, "%s", report.first);
  snprintf(i->replay, sizeof i->replay, "%s", s->replay[family][k]);
}

bool system_stats(system_t *s, system_stats_t *stats) {
  memset(stats, 0, sizeof *stats);
  s->ops->stats(s, stats);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    const unsigned count = engines_count(s->engines[f]);
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
}
