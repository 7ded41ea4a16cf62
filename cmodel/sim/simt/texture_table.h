/* SPDX-License-Identifier: Apache-2.0
 *
 * The textures, surfaces and samplers that a machine knows, by their handles: what kernels get as
 * texture objects, and what references are bound to.
 */
#ifndef TEXTURE_TABLE_H
#define TEXTURE_TABLE_H

#include "trouble.h"
#include "rt_texture.h"

typedef struct {
  rt_texture_t *entry;
  uint64_t *handle; /* of each entry; 0: it is free */
  uint32_t entries;
  uint64_t last; /* handle that was given: none is given twice */
} texture_table_t;

/* 0, or -1 with err. While a kernel runs the table stays as it is. */
int texture_table_add(texture_table_t *table, const rt_texture_t *t, uint64_t *handle, trouble_t *err);
int texture_table_drop(texture_table_t *table, uint64_t handle, trouble_t *err);
const rt_texture_t *texture_table_find(const texture_table_t *table, uint64_t handle); /* NULL: there is none */
void texture_table_free(texture_table_t *table);

#endif
