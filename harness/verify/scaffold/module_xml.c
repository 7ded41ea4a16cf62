/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator writes an element in a line. module_types.c reads the
 * types of the ports.
 */
#include "file.h"
#include "module.h"
#include "top_xml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  module_t *m;
  top_xml_t top;
  top_xml_place_t at;
  bool sources; /* in the list of files that have modules */
  trouble_t *trouble;
} reader_t;

module_port_t *module_port(module_t *m, const char *name) {
  for (unsigned i = 0; i < m->num_ports; i++)
    if (strcmp(m->ports[i].name, name) == 0) return &m->ports[i];
  return NULL;
}

/* Always false. */
static bool refuse_port(reader_t *r, const char *name, const char *what) {
  return trouble_set(r->trouble, TROUBLE_INPUT, "%s: port %s of %s %s", r->m->file, name, r->m->name, what);
}

/* Always false. Two-state devices and Yosys cannot show who drives a net that several may drive. */
static bool refuse_inout(reader_t *r, const char *line, const char *name) {
  char place[64];
  const char *comma = top_xml_attribute(line, "loc", place, sizeof place) ? strchr(place, ',') : NULL;
  return trouble_set(r->trouble, TROUBLE_INPUT,
                     "%s:%u: port %s of %s is an inout: a module around it should make an input, an output and an "
                     "enable of it, outside of which `assign pad = enable ? out : 'z` stands",
                     r->m->file, comma ? (unsigned)strtoul(comma + 1, NULL, 10) : 0, name, r->m->name);
}

static bool take_port(reader_t *r, const char *line, const char *dir) {
  module_t *m = r->m;
  char name[MODULE_NAME];
  top_xml_name(line, name, sizeof name);
  if (strcmp(dir, "input") && strcmp(dir, "output")) return refuse_inout(r, line, name);
  if (m->num_ports == MODULE_PORTS) return refuse_port(r, name, "is one too many: at most 512");
  module_port_t *port = &m->ports[m->num_ports++];
  snprintf(port->name, sizeof port->name, "%s", name);
  port->output = *dir == 'o';
  return true;
}

static bool take_line(reader_t *r, const char *line) {
  char text[MODULE_NAME], path[4096];
  line += strspn(line, " ");
  const bool child = top_xml_follow(&r->at, line);
  if (strncmp(line, "<module_files", 13) == 0) r->sources = true;
  else if (strncmp(line, "</module_files", 14) == 0) r->sources = false;
  else if (r->sources && top_xml_attribute(line, "filename", path, sizeof path)) rtl_add(r->m->sources, path);
  else if (child && strncmp(line, "<var ", 5) == 0 && top_xml_attribute(line, "dir", text, sizeof text))
    return take_port(r, line, text);
  return true;
}

/* A parameter of a port file is a number with a plain vector type: no text, no real, no struct. */
static void take_params(reader_t *r) {
  for (const top_xml_param_t *p = r->top.params; p < r->top.params + r->top.num_params; p++) {
    if (!p->number || !p->width || r->m->num_params == MODULE_PARAMS || module_is_left(r->m, p->name)) continue;
    module_param_t *param = &r->m->params[r->m->num_params++];
    snprintf(param->name, sizeof param->name, "%s", p->name);
    param->value = p->value;
    param->largest = p->width > 63 ? INT64_MAX : (long long)(INT64_MAX >> (63 - p->width + p->is_signed));
  }
}

bool module_read_xml(module_t *m, const char *path, trouble_t *trouble) {
  reader_t r = {.m = m, .trouble = trouble};
  char *text = top_xml_read(&r.top, path) ? file_read(path) : NULL, *rest = NULL;
  bool ok = text;
  if (!ok) trouble_set(trouble, TROUBLE_INPUT, "%s: cannot be read", path);
  for (char *line = ok ? strtok_r(text, "\n", &rest) : NULL; ok && line; line = strtok_r(NULL, "\n", &rest))
    ok = take_line(&r, line);
  ok = ok && module_read_types(m, path, trouble);
  if (ok) take_params(&r);
  free(text);
  top_xml_free(&r.top);
  return ok;
}

/* The widths of the same ports and fields in the other module; a port that it lacks keeps its
 * width. One with other fields says nothing. */
static void add_probe(const module_t *m, const module_t *other, long long value, module_probe_t *probe) {
  for (unsigned i = 0; i < m->num_ports; i++) {
    const bool there = i < other->num_ports && !strcmp(other->ports[i].name, m->ports[i].name);
    const module_port_t *port = there ? &other->ports[i] : &m->ports[i];
    probe->widths[probe->count][i] = port->width, probe->arrays[probe->count][i] = port->array;
  }
  unsigned *fields = probe->fields[probe->count];
  if (module_field_widths(m->types, fields) == module_field_widths(other->types, fields))
    probe->values[probe->count++] = value;
}

void module_read_again(module_t *m, unsigned set, long long value, const char *path, module_probe_t *probe) {
  top_xml_t top;
  trouble_t trouble = {0};
  if (!top_xml_read(&top, path)) return;
  for (unsigned i = 0; i < m->num_params; i++)
    for (const top_xml_param_t *p = top.params; p < top.params + top.num_params && i != set; p++)
      if (strcmp(p->name, m->params[i].name) == 0 && (!p->number || p->value != m->params[i].value))
        m->params[i].derived = true;
  top_xml_free(&top);
  module_t *other = calloc(1, sizeof *other);
  if (other && probe->count < MODULE_SAMPLES && module_read_xml(other, path, &trouble))
    add_probe(m, other, value, probe);
  free(other);
}
