/* SPDX-License-Identifier: Apache-2.0
 *
 * A system, its module and a runtime, opened and closed as one.
 */
#include "host_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

struct host_machine {
  host_t host;
  runtime_t runtime;
  ptx_module_t *module;
};

/* One setting KEY=VALUE. */
static bool apply_setting(composition_t *c, const char *setting, trouble_t *trouble) {
  char key[128];
  const char *equals = strchr(setting, '=');
  if (!equals || (size_t)(equals - setting) >= sizeof key)
    return trouble_set(trouble, TROUBLE_INPUT, "'%.200s' should be KEY=VALUE", setting);
  snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
  return composition_set(c, key, equals + 1, trouble);
}

/* The file, then the settings in their order, then settled. */
static bool load_composition(const host_machine_config_t *config, composition_t *c, trouble_t *trouble) {
  if (!composition_load(c, config->system, trouble)) return false;
  for (const char *const *s = config->settings; s && *s; s++)
    if (!apply_setting(c, *s, trouble)) return false;
  return composition_settle(c, trouble);
}

/* Reads and loads the PTX. */
static bool read_kernels(host_machine_t *m, const char *path, trouble_t *trouble) {
  ptx_error_t err;
  if (!(m->module = ptx_read(path, &err))) return *trouble = err.trouble, false;
  return !system_load(m->host.system, m->module, trouble);
}

static bool open_system(host_machine_t *m, const host_machine_config_t *c, trouble_t *trouble) {
  static system_options_t options;
  memset(&options, 0, sizeof options);
  options.places = c->places;
  return load_composition(c, &options.composition, trouble) && system_prepare(&options, trouble) &&
         (m->host.system = system_new(&options, trouble));
}

host_machine_t *host_machine_open(const host_machine_config_t *c, trouble_t *trouble) {
  host_machine_t *m = calloc(1, sizeof *m);
  if (!m) return trouble_memory(trouble), NULL;
  if (!open_system(m, c, trouble) || !read_kernels(m, c->ptx, trouble)) {
    host_machine_close(m);
    return NULL;
  }
  m->runtime = host_runtime(&m->host, m->module);
  return m;
}

void host_machine_close(host_machine_t *m) {
  if (!m) return;
  system_free(m->host.system);
  ptx_free(m->module);
  free(m);
}

const runtime_t *host_machine_runtime(const host_machine_t *m) {
  return &m->runtime;
}

const char *host_machine_error(const host_machine_t *m) {
  return m->host.trouble.text;
}

uint64_t host_machine_cycles(const host_machine_t *m) {
  system_stats_t stats;
  system_stats(m->host.system, &stats);
  system_stats_free(&stats);
  return stats.cycles;
}
