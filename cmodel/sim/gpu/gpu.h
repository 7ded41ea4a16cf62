/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU of the NSU paper: SMs, caches, crossbar, NDP buffer manager, offloading; one link to each
 * memory stack.
 *
 *   gpu_t *g = gpu_new(&config, &memory, pool, &err);
 *   uint64_t a = gpu_malloc(g, bytes, &err);  gpu_copy_in(g, a, data, bytes, &err);
 *   gpu_load(g, module, offload, &err);  gpu_launch(g, &launch, &err);
 *   while (gpu_running(g)) { ticks of both clocks in time order; move packets between
 *   gpu_front/gpu_pop/gpu_push and stacks }
 *
 * Clocks: gpu_tick_core (SMs), gpu_tick_l2 (L2 slices and the GPU's ends of the links),
 * gpu_tick_xbar; of those that fall on one instant, in this order. In the NSU paper the first two
 * are one, of 700 MHz, and the crossbar's is 1250 MHz; in the TOM paper they are 1400, 700 and 1250
 * MHz. Links: link k belongs to stack k. Packets leave in class 0 (READ, WRITE, RDF, WTA, CMD) and
 * class 1 (RDF_RESP of cache hits); only class 1 comes in: READ_RESP, WRITE_ACK, INVAL, OFLD_ACK,
 * CREDIT. src and dst are filled in; RDF_RESP, WTA and CMD leave on the link of their target.
 * gpu_push takes the packet over, gpu_pop gives it away; all from `pool`.
 *   READ       addr, tag: READ_RESP copies both, data[0] is the line
 *   WRITE      aligned, size 2: bit i of mask is word i of the line, data[0][i] its value; or size
 *              0, 1 with offs: thread i's bytes, a higher thread wins. Memory answers WRITE_ACK
 *              with sm, warp, seq copied.
 *   RDF, WTA, CMD, RDF_RESP, OFLD_ACK, CREDIT: as in the NSU paper, Fig. 4, and nsu_packet.def
 *   INVAL      one for every WRITE that came from an NSU, with its addr, sm, warp; src is the stack
 *              that wrote
 * Memory must keep requests of one line in the order in which they came over a link.
 *
 * Errors: functions that can fail return 0, or -1 with err->status (2 bad input, 3 environment) and
 * one line of text. A running kernel that faults stops: gpu_running is false and gpu_fault says
 * why.
 */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_bins.h"
#include "gpu_config.h"
#include "gpu_memory.h"
#include "gpu_stats.h"
#include "trouble.h"
#include "packet.h"
#include "ptx.h"
#include "rt_texture.h"
#include "simt_module.h"

typedef struct gpu gpu_t;

gpu_t *gpu_new(const gpu_config_t *config, const gpu_memory_t *memory, packet_pool_t *pool, trouble_t *err);
void gpu_free(gpu_t *gpu);

/* The same with parts that need not be of the lists. */
struct address_map;
struct offload_policy;
struct block_engine;
typedef struct {
  const struct address_map *map;       /* address_map.h */
  const struct offload_policy *policy; /* offload_policy.h */
  /* block_engine.h; of each block [gpu_config_instances]; NULL: none */
  const struct block_engine *const *engine[GPU_HARDWARE];
} gpu_parts_t;
gpu_t *gpu_new_of(const gpu_config_t *config, const gpu_parts_t *parts, const gpu_memory_t *memory, packet_pool_t *pool,
                  trouble_t *err);

/* Those of the lists that the configuration names. */
gpu_parts_t gpu_parts_of(const gpu_config_t *config);

/* Virtual address of fresh memory, 256-byte aligned
 * and zeroed by whoever made the memory; 0: err. */
uint64_t gpu_malloc(gpu_t *gpu, uint64_t bytes, trouble_t *err);
int gpu_release(gpu_t *gpu, uint64_t vaddr, trouble_t *err); /* unmaps an allocation; its frames are not used again */
int gpu_copy_in(gpu_t *gpu, uint64_t vaddr, const void *data, size_t bytes, trouble_t *err);
int gpu_copy_out(const gpu_t *gpu, void *data, uint64_t vaddr, size_t bytes, trouble_t *err);

/* A texture, surface or sampler, and its handle: what kernels get as an
 * object, and what a reference is bound to (simt_bind). No kernel runs. */
int gpu_texture(gpu_t *gpu, const rt_texture_t *texture, uint64_t *handle, trouble_t *err);
int gpu_texture_drop(gpu_t *gpu, uint64_t handle, trouble_t *err);

/* Bytes of the heap from which kernels take memory (device_heap.h),
 * before one that does is launched; at first 8 MB. */
int gpu_heap(gpu_t *gpu, uint64_t bytes, trouble_t *err);

/* What kernels have printed (vprintf) since the last call, to
 * be freed; NULL: nothing. lost: calls that found no room. */
char *gpu_printed(gpu_t *gpu, size_t *size, uint64_t *lost);

/* A module with its offload blocks, which the policy's `compile` made of it (NULL: none). Both must
 * outlive the GPU. Global variables are placed and initialised, the policy places what it needs.
 * Every kernel is decoded: unsupported instructions are found here. */
/* instead of all that were loaded */
int gpu_load(gpu_t *gpu, const ptx_module_t *module, const void *blocks, trouble_t *err);
int gpu_load_also(gpu_t *gpu, const ptx_module_t *module, const void *blocks, trouble_t *err);
/* of several, the one whose kernels are launched; at first the last loaded */
int gpu_select(gpu_t *gpu, const ptx_module_t *module, trouble_t *err);
/* with the memory of its variables. No kernel runs */
void gpu_unload(gpu_t *gpu, const ptx_module_t *module);
/* where they are; NULL: the module is not loaded */
simt_variables_t *gpu_variables(gpu_t *gpu, const ptx_module_t *module);

typedef simt_launch_t gpu_launch_t;

/* Blocks of such a launch that an SM holds at once, and
 * registers a thread; 0: err says why there can be none. */
unsigned gpu_occupancy(const gpu_t *gpu, const gpu_launch_t *launch, uint32_t *registers, trouble_t *err);
int gpu_launch(gpu_t *gpu, const gpu_launch_t *launch, trouble_t *err);
bool gpu_running(const gpu_t *gpu);           /* a launched kernel has not finished (its writes included) */
const trouble_t *gpu_fault(const gpu_t *gpu); /* NULL: none */

void gpu_tick_core(gpu_t *gpu);
void gpu_tick_l2(gpu_t *gpu);
void gpu_tick_xbar(gpu_t *gpu);

const packet_t *gpu_front(const gpu_t *gpu, unsigned link, unsigned cls); /* oldest packet to send, NULL: none */
packet_t *gpu_pop(gpu_t *gpu, unsigned link, unsigned cls);
bool gpu_can_push(const gpu_t *gpu, unsigned link);
void gpu_push(gpu_t *gpu, unsigned link, packet_t *packet);

/* Of a configuration with nodes: what leaves node k and comes to it, over the network. Classes and
 * types: requests READ, WRITE, PACKET_ATOM; answers. src and dst are nodes. */
const packet_t *gpu_node_front(const gpu_t *gpu, unsigned node, unsigned cls); /* NULL: none */
packet_t *gpu_node_pop(gpu_t *gpu, unsigned node, unsigned cls);
bool gpu_node_can_push(const gpu_t *gpu, unsigned node, unsigned cls);
void gpu_node_push(gpu_t *gpu, unsigned node, packet_t *packet);

/* The same past the links, of blocks of which all is free (TOM_FREE_ALL). */
packet_t *gpu_direct_pop(gpu_t *gpu, unsigned stack); /* NULL: none */
void gpu_direct_push(gpu_t *gpu, unsigned stack, packet_t *packet);

/* Share of CTAs done, 0..1, for progress. */
double gpu_progress(const gpu_t *gpu);

gpu_credits_t gpu_credits(const gpu_t *gpu, unsigned stack);

gpu_stats_t gpu_stats(const gpu_t *gpu);

/* with page_profile: pages that were accessed, by number; good as long */
unsigned gpu_pages(const gpu_t *gpu, const gpu_page_t **rows);
gpu_log_t gpu_log(const gpu_t *gpu);

/* What every waiting part waits for, a line each, into text;
 * returns the length it would need (like snprintf). */
size_t gpu_describe_waits(const gpu_t *gpu, char *text, size_t size);

#endif
