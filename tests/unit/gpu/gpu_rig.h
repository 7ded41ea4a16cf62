/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU with ideal stacks: memory of one latency, NSUs that compute a block at once when
 * all its packets are there.
 *
 *  gpu_pop(stack, class) --> queue[stack], latency --> READ, WRITE: the memory image
 *                                                      RDF, WTA, CMD: the NSU's warp
 *  gpu_push(stack)       <---------------------------- READ_RESP, WRITE_ACK, INVAL, OFLD_ACK
 *
 * The rig checks what the GPU sends: class, destination, room in the NSU's buffers, no
 * thread twice. What is wrong is in `broken`.
 */
#ifndef GPU_RIG_H
#define GPU_RIG_H

#include "gpu.h"
#include "memory_image.h"
#include "ni_lines.h"
#include "nsu_isa.h"
#include "offload.h"
#include "offload_policy.h"
#include "runtime.h"

/* What an NSU has for one warp's block. read and write:
 * of the block's loads and stores, in their order. */
typedef struct rig_nsu_warp {
  bool used;
  packet_t *command;
  struct {
    uint32_t have, lmask, data[32]; /* threads there */
    bool there;
  } read[64];
  struct {
    uint32_t have, lmask;
    bool there;
    uint64_t addr[32];
    uint8_t size;
  } write[64];
  unsigned invals;
} rig_nsu_warp_t;

typedef struct {
  packet_t *packet;
  uint64_t due;
} rig_event_t;

typedef struct gpu_rig {
  gpu_t *gpu;
  memory_image_t *image;
  packet_pool_t *pool;
  ptx_module_t *module;
  const offload_policy_t *policy;
  offload_t *offload; /* that the policy made, whatever that is; NULL: none */
  gpu_config_t config;
  runtime_t runtime;
  trouble_t err;
  uint64_t core, xbar;   /* ticks done */
  uint64_t latency;      /* core cycles in a stack */
  uint64_t random;       /* 0: all answers take `latency`; else a seed: up to twice it, lines in order */
  rig_event_t *queue[8]; /* of each stack: requests in order of arrival */
  unsigned head[8], count[8], capacity[8];
  uint64_t line_time[8];
  rig_nsu_warp_t *nsu; /* [stack][sm][warp] */
  ni_lines_t lines[8]; /* of each stack's NSU */
  /* faults to inject */
  bool lose_invals_addr; /* INVALs name another line */
  unsigned slow_reads;   /* READ_RESPs take so many cycles more, after the line was read: INVALs overtake them */
  rig_event_t late[4096];
  unsigned num_late;
  rig_event_t *flight;         /* between nodes, where the configuration has them */
  unsigned in_flight, flights; /* there are, there is room for */
  unsigned unruly;             /* packets between nodes take up to so many cycles, whichever were sent before; 0: one */
  uint64_t unruly_random;
  unsigned hold_cycles; /* acknowledgements of NSUs take so much longer */
  /* what was seen */
  uint64_t rdf, wta, cmd, rdf_resp, empties, max_cmd, max_rd, max_wr;
  unsigned used_cmd[8], used_rd[8], used_wr[8];
  const char *broken; /* a promise that the GPU broke */
} gpu_rig_t;

gpu_config_t rig_two_sms(void); /* the default, but for two SMs and two stacks */
/* A GPU with the kernels of a text (`size` bytes; messages
 * call it `name`). offload: the policy makes blocks of it.
 * r->err says what went wrong. _of: with parts of the test's own. */
gpu_rig_t *rig_new(const gpu_config_t *config, const char *ptx, size_t size, const char *name, bool offload);
gpu_rig_t *rig_new_of(const gpu_config_t *config, const gpu_parts_t *parts, const char *ptx, size_t size,
                      const char *name, bool offload);
void rig_free(gpu_rig_t *rig);
int rig_run(gpu_rig_t *rig, const gpu_launch_t *launch, uint64_t max_cycles); /* 0, or the exit status; err says why */

#endif
