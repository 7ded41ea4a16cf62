/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's link to the host's memory (PCIe), for lines that are still there: what L2 slices ask
 * for while it is learnt where data should be (TOM paper, section 4.3: "the GPU accesses the memory
 * through the GPU-to-CPU link").
 *
 * Packets as on the links to stacks, each way one after the other at so many bytes a cycle; an
 * answer is there so many cycles after its request has gone out at the earliest. Requests are done
 * in the order in which they go out.
 */
#ifndef HOST_LINK_H
#define HOST_LINK_H

#include "gpu_shared.h"

struct l2;
typedef struct host_link host_link_t;

/* slices: [config->num_stacks]. NULL: out of host memory. */
host_link_t *host_link_new(const gpu_shared_t *sh, struct l2 *slices);
void host_link_free(host_link_t *link);

/* once a cycle of the SMs, while L2 slices may have requests for it */
void host_link_tick(host_link_t *link, uint64_t now);

#endif
