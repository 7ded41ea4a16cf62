/* SPDX-License-Identifier: Apache-2.0
 *
 * The router's parameters as numbers: a field for each PARAM of rtl/router/router.ports, same
 * name.
 */
#ifndef ROUTER_PARAMS_H
#define ROUTER_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "trouble.h"

typedef struct router_params {
#define PARAM(name, value, least, most, text) long name;
#include "gen/ports_begin.h"
#include "router.ports"
#include "gen/ports_end.h"
} router_params_t;

router_params_t router_params_default(void);
/* Ranges, and the combinations that rtl/router/README.md refuses. False: bad input. */
bool router_params_check(const router_params_t *p, trouble_t *trouble);
/* "Ports=7,NumVCs=4": the parameters that differ from the port file, as `check --set` takes
 * them. */
void router_params_text(const router_params_t *p, char *text, size_t size);
/* Sets a parameter by name. False: there is none. */
bool router_params_set(router_params_t *p, const char *name, long value);

/* VCs of a port, with priority buffers; class and flits of one of them. */
unsigned router_vcs(const router_params_t *p);
unsigned router_vc_class(const router_params_t *p, unsigned vc);
unsigned router_vc_depth(const router_params_t *p, unsigned vc);

#endif
