/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the network of the MPU's cores, which its configuration has, too (mpu_net_keys.def).
 */
#ifndef PART_MESH_H
#define PART_MESH_H

#include "composition.h"
#include "mpu_config.h"

typedef struct {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "mpu_net_keys.def"
} part_mesh_values_t;

void part_mesh_copy(mpu_config_t *to, const part_mesh_values_t *from);

#endif
