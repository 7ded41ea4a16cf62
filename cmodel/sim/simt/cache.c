/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

int cache_init(cache_t *c, unsigned bytes, unsigned ways) {
  unsigned lines = bytes / GPU_LINE_BYTES;
  *c = (cache_t){.sets = lines / ways, .ways = ways};
  c->tags = calloc(lines, sizeof *c->tags);
  c->used = calloc(lines, sizeof *c->used);
  c->lines = calloc(lines, sizeof *c->lines);
  return c->tags && c->used && c->lines ? 0 : -1;
}

void cache_deinit(cache_t *c) {
  free(c->tags);
  free(c->used);
  free(c->lines);
}

static unsigned first_way(const cache_t *c, uint64_t line_addr) {
  uint64_t line = line_addr / GPU_LINE_BYTES;
  return (unsigned)((line ^ line / c->sets) & (c->sets - 1)) * c->ways;
}

static int find_way(const cache_t *c, uint64_t line_addr) {
  unsigned first = first_way(c, line_addr);
  for (unsigned w = first; w < first + c->ways; w++)
    if (c->tags[w] == (line_addr | 1)) return (int)w;
  return -1;
}

bool cache_has(const cache_t *c, uint64_t line_addr) {
  return find_way(c, line_addr) >= 0;
}

cache_line_t *cache_find(cache_t *c, uint64_t line_addr) {
  int w = find_way(c, line_addr);
  if (w < 0) return NULL;
  c->used[w] = ++c->time;
  return &c->lines[w];
}

cache_line_t *cache_fill(cache_t *c, uint64_t line_addr, const uint32_t *words) {
  int w = find_way(c, line_addr);
  if (w < 0) {
    unsigned first = first_way(c, line_addr);
    w = (int)first;
    for (unsigned v = first; v < first + c->ways; v++) {
      if (!c->tags[v]) {
        w = (int)v;
        break;
      }
      if (c->used[v] < c->used[w]) w = (int)v;
    }
  }
  c->tags[w] = line_addr | 1;
  c->used[w] = ++c->time;
  memcpy(c->lines[w].words, words, sizeof c->lines[w].words);
  return &c->lines[w];
}

bool cache_invalidate(cache_t *c, uint64_t line_addr) {
  int w = find_way(c, line_addr);
  if (w >= 0) c->tags[w] = 0;
  return w >= 0;
}

void cache_clear(cache_t *c) {
  memset(c->tags, 0, (size_t)c->sets * c->ways * sizeof *c->tags);
}
