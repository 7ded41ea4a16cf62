/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table whose size is a power of two, with linear probing, at most half full.
 */
#include "nets.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint32_t hash_name(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h ^ h >> 15;
}

/* The slot of this name, or the free slot where it belongs. */
static uint32_t *name_slot(const nets_t *nets, const char *name) {
  uint32_t i = hash_name(name) & (nets->table_size - 1);
  while (nets->table[i] && strcmp(nets->names[nets->table[i] - 1], name)) i = (i + 1) & (nets->table_size - 1);
  return &nets->table[i];
}

static bool grow_names(nets_t *nets) {
  unsigned room = nets->room ? nets->room * 2 : 4096;
  char **names = realloc(nets->names, room * sizeof *names);
  if (!names) return false;
  nets->names = names;
  uint32_t *table = calloc(room * 2, sizeof *table);
  if (!table) return false;
  free(nets->table);
  nets->table = table;
  nets->table_size = room * 2;
  nets->room = room;
  for (unsigned i = 0; i < nets->count; i++) *name_slot(nets, names[i]) = i + 1;
  return true;
}

uint32_t nets_add(nets_t *nets, const char *name) {
  if (nets->count == nets->room && !grow_names(nets)) return NETS_NONE;
  uint32_t *at = name_slot(nets, name);
  if (*at) return *at - 1;
  if (!(nets->names[nets->count] = strdup(name))) return NETS_NONE;
  *at = ++nets->count;
  return nets->count - 1;
}

uint32_t nets_find(const nets_t *nets, const char *name) {
  return nets->table ? *name_slot(nets, name) - 1 : NETS_NONE;
}

void nets_free(nets_t *nets) {
  for (unsigned i = 0; i < nets->count; i++) free(nets->names[i]);
  free(nets->names);
  free(nets->table);
  memset(nets, 0, sizeof *nets);
}
