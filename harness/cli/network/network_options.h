/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `lockstack network`: what is asked for, before the topology is known. `sweep
 * network` takes the same options.
 */
#ifndef NETWORK_OPTIONS_H
#define NETWORK_OPTIONS_H

#include "cli.h"
#include "closed_load.h"
#include "network_run.h"

enum { NETWORK_SETS = 64, NETWORK_MAX_ENGINES = 64, NETWORK_MAX_RATES = 256 };

/* Rates are in flits per terminal and cycle, or in per cent (see `percent`); cycles are the
 * network's. */
typedef struct network_options {
  const char *topology, *rtl, *folder, *critical; /* folder: --out, NULL: no pictures; critical: NULL: not given */
  traffic_config_t traffic;                       /* but its rate */
  router_params_t params;                         /* before a policy is applied */
  network_policy_t policy[NUM_POLICIES];
  unsigned policies;
  double rate[NETWORK_MAX_RATES];
  unsigned rates;
  bool percent;                             /* rates are % of base's saturation */
  bool sweep;                               /* more than one rate was asked for */
  bool compare, single, hotspot, warm, vcs; /* given; single: --policy */
  bool dry;                                 /* nothing runs */
  const char *engine[NETWORK_MAX_ENGINES];
  unsigned engines;
  uint64_t cycles, warmup;
  double precision;
  bool closed;                   /* the rest is for this alone */
  const char *only_open;         /* an option that was given and means nothing then; NULL: none */
  const char *only_closed;       /* the other way round */
  unsigned given;                /* a bit for each entry of closed_default that the user set */
  const char *set[NETWORK_SETS]; /* names that --set has */
  unsigned sets;
  closed_config_t load;
  unsigned subnets, seeds;
} network_options_t;

/* The parser; its input is a network_options_t that begins with the defaults. */
extern const struct argp network_argp;

/* What holds without any option: an 8x8 mesh at 0.1 flits per terminal and cycle, policy base. */
network_options_t network_options_default(void);

/* What routes ask of the options: without --vcs, at least as many VCs as datelines need. */
void network_options_fit(network_options_t *options, const routes_t *routes);
/* The router's parameters under a policy, with the ports and destinations of this topology. */
router_params_t network_options_params(const network_options_t *options, network_policy_t policy,
                                       const topology_t *topology);

#endif
