/* SPDX-License-Identifier: Apache-2.0
 *
 * The network between cores, at 2 GHz: one mesh with a router for each core (MPU paper, IV-A,
 * Table II), or any topology with a terminal for each core.
 *
 *    processor 0        processor 1           cubes_x by cubes_y processors, each with
 *    r--r--r--r ====== r--r--r--r ====        cores_x by cores_y routers
 *    |  |  |  |        |  |  |  |
 *    r--r--r--r ====== r--r--r--r ====        --  links on the chip: mesh_latency
 *    |  |  |  |        |  |  |  |             ==  links between processors: cube_latency and
 *                                                 cube_interval
 *
 * The whole is one mesh with dimension-order routing: routers at the edge of a processor are
 * connected to their neighbours in the next. (Ours: the paper shows a 2D mesh on the chip and
 * links between chips, and does not say how they are connected.)
 *
 * In another topology core i is at terminal i. A link's latency is multiplied by mesh_latency
 * where both ends are at cores of one processor, else by cube_latency.
 *
 * Packets of one class between the same two cores stay in order: the two determine the VC, and
 * routers keep it. A core that does not pop its requests holds back only requests, as answers
 * have VCs of their own from end to end. In a cycle of the cores, pushes and pops come before
 * mpu_net_tick, in any order.
 */
#ifndef MPU_NET_H
#define MPU_NET_H

#include "fabric.h"
#include "mpu_config.h"
#include "mpu_packet.h"
#include "trouble.h"

typedef struct mpu_net mpu_net_t;

extern const config_key_t mpu_net_keys[]; /* of mpu_net_config_t */
/* Ranges, the topology, its routes and routers. False: bad input, trouble says what. */
bool mpu_net_check(const mpu_config_t *config, trouble_t *trouble);
unsigned mpu_net_routers(const mpu_config_t *config); /* how many; 0: not a topology */

/* engine: what computes each router; in the mesh by place, x + y * width. NULL: trouble says
 * why. */
mpu_net_t *mpu_net_new(const mpu_config_t *config, const block_engine_t *const *engine, trouble_t *trouble);
void mpu_net_free(mpu_net_t *net);

/* What the routers are built with: meshes of any size share one table for MPU_MAX_CORES. */
router_params_t mpu_net_router_params(const mpu_config_t *config);
unsigned mpu_net_terminal(const mpu_config_t *config, unsigned core); /* at which the core is */

/* By core and class. push needs can_push; the packet's dest says where it goes, and it is
 * copied. */
bool mpu_net_can_push(const mpu_net_t *net, unsigned core, unsigned cls);
void mpu_net_push(mpu_net_t *net, unsigned core, unsigned cls, const mpu_packet_t *packet);
/* The oldest packet that has arrived at a core, NULL: none; good until mpu_net_pop, which needs
 * one. */
const mpu_packet_t *mpu_net_front(const mpu_net_t *net, unsigned core, unsigned cls);
void mpu_net_pop(mpu_net_t *net, unsigned core, unsigned cls);

void mpu_net_tick(mpu_net_t *net, uint64_t cycle); /* of 2 GHz; may be left out while mpu_net_idle */
bool mpu_net_idle(const mpu_net_t *net);
const fabric_t *mpu_net_fabric(const mpu_net_t *net);
/* Adds the flits that crossed links: to [0] on chips, to [1] between processors. */
void mpu_net_link_flits(const mpu_net_t *net, uint64_t flits[2]);

/* Cores for which a packet is there: bit i is core 64 * word + i. */
uint64_t mpu_net_arrived(const mpu_net_t *net, unsigned word);
/* Packets that wait to enter the network or to be taken from it, then the fabric's waits; as
 * snprintf. */
size_t mpu_net_describe_waits(const mpu_net_t *net, char *text, size_t size);

#endif
