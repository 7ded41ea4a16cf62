/* SPDX-License-Identifier: Apache-2.0
 *
 * The offload policies, indexed by gpu_offload_t (gpu_config.h).
 */
#ifndef OFFLOAD_POLICIES_H
#define OFFLOAD_POLICIES_H

#include "offload_policy.h"

#define POLICY(name, text) extern const offload_policy_t offload_##name;
#include "offload_policy_list.def"
#undef POLICY

extern const offload_policy_t *const offload_policies[GPU_OFFLOAD_POLICIES];
extern const offload_policy_t offload_both; /* an NSU policy together with tom */

#endif
