/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that all verbs with a system share, from the command line to a prepared system.
 */
#include "system_settings.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "system_argument.h"

error_t system_wish(int key, char *arg, const struct argp_state *state, const char *such_as, system_wishes_t *w) {
  switch (key) {
  case 'c': w->config = arg; return 0;
  case 's':
    if (!strchr(arg, '=')) return cli_usage(state, "--set: '%s' should be KEY=VALUE, such as %s", arg, such_as);
    if (w->settings == SYSTEM_SETTINGS)
      return cli_usage(state, "--set: more than %d; put them into a --config FILE", SYSTEM_SETTINGS);
    for (unsigned i = 0; i < w->settings; i++) /* the same twice, as in commands of docs/figures, says one thing */
      if (strcmp(w->setting[i], arg) && cli_set_once(state, arg, w->setting + i, 1)) return EINVAL;
    w->setting[w->settings++] = arg;
    return 0;
  case SYSTEM_CHECK_UNINITIALISED: w->check_uninitialised = true; return 0;
  case 'e':
    if (w->engines == SYSTEM_ENGINES) return cli_usage(state, "--engine: given more than %d times", SYSTEM_ENGINES);
    w->engine[w->engines++] = arg;
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

int system_setting_key(const char *setting, char key[SYSTEM_KEY], const char **value) {
  const size_t length = strcspn(setting, "=");
  if (length >= SYSTEM_KEY) return cli_error(EXIT_BAD, "--set: no key is as long as '%s'", setting);
  snprintf(key, SYSTEM_KEY, "%.*s", (int)length, setting);
  *value = setting + length + 1;
  return 0;
}

int system_setting(const char *setting, composition_t *c, bool known) {
  char key[SYSTEM_KEY];
  trouble_t trouble = {0};
  const char *value = NULL;
  const int code = system_setting_key(setting, key, &value);
  if (code || (known && !composition_knows(c, key))) return code;
  return composition_set(c, key, value, &trouble) ? 0 : cli_error((cli_exit_t)trouble.kind, "--set: %s", trouble.text);
}

int system_engines(const char *const *engine, unsigned engines, system_options_t *system) {
  trouble_t trouble = {0};
  for (unsigned i = 0; i < engines; i++)
    if (!system_set_engine(system, engine[i], &trouble))
      return cli_error((cli_exit_t)trouble.kind, "--engine: %s", trouble.text);
  return 0;
}

int system_wished(const char *name, const system_wishes_t *w, system_options_t *system) {
  trouble_t trouble = {0};
  composition_t *c = &system->composition;
  int code = system_argument(name, c);
  if (code) return code;
  if (w->config && !composition_values_of(c, w->config, false, &trouble)) return cli_trouble(&trouble);
  for (unsigned i = 0; i < w->settings && !code; i++) code = system_setting(w->setting[i], c, false);
  if (code) return code;
  if (w->check_uninitialised) c->check_uninitialised = true;
  if (!composition_settle(c, &trouble)) return cli_trouble(&trouble);
  if (!system_make_engines(system)) return cli_error(EXIT_ENV, "out of memory");
  if ((code = system_engines(w->engine, w->engines, system))) return code;
  return system_prepare(system, &trouble) ? 0 : cli_trouble(&trouble);
}
