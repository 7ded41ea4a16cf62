/* SPDX-License-Identifier: Apache-2.0
 *
 * The policy without offloading. An SM never finds a block, so no function is needed.
 */
#include "offload_policies.h"

const offload_policy_t offload_none = {.name = "none"};
