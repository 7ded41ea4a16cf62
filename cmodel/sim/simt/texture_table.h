/* SPDX-License-Identifier: Apache-2.0
 *
 * The textures, surfaces and samplers of a machine, by handle. Kernels get a handle as a texture
 * object, and references are bound to one.
 */
#ifndef TEXTURE_TABLE_H
#define TEXTURE_TABLE_H

#include "trouble.h"
#include "rt_texture.h"

typedef struct {
  rt_texture_t *entry;
  uint64_t *handle; /* handle of each entry; 0: the entry is free */
  uint32_t entries; /* entries allocated */
  uint64_t last;    /* last handle given out; no handle is given out twice */
} texture_table_t;

/* Add a copy of *t; drop a handle. Both return 0, or -1 with err. The table must not change
 * while a kernel runs. */
int texture_table_add(texture_table_t *table, const rt_texture_t *t, uint64_t *handle, trouble_t *err);
int texture_table_drop(texture_table_t *table, uint64_t handle, trouble_t *err);
/* NULL: no such handle */
const rt_texture_t *texture_table_find(const texture_table_t *table, uint64_t handle);
void texture_table_free(texture_table_t *table);

#endif
