/* SPDX-License-Identifier: Apache-2.0
 *
 * The vault's request patterns (vault_pattern.h) through a near-bank memory controller: 32-byte
 * requests by address, data moved in a memory image. Latencies count to the answer. Rows and
 * columns beyond the unit's wrap to 0.
 */
#ifndef NEAR_MC_PATTERN_H
#define NEAR_MC_PATTERN_H

#include "near_mc.h"
#include "vault_pattern.h"

/* As vault_run_default, with a near-bank unit's banks, rows and timing. */
vault_run_config_t near_mc_run_default(vault_pattern_t pattern);
/* Initialises mc with config->vault and column_bits, and runs. Writes change the image;
 * near_mc_fault says afterwards whether memory was enough. */
vault_run_result_t near_mc_run_pattern(near_mc_t *mc, memory_image_t *image, unsigned column_bits,
                                       const vault_run_config_t *config, vault_progress_t *progress, void *context);

#endif
