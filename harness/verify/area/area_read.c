/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts and their forms:
 *
 *   cells.txt   stat   "     NAND2X1      12"         behind "Number of cells:"
 *   boxes.txt   dump   "  cell \fifo \i_fifo", "    parameter \Depth 32'00000100"
 *   abc.txt     abc    "Delay = 743.03 ps"            the last one counts
 *   levels.txt  ltp    "Longest topological path in fifo (length=7):"
 */
#include "area_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells */

/* Does the name start with one of these, separated by blanks? */
static bool has_prefix_of(const char *name, const char *starts) {
  for (const char *s = starts; *s; s += strcspn(s, " "), s += strspn(s, " "))
    if (strncmp(name, s, strcspn(s, " ")) == 0) return true;
  return false;
}

static void count_fpga(area_t *a, const area_target_t *t, const char *name, unsigned long count) {
  a->luts += has_prefix_of(name, t->luts) ? count : 0;
  a->rams += has_prefix_of(name, t->rams) ? count : 0;
  a->dsps += has_prefix_of(name, t->dsps) ? count : 0;
  a->flipflops += has_prefix_of(name, t->flipflops) ? count : 0;
}

/* False: nothing is known of the cell's area. A name with `$` is an internal cell that was not
 * mapped. */
static bool count_cells(area_t *a, const area_target_t *t, const char *name, unsigned long count) {
  const liberty_cell_t *cell = area_is_fpga(t) ? NULL : liberty_any(&t->cells->library, name);
  if (*name == '$' || !(area_is_fpga(t) || (cell && cell->area >= 0))) return false;
  if (!cell) count_fpga(a, t, name, count);
  else if (cell->flipflop) a->flipflops += count, a->flipflops_area += cell->area * (double)count;
  a->cells += count;
  a->area += cell ? cell->area * (double)count : 0;
  return true;
}

bool area_has_cell(const area_target_t *t, const char *name) {
  return !area_is_fpga(t) && liberty_any(&t->cells->library, name);
}

/* Says why a cell has no area, and where the user could say it. Always false. */
static bool no_area(const area_target_t *t, const char *name, trouble_t *trouble) {
  const liberty_cell_t *cell = area_is_fpga(t) ? NULL : liberty_any(&t->cells->library, name);
  if (!cell)
    return trouble_set(trouble, TROUBLE_INPUT, "%s is no cell of the target: the block was not mapped wholly", name);
  if (*t->cells->lefs)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: no MACRO with a SIZE in the LEF files of %s: the file that has it would be right", name,
                       t->cells->name);
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%s: cell %s has no area: the Liberty file should say it, or a LEF file by --lef", cell->place,
                     name);
}

bool area_read_cells(area_t *a, char *text, const area_target_t *target,
                     bool (*skip)(const void *context, const char *cell), const void *context, trouble_t *trouble) {
  char *rest, name[256];
  unsigned long count;
  char *from = strstr(text, "Number of cells:");
  if (from) from += strcspn(from, "\n");
  for (char *line = from ? strtok_r(from, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
    if (sscanf(line, " %255s %lu", name, &count) != 2 || skip(context, name)) continue;
    if (!count_cells(a, target, name, count)) {
      return no_area(target, name, trouble);
    }
  }
  if (!from) trouble_set(trouble, TROUBLE_INPUT, "Yosys printed no cells");
  return from;
}

/* ---- black boxes */

/* Reads "32" or "32'0101". Values are ints, so bit 31 is the sign. */
static long read_box_parameter(const char *text) {
  const char *quote = strchr(text, '\'');
  return quote ? (long)(int)strtoul(quote + 1, NULL, 2) : strtol(text, NULL, 10);
}

typedef struct {
  char type[PROOF_NAME], name[256], params[PROOF_TEXT];
  unsigned long rows, width;
} box_t;

/* Adds "Name=Value" to the box's list. Width and Depth give a memory's shape. */
static void box_parameter(box_t *b, const char *name, long value) {
  size_t length = strlen(b->params);
  if (strcmp(name, "Width") == 0) b->width = (unsigned long)value;
  if (strcmp(name, "Depth") == 0) b->rows = (unsigned long)value;
  snprintf(b->params + length, sizeof b->params - length, "%s%s=%ld", length ? " " : "", name, value);
}

static bool add_macro(area_t *a, const box_t *b, trouble_t *trouble) {
  if (a->num_macros == AREA_MACROS) return trouble_set(trouble, TROUBLE_INPUT, "more than %d macros", AREA_MACROS);
  if (!b->rows || !b->width)
    return trouble_set(trouble, TROUBLE_INPUT, "macro %.200s: Width and Depth should be given where it is used",
                       b->name);
  area_macro_t *m = &a->macros[a->num_macros++];
  *m = (area_macro_t){.rows = b->rows, .width = b->width};
  strcpy(m->name, b->name);
  return true;
}

/* Counts a part of the same module and parameters, or adds a new kind. */
static bool add_part(area_t *a, const box_t *b, trouble_t *trouble) {
  area_part_t *p = a->parts;
  while (p < a->parts + a->num_parts && (strcmp(p->block, b->type) != 0 || strcmp(p->params, b->params) != 0)) p++;
  if (p == a->parts + AREA_PARTS) return trouble_set(trouble, TROUBLE_INPUT, "more than %d kinds of parts", AREA_PARTS);
  if (p == a->parts + a->num_parts) {
    a->num_parts++;
    strcpy(p->block, b->type);
    strcpy(p->params, b->params);
  }
  p->count++;
  return true;
}

/* An empty type is the state before the first box. */
static bool add_box(area_t *a, const box_t *b, const area_target_t *t, trouble_t *trouble) {
  if (!*b->type || area_has_cell(t, b->type)) return true;
  return strncmp(b->type, "sram_", 5) == 0 ? add_macro(a, b, trouble) : add_part(a, b, trouble);
}

bool area_read_boxes(area_t *a, char *text, const area_target_t *t, trouble_t *trouble) {
  char *rest, name[256], value[256];
  box_t box = {0}, next;
  bool ok = true;
  for (char *line = strtok_r(text, "\n", &rest); line && ok; line = strtok_r(NULL, "\n", &rest)) {
    memset(&next, 0, sizeof next);
    if (sscanf(line, " cell \\%63s \\%255s", next.type, next.name) == 2) {
      ok = add_box(a, &box, t, trouble);
      box = next;
    } else if (sscanf(line, " parameter signed \\%255s %255s", name, value) == 2 ||
               sscanf(line, " parameter \\%255s %255s", name, value) == 2) {
      box_parameter(&box, name, read_box_parameter(value));
    }
  }
  return ok && add_box(a, &box, t, trouble);
}

/* ---- paths */

/* abc prints a delay after each step; the last one is that of the result, "Delay = 743.03 ps". */
double area_read_delay(const char *text) {
  double ps = -1;
  for (const char *at = text; (at = strstr(at, "Delay =")); at++) sscanf(at, "Delay = %lf", &ps);
  return ps;
}

long area_read_levels(const char *text) {
  long length = -1;
  const char *at = strstr(text, "(length=");
  if (at) sscanf(at, "(length=%ld", &length);
  return length > 0 ? length : -1;
}
