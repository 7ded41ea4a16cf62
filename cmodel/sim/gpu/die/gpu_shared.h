/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the GPU's die share: configuration, packets, crossbar, pages, the launch,
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

typedef struct {
  simt_run_t simt;
  /* of each instruction: the offload block that starts there, or -1; NULL: nothing to offload */
  const int32_t *block_first;
  uint64_t code;      /* virtual address of the kernel's instructions (l1i.h); 0: ideal caches */
  uint32_t code_id;   /* which function of the module it is */
  uint64_t constants; /* virtual address of the module's constants; 0: they are ideal, or it has none */
  /* virtual address of local memory (local_memory.h); 0: it is ideal, or no thread has any */
  uint64_t local;
  uint64_t local_room;  /* its bytes */
  uint64_t local_words; /* of a thread */
  uint32_t ctas_per_sm;
  uint64_t next_cta, done_ctas;
  bool stopped; /* nothing is issued (tom_learn.h) */
} gpu_run_t;

/* Flits that each link has carried since the machine was made. */
typedef struct {
  uint64_t sent[GPU_MAX_STACKS], got[GPU_MAX_STACKS];
} gpu_link_flits_t;

typedef struct {
  const gpu_config_t *config;
  const gpu_memory_t *memory;
  packet_pool_t *pool;
  xbar_t *xbar;
  const nodes_t *nodes;         /* NULL: one die */
  struct page_profile *profile; /* page_profile.h; NULL: none */
  page_table_t *pages;
  gpu_run_t *run;
  const gpu_link_flits_t *flits;
  const texture_table_t *textures;
  struct l2 *slices; /* [gpu_config_slices] */
  ring_t *direct;    /* [GPU_MAX_NSU_STACKS], of packet_t *: to stacks, past the links (tom.free=all) */
  gpu_stats_t *stats;
  trouble_t *fault;
  device_heap_t *heap;                                    /* of kernels' malloc */
  simt_host_text_t *text;                                 /* what kernels have printed */
  const struct block_engine *const *engine[GPU_HARDWARE]; /* of each block, its instances; NULL: there are none */
  /* tom_learn.h; NULL: nothing is watched, nothing to be learnt */
  struct tom_learn *learn;
  bool hears_atomics;                                        /* the policy's (offload_policy.h) */
  struct pager *pager;                                       /* pager.h; NULL: all pages are always there */
  void (*page_written)(struct pager *pager, uint64_t paddr); /* pager_written, for the slices of the L2 */
  struct read_only *read_only;                               /* read_only.h; NULL: NSUs have no read-only lines */
  struct stack_tlb *tlb;                                     /* stack_tlb.h; NULL: all translations are always there */
} gpu_shared_t;

/* A packet of an SM; NULL: out of memory, the machine has faulted. */
static inline packet_t *gpu_packet_new(const gpu_shared_t *sh, unsigned type, unsigned sm, uint64_t now) {
  packet_t *p = packet_new(sh->pool, type);
  if (!p) trouble_fail(sh->fault, TROUBLE_ENVIRONMENT, "out of memory");
  else p->hdr.src = PKT_GPU, p->hdr.sm = sm, p->born = now;
  return p;
}

/* The slice of a stack's line: of several each has
 * every so many lines, and so vaults of its own. */
static inline unsigned gpu_slice(const gpu_config_t *c, unsigned stack, uint64_t line) {
  return stack * c->l2.slices + (unsigned)(line / GPU_LINE_BYTES) % c->l2.slices;
}

/* Of an SM, to its line's slice: there is room (xbar_can_send). */
static inline void gpu_request(const gpu_shared_t *sh, unsigned sm, packet_t *p) {
  xbar_send(sh->xbar, sm, XBAR_REQUEST,
            nodes_port_to_slice(sh->nodes, sh->config, sm, gpu_slice(sh->config, (unsigned)p->hdr.dst, p->hdr.addr)),
            p);
}

/* Into physical memory, from the start of a page on. */
static inline void gpu_write_pages(const gpu_shared_t *sh, uint64_t paddr, const uint8_t *data, size_t bytes) {
  for (size_t done = 0; done < bytes; done += PAGE_BYTES)
    sh->memory->write(sh->memory->ctx, paddr + done, data + done,
                      bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES);
}

#endif
