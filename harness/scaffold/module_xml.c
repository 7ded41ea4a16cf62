/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilator writes an element a line. Types follow the modules, so ports keep their type's number until the end.
 */
#include "file.h"
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 65536, CHAIN = 16 };

typedef struct {
  unsigned width; /* 0: not a plain vector */
  unsigned of;    /* the type that it is another name of; 0: none */
} type_t;

typedef struct {
  module_t *m;
  type_t *types; /* by number */
  unsigned type[MODULE_PORTS];
  module_param_t *param; /* whose value is in the next line */
  bool inside, sources;  /* of the top module; of the list of files that have modules */
  char *error;
  size_t size;
} reader_t;

module_port_t *module_port(module_t *m, const char *name) {
  for (unsigned i = 0; i < m->num_ports; i++)
    if (strcmp(m->ports[i].name, name) == 0) return &m->ports[i];
  return NULL;
}

static bool attribute(const char *line, const char *name, char *value, size_t size) {
  char start[64];
  snprintf(start, sizeof start, " %s=\"", name);
  const char *at = strstr(line, start);
  *value = 0;
  if (!at) return false;
  at += strlen(start);
  snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
  return true;
}

static unsigned number(const char *line, const char *name) {
  char text[32];
  return attribute(line, name, text, sizeof text) ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static bool bad(reader_t *r, const char *name, const char *what) {
  snprintf(r->error, r->size, "%s: port %s of %s %s", r->m->file, name, r->m->name, what);
  return false;
}

static bool take_port(reader_t *r, const char *line, const char *dir) {
  module_t *m = r->m;
  char name[MODULE_NAME];
  attribute(line, "name", name, sizeof name);
  if (strcmp(dir, "input") && strcmp(dir, "output")) return bad(r, name, "is an inout: a wrapper should make an input, an output and an enable of it");
  if (name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")]) return bad(r, name, "should have a name of letters, digits and _");
  if (m->num_ports == MODULE_PORTS) return bad(r, name, "is one too many: at most 512");
  r->type[m->num_ports] = number(line, "dtype_id");
  module_port_t *port = &m->ports[m->num_ports++];
  snprintf(port->name, sizeof port->name, "%s", name);
  port->output = *dir == 'o';
  return true;
}

/* "32'sh4": what is no number (a text, a real) is no parameter of the port file. */
static void take_value(reader_t *r, const char *line) {
  char text[256];
  const char *h = attribute(line, "name", text, sizeof text) ? strrchr(text, 'h') : NULL;
  char *end = "?";
  const unsigned long long value = h && strstr(text, "&apos;") ? strtoull(h + 1, &end, 16) : 0;
  if (*end || strtoul(text, NULL, 10) > 64) r->m->num_params--;
  else r->param->value = strstr(text, "sh") && strtoul(text, NULL, 10) == 32 ? (int)value : (long long)value;
  r->param = NULL;
}

static bool take_var(reader_t *r, const char *line) {
  module_t *m = r->m;
  char text[64];
  if (attribute(line, "dir", text, sizeof text)) return take_port(r, line, text);
  if (!attribute(line, "param", text, sizeof text) || m->num_params == MODULE_PARAMS) return true;
  r->param = &m->params[m->num_params++];
  attribute(line, "name", r->param->name, sizeof r->param->name);
  return true;
}

static void take_type(reader_t *r, const char *line) {
  char left[32], right[32];
  const unsigned id = number(line, "id");
  if (!id || id >= TYPES) return;
  type_t *t = &r->types[id];
  if (strncmp(line, "<basicdtype ", 12) == 0) {
    const bool vector = attribute(line, "left", left, sizeof left) && attribute(line, "right", right, sizeof right);
    t->width = vector ? (unsigned)labs(strtol(left, NULL, 10) - strtol(right, NULL, 10)) + 1 : 1;
  } else if (strncmp(line, "<refdtype ", 10) == 0 || strncmp(line, "<enumdtype ", 11) == 0) t->of = number(line, "sub_dtype_id");
}

static bool take_line(reader_t *r, const char *line) {
  char text[MODULE_NAME], path[4096];
  line += strspn(line, " ");
  if (strncmp(line, "<module_files", 13) == 0) r->sources = true;
  else if (strncmp(line, "</module_files", 14) == 0) r->sources = false;
  else if (r->sources && attribute(line, "filename", path, sizeof path)) rtl_add(r->m->sources, path);
  else if (strncmp(line, "<module ", 8) == 0) r->inside = attribute(line, "topModule", text, sizeof text);
  else if (strncmp(line, "</module", 8) == 0) r->inside = false;
  else if (r->param && strncmp(line, "<const ", 7) == 0) take_value(r, line);
  else if (r->inside && strncmp(line, "<var ", 5) == 0) return take_var(r, line);
  else if (strstr(line, "dtype ") && strstr(line, " id=\"")) take_type(r, line);
  return true;
}

static bool set_widths(reader_t *r) {
  for (unsigned i = 0; i < r->m->num_ports; i++) {
    unsigned id = r->type[i], steps = 0;
    while (id < TYPES && r->types[id].of && steps++ < CHAIN) id = r->types[id].of;
    r->m->ports[i].width = id < TYPES ? r->types[id].width : 0;
    if (!r->m->ports[i].width)
      return bad(r, r->m->ports[i].name, "is no plain vector (a struct, or of several dimensions): a wrapper should make vectors of it");
  }
  return true;
}

bool module_read_xml(module_t *m, const char *path, char *error, size_t size) {
  reader_t r = {.m = m, .types = calloc(TYPES, sizeof *r.types), .error = error, .size = size};
  char *text = r.types ? file_read(path) : NULL, *rest = NULL;
  bool ok = text;
  if (!ok) snprintf(error, size, "%s: cannot be read", path);
  for (char *line = ok ? strtok_r(text, "\n", &rest) : NULL; ok && line; line = strtok_r(NULL, "\n", &rest)) ok = take_line(&r, line);
  ok = ok && set_widths(&r);
  free(text);
  free(r.types);
  return ok;
}
