/* SPDX-License-Identifier: Apache-2.0 */
#include "systems.h"

const system_kind_t *const systems[] = {&system_nsu, &system_baseline, &system_mpu, NULL};
