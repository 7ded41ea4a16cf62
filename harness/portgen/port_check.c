/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a port file with the class that Verilator makes from the RTL. The class declares each
 * port of the top module with direction and width: VL_IN8(&push_i,0,0).
 */
#include "port_check.h"
#include "port_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = PORT_NAME, LINE = 4096, MOST = 4096 };

typedef struct {
  char name[NAME];
  const char *dir; /* "input", "output", "inout" */
  /* Indices of the leftmost and the rightmost bit. */
  int left, right;
  unsigned elements; /* of an unpacked array, all dimensions; else 1 */
  bool wanted;
} rtl_port_t;

typedef struct {
  const port_file_t *file;
  const char *rtl; /* path, for messages */
  rtl_port_t *ports;
  unsigned num_ports;
  trouble_t *trouble;
} check_t;

/* ---- the class */

/* Elements of an unpacked array: the product of "[4][2],". */
static unsigned elements_of(const char *name, const char *comma) {
  unsigned n = 1;
  for (const char *at = name; (at = memchr(at, '[', (size_t)(comma - at))); at++)
    n *= (unsigned)strtoul(at + 1, NULL, 10);
  return n;
}

/* Reads one declaration of the class. An unpacked array is VL_IN8((&data)[4],7,0). */
static void read_port(check_t *c, const char *line) {
  static const char *const dirs[][2] = {{"VL_INOUT", "inout"}, {"VL_IN", "input"}, {"VL_OUT", "output"}};
  line += strspn(line, " ");
  for (int d = 0; d < 3; d++) {
    rtl_port_t port = {.dir = dirs[d][1]};
    if (strncmp(line, dirs[d][0], strlen(dirs[d][0]))) continue;
    const char *open = strchr(line, '('), *name = open ? open + strspn(open, "(&") : NULL,
               *comma = name ? strchr(name, ',') : NULL;
    if (!comma || sscanf(comma, ",%d,%d", &port.left, &port.right) != 2 || c->num_ports == MOST) return;
    char spelled[PORT_NAME];
    snprintf(spelled, sizeof spelled, "%.*s", (int)strcspn(name, "),"), name);
    port_name_decoded(spelled, port.name);
    port.elements = elements_of(name, comma);
    c->ports[c->num_ports++] = port;
    return;
  }
}

/* Reads all port declarations of the class. False: none. */
static bool read_class(check_t *c, const char *path) {
  char line[LINE];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) read_port(c, line);
  if (file) fclose(file);
  return c->num_ports;
}

/* The RTL's port of this name; NULL: none. */
static rtl_port_t *find_rtl_port(const check_t *c, const char *name) {
  for (unsigned i = 0; i < c->num_ports; i++)
    if (strcmp(c->ports[i].name, name) == 0) return &c->ports[i];
  return NULL;
}

/* Bits of a port, or of an element; the range may count up or down. */
static int rtl_port_width(const rtl_port_t *port) {
  return abs(port->left - port->right) + 1;
}

/* ---- lines of the RTL */

/* True if the text has this word as a whole; $ is part of a word. */
static bool line_has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || (!port_word(at - 1) && at[-1] != '$')) && !port_word(at + length) && at[length] != '$')
      return true;
  return false;
}

/* The line of the RTL that declares a port: the first one with the port and a direction, else the
 * first one with the port. 0: none. A `line directive on top of a copy does not count. */
static unsigned rtl_line(const char *path, const char *name) {
  char line[LINE];
  unsigned n = 0, first = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *comment = strstr(line, "//");
    if (comment) *comment = 0;
    if (!n && strncmp(line, "`line ", 6) == 0) continue;
    n++;
    if (!line_has_word(line, name)) continue;
    if (!first) first = n;
    if (line_has_word(line, "input") || line_has_word(line, "output") || line_has_word(line, "inout")) {
      first = n;
      break;
    }
  }
  if (file) fclose(file);
  return first;
}

static const char *file_name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- the comparison */

/* True if the port file has this RTL port. */
static bool is_in_port_file(const check_t *c, const char *name) {
  for (unsigned i = 0; i < c->file->text.num_entries; i++) {
    const port_entry_t *e = &c->file->text.entries[i];
    if (port_entry_is_pin(e) && strcmp(e->pin, name) == 0) return true;
  }
  return false;
}

