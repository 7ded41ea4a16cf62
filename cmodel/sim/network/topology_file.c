/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology from a YAML file. libcyaml checks the file's form and names the line. What names
 * and numbers mean is checked here; an error names the entry.
 */
#include "topology.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "yaml_file.h"

enum { NAME_MAX_LENGTH = 15 };

#define FORM(name, form, example) form ", "

typedef struct link_entry {
  char *a, *b;
  unsigned *latency; /* NULL: 1 */
  bool dateline;
} link_entry_t;

typedef struct terminal_entry {
  char *router;
  unsigned *count; /* NULL: 1 */
} terminal_entry_t;

typedef struct file {
  char **routers;
  link_entry_t *links;
  terminal_entry_t *terminals;
  unsigned routers_count, links_count, terminals_count;
} file_t;

static const cyaml_schema_value_t name_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX_LENGTH)};

/* libcyaml takes all that is not "false", "no" or "0" as true. */
static const cyaml_strval_t answers[] = {{"false", false}, {"true", true}};

static const cyaml_schema_field_t link_fields[] = {
    CYAML_FIELD_STRING_PTR("a", CYAML_FLAG_POINTER, link_entry_t, a, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_STRING_PTR("b", CYAML_FLAG_POINTER, link_entry_t, b, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_UINT_PTR("latency", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, link_entry_t, latency),
    CYAML_FIELD_ENUM("dateline", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, link_entry_t, dateline, answers,
                     CYAML_ARRAY_LEN(answers)),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t link_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, link_entry_t, link_fields)};

static const cyaml_schema_field_t terminal_fields[] = {
    CYAML_FIELD_STRING_PTR("router", CYAML_FLAG_POINTER, terminal_entry_t, router, 1, NAME_MAX_LENGTH),
    CYAML_FIELD_UINT_PTR("count", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, terminal_entry_t, count),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t terminal_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, terminal_entry_t, terminal_fields)};

static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_SEQUENCE("routers", CYAML_FLAG_POINTER, file_t, routers, &name_schema, 1, TOPOLOGY_MAX_ROUTERS),
    CYAML_FIELD_SEQUENCE("links", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_t, links, &link_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("terminals", CYAML_FLAG_POINTER, file_t, terminals, &terminal_schema, 1,
                         TOPOLOGY_MAX_TERMINALS),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, file_t, file_fields)};

/* ---- errors: the first complaint of the library, and the first line it names ---- */

typedef struct complaint {
  char what[200];
  unsigned line;
} complaint_t;

/* libcyaml's log: the first complaint, and the first line that it names. */
static void note_complaint(cyaml_log_t level, void *context, const char *format, va_list args) {
  complaint_t *c = context;
  char text[200];
  (void)level;
  vsnprintf(text, sizeof text, format, args);
  text[strcspn(text, "\n")] = 0;
  const char *line = strstr(text, "(line: "), *what = strncmp(text, "Load: ", 6) ? text : text + 6;
  if (!*c->what) snprintf(c->what, sizeof c->what, "%s", what);
  else if (line && !c->line) c->line = (unsigned)strtoul(line + 7, NULL, 10);
}

#define SHAPE \
  "a topology file has routers: [A, B], links: [{a: A, b: B, latency: 1}], terminals: [{router: A, count: 1}]"

/* libcyaml takes the last of two equal keys, and the first of two documents: both are refused
 * here. What is no YAML at all is left to libcyaml. */
static bool are_keys_unique(const char *path, trouble_t *trouble) {
  trouble_t what;
  yaml_file_t yaml;
  if (yaml_file_open(&yaml, path, &what)) return yaml_file_close(&yaml), true;
  if (!strstr(what.text, "give it once") && !strstr(what.text, YAML_SECOND)) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "%s; " SHAPE, what.text);
}

/* *file: as the YAML has it, to be freed with cyaml_free. False: trouble names file and line. */
static bool load_topology(file_t **file, const char *path, trouble_t *trouble) {
  complaint_t complaint = {.line = 0};
  const cyaml_config_t config = {
      .log_fn = note_complaint, .log_ctx = &complaint, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
  judged_file(path);
  FILE *there = fopen(path, "r");
  if (!there)
    return trouble_set(trouble, TROUBLE_INPUT, "%s: %s; a topology is " TOPOLOGY_FORMS(FORM) "or a YAML file", path,
                       strerror(errno));
  fclose(there);
  if (!are_keys_unique(path, trouble)) return false;
  cyaml_err_t result = cyaml_load_file(path, &config, &file_schema, (cyaml_data_t **)file, NULL);
  if (result == CYAML_OK && *file) return true;
  if (!*complaint.what)
    snprintf(complaint.what, sizeof complaint.what, "%s", result == CYAML_OK ? "empty" : cyaml_strerror(result));
  if (complaint.line)
    return trouble_set(trouble, TROUBLE_INPUT, "%s:%u: %s; " SHAPE, path, complaint.line, complaint.what);
  return trouble_set(trouble, TROUBLE_INPUT, "%s: %s; " SHAPE, path, complaint.what);
}

/* ---- meaning ---- */

/* Number of a router by name; -1: there is none. */
static int find_file_router(const file_t *file, const char *name) {
  for (unsigned r = 0; r < file->routers_count; r++)
    if (!strcmp(file->routers[r], name)) return (int)r;
  return -1;
}

static bool check_names(const file_t *file, trouble_t *trouble) {
  for (unsigned r = 0; r < file->routers_count; r++) {
    if (find_file_router(file, file->routers[r]) == (int)r) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "two routers are called %s; every name once", file->routers[r]);
  }
  return true;
}

