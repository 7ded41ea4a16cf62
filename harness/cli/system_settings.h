/* SPDX-License-Identifier: Apache-2.0
 *
 * --set and --engine of verbs that simulate a system.
 */
#ifndef SYSTEM_SETTINGS_H
#define SYSTEM_SETTINGS_H

#include "system.h"

enum { SYSTEM_KEY = 128 };

/* "KEY=VALUE" of --set; 0, or the exit code with the line printed. known: what the system has no key for is left out. */
int system_setting(const char *setting, composition_t *composition, bool known);
int system_setting_key(const char *setting, char key[SYSTEM_KEY], const char **value);

/* Of --engine, any number. */
int system_engines(const char *const *engine, unsigned engines, system_options_t *system);

#endif
