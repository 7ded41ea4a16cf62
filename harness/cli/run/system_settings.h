/* SPDX-License-Identifier: Apache-2.0
 *
 * --config, --set and --engine of verbs that simulate a system. Verbs without a workload take their
 * table of options from system_wishes.def.
 */
#ifndef SYSTEM_SETTINGS_H
#define SYSTEM_SETTINGS_H

#include <argp.h>

#include "system.h"

enum { SYSTEM_KEY = 128, SYSTEM_SETTINGS = 64, SYSTEM_ENGINES = 32 };

/* What the user asked for, in the order of the command line. The strings are those of argv. */
typedef struct {
  const char *config, *setting[SYSTEM_SETTINGS], *engine[SYSTEM_ENGINES];
  unsigned settings, engines;
  bool check_uninitialised;
} system_wishes_t;

/* Key of --check-uninitialised in a verb's table; other keys without a letter are below. */
enum { SYSTEM_CHECK_UNINITIALISED = 500 };
#define SYSTEM_CHECK_HELP                                                                                            \
  "A read of shared memory that no thread of its block has written is a fault: file, line, kernel, thread, address " \
  "(the same as --set system.check_uninitialised=true)"

/* For a verb's argp parser: takes -c, -s and -e; another key is ARGP_ERR_UNKNOWN. such_as: an
 * example of a setting, for the line that refuses one. */
error_t system_wish(int key, char *arg, const struct argp_state *state, const char *such_as, system_wishes_t *wishes);

/* Applies "KEY=VALUE" of --set. known: a key that the system does not have is left out. 0, or the
 * exit code after a line. system_setting_key only splits: *value points into `setting`. */
int system_setting(const char *setting, composition_t *composition, bool known);
int system_setting_key(const char *setting, char key[SYSTEM_KEY], const char **value);

/* Applies any number of --engine. 0, or the exit code after a line. */
int system_engines(const char *const *engine, unsigned engines, system_options_t *system);

/* Makes a system ready to simulate: its own file, then --config, then --set; its engines; prepared.
 * system->places is set before. 0, or the exit code after a line. */
int system_wished(const char *name, const system_wishes_t *wishes, system_options_t *system);

#endif
