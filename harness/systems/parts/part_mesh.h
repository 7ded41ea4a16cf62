/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the network of the MPU's cores. They are a part of the MPU's configuration, too
 * (mpu_net_keys.def).
 */
#ifndef PART_MESH_H
#define PART_MESH_H

#include "composition.h"
#include "mpu_config.h"

typedef mpu_net_config_t part_mesh_values_t;

#endif
