/* SPDX-License-Identifier: Apache-2.0 */
#include "host_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

_Static_assert((int)HOST_MACHINE_ERROR == (int)SYSTEM_ERROR, "one size of error texts");

struct host_machine {
  host_t host;
  runtime_t runtime;
  ptx_module_t *module;
};

static const char *apply(composition_t *c, const char *setting, char error[CONFIG_ERROR_SIZE]) {
  char key[128];
  const char *equals = strchr(setting, '=');
  if (!equals || (size_t)(equals - setting) >= sizeof key) {
    snprintf(error, CONFIG_ERROR_SIZE, "'%.200s' should be KEY=VALUE", setting);
    return error;
  }
  snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
  return composition_set(c, key, equals + 1, error);
}

static const char *configure(const host_machine_config_t *config, composition_t *c, char error[CONFIG_ERROR_SIZE]) {
  if (composition_load(c, config->system, error)) return error;
  for (const char *const *s = config->settings; s && *s; s++)
    if (apply(c, *s, error)) return error;
  return composition_settle(c, error);
}

static int read_kernels(host_machine_t *m, const char *path, char error[SYSTEM_ERROR]) {
  ptx_error_t err;
  trouble_t refused = {0};
  if (!(m->module = ptx_read(path, &err))) {
    snprintf(error, SYSTEM_ERROR, "%s", err.text);
    return err.status;
  }
  if (!system_load(m->host.system, m->module, &refused)) return 0;
  snprintf(error, SYSTEM_ERROR, "%s", refused.text);
  return refused.kind;
}

static int open_system(host_machine_t *m, const host_machine_config_t *c, char error[SYSTEM_ERROR]) {
  static system_options_t options;
  char wrong[CONFIG_ERROR_SIZE];
  int status = 0;
  memset(&options, 0, sizeof options);
  options.places = c->places;
  if (configure(c, &options.composition, wrong)) {
    snprintf(error, SYSTEM_ERROR, "%s", wrong);
    return 2;
  }
  if ((status = system_prepare(&options, error))) return status;
  m->host.system = system_new(&options, &status, error);
  return status;
}

host_machine_t *host_machine_open(const host_machine_config_t *c, int *status, char error[SYSTEM_ERROR]) {
  host_machine_t *m = calloc(1, sizeof *m);
  *status = 3;
  snprintf(error, SYSTEM_ERROR, "out of memory");
  if (!m) return NULL;
  *status = open_system(m, c, error);
  if (!*status) *status = read_kernels(m, c->ptx, error);
  if (*status) {
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
  return m->host.error;
}

uint64_t host_machine_cycles(const host_machine_t *m) {
  system_stats_t stats;
  system_stats(m->host.system, &stats);
  system_stats_free(&stats);
  return stats.cycles;
}
