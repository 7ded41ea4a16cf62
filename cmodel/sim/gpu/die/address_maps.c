/* SPDX-License-Identifier: Apache-2.0 */
#include "address_map.h"
#include "gpu_config.h"

#define MAP(name, text) extern const address_map_t address_map_##name;
#include "address_maps.def"
#undef MAP

const address_map_t *const address_maps[GPU_MAPS] = {
#define MAP(name, text) [GPU_MAP_##name] = &address_map_##name,
#include "address_maps.def"
#undef MAP
};
