/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPU of the MPU paper: cores with their near-bank units, memory, blocks of threads; the
 * network is mpu_net.h.
 *
 *   mpu_t *m = mpu_new(&config, engines, &err);
 *   uint64_t a = mpu_malloc(m, bytes, &err);  mpu_copy_in(m, a, data, bytes, &err);
 *   mpu_load(m, module, &err);  mpu_launch(m, &launch, &err);
 *   while (mpu_running(m)) {                     one cycle of 1 GHz:
 *     for each core c, in any order:
 *       while there is a packet of class k for c and mpu_core_can_push(m, c, k): mpu_core_push(m,
 *       c, k, &packet) mpu_core_tick(m, c)
 *       while mpu_core_front(m, c, k) and the network takes it: mpu_core_pop(m, c, k)
 *     mpu_tick(m)                                once all cores have ticked
 *   }
 *
 * Cores touch nothing of each other: what one sends, another sees through the network, and blocks
 * of threads are handed out by mpu_tick. A core of which mpu_core_idle is true may be left out
 * until a packet comes or mpu_tick gives it a block (mpu_core_idle is false then); mpu_core_tick
 * takes the time from mpu_now.
 *
 * Errors: functions that can fail return 0 or an address, or -1 (0) with err->status (2 bad input,
 * 3 environment) and one line of text. A running kernel that faults stops: mpu_running is false and
 *   mpu_fault says why.
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

typedef struct mpu mpu_t;

/* engines: of every near-bank unit, core * 4 + unit; kept by address. */
mpu_t *mpu_new(const mpu_config_t *config, const block_engine_t *const *engines, trouble_t *err);
void mpu_free(mpu_t *mpu);

/* Device addresses: 128 bytes a near-bank unit, 4 KB a core, then the next core. Allocations begin
 * at core 0, so that arrays of one shape lie alike, each at the lowest address with room; contents
 * are zero. */
uint64_t mpu_malloc(mpu_t *mpu, uint64_t bytes, trouble_t *err);
int mpu_release(mpu_t *mpu, uint64_t addr, trouble_t *err);
int mpu_copy_in(mpu_t *mpu, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
int mpu_copy_out(const mpu_t *mpu, void *data, uint64_t addr, size_t bytes, trouble_t *err);

/* The module must outlive the MPU. Every kernel is compiled
 * and decoded: what cannot be executed is found here. */
int mpu_load(mpu_t *mpu, const ptx_module_t *module, trouble_t *err); /* instead of all that were loaded */
int mpu_load_also(mpu_t *mpu, const ptx_module_t *module, trouble_t *err);
/* of several, the one whose kernels are launched; at first the last loaded */
int mpu_select(mpu_t *mpu, const ptx_module_t *module, trouble_t *err);
/* with the memory of its variables. No kernel runs */
void mpu_unload(mpu_t *mpu, const ptx_module_t *module);
/* where they are; NULL: the module is not loaded */
simt_variables_t *mpu_variables(mpu_t *mpu, const ptx_module_t *module);

typedef simt_launch_t mpu_launch_t;

/* Blocks of such a launch that a core holds at once, and
 * registers a thread; 0: err says why there can be none. */
unsigned mpu_occupancy(const mpu_t *mpu, const mpu_launch_t *launch, uint32_t *registers, trouble_t *err);
int mpu_launch(mpu_t *mpu, const mpu_launch_t *launch, trouble_t *err);
uint64_t mpu_memory_bytes(const mpu_t *mpu);
unsigned mpu_cores(const mpu_t *mpu);
bool mpu_running(const mpu_t *mpu);
const trouble_t *mpu_fault(const mpu_t *mpu); /* NULL: none */
double mpu_progress(const mpu_t *mpu);        /* share of blocks done, 0..1 */

uint64_t mpu_now(const mpu_t *mpu); /* cycles of 1 GHz since mpu_new */
void mpu_tick(mpu_t *mpu);
/* cores 64 * word .. + 63 that the last mpu_tick gave a block, one bit each */
uint64_t mpu_given(const mpu_t *mpu, unsigned word);

void mpu_core_tick(mpu_t *mpu, unsigned core);
bool mpu_core_idle(const mpu_t *mpu, unsigned core);
/* oldest packet to send, NULL: none */
const mpu_packet_t *mpu_core_front(const mpu_t *mpu, unsigned core, unsigned cls);
void mpu_core_pop(mpu_t *mpu, unsigned core, unsigned cls);
bool mpu_core_can_push(const mpu_t *mpu, unsigned core, unsigned cls); /* class 1: always */
void mpu_core_push(mpu_t *mpu, unsigned core, unsigned cls, const mpu_packet_t *packet);

mpu_stats_t mpu_stats(const mpu_t *mpu);

/* What everybody waits for, a line each, into text;
 * returns the length it would need (like snprintf). */
size_t mpu_describe_waits(const mpu_t *mpu, char *text, size_t size);

#endif
