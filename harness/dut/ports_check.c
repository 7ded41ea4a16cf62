/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds a port file against the RTL's ports:   ports_check PORTS RTL CLASS
 * CLASS is the header of the class that Verilator made of the RTL with these very parameters: it declares each port of the top module
 * with direction and width, VL_IN8(&push_i,0,0). Compiled for each object with PORTS_FILE, PORTS_HEADER and the parameters from variant.h,
 * so that widths are what the port file's expressions are. Exit status 1: one line says which port differs, where, and what would be right.
 */
#include PORTS_HEADER
#include "variant.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, LINE = 4096, MOST = 4096 };

typedef struct {
  char name[NAME];
  char dir[8]; /* "input", "output", "inout" */
  int left, right;
  bool array, wanted;
} rtl_port_t;

typedef struct {
  const char *name, *entry; /* "push_i"; "IN(push, ...)" */
  const char *dir;
  long long width;
  unsigned line; /* of the port file */
} file_port_t;

static const file_port_t file_ports[] = {
#define CLOCK(name) {#name, "CLOCK(" #name ")", "input", 1, __LINE__},
#define RESET(name, level, sync) {#name, "RESET(" #name ", ...)", "input", 1, __LINE__},
#define ENTRY(kind, name, dir, bits, suffix) {#name suffix, #kind "(" #name ", ...)", dir, (long long)(bits), __LINE__},
#define IN(name, width, valid) ENTRY(IN, name, "input", width, "_i")
#define IN_V(name, width, valid) ENTRY(IN_V, name, "input", width, "_i")
#define IN_S(name, type, valid) ENTRY(IN_S, name, "input", PORT_WIDTH_##type, "_i")
#define OUT(name, width, valid) ENTRY(OUT, name, "output", width, "_o")
#define OUT_V(name, width, valid) ENTRY(OUT_V, name, "output", width, "_o")
#define OUT_S(name, type, valid) ENTRY(OUT_S, name, "output", PORT_WIDTH_##type, "_o")
#define PROBE(name, width, valid) ENTRY(PROBE, name, "output", width, "_o")
#define PROBE_V(name, width, valid) ENTRY(PROBE_V, name, "output", width, "_o")
#define PROBE_S(name, type, valid) ENTRY(PROBE_S, name, "output", PORT_WIDTH_##type, "_o")
#include "gen/ports_begin.h"
#include PORTS_FILE
#include "gen/ports_end.h"
};
enum { NUM_FILE_PORTS = sizeof file_ports / sizeof *file_ports };

static rtl_port_t rtl_ports[MOST];
static unsigned num_rtl_ports;

/* One declaration of the class; an unpacked array is VL_IN8((&data)[4],7,0). */
static void read_port(const char *line) {
  static const char *const dirs[][2] = {{"VL_INOUT", "inout"}, {"VL_IN", "input"}, {"VL_OUT", "output"}};
  line += strspn(line, " ");
  for (int d = 0; d < 3; d++) {
    rtl_port_t port = {.right = 0};
    if (strncmp(line, dirs[d][0], strlen(dirs[d][0]))) continue;
    const char *open = strchr(line, '('), *name = open ? open + strspn(open, "(&") : NULL, *comma = name ? strchr(name, ',') : NULL;
    if (!comma || sscanf(comma, ",%d,%d", &port.left, &port.right) != 2 || num_rtl_ports == MOST) return;
    snprintf(port.dir, sizeof port.dir, "%s", dirs[d][1]);
    snprintf(port.name, NAME, "%.*s", (int)strcspn(name, "),"), name);
    port.array = memchr(name, '[', (size_t)(comma - name)) != NULL;
    rtl_ports[num_rtl_ports++] = port;
    return;
  }
}

static void read_class(const char *path) {
  char line[LINE];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) read_port(line);
  if (!file || !num_rtl_ports) {
    printf("environment: %s: no ports were found in it\n", path);
    exit(1);
  }
  fclose(file);
}

static rtl_port_t *find_rtl(const char *name) {
  for (unsigned i = 0; i < num_rtl_ports; i++)
    if (strcmp(rtl_ports[i].name, name) == 0) return &rtl_ports[i];
  return NULL;
}

static int width_of(const rtl_port_t *port) {
  return abs(port->left - port->right) + 1;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++)
    if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return true;
  return false;
}

/* The line of the RTL that declares a port: the first that names it beside a direction, else the first that names it; 0: none. */
static unsigned rtl_line(const char *path, const char *name) {
  char line[LINE];
  unsigned n = 0, first = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *comment = strstr(line, "//");
    if (comment) *comment = 0;
    n++;
    if (!has_word(line, name)) continue;
    if (!first) first = n;
    if (has_word(line, "input") || has_word(line, "output") || has_word(line, "inout")) {
      first = n;
      break;
    }
  }
  if (file) fclose(file);
  return first;
}

static const char *stem(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A port of the RTL that is not in the port file and differs from `name` in its ending alone: what was probably meant. */
static const char *near(const char *name) {
  const size_t length = strlen(name);
  for (unsigned i = 0; i < num_rtl_ports; i++) {
    const char *other = rtl_ports[i].name;
    bool known = false;
    for (unsigned k = 0; k < NUM_FILE_PORTS; k++) known |= strcmp(file_ports[k].name, other) == 0;
    if (!known && (strncmp(other, name, length > 2 ? length - 2 : length) == 0 || strcasecmp(other, name) == 0)) return other;
  }
  return NULL;
}

static void check(const file_port_t *port, const char *ports, const char *rtl) {
  rtl_port_t *found = find_rtl(port->name);
  const char *other = found ? NULL : near(port->name);
  const unsigned line = rtl_line(rtl, found ? found->name : other ? other : port->name);
  if (!found) {
    printf("%s:%u: %s: module %.*s has no port %s", ports, port->line, port->entry, (int)strcspn(stem(rtl), "."), stem(rtl), port->name);
    if (other) printf("; did you mean its %s (%s:%u)?", other, stem(rtl), line);
    printf("\n");
  } else if (strcmp(found->dir, port->dir))
    printf("%s:%u: %s: %s is an %s in %s:%u; it should be an %s\n", ports, port->line, port->entry, port->name, found->dir, stem(rtl), line,
           port->dir);
  else if (found->array)
    printf("%s:%u: %s: %s is an unpacked array in %s:%u; a port should be one vector\n", ports, port->line, port->entry, port->name, stem(rtl),
           line);
  else if (width_of(found) != port->width)
    printf("%s:%u: %s: %s has %lld bits here and %d in %s:%u; both should be the same\n", ports, port->line, port->entry, port->name,
           port->width, width_of(found), stem(rtl), line);
  else {
    found->wanted = true;
    return;
  }
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: ports_check PORTS RTL CLASS\n"), 2;
  read_class(argv[3]);
  for (unsigned i = 0; i < NUM_FILE_PORTS; i++) check(&file_ports[i], argv[1], argv[2]);
  for (unsigned i = 0; i < num_rtl_ports; i++) {
    const rtl_port_t *port = &rtl_ports[i];
    if (port->wanted) continue;
    printf("%s:%u: %s %s is not in %s; add an entry for it\n", argv[2], rtl_line(argv[2], port->name), port->dir, port->name, stem(argv[1]));
    return 1;
  }
  return 0;
}
