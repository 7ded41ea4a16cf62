/* SPDX-License-Identifier: Apache-2.0 */
#include "offload_policies.h"

const offload_policy_t *const offload_policies[GPU_OFFLOAD_POLICIES] = {
#define POLICY(name, text) [GPU_OFFLOAD_##name] = &offload_##name,
#include "offload_policies.def"
#undef POLICY
};
