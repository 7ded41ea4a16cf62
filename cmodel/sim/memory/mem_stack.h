/* SPDX-License-Identifier: Apache-2.0
 *
 * The logic layer of one memory stack: 16 vaults and the switch between them, the GPU link, the
 * memory network, and any number of units: near-data parts such as an NSU. (Not `stack_t`: POSIX
 * has that name.)
 *
 *    GPU link ----.                                .--> vault 0..15 (vault.h)
 *    unit 0.. ----+-> sources -> switch -> outputs +        |
 *    network -----'      ^    one packet an        '--> GPU link, units, network
 *                        |    output and tick               |
 *                        '---- lists of responses <---------'
 *
 * A packet goes by dst: another stack -> network. PKT_GPU -> this stack's GPU link, or the
 * network where the GPU has places of it. This stack -> by type:
 *   CMD, WTA, RDF_RESP, READ_RESP, WRITE_ACK, IFILL, CFILL, PACKET_OWN
 *                                       to the unit dst_unit, over its own bridge
 *   READ, RDF, WRITE, IFETCH, CFETCH    to the vault of hdr.addr, which must be in this stack
 *
 * When a vault's DRAM access has ended, data are read or written, and the request becomes its
 * response:
 *   READ    -> READ_RESP to src, 128 bytes in data[0], tag kept
 *   RDF     -> RDF_RESP to hdr.target, target_unit: data[0][i] = hdr.size bytes at addr + offset
 *              of thread i, zero-extended, for threads in mask; others zero. id, masks, size kept
 *   WRITE   -> each thread's bytes, ascending, so the highest thread wins; WRITE_ACK to src, slot
 *              and id kept; if src is an NSU, unless it is quiet, also INVAL to the GPU (id, addr,
 *              mask kept; src = this stack)
 *   IFETCH  -> IFILL, CFETCH -> CFILL to src: 128 bytes in data[0]
 *
 * src_unit is set when a packet leaves its unit's bridge; answers go back there. Each output
 * takes its sources in turn. A packet is one vault request: one 64-byte burst for each half of
 * the line that it touches (whole lines: two). A vault takes a request only while there is room
 * for all its responses, so requests wait for responses and never the other way.
 *
 * mem_stack_tick runs at 1.25 GHz, mem_stack_tick_dram at tCK; where both fall on one instant
 * the DRAM's comes first, always. now counts that clock's cycles from 0 and grows; calls may be
 * left out while mem_stack_idle. The owner ticks the parts that the stack is connected to. Bad
 * packets are dropped and named by mem_stack_fault: the run is wrong, end it.
 */
#ifndef MEM_STACK_H
#define MEM_STACK_H

#include "link.h"
#include "memory_image.h"
#include "network.h"
#include "ni_bridge.h"
#include "stack_map.h"
#include "trouble.h"
#include "vault.h"

enum { MEM_STACK_UNITS = 16 };

typedef struct mem_stack_config {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "mem_stack_keys.def"
  unsigned id;           /* 0..255 */
  vault_config_t vault;  /* banks must be 16 */
  unsigned wait_packets; /* packets that wait before each vault to cross the clocks, >= 1 */
  unsigned hold_packets; /* responses that a vault's requests may cause and that are not sent yet, >= 2 */
} mem_stack_config_t;

/* What a stack is connected to; not owned. */
typedef struct mem_stack_ports { /* not owned */
  memory_image_t *image;
  packet_pool_t *pool;
  link_t *from_gpu, *to_gpu;
  network_t *network; /* NULL: one stack alone; a packet for another stack is an error */
  ni_bridge_t *unit;  /* [units] */
  unsigned units;     /* at most MEM_STACK_UNITS */
} mem_stack_ports_t;

typedef struct mem_stack_stats {
  uint64_t served[16];    /* requests whose DRAM access ended, by packet type */
  uint64_t responses[16]; /* packets made, by packet type */
  uint64_t errors;
} mem_stack_stats_t;

typedef struct mem_stack mem_stack_t;

mem_stack_config_t mem_stack_default_config(unsigned id); /* 4 waiting, 96 held */
bool mem_stack_check_config(const mem_stack_config_t *config, trouble_t *trouble);
mem_stack_t *mem_stack_new(const mem_stack_config_t *config, const mem_stack_ports_t *ports); /* NULL: out of memory */
void mem_stack_free(mem_stack_t *stack);
void mem_stack_tick(mem_stack_t *stack, uint64_t now);
void mem_stack_tick_dram(mem_stack_t *stack, uint64_t now);
bool mem_stack_idle(const mem_stack_t *stack);     /* nothing inside and nothing at its inputs */
unsigned mem_stack_held(const mem_stack_t *stack); /* packets inside */
const mem_stack_stats_t *mem_stack_stats(const mem_stack_t *stack);
vault_stats_t mem_stack_vault_stats(const mem_stack_t *stack); /* summed (latency_max: the largest) over its vaults */
const trouble_t *mem_stack_fault(const mem_stack_t *stack);    /* NULL: none so far */
/* What waits for what, a line each; as snprintf. */
size_t mem_stack_describe_waits(const mem_stack_t *stack, char *text, size_t size);

#endif
