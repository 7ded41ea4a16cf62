/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPU of the MPU paper: cores with their near-bank units, memory, blocks of threads. The
 * network between cores is mpu_net.h.
 *
 *   mpu_t *m = mpu_new(&config, engines, &err);
 *   uint64_t a = mpu_malloc(m, bytes, &err);
 *   mpu_copy_in(m, a, data, bytes, &err);
 *   mpu_load(m, module, &err);
 *   mpu_launch(m, &launch, &err);
 *   while (mpu_running(m)) {                            // one cycle of 1 GHz
 *     for (each core c, in any order) {
 *       while (a packet of class k is there for c && mpu_core_can_push(m, c, k))
 *         mpu_core_push(m, c, k, &packet);
 *       mpu_core_tick(m, c);
 *       while ((p = mpu_core_front(m, c, k)) && the network takes *p) mpu_core_pop(m, c, k);
 *     }
 *     mpu_tick(m);                                      // once all cores have ticked
 *   }
 *
 * Cores do not touch each other: what one sends, another sees through the network, and mpu_tick
 * alone hands out blocks of threads. A core may be left out while mpu_core_idle is true, that
 * is, until a packet comes or mpu_tick gives the core a block (mpu_given). Cores take the time
 * from mpu_now.
 *
 * Errors: a function that can fail returns -1, NULL, or 0 instead of an address or a count, and
 * sets *err. A running kernel that faults stops: mpu_running is false, and mpu_fault says why.
 */
#ifndef MPU_H
#define MPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"
#include "block_engine.h"
#include "memory_image.h"
#include "mpu_config.h"
#include "mpu_counters.h"
#include "mpu_packet.h"
#include "ptx.h"
#include "simt_module.h"
#include "simt_spin.h"

typedef struct mpu mpu_t;

/* engines: what computes the LSU-Extension of unit u of core c, [c * 4 + u]; kept by address. */
mpu_t *mpu_new(const mpu_config_t *config, const block_engine_t *const *engines, trouble_t *err);
void mpu_free(mpu_t *mpu);

/* Device memory. `unit_bytes` addresses go to a near-bank unit, `core_bytes` to a core, then the
 * next one follows (mpu_map.h). An allocation begins at core 0, so arrays of one shape lie
 * alike, at the lowest address with room, and reads as zero. 0: no room. */
uint64_t mpu_malloc(mpu_t *mpu, uint64_t bytes, trouble_t *err);
int mpu_release(mpu_t *mpu, uint64_t addr, trouble_t *err);
int mpu_copy_in(mpu_t *mpu, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
int mpu_copy_out(const mpu_t *mpu, void *data, uint64_t addr, size_t bytes, trouble_t *err);

/* The module must outlive the MPU. All its kernels are compiled; one that the machine cannot
 * execute is refused only when it is launched. mpu_load replaces all modules, mpu_load_also adds
 * one. */
int mpu_load(mpu_t *mpu, const ptx_module_t *module, trouble_t *err);
int mpu_load_also(mpu_t *mpu, const ptx_module_t *module, trouble_t *err);
/* Launches are of this module's kernels from now on. Without it, of the last one loaded. */
int mpu_select(mpu_t *mpu, const ptx_module_t *module, trouble_t *err);
/* Frees the memory of its variables, too. Not while a kernel runs. */
void mpu_unload(mpu_t *mpu, const ptx_module_t *module);
/* Where a module's variables are. NULL: the module is not loaded. */
simt_variables_t *mpu_variables(mpu_t *mpu, const ptx_module_t *module);

typedef simt_launch_t mpu_launch_t;

/* Blocks of such a launch that a core holds at once; *registers: of a thread. 0: err says why a
 * core cannot hold any. */
unsigned mpu_occupancy(const mpu_t *mpu, const mpu_launch_t *launch, uint32_t *registers, trouble_t *err);
/* Starts a kernel of the selected module. While it runs, nothing can be launched or loaded. */
int mpu_launch(mpu_t *mpu, const mpu_launch_t *launch, trouble_t *err);
uint64_t mpu_memory_bytes(const mpu_t *mpu); /* of the machine, allocated or not */
unsigned mpu_cores(const mpu_t *mpu);
bool mpu_running(const mpu_t *mpu);
const trouble_t *mpu_fault(const mpu_t *mpu); /* the first fault; NULL: none */
/* For the watchdog: begins a look (simt_run_t.watch), and notes the warps (simt_spin.h). */
void mpu_watch(mpu_t *mpu, uint32_t look);
void mpu_spins(const mpu_t *mpu, simt_spin_t *spin);
double mpu_progress(const mpu_t *mpu); /* share of blocks done, 0..1 */

uint64_t mpu_now(const mpu_t *mpu); /* cycles of 1 GHz since mpu_new */
void mpu_tick(mpu_t *mpu);
/* Cores that got a block in the last mpu_tick: bit i is core 64 * word + i. */
uint64_t mpu_given(const mpu_t *mpu, unsigned word);

void mpu_core_tick(mpu_t *mpu, unsigned core);
bool mpu_core_idle(const mpu_t *mpu, unsigned core);
/* A core's side of the network, by class (mpu_packet.h). front: the oldest packet to send, NULL:
 * none. */
const mpu_packet_t *mpu_core_front(const mpu_t *mpu, unsigned core, unsigned cls);
void mpu_core_pop(mpu_t *mpu, unsigned core, unsigned cls);
bool mpu_core_can_push(const mpu_t *mpu, unsigned core, unsigned cls); /* class 1: always */
void mpu_core_push(mpu_t *mpu, unsigned core, unsigned cls, const mpu_packet_t *packet);

/* Sums over all cores since mpu_new. */
mpu_stats_t mpu_stats(const mpu_t *mpu);

/* What every warp, instruction and packet waits for, a line each, for a deadlock's report.
 * Returns the length that the text needs, like snprintf. */
size_t mpu_describe_waits(const mpu_t *mpu, char *text, size_t size);

#endif
