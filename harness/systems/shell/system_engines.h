/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the instances of a system's families, for system.c.
 */
#ifndef SYSTEM_ENGINES_H
#define SYSTEM_ENGINES_H

#include "part.h"
#include "system.h"

const part_family_t *system_engines_family(const system_options_t *options, const system_family_t *family);

/* Of family f; gates: those that count, filled in where they are of this
 * family, and kept by address. To be opened or discarded (engines.h). */
bool system_engines_of(const system_options_t *options, unsigned f, const system_family_t *family,
                       engines_gates_t *gates, engines_config_t *config, trouble_t *trouble);

#endif
