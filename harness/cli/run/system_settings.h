/* SPDX-License-Identifier: Apache-2.0
 *
 * --config, --set and --engine of verbs that simulate a system.
 */
#ifndef SYSTEM_SETTINGS_H
#define SYSTEM_SETTINGS_H

#include <argp.h>

#include "system.h"

enum { SYSTEM_KEY = 128, SYSTEM_SETTINGS = 64, SYSTEM_ENGINES = 32 };

typedef struct {
  const char *config, *setting[SYSTEM_SETTINGS], *engine[SYSTEM_ENGINES];
  unsigned settings, engines;
} system_wishes_t;

/* In a verb's argp parser, of -c, -s and -e; another option:
 * ARGP_ERR_UNKNOWN. such_as: a setting that would be right. */
error_t system_wish(int key, char *arg, const struct argp_state *state, const char *such_as, system_wishes_t *wishes);

/* "KEY=VALUE" of --set; 0, or the exit code with the line
 * printed. known: what the system has no key for is left out. */
int system_setting(const char *setting, composition_t *composition, bool known);
int system_setting_key(const char *setting, char key[SYSTEM_KEY], const char **value);

/* Of --engine, any number. */
int system_engines(const char *const *engine, unsigned engines, system_options_t *system);

/* The system's own file, then --config, then --set; its
 * engines; prepared. system->places is set already. */
int system_wished(const char *name, const system_wishes_t *wishes, system_options_t *system);

#endif
