/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's link to host memory (PCIe). While the placement of data is learnt, lines are in host
 * memory, and L2 slices reach them over this link (TOM paper, section 4.3: "the GPU accesses the
 * memory through the GPU-to-CPU link").
 *
 * Packets have the format of the links to stacks. They cross one after the other each way, at
 * host.bytes a cycle. An answer arrives at least host.latency cycles after its request has left.
 * Requests are executed in the order in which they leave.
 */
#ifndef HOST_LINK_H
#define HOST_LINK_H

#include "gpu_shared.h"

struct l2;
typedef struct host_link host_link_t;

/* slices: [config->num_stacks]; NULL: out of host memory. The caller frees with host_link_free. */
host_link_t *host_link_new(const gpu_shared_t *sh, struct l2 *slices);
void host_link_free(host_link_t *link);

/* Once a core cycle, while L2 slices may have requests for the host. */
void host_link_tick(host_link_t *link, uint64_t now);

#endif
