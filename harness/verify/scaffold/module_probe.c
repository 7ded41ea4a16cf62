/* SPDX-License-Identifier: Apache-2.0
 *
 * Widths by parameters where no tree of the source says them: in languages that Yosys does not
 * read, or made by functions. Verilator elaborates the module at other values of one parameter
 * after the other, and the width that fits each time is the expression. What fits nothing stays a
 * number; each build holds the port file against the RTL, so that a wrong guess is found.
 */
#include "module.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long log2_up(long long n) {
  long long bits = 0;
  while (bits < 62 && (1LL << bits) < n) bits++;
  return bits;
}

/* The forms that are tried, simplest first: by name of the parameter and a number that follows
 * from the default. */
typedef enum { SCALED, SHIFTED, LOGARITHM, LOGARITHM_OR_1, LOGARITHM_ABOVE, IN_BYTES, FORMS } form_t;

/* The number with which a form gives `width` at `value`; form_width tells whether it does. */
static long long form_number(form_t form, long long value, long long width) {
  if (form == SCALED) return value > 0 ? width / value : 0;
  if (form == SHIFTED) return width - value;
  if (form == LOGARITHM || form == LOGARITHM_OR_1) return width - log2_up(value);
  if (form == LOGARITHM_ABOVE) return width - log2_up(value + 1);
  return 0;
}

static long long form_width(form_t form, long long number, long long value) {
  if (form == SCALED) return number * value;
  if (form == SHIFTED) return number + value;
  if (form == LOGARITHM) return log2_up(value) + number;
  if (form == LOGARITHM_OR_1) return (value > 1 ? log2_up(value) : 1) + number;
  if (form == LOGARITHM_ABOVE) return log2_up(value + 1) + number;
  return (value + 7) / 8;
}

static void print_form(form_t form, long long number, const char *name, char text[MODULE_EXPR]) {
  char of[MODULE_NAME + 40] = "", more[32] = "";
  if (number) snprintf(more, sizeof more, " %c %lld", number < 0 ? '-' : '+', number < 0 ? -number : number);
  switch (form) {
  case SCALED:
    if (number == 1) snprintf(text, MODULE_EXPR, "%s", name);
    else snprintf(text, MODULE_EXPR, "%s * %lld", name, number);
    return;
  case SHIFTED: snprintf(of, sizeof of, "%s", name); break;
  case LOGARITHM: snprintf(of, sizeof of, "CLOG2(%s)", name); break;
  case LOGARITHM_OR_1:
    snprintf(text, MODULE_EXPR, number ? "(%s > 1 ? CLOG2(%s) : 1)%s" : "%s > 1 ? CLOG2(%s) : 1%s", name, name, more);
    return;
  case LOGARITHM_ABOVE: snprintf(of, sizeof of, "CLOG2(%s + 1)", name); break;
  default: snprintf(of, sizeof of, "(%s + 7) / 8", name); break;
  }
  snprintf(text, MODULE_EXPR, "%s%s", of, more);
}

bool module_fit_width(const char *name, const module_sample_t *samples, unsigned count, char text[MODULE_EXPR]) {
  for (form_t form = 0; form < FORMS; form++) {
    const long long number = form_number(form, samples[0].value, samples[0].width);
    bool fits = !(form == SCALED && number < 1);
    for (unsigned i = 0; i < count && fits; i++)
      fits = form_width(form, number, samples[i].value) == (long long)samples[i].width;
    if (fits) return print_form(form, number, name, text), true;
  }
  return false;
}

/* ---- what is fitted */

/* The width of port or field `which` in a sample of a probe. */
typedef unsigned width_at_t(const module_probe_t *probe, unsigned sample, unsigned which);

static unsigned port_at(const module_probe_t *probe, unsigned sample, unsigned port) {
  return probe->widths[sample][port];
}

static unsigned field_at(const module_probe_t *probe, unsigned sample, unsigned field) {
  return probe->fields[sample][field];
}

/* Of an array: its ranges (0, 1 ...) and the width of an element. */
enum { OF_ELEMENT = MODULE_DIMS, OF_ARRAY };

