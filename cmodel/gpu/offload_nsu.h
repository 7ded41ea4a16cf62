/* SPDX-License-Identifier: Apache-2.0
 *
 * Partitioned execution's part on the die: blocks, NSU code and constants in memory, credits of the NSUs' buffers.
 */
#ifndef OFFLOAD_NSU_H
#define OFFLOAD_NSU_H

#include "ndp_manager.h"
#include "offload.h"
#include "offload_policy.h"

typedef struct nsu_sm nsu_sm_t;    /* the part in an SM (offload_nsu.c) */

typedef struct {
  const gpu_shared_t *sh;
  ndp_manager_t manager;
  uint64_t wta_in_flight[1 << PKT_STACK_BITS]; /* writes that NSUs have still to do there */
  nsu_sm_t *sm[GPU_MAX_SMS];
  /* the loaded module */
  const ptx_module_t *module;      /* NULL: none, or nothing of it can be offloaded */
  const offload_t *offload;
  int32_t **first;                 /* of each function: of each instruction, the block that starts there, or -1 */
  uint64_t code_base, const_base;  /* physical */
  const offload_kernel_t *kernel;  /* that runs; NULL: no blocks */
} nsu_die_t;

void *nsu_die_new(const gpu_shared_t *sh);
void nsu_die_free(void *die);
int nsu_die_load(void *die, const ptx_module_t *module, const void *blocks, gpu_error_t *err);
int nsu_die_launch(void *die, const int32_t **first, gpu_error_t *err);
bool nsu_die_arrive(void *die, unsigned link, const packet_t *packet);
size_t nsu_die_describe(const void *die, unsigned link, char *text, size_t size);
gpu_credits_t nsu_die_credits(const void *die, unsigned link);

#endif