/* ports: counts the links of each router; check_terminals adds its terminals. */
static bool check_links(const file_t *file, unsigned *ports, trouble_t *trouble) {
  for (unsigned i = 0; i < file->links_count; i++) {
    const link_entry_t *l = &file->links[i];
    int a = find_file_router(file, l->a), b = find_file_router(file, l->b);
    if (a < 0 || b < 0)
      return trouble_set(trouble, TROUBLE_INPUT, "link %u: no router %s; it should be one of `routers`", i + 1,
                         a < 0 ? l->a : l->b);
    if (a == b)
      return trouble_set(trouble, TROUBLE_INPUT, "link %u: from %s to itself; it should join two routers", i + 1, l->a);
    if (l->latency && (*l->latency < 1 || *l->latency > TOPOLOGY_MAX_LATENCY))
      return trouble_set(trouble, TROUBLE_INPUT, "link %u: latency %u; it should be 1 to %u cycles", i + 1, *l->latency,
                         TOPOLOGY_MAX_LATENCY);
    ports[a]++, ports[b]++;
  }
  return true;
}

static bool check_terminals(const file_t *file, unsigned *ports, unsigned *terminals, trouble_t *trouble) {
  *terminals = 0;
  for (unsigned i = 0; i < file->terminals_count; i++) {
    const terminal_entry_t *e = &file->terminals[i];
    int r = find_file_router(file, e->router);
    if (r < 0)
      return trouble_set(trouble, TROUBLE_INPUT, "terminal %u: no router %s; it should be one of `routers`", i + 1,
                         e->router);
    unsigned count = e->count ? *e->count : 1;
    if (count < 1 || count > TOPOLOGY_MAX_PORTS)
      return trouble_set(trouble, TROUBLE_INPUT, "terminal %u: count %u; it should be 1 to %u", i + 1, count,
                         TOPOLOGY_MAX_PORTS);
    ports[r] += count;
    *terminals += count;
  }
  return true;
}

/* *most: ports of the largest router, at least 2. */
static bool check_ports(const file_t *file, const unsigned *ports, unsigned terminals, unsigned *most,
                        trouble_t *trouble) {
  *most = 2; /* the least a router is built with */
  if (terminals > TOPOLOGY_MAX_TERMINALS)
    return trouble_set(trouble, TROUBLE_INPUT, "%u terminals; at most %u", terminals, TOPOLOGY_MAX_TERMINALS);
  for (unsigned r = 0; r < file->routers_count; r++) {
    if (ports[r] > TOPOLOGY_MAX_PORTS)
      return trouble_set(trouble, TROUBLE_INPUT, "router %s has %u links and terminals; at most %u", file->routers[r],
                         ports[r], TOPOLOGY_MAX_PORTS);
    if (ports[r] > *most) *most = ports[r];
  }
  return true;
}

/* Ports in the order of the file, terminals first. */
static void fill_topology(topology_t *t, const file_t *file) {
  uint8_t used[TOPOLOGY_MAX_ROUTERS] = {0};
  for (unsigned r = 0; r < t->routers; r++) snprintf(t->name[r], sizeof t->name[r], "%s", file->routers[r]);
  for (unsigned i = 0; i < file->terminals_count; i++) {
    const terminal_entry_t *e = &file->terminals[i];
    unsigned r = (unsigned)find_file_router(file, e->router);
    for (unsigned c = 0; c < (e->count ? *e->count : 1); c++) topology_add_terminal(t, r, used[r]++);
  }
  for (unsigned i = 0; i < file->links_count; i++) {
    const link_entry_t *l = &file->links[i];
    unsigned a = (unsigned)find_file_router(file, l->a), b = (unsigned)find_file_router(file, l->b), port = used[a]++;
    topology_add_link(t, a, port, b, used[b]++, l->latency ? *l->latency : 1);
    if (l->dateline) topology_set_dateline(t, a, port);
  }
}

/* The first router reaches every other one. */
static bool check_connected(const topology_t *t, trouble_t *trouble) {
  uint16_t queue[TOPOLOGY_MAX_ROUTERS] = {0};
  bool seen[TOPOLOGY_MAX_ROUTERS] = {true};
  unsigned last = 1;
  for (unsigned first = 0; first < last; first++) {
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, queue[first], p);
      if (port->kind != PORT_LINK || seen[port->peer]) continue;
      seen[port->peer] = true;
      queue[last++] = port->peer;
    }
  }
  for (unsigned r = 0; r < t->routers; r++) {
    if (seen[r]) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "no links lead from %s to %s; all routers should be connected",
                       t->name[0], t->name[r]);
  }
  return true;
}

static bool build_topology(topology_t *t, const file_t *file, trouble_t *trouble) {
  unsigned ports[TOPOLOGY_MAX_ROUTERS] = {0}, terminals, most;
  if (!check_names(file, trouble) || !check_links(file, ports, trouble) ||
      !check_terminals(file, ports, &terminals, trouble) || !check_ports(file, ports, terminals, &most, trouble))
    return false;
  if (!topology_begin(t, TOPOLOGY_FILE, file->routers_count, most, terminals)) return trouble_memory(trouble);
  fill_topology(t, file);
  if (check_connected(t, trouble)) return true;
  topology_free(t);
  return false;
}

bool topology_file(topology_t *t, const char *path, trouble_t *trouble) {
  file_t *file = NULL;
  trouble_t what = {0};
  memset(t, 0, sizeof *t);
  bool good = load_topology(&file, path, trouble);
  if (good && !build_topology(t, file, &what)) {
    good = trouble_set(trouble, what.kind, "%s: %s", path, what.text);
  }
  const cyaml_config_t config = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
  if (file) cyaml_free(&config, &file_schema, file, 0);
  return good;
}
