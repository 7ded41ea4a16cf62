/* SPDX-License-Identifier: Apache-2.0 */
#include "page_homes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page_table.h"

#define COUNTER(name, ...) "," #name
static const char *const columns = &""
#include "gpu_pages.def"
                                       [1];
static const uint64_t most_pages = (PAGE_VA_END - PAGE_VA_BASE) >> PAGE_SHIFT;

void page_homes_free(page_homes_t *h) {
  free(h->home);
  *h = (page_homes_t){0};
}

/* Notes the node of a page; pages in between have none. false: out of host memory. */
static bool set_home(page_homes_t *h, uint64_t page, unsigned node) {
  if (page >= h->pages) {
    const uint64_t pages = page + 1 > 2 * h->pages ? page + 1 : 2 * h->pages;
    uint16_t *home = realloc(h->home, pages * sizeof *home);
    if (!home) return false;
    for (uint64_t i = h->pages; i < pages; i++) home[i] = PAGE_HOME_NONE;
    h->home = home, h->pages = pages;
  }
  h->home[page] = (uint16_t)node;
  return true;
}

/* Parses a number and returns what is behind it; NULL: no number, or too large. */
static const char *parse_number(const char *at, uint64_t *value) {
  char *end;
  if (*at < '0' || *at > '9') return NULL;
  errno = 0;
  *value = strtoull(at, &end, 10);
  return errno ? NULL : end;
}

/* Takes a line of numbers. Returns NULL, or what is wrong. *memory becomes false without host
 * memory. */
static const char *take_row(page_homes_t *h, const char *line, unsigned stacks, bool *memory) {
  uint64_t value[4];
  const char *at = line;
  for (unsigned i = 0; i < 4; i++) {
    if (!(at = parse_number(at, &value[i])) || *at != (i < 3 ? ',' : '\0'))
      return "no line of four numbers page,node,accesses,of_node";
    at++;
  }
  if (value[0] >= most_pages) return "a page that no address has";
  if (value[1] >= stacks) return "a node that the system does not have; a file of its own --profile would be right";
  if (!set_home(h, value[0], (unsigned)value[1])) *memory = false;
  return NULL;
}

/* Refuses "path:line: what"; line 0: "path: what". Always false. */
static bool refuse_line(const char *path, unsigned line, const char *what, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_INPUT, "%s:%u: %s", path, line, what);
}

/* Comments, the line of names, then rows. */
static bool read_rows(page_homes_t *h, FILE *file, const char *path, unsigned stacks, trouble_t *trouble) {
  char line[256];
  bool names = false, memory = true;
  unsigned number_of = 1;
  for (; fgets(line, sizeof line, file); number_of++) {
    const size_t end = strcspn(line, "\n");
    if (line[end] != '\n')
      return refuse_line(path, number_of, "a line that does not end; a whole file of --profile would be right",
                         trouble);
    line[end] = 0;
    if (*line == '#') continue;
    const char *wrong = NULL;
    if (names) wrong = take_row(h, line, stacks, &memory);
    else if (strcmp(line, columns) != 0) wrong = "not the line page,node,accesses,of_node";
    if (wrong) return refuse_line(path, number_of, wrong, trouble);
    if (!memory) return trouble_memory(trouble);
    names = true;
  }
  if (ferror(file)) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  return names ||
         refuse_line(path, number_of, "it ends before its numbers; a whole file of --profile would be right", trouble);
}

bool page_homes_read(page_homes_t *homes, const char *path, unsigned stacks, trouble_t *trouble) {
  page_homes_t h = {0};
  FILE *file = fopen(path, "r");
  if (!file) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", path, strerror(errno));
  const bool good = read_rows(&h, file, path, stacks, trouble);
  fclose(file);
  if (good && homes) *homes = h;
  else page_homes_free(&h);
  return good;
}
