/* SPDX-License-Identifier: Apache-2.0
 *
 * The offload policies there are, as GPU_OFFLOAD_X (gpu_config.h) numbers them.
 */
#ifndef OFFLOAD_POLICIES_H
#define OFFLOAD_POLICIES_H

#include "offload_policy.h"

#define POLICY(name, text) extern const offload_policy_t offload_##name;
#include "offload_policies.def"
#undef POLICY

extern const offload_policy_t *const offload_policies[GPU_OFFLOAD_POLICIES];
extern const offload_policy_t offload_both; /* one of them for NSUs, and tom */

#endif
