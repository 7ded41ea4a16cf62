/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports that are unpacked arrays, in the files of a new block.
 */
#include "port_names.h"
#include "scaffold.h"

#include <stdio.h>

/* A number of the array: its expression where one is known. */
static const char *number_here(const scaffold_t *s, const char *expr, unsigned number, char text[2 * MODULE_EXPR]) {
  if (*expr) return scaffold_expr(s, expr, text);
  snprintf(text, 2 * MODULE_EXPR, "%u", number);
  return text;
}

/* Writes the array of range d, which is made of the elements or of the arrays of range d + 1. */
static void write_range(const scaffold_t *s, FILE *out, const module_port_t *p, unsigned d) {
  const module_array_t *array = &p->array;
  const bool last = d + 1 == array->num_dims;
  char n[2 * MODULE_EXPR], of[2 * MODULE_EXPR];
  if (!last) write_range(s, out, p, d + 1);
  fprintf(out, "ARRAY%s(%s", last && array->width > 64 && !*array->type ? "_V" : "", p->type);
  if (d) fprintf(out, "_%u", d);
  fprintf(out, ", %s, ", number_here(s, array->dim_exprs[d], array->dims[d], n));
  if (!last) fprintf(out, "%s_%u)\n", p->type, d + 1);
  else fprintf(out, "%s)\n", *array->type ? array->type : number_here(s, array->expr, array->width, of));
}

void scaffold_arrays(const scaffold_t *s, FILE *out) {
  const module_t *m = s->module;
  for (const module_port_t *p = m->ports; p < m->ports + m->num_ports; p++)
    if (p->array.num_dims) write_range(s, out, p, 0);
}

void scaffold_loops(const scaffold_t *s, FILE *out, const module_port_t *p, const char *name, int indent,
                    char element[SCAFFOLD_ELEMENT]) {
  char n[2 * MODULE_EXPR];
  int length = sprintf(element, "%.*s", PORT_NAME - 1, name);
  for (unsigned d = 0; d < p->array.num_dims; d++) {
    const char index = (char)('i' + d);
    fprintf(out, "%*sfor (unsigned %c = 0; %c < %s; %c++) {\n", indent + (int)(2 * d), "", index, index,
            number_here(s, p->array.dim_exprs[d], p->array.dims[d], n), index);
    length += sprintf(element + length, "[%c]", index);
  }
}
