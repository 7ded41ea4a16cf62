/* SPDX-License-Identifier: Apache-2.0
 *
 * What computes the instances of a system's families, for system.c.
 */
#ifndef SYSTEM_ENGINES_H
#define SYSTEM_ENGINES_H

#include "part.h"
#include "system.h"

/* The kind's description of a family. */
const part_family_t *system_engines_family(const system_options_t *options, const system_family_t *family);

/* The configuration of family f's engines, to be opened or discarded (engines.h). gates, kept by
 * address, is filled in and used if the counted gates are of this family. */
bool system_engines_of(const system_options_t *options, unsigned f, const system_family_t *family,
                       engines_gates_t *gates, engines_config_t *config, trouble_t *trouble);

#endif