/* which: port * OF_ARRAY + range, or + OF_ELEMENT. */
static unsigned array_at(const module_probe_t *probe, unsigned sample, unsigned which) {
  const module_array_t *array = &probe->arrays[sample][which / OF_ARRAY];
  const unsigned what = which % OF_ARRAY;
  return what == OF_ELEMENT ? array->width : array->dims[what];
}

/* Does the width change with this parameter? */
static bool depends(const module_probe_t *probe, width_at_t *at, unsigned which, unsigned width) {
  for (unsigned i = 0; i < probe->count; i++)
    if (at(probe, i, which) != width) return true;
  return false;
}

/* The expression of the one parameter that the width follows. */
static bool fit(const module_t *m, const module_probe_t *probes, width_at_t *at, unsigned which, unsigned width,
                char text[MODULE_EXPR]) {
  unsigned by = 0, count = 0;
  for (unsigned i = 0; i < m->num_params; i++)
    if (!m->params[i].derived && depends(&probes[i], at, which, width)) by = i, count++;
  if (count != 1) return false;
  module_sample_t samples[MODULE_SAMPLES + 1] = {{m->params[by].value, width}};
  for (unsigned i = 0; i < probes[by].count; i++)
    samples[i + 1] = (module_sample_t){probes[by].values[i], at(&probes[by], i, which)};
  const unsigned num = probes[by].count + 1;
  if (module_fit_width(m->params[by].name, samples, num, text)) return true;
  /* at 1 the range of an address is [-1:0], which has two bits and means nothing */
  return samples[num - 1].value == 1 && module_fit_width(m->params[by].name, samples, num - 1, text);
}

/* ---- ports */

static void fit_number(const module_t *m, const module_probe_t *probes, width_at_t *at, unsigned which, unsigned number,
                       char expr[MODULE_EXPR]) {
  if (!*expr && !fit(m, probes, at, which, number, expr)) *expr = 0;
}

void module_fit_widths(module_t *m, const module_probe_t *probes) {
  for (unsigned p = 0; p < m->num_ports; p++) {
    module_port_t *port = &m->ports[p];
    module_array_t *array = &port->array;
    for (unsigned d = 0; d < array->num_dims; d++)
      fit_number(m, probes, array_at, p * OF_ARRAY + d, array->dims[d], array->dim_exprs[d]);
    if (array->num_dims) fit_number(m, probes, array_at, p * OF_ARRAY + OF_ELEMENT, array->width, array->expr);
    else fit_number(m, probes, port_at, p, port->width, port->expr);
  }
}

/* ---- fields of structs */

/* The width in an entry FIELD(type, name, width, valid); NULL: the line is no such entry, or has
 * the name of a type. */
static const char *width_of_field(const char *line) {
  const size_t kind = strncmp(line, "FIELD_V(", 8) == 0 ? 8 : 6;
  const char *first = strncmp(line, "FIELD(", 6) && kind == 6 ? NULL : strchr(line, ','),
             *second = first ? strchr(first + 1, ',') : NULL;
  return second && isdigit((unsigned char)second[2]) ? second + 2 : NULL;
}

unsigned module_field_widths(const char *types, unsigned widths[MODULE_LEAVES]) {
  unsigned n = 0;
  for (const char *line = types; *line && n < MODULE_LEAVES; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *width = width_of_field(line);
    if (width) widths[n++] = (unsigned)atoi(width);
  }
  return n;
}

/* The entries again, with expressions in the place of widths that follow a parameter. */
void module_fit_fields(module_t *m, const module_probe_t *probes) {
  char expr[MODULE_EXPR], *text = NULL;
  size_t size;
  unsigned n = 0;
  FILE *out = open_memstream(&text, &size);
  for (const char *line = m->types; out && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *width = width_of_field(line);
    const bool fits = width && n < MODULE_LEAVES && fit(m, probes, field_at, n, (unsigned)atoi(width), expr);
    const char *rest = fits ? width + strspn(width, "0123456789") : line;
    if (fits) fprintf(out, "%.*s%s", (int)(width - line), line, expr);
    fprintf(out, "%.*s\n", (int)strcspn(rest, "\n"), rest);
    n += width != NULL;
  }
  if (out) fclose(out);
  if (text && size < sizeof m->types) memcpy(m->types, text, size + 1);
  free(text);
}
