/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is offloaded, so an SM never asks: there is nothing to do, anywhere.
 */
#include "offload_policies.h"

const offload_policy_t offload_none = {.name = "none"};
