/* SPDX-License-Identifier: Apache-2.0
 *
 * The struct, and behind it in the stream what its pointers point to. Both ends are the same
 * program, so the struct goes as bytes.
 */
#include "system_stats.h"

#include <stdlib.h>

#include "file.h"

static size_t instance_bytes(const system_stats_t *s, unsigned family) {
  return s->instances[family] * sizeof *s->instance[family];
}

static size_t table_bytes(const system_table_t *t) {
  return (size_t)t->rows * t->values * sizeof *t->value;
}

/* The struct, and behind it what it points to. */
bool system_stats_put(const system_stats_t *s, int fd) {
  bool good = file_put(fd, s, sizeof *s);
  for (unsigned f = 0; good && f < SYSTEM_FAMILIES; f++) good = file_put(fd, s->instance[f], instance_bytes(s, f));
  for (unsigned t = 0; good && t < s->tables; t++) good = file_put(fd, s->table[t].value, table_bytes(&s->table[t]));
  return good;
}

bool system_stats_get(system_stats_t *s, int fd) {
  bool good = file_get(fd, s, sizeof *s);
  const unsigned tables = good ? s->tables : 0;
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) s->instance[f] = NULL;
  for (unsigned f = 0; good && f < SYSTEM_FAMILIES; f++) {
    s->instance[f] = calloc(1, instance_bytes(s, f) + 1);
    good = s->instance[f] && file_get(fd, s->instance[f], instance_bytes(s, f));
  }
  for (s->tables = 0; good && s->tables < tables; s->tables++) {
    system_table_t *t = &s->table[s->tables];
    t->value = malloc(table_bytes(t) + 1);
    good = t->value && file_get(fd, t->value, table_bytes(t));
  }
  return good;
}
