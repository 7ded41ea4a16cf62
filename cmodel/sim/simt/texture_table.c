/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of textures. A handle's low bits are its index. The bits above count all handles ever
 * given out, so an old handle names nothing.
 */
#include "texture_table.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PLACE_BITS = 20 };

/* ---- handles --------------------------------------------------------------------------------- */

/* Doubles the table. */
static int more_room(texture_table_t *table, trouble_t *err) {
  const uint32_t room = table->entries ? 2 * table->entries : 16;
  if (room > 1u << PLACE_BITS)
    return trouble_fail(err, TROUBLE_INPUT, "texture: more than %u at a time", table->entries);
  rt_texture_t *entry = realloc(table->entry, room * sizeof *entry);
  if (entry) table->entry = entry;
  uint64_t *handle = entry ? realloc(table->handle, room * sizeof *handle) : NULL;
  if (!handle) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for textures");
  table->handle = handle;
  for (; table->entries < room; table->entries++) handle[table->entries] = 0;
  return 0;
}

int texture_table_add(texture_table_t *table, const rt_texture_t *t, uint64_t *handle, trouble_t *err) {
  uint32_t i = 0;
  trouble_t wrong;
  if (!rt_texture_good(t, &wrong)) return trouble_fail(err, wrong.kind, "texture: %s", wrong.text);
  while (i < table->entries && table->handle[i]) i++;
  if (i == table->entries && more_room(table, err)) return -1;
  table->entry[i] = *t;
  *handle = table->handle[i] = ++table->last << PLACE_BITS | i;
  return 0;
}

const rt_texture_t *texture_table_find(const texture_table_t *table, uint64_t handle) {
  const uint32_t i = handle & ((1u << PLACE_BITS) - 1);
  return handle && i < table->entries && table->handle[i] == handle ? &table->entry[i] : NULL;
}

int texture_table_drop(texture_table_t *table, uint64_t handle, trouble_t *err) {
  if (!texture_table_find(table, handle))
    return trouble_fail(err, TROUBLE_INPUT, "texture: 0x%" PRIx64 " is no handle of one", handle);
  table->handle[handle & ((1u << PLACE_BITS) - 1)] = 0;
  return 0;
}

void texture_table_free(texture_table_t *table) {
  free(table->entry);
  free(table->handle);
  *table = (texture_table_t){0};
}
