/* SPDX-License-Identifier: Apache-2.0
 *
 * The network part: its port and clocks, the rows of its tables `links` and `pairs`.
 */
#ifndef PART_NETWORK_H
#define PART_NETWORK_H

#include "composition.h"

enum { PART_NETWORK_TERMINAL };                 /* its port */
enum { PART_NETWORK_LINK, PART_NETWORK_CLOCK }; /* its clocks */

typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "part_network_links.def"
} part_network_link_t;

typedef struct {
#define COUNTER(name, ...) uint64_t name;
#include "part_network_pairs.def"
} part_network_pair_t;

/* SMs reach memory over this network: SMs, or a GPU's network interfaces, are at its terminals. */
bool part_network_has_sms(const composition_t *composition, unsigned part);
/* How many network interfaces of a GPU are at its terminals. */
unsigned part_network_gpu_ports(const composition_t *composition, unsigned part);

#endif