/* A port of the RTL that was probably meant: the port file lacks it, and it differs from `name`
 * only in its last two letters or in case. */
static const char *find_similar_port(const check_t *c, const char *name) {
  const size_t length = strlen(name);
  for (unsigned i = 0; i < c->num_ports; i++) {
    const char *other = c->ports[i].name;
    if (!is_in_port_file(c, other) &&
        (strncmp(other, name, length > 2 ? length - 2 : length) == 0 || strcasecmp(other, name) == 0))
      return other;
  }
  return NULL;
}

/* Sets the error: the RTL lacks this port; suggests one with a similar name. */
static bool missing_rtl_port(const check_t *c, const char *place, const char *name) {
  const char *other = find_similar_port(c, name), *module = file_name_of(c->rtl);
  char meant[2 * NAME] = "";
  if (other) snprintf(meant, sizeof meant, "; did you mean its %s (%s:%u)?", other, module, rtl_line(c->rtl, other));
  return trouble_set(c->trouble, TROUBLE_INPUT, "%s: module %.*s has no port %s%s", place, (int)strcspn(module, "."),
                     module, name, meant);
}

/* Checks one entry: the RTL has the port, with this direction and width. */
static bool check_entry(const check_t *c, const port_entry_t *e) {
  char place[1024];
  const char *name = e->pin;
  const char *dir = port_entry_suffix(e)[0] && port_entry_suffix(e)[1] == 'o' ? "output" : "input";
  const char *whole = strstr(e->kind->name, "_FIELDS"); /* IN_FIELDS is IN_S in the file */
  snprintf(place, sizeof place, "%.600s:%u: %.*s%s(%.200s%s)", e->file, e->line,
           (int)(whole ? whole - e->kind->name : (long)strlen(e->kind->name)), e->kind->name, whole ? "_S" : "",
           e->args[0], e->kind->num_fields > 1 ? ", ..." : "");
  rtl_port_t *found = find_rtl_port(c, name);
  const int width = atoi(e->number ? e->number : "1");
  if (!found) return missing_rtl_port(c, place, name);
  const char *module = file_name_of(c->rtl);
  const unsigned line = rtl_line(c->rtl, name);
  found->wanted = true;
  if (strcmp(found->dir, dir))
    return trouble_set(c->trouble, TROUBLE_INPUT, "%s: %s is an %s in %s:%u; it should be an %s", place, name,
                       found->dir, module, line, dir);
  if (found->elements != 1 && (long long)found->elements * rtl_port_width(found) != width)
    return trouble_set(c->trouble, TROUBLE_INPUT,
                       "%s: %s has %d bits here and %u elements of %d bits in %s:%u; both should be the same", place,
                       name, width, found->elements, rtl_port_width(found), module, line);
  if (found->elements == 1 && rtl_port_width(found) != width)
    return trouble_set(c->trouble, TROUBLE_INPUT, "%s: %s has %d bits here and %d in %s:%u; both should be the same",
                       place, name, width, rtl_port_width(found), module, line);
  return true;
}

/* Checks all entries, then that the port file has every port of the RTL. */
static bool check_all_entries(const check_t *c) {
  for (unsigned i = 0; i < c->file->text.num_entries; i++)
    if (port_entry_is_pin(&c->file->text.entries[i]) && !check_entry(c, &c->file->text.entries[i])) return false;
  for (unsigned i = 0; i < c->num_ports; i++) {
    const rtl_port_t *port = &c->ports[i];
    if (port->wanted) continue;
    return trouble_set(c->trouble, TROUBLE_INPUT, "%s:%u: %s %s is not in %s; add an entry for it", c->rtl,
                       rtl_line(c->rtl, port->name), port->dir, port->name, file_name_of(c->file->view.ports));
  }
  return true;
}

bool port_check(const port_file_t *file, const char *rtl, const char *class, trouble_t *trouble) {
  port_arena_t arena = {0};
  check_t c = {.file = file, .rtl = rtl, .trouble = trouble};
  c.ports = port_take(&arena, MOST * sizeof *c.ports);
  const bool same = read_class(&c, class)
                        ? check_all_entries(&c)
                        : trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: no ports were found in it", class);
  port_release(&arena);
  return same;
}
