// SPDX-License-Identifier: Apache-2.0
//
// What all systems have in common: time goes on in chunks, and between two of them come the rules, Ctrl-C, progress and the watchdog.

#include <systemc>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simulated_system.h"

namespace {

constexpr uint64_t kChunkNs = 2000;

int deadlock(const system_t *s, char error[SYSTEM_ERROR]) {
  const int n = std::snprintf(error, SYSTEM_ERROR, "deadlock: nothing has moved for %llu us; waiting:\n",
                              static_cast<unsigned long long>(s->options.config.watchdog_us));
  s->describe_waits(error + n, SYSTEM_ERROR - static_cast<size_t>(n));
  return 1;
}

}  // namespace

// libsystemc's own main would call this; ours is in the command.
int sc_main(int, char **) { return 0; }

const system_kind_t *system_find(const char *name) {
  for (const system_kind_t *const *k = systems; *k; k++)
    if (!std::strcmp((*k)->name, name)) return *k;
  return nullptr;
}

unsigned system_instances(const system_options_t *o, unsigned family) {
  const system_family_t *f = &o->kind->family[family];
  return f->block ? f->count(&o->config) : 0;
}

namespace {

// What computes a family's instances. text: its parameters go there.
outcome_t engines_of(const system_options_t &o, unsigned family, engines_config_t *config, char text[SYSTEM_ENGINE_TEXT], char error[SYSTEM_ERROR]) {
  *config = {};
  config->places = &o.places;
  config->rtl = o.rtl[family];
  config->engine = o.engine[family];
  config->count = system_instances(&o, family);
  return o.kind->family[family].engines(&o.config, config, text, error, SYSTEM_ERROR);
}

int open_engines(system_t *s, char error[SYSTEM_ERROR]) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    char text[SYSTEM_ENGINE_TEXT];
    engines_config_t config;
    outcome_t outcome = engines_of(s->options, f, &config, text, error);
    if (outcome == OUTCOME_PASS) outcome = engines_open(&s->engines[f], &config, error, SYSTEM_ERROR);
    if (outcome != OUTCOME_PASS) return system_status(outcome);
    s->replay[f].resize(config.count);
  }
  return 0;
}

void instance_stats(const system_t *s, unsigned family, unsigned k, system_instance_t *i) {
  engines_report_t report;
  engines_report(s->engines[family], k, &report);
  i->compared = report.compared;
  i->diverged = report.diverged;
  i->first_cycle = report.first_cycle;
  std::snprintf(i->first, sizeof i->first, "%s", report.first);
  std::snprintf(i->replay, sizeof i->replay, "%s", s->replay[family][k].c_str());
}

}  // namespace

int system_prepare(const system_options_t *options, char error[SYSTEM_ERROR]) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    char text[SYSTEM_ENGINE_TEXT];
    engines_config_t config;
    outcome_t outcome = engines_of(*options, f, &config, text, error);
    if (outcome == OUTCOME_PASS) outcome = engines_build(&config, error, SYSTEM_ERROR);
    if (outcome != OUTCOME_PASS) return system_status(outcome);
  }
  return 0;
}

system_t *system_new(const system_options_t *options, int *status, char error[SYSTEM_ERROR]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);  // one "picosecond" is one tick
  system_t *s = options->kind->allocate(options);
  *status = open_engines(s, error);
  if (!*status) *status = s->make(error);
  if (!*status) return s;
  delete s;
  return nullptr;
}

void system_free(system_t *s) { delete s; }

int system_load(system_t *s, const ptx_module_t *module, gpu_error_t *err) { return s->load(module, err); }
uint64_t system_malloc(system_t *s, uint64_t bytes, gpu_error_t *err) { return s->malloc(bytes, err); }
int system_release(system_t *s, uint64_t addr, gpu_error_t *err) { return s->release(addr, err); }
int system_copy_in(system_t *s, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) { return s->copy_in(addr, data, bytes, err); }
int system_copy_out(system_t *s, void *data, uint64_t addr, size_t bytes, gpu_error_t *err) { return s->copy_out(data, addr, bytes, err); }
int system_launch(system_t *s, const rt_launch_t *launch, gpu_error_t *err) { return s->launch(launch, err); }

const char *system_capture(system_t *s, const capture_t *capture) {
  const char *failed = nullptr;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    for (unsigned k = 0; k < engines_count(s->engines[f]); k++) {
      char path[SYSTEM_TEXT];
      engines_report_t report;
      engines_report(s->engines[f], k, &report);
      if (!report.diverged) continue;
      if (const char *why = engines_capture(s->engines[f], k, capture, path, sizeof path)) failed = why;
      else s->replay[f][k] = path;
    }
  return failed;
}

void system_stats(system_t *s, system_stats_t *stats) {
  std::memset(stats, 0, sizeof *stats);
  s->stats(stats);
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++)
    for (unsigned k = 0; k < engines_count(s->engines[f]); k++) instance_stats(s, f, k, &stats->instance[f][k]);
}

int system_run(system_t *s, char error[SYSTEM_ERROR]) {
  const auto now = [] { return sc_core::sc_time_stamp().value(); };
  const uint64_t patience = s->options.config.watchdog_us * 1000 * s->ticks_per_ns;
  uint64_t last = s->activity(), since = now();
  while (s->running()) {
    sc_core::sc_start(sc_core::sc_time::from_value(kChunkNs * s->ticks_per_ns));
    if (int status = s->check_rules(error)) return status;
    if (s->options.interrupted && *s->options.interrupted) return system_fail(error, 3, "interrupted");
    if (s->options.progress) s->options.progress(s->options.progress_ctx, s->progress());
    const uint64_t moved = s->activity();
    if (moved != last) last = moved, since = now();
    else if (now() - since >= patience) return deadlock(s, error);
  }
  for (engines_t *e : s->engines) engines_settle(e);
  return s->check_rules(error);
}
