/* SPDX-License-Identifier: Apache-2.0
 *
 * The network between cores, at 2 GHz: one mesh of routers, a router per core (MPU paper, IV-A,
 * Table II), or any topology with a terminal per core.
 *
 * Processors stand in a rectangle of cubes_x by cubes_y, and the routers at the edge of one are
 * connected to their neighbours in the next: so the whole is a mesh of cubes_x * cores_x by cubes_y
 * * cores_y with dimension-order routing, whose links between processors have a longer latency.
 *   (The paper shows a 2D mesh on the chip and links between chips without saying how they are
 *   connected: ours.)
 *
 * In another topology core i is at terminal i, and a link's latency is that of a link on the chip,
 * times its own, where both ends are at cores of one processor, else that of a link between
 * processors.
 *
 * Packets of one class between the same two cores stay in order: their VC follows from the two, and
 * routers keep it. A core that does not pop its requests holds back only requests: answers have VCs
 * of their own from end to end. In a cycle of the cores, pushes and pops come before mpu_net_tick,
 * in any order.
 */
#ifndef MPU_NET_H
#define MPU_NET_H

#include "fabric.h"
#include "mpu_config.h"
#include "mpu_packet.h"
#include "trouble.h"

typedef struct mpu_net mpu_net_t;

extern const config_key_t mpu_net_keys[]; /* of mpu_net_config_t */
/* also of its topology */
bool mpu_net_check(const mpu_config_t *config, trouble_t *trouble);
unsigned mpu_net_routers(const mpu_config_t *config); /* 0: not a topology */

/* engine: of each router; of the mesh by place in it (x + y * width). NULL: trouble says why. */
mpu_net_t *mpu_net_new(const mpu_config_t *config, const block_engine_t *const *engine, trouble_t *trouble);
void mpu_net_free(mpu_net_t *net);

router_params_t mpu_net_router_params(const mpu_config_t *config);
unsigned mpu_net_terminal(const mpu_config_t *config, unsigned core); /* of a core */

bool mpu_net_can_push(const mpu_net_t *net, unsigned core, unsigned cls);
void mpu_net_push(mpu_net_t *net, unsigned core, unsigned cls, const mpu_packet_t *packet);
/* oldest that has come, NULL: none */
const mpu_packet_t *mpu_net_front(const mpu_net_t *net, unsigned core, unsigned cls);
void mpu_net_pop(mpu_net_t *net, unsigned core, unsigned cls);

void mpu_net_tick(mpu_net_t *net, uint64_t cycle); /* of 2 GHz; cycles in which mpu_net_idle may be left out */
bool mpu_net_idle(const mpu_net_t *net);
const fabric_t *mpu_net_fabric(const mpu_net_t *net);
/* adds those that crossed links on chips, between processors */
void mpu_net_link_flits(const mpu_net_t *net, uint64_t flits[2]);

/* Cores 64 * word to 64 * word + 63 for which a packet is there, one bit each. */
uint64_t mpu_net_arrived(const mpu_net_t *net, unsigned word);
/* Packets that wait to enter or to be taken, then the fabric's waits; as snprintf. */
size_t mpu_net_describe_waits(const mpu_net_t *net, char *text, size_t size);

#endif
