/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the GPU's die share: configuration, packet pool, crossbar, page table, launch,
 * counters, the first fault.
 */
#ifndef GPU_SHARED_H
#define GPU_SHARED_H

#include "device_heap.h"
#include "gpu_config.h"
#include "gpu_memory.h"
#include "gpu_packet.h"
#include "gpu_stats.h"
#include "nodes.h"
#include "page_table.h"
#include "ring.h"
#include "simt_block.h"
#include "simt_host.h"
#include "texture_table.h"
#include "trouble.h"
#include "xbar.h"

/* The launch that runs, and what of it the parts need. */
typedef struct {
  simt_run_t simt;
  /* for each instruction: number of the offload block that starts there, or -1; NULL: none */
  const int32_t *block_first;
  uint64_t code;    /* virtual address of the kernel's code (l1i.h); 0: instruction caches are ideal */
  uint32_t code_id; /* number of the kernel's function in the module */
  /* virtual address of the module's constants; 0: constants are ideal, or there are none */
  uint64_t constants;
  /* virtual address of local memory (local_memory.h); 0: local memory is ideal, or unused */
  uint64_t local;
  uint64_t local_room;          /* bytes allocated at `local` */
  uint64_t local_words;         /* 4-byte words of a thread */
  uint32_t ctas_per_sm;         /* CTAs that an SM holds at once */
  uint64_t next_cta, done_ctas; /* CTAs started, CTAs finished */
  bool stopped;                 /* SMs issue nothing (tom_learn.h) */
} gpu_run_t;

/* Flits that each link has carried since the GPU was made, in both directions. */
typedef struct {
  uint64_t sent[GPU_MAX_STACKS], got[GPU_MAX_STACKS];
} gpu_link_flits_t;

/* Pointers to the shared parts. gpu.c owns them. */
typedef struct {
  const gpu_config_t *config;
  const gpu_memory_t *memory;
  packet_pool_t *pool;
  xbar_t *xbar;
  const nodes_t *nodes;         /* NULL: one die, no network */
  struct page_profile *profile; /* NULL: accesses are not profiled */
  page_table_t *pages;
  gpu_run_t *run;
  const gpu_link_flits_t *flits;
  const texture_table_t *textures;
  struct l2 *slices; /* [gpu_config_slices] */
  ring_t *direct;    /* [GPU_MAX_NSU_STACKS], packet_t *: to stacks past the links (tom.free=all) */
  gpu_stats_t *stats;
  trouble_t *fault;
  device_heap_t *heap;    /* of malloc in kernels */
  simt_host_text_t *text; /* output of kernels' printf */
  /* for each block, its instances; NULL: none */
  const struct block_engine *const *engine[GPU_HARDWARE];
  /* NULL: nothing is learnt and nothing is watched */
  struct tom_learn *learn;
  bool hears_atomics;                                        /* as in offload_policy_t */
  struct pager *pager;                                       /* NULL: all pages are resident */
  void (*page_written)(struct pager *pager, uint64_t paddr); /* pager_written, for the L2 slices */
  struct read_only *read_only;                               /* NULL: NSUs have no read-only lines */
  struct stack_tlb *tlb;                                     /* NULL: translations are ideal */
} gpu_shared_t;

/* New packet of an SM. NULL: out of memory, and the GPU has faulted. */
static inline packet_t *gpu_packet_new(const gpu_shared_t *sh, unsigned type, unsigned sm, uint64_t now) {
  packet_t *p = packet_new(sh->pool, type);
  if (!p) trouble_fail(sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
  else p->hdr.src = PKT_GPU, p->hdr.sm = sm, p->born = now;
  return p;
}

/* Slice of a line in a stack. Lines go round the stack's slices, so each slice has vaults of its
 * own. */
static inline unsigned gpu_slice(const gpu_config_t *c, unsigned stack, uint64_t line) {
  return stack * c->l2.slices + (unsigned)(line / GPU_LINE_BYTES) % c->l2.slices;
}

/* Sends an SM's request to its line's slice. The caller has checked xbar_can_send. */
static inline void gpu_request(const gpu_shared_t *sh, unsigned sm, packet_t *p) {
  xbar_send(sh->xbar, sm, XBAR_REQUEST,
            nodes_port_to_slice(sh->nodes, sh->config, sm, gpu_slice(sh->config, (unsigned)p->hdr.dst, p->hdr.addr)),
            p);
}

/* Writes to physical memory, from the start of a page on. */
static inline void gpu_write_pages(const gpu_shared_t *sh, uint64_t paddr, const uint8_t *data, size_t bytes) {
  for (size_t done = 0; done < bytes; done += PAGE_BYTES)
    sh->memory->write(sh->memory->ctx, paddr + done, data + done,
                      bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES);
}

#endif
