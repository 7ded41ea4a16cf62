/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU of the NSU paper: SMs, caches, crossbar, NDP buffer manager, offloading, and one link to
 * each memory stack.
 *
 *   gpu_t *g = gpu_new(&config, &memory, pool, &err);
 *   uint64_t a = gpu_malloc(g, bytes, &err);
 *   gpu_copy_in(g, a, data, bytes, &err);
 *   gpu_load(g, module, blocks, &err);
 *   gpu_launch(g, &launch, &err);
 *   while (gpu_running(g)) {
 *     the ticks of the clocks, in time order
 *     packets between gpu_front/gpu_pop/gpu_push and the stacks
 *   }
 *
 * Clocks: gpu_tick_core (SMs), gpu_tick_l2 (L2 slices and the GPU's ends of the links),
 * gpu_tick_xbar. Ticks at the same instant come in this order. The NSU paper has 700 MHz for the
 * first two and 1250 MHz for the crossbar; the TOM paper has 1400, 700 and 1250 MHz.
 *
 * Links: link k belongs to stack k. Class 0 leaves with READ, WRITE, RDF, WTA and CMD, class 1 with
 * RDF_RESP of cache hits. Only class 1 comes in: READ_RESP, WRITE_ACK, INVAL, OFLD_ACK, CREDIT.
 * gpu_pop fills in src and dst. RDF_RESP, WTA and CMD leave on the link of their target. gpu_push
 * takes a packet over, gpu_pop gives one away; all come from `pool`.
 *
 *   READ     addr, tag; READ_RESP copies both, data[0] is the line
 *   WRITE    aligned, size 2: bit i of mask is word i of the line, with value data[0][i]
 *            size 0 or 1, with offs: bytes of thread i; a higher thread wins
 *            WRITE_ACK copies sm, warp and seq
 *   INVAL    one for each WRITE of an NSU, with its addr, sm and warp; src: the stack that wrote
 *   RDF, WTA, CMD, RDF_RESP, OFLD_ACK, CREDIT    NSU paper, Fig. 4, and nsu_packet.def
 *
 * Memory must keep the order of requests to one line that come over the same link.
 *
 * Errors: a function that can fail returns 0, or -1 with err->status (2 bad input, 3 environment)
 * and one line of text. A kernel that faults stops: gpu_running is false, and gpu_fault has the
 * reason.
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
#include "simt_spin.h"

typedef struct gpu gpu_t;

/* A GPU of the parts that the configuration names. NULL with err. The caller frees it with
 * gpu_free. */
gpu_t *gpu_new(const gpu_config_t *config, const gpu_memory_t *memory, packet_pool_t *pool, trouble_t *err);
void gpu_free(gpu_t *gpu);

/* gpu_new_of uses the caller's parts, which need not be in the lists. */
struct address_map;
struct offload_policy;
struct block_engine;
typedef struct {
  const struct address_map *map;       /* address_map.h */
  const struct offload_policy *policy; /* offload_policy.h */
  /* block_engine.h; for each block [gpu_config_instances]; NULL: none */
  const struct block_engine *const *engine[GPU_HARDWARE];
} gpu_parts_t;
gpu_t *gpu_new_of(const gpu_config_t *config, const gpu_parts_t *parts, const gpu_memory_t *memory, packet_pool_t *pool,
                  trouble_t *err);

/* Map and policy that the configuration names; no engines. */
gpu_parts_t gpu_parts_of(const gpu_config_t *config);

/* Allocates device memory and returns its virtual address, aligned to a page. Whoever made the
 * memory has zeroed it. 0 with err. */
uint64_t gpu_malloc(gpu_t *gpu, uint64_t bytes, trouble_t *err);
/* unmaps an allocation; its frames are not used again */
int gpu_release(gpu_t *gpu, uint64_t vaddr, trouble_t *err);
int gpu_copy_in(gpu_t *gpu, uint64_t vaddr, const void *data, size_t bytes, trouble_t *err);
int gpu_copy_out(const gpu_t *gpu, void *data, uint64_t vaddr, size_t bytes, trouble_t *err);

/* Adds or drops a texture, surface or sampler. Kernels get the handle as an object, and
 * simt_bind binds references to it. No kernel may run. */
int gpu_texture(gpu_t *gpu, const rt_texture_t *texture, uint64_t *handle, trouble_t *err);
int gpu_texture_drop(gpu_t *gpu, uint64_t handle, trouble_t *err);

/* Sets the bytes of the device heap (device_heap.h), before the first kernel that uses it;
 * default 8 MB. */
int gpu_heap(gpu_t *gpu, uint64_t bytes, trouble_t *err);

/* Output of kernels' printf since the last call; the caller frees it. NULL: none. *lost: calls
 * that found no room. */
char *gpu_printed(gpu_t *gpu, size_t *size, uint64_t *lost);

/* Loads a module. `blocks` is what the policy's `compile` made of it (NULL: none); both must
 * outlive the GPU. The call places and initialises global variables. A kernel that the SMs
 * cannot execute fails at its launch. */
/* gpu_load unloads all other modules first, gpu_load_also does not. */
int gpu_load(gpu_t *gpu, const ptx_module_t *module, const void *blocks, trouble_t *err);
int gpu_load_also(gpu_t *gpu, const ptx_module_t *module, const void *blocks, trouble_t *err);
/* Makes a loaded module the current one, whose kernels are launched; at first the last one
 * loaded. */
int gpu_select(gpu_t *gpu, const ptx_module_t *module, trouble_t *err);
/* Unloads a module with the memory of its variables. No kernel may run. */
void gpu_unload(gpu_t *gpu, const ptx_module_t *module);
/* The module's variables; NULL: the module is not loaded. */
simt_variables_t *gpu_variables(gpu_t *gpu, const ptx_module_t *module);

typedef simt_launch_t gpu_launch_t;

/* CTAs of a launch that an SM holds at once, and registers a thread. 0 with err: none. */
unsigned gpu_occupancy(const gpu_t *gpu, const gpu_launch_t *launch, uint32_t *registers, trouble_t *err);
int gpu_launch(gpu_t *gpu, const gpu_launch_t *launch, trouble_t *err);
bool gpu_running(const gpu_t *gpu);           /* a launched kernel has not finished, its writes included */
const trouble_t *gpu_fault(const gpu_t *gpu); /* NULL: no fault */

void gpu_tick_core(gpu_t *gpu);
void gpu_tick_l2(gpu_t *gpu);
void gpu_tick_xbar(gpu_t *gpu);

/* oldest packet to send; NULL: none */
const packet_t *gpu_front(const gpu_t *gpu, unsigned link, unsigned cls);
packet_t *gpu_pop(gpu_t *gpu, unsigned link, unsigned cls);
bool gpu_can_push(const gpu_t *gpu, unsigned link);
void gpu_push(gpu_t *gpu, unsigned link, packet_t *packet);

/* With nodes: packets between node k and the network. Requests are READ, WRITE and PACKET_ATOM;
 * src and dst are nodes. */
const packet_t *gpu_node_front(const gpu_t *gpu, unsigned node, unsigned cls); /* NULL: none */
packet_t *gpu_node_pop(gpu_t *gpu, unsigned node, unsigned cls);
bool gpu_node_can_push(const gpu_t *gpu, unsigned node, unsigned cls);
void gpu_node_push(gpu_t *gpu, unsigned node, packet_t *packet);

/* The same past the links, with TOM_FREE_ALL. */
packet_t *gpu_direct_pop(gpu_t *gpu, unsigned stack); /* NULL: none */
void gpu_direct_push(gpu_t *gpu, unsigned stack, packet_t *packet);

/* Share of CTAs that have finished, 0 to 1. */
/* For the watchdog: begins a look (simt_run_t.watch), and notes the warps (simt_spin.h). */
void gpu_watch(gpu_t *gpu, uint32_t look);
void gpu_spins(const gpu_t *gpu, simt_spin_t *spin);
double gpu_progress(const gpu_t *gpu);

/* NDP credits of a stack (gpu_stats.h). */
gpu_credits_t gpu_credits(const gpu_t *gpu, unsigned stack);

gpu_stats_t gpu_stats(const gpu_t *gpu);

/* With map.profile: accessed pages, by number. *rows is valid until the next call. */
unsigned gpu_pages(const gpu_t *gpu, const gpu_page_t **rows);
gpu_log_t gpu_log(const gpu_t *gpu);

/* Writes a line for every part that waits, with what it waits for. Returns the length that the
 * text needs, as snprintf. */
size_t gpu_describe_waits(const gpu_t *gpu, char *text, size_t size);

#endif
