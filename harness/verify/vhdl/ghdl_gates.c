/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the text of ghdl, line by line:
 *
 *   module {m100} \uart
 *     input \clk;
 *     output \data[7:0];
 *     # uart.vhd:12:3
 *     instance %8{i11}: $mux2
 *       parameters $val=3
 *       input %8.$s{p1} <- \uart.\clk{n1w1}
 *       outputs %8.$o{n18w4}
 *     connect ...
 */
#include "ghdl_gates.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more element. */
static bool more(void *list, unsigned *count, unsigned *room, size_t size, trouble_t *trouble) {
  void **at = list;
  if (*count < *room) return true;
  void *bigger = realloc(*at, (*room = 2 * *room + 64) * size);
  if (!bigger) return trouble_memory(trouble);
  *at = bigger;
  return true;
}

#define MORE(g, list, trouble) more(&(g)->list, &(g)->num_##list, &(g)->room_##list, sizeof *(g)->list, trouble)

typedef struct {
  ghdl_gates_t *g;
  trouble_t *trouble;
  unsigned file, line; /* the place of the next instance; line 0: none */
} reader_t;

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* ---- nets */

/* The net in "...{n18w4}"; 0: none is named. */
static bool net_of(reader_t *r, const char *text, unsigned *net) {
  const char *brace = strrchr(text, '{');
  unsigned number, width;
  *net = 0;
  if (!brace || sscanf(brace, "{n%uw%u}", &number, &width) != 2) return true;
  ghdl_gates_t *g = r->g;
  while (g->num_nets <= number) {
    if (!MORE(g, nets, r->trouble)) return false;
    g->nets[g->num_nets] = (ghdl_net_t){.gate = -1, .root = g->num_nets};
    g->num_nets++;
  }
  g->nets[number].width = width;
  *net = number;
  return true;
}

static bool add_link(reader_t *r, const char *text) {
  ghdl_gates_t *g = r->g;
  unsigned net;
  if (!net_of(r, text, &net) || !MORE(g, links, r->trouble)) return false;
  g->links[g->num_links++] = net;
  return true;
}

static gate_t *last_gate(const ghdl_gates_t *g) {
  return g->num_gates ? &g->gates[g->num_gates - 1] : NULL;
}

/* ---- lines */

/* "{m100} \uart": gates of ghdl's own begin with $. */
static bool read_module(reader_t *r, const char *line) {
  ghdl_gates_t *g = r->g;
  const char *name = strstr(line, "} ");
  if (!name || name[2] == '$') return true;
  if (!MORE(g, modules, r->trouble)) return false;
  ghdl_module_t *m = &g->modules[g->num_modules++];
  *m = (ghdl_module_t){.name = strdup(name + 2), .first_gate = g->num_gates, .first_port = g->num_ports};
  return m->name || trouble_memory(r->trouble);
}

/* "\data[7:0];" */
static bool read_port(reader_t *r, const char *line, bool output) {
  ghdl_gates_t *g = r->g;
  if (!g->num_modules || !MORE(g, ports, r->trouble)) return !g->num_modules;
  const char *end = strrchr(line, ';'), *range = end && end[-1] == ']' ? strrchr(line, '[') : NULL;
  if (!end) return true;
  ghdl_port_t *p = &g->ports[g->num_ports++];
  *p = (ghdl_port_t){.name = strndup(line, (size_t)((range ? range : end) - line)), .width = 1, .output = output};
  if (range) p->width = range[1] == '?' ? 0 : (unsigned)strtoul(range + 1, NULL, 10) + 1;
  g->modules[g->num_modules - 1].ports++;
  return p->name || trouble_memory(r->trouble);
}

/* "uart.vhd:12:3" */
static bool read_place(reader_t *r, const char *text) {
  ghdl_gates_t *g = r->g;
  const char *column = strrchr(text, ':'), *line = column;
  while (line && line > text && *--line != ':') continue;
  if (!line || line == text) return true;
  r->line = (unsigned)strtoul(line + 1, NULL, 10);
  const size_t n = (size_t)(line - text);
  for (r->file = g->num_files; r->file--;)
    if (strncmp(g->files[r->file], text, n) == 0 && !g->files[r->file][n]) return true;
  if (!MORE(g, files, r->trouble)) return false;
  r->file = g->num_files++;
  g->files[r->file] = strndup(text, n);
  return g->files[r->file] || trouble_memory(r->trouble);
}

/* "\state{i14}: $isignal" */
static bool read_instance(reader_t *r, const char *text) {
  ghdl_gates_t *g = r->g;
  const char *kind = strstr(text, "}: "), *brace = kind;
  while (brace && brace > text && *brace != '{') brace--;
  if (!kind || !g->num_modules) return true;
  if (!MORE(g, gates, r->trouble)) return false;
  ghdl_module_t *m = &g->modules[g->num_modules - 1];
  gate_t *gate = &g->gates[g->num_gates++];
  *gate = (gate_t){.kind = strdup(kind + 3),
                   .name = strndup(text, (size_t)(brace - text)),
                   .line = r->line,
                   .file = r->file,
                   .first_input = g->num_links,
                   .first_output = g->num_links,
                   .first_param = g->num_values};
  if (!gate->kind || !gate->name) return trouble_memory(r->trouble);
  gate->self = !m->gates++ && strcmp(gate->kind, m->name) == 0;
  r->line = 0;
  return true;
}

/* "$val=3 $xz=0" or "3 4 5" */
static bool read_params(reader_t *r, const char *text) {
  ghdl_gates_t *g = r->g;
  gate_t *gate = last_gate(g);
  for (const char *p = text; gate && *p; p += strcspn(p, " "), p += *p == ' ') {
    const char *equals = memchr(p, '=', strcspn(p, " "));
    if (!MORE(g, values, r->trouble)) return false;
    g->values[g->num_values++] = strtoul(equals ? equals + 1 : p, NULL, 10);
    gate->params++;
  }
  return true;
}

static bool read_input(reader_t *r, const char *text) {
  gate_t *gate = last_gate(r->g);
  const char *from = strstr(text, " <-");
  if (!gate || !from) return true;
  gate->inputs++;
  if (!add_link(r, from + 3)) return false;
  gate->first_output = r->g->num_links;
  return true;
}

/* "%8.$o{n18w4} %8.$p{n19w1}" */
static bool read_outputs(reader_t *r, const char *text) {
  ghdl_gates_t *g = r->g;
  gate_t *gate = last_gate(g);
  char one[512];
  for (const char *end; gate && (end = strchr(text, '}')); text = end + 1) {
    const char *brace = end;
    while (brace > text && *brace != '{') brace--;
    snprintf(one, sizeof one, "%.*s", (int)(end + 1 - brace), brace);
    if (!add_link(r, one)) return false;
    ghdl_net_t *net = &g->nets[g->links[g->num_links - 1]];
    net->gate = gate->self ? -1 : (int)g->num_gates - 1, net->output = gate->outputs++;
  }
  return true;
}

static bool read_line(reader_t *r, const char *line) {
  if (starts(line, "module ")) return read_module(r, line);
  if (starts(line, "# ")) return read_place(r, line + 2);
  if (starts(line, "instance ")) return read_instance(r, line + 9);
  if (starts(line, "parameters ")) return read_params(r, line + 11);
  if (starts(line, "outputs ")) return read_outputs(r, line + 8);
  if (starts(line, "input ") && strstr(line, " <-")) return read_input(r, line + 6);
  if (starts(line, "input ")) return read_port(r, line + 6, false);
  if (starts(line, "output ")) return read_port(r, line + 7, true);
  return true;
}

bool ghdl_read(const char *text, ghdl_gates_t *g, trouble_t *trouble) {
  *g = (ghdl_gates_t){0};
  reader_t r = {.g = g, .trouble = trouble};
  char *line = NULL;
  for (const char *at = text; *at; at += *at == '\n') {
    at += strspn(at, " ");
    const size_t n = strcspn(at, "\n");
    if (!(line = strndup(at, n))) return trouble_memory(trouble);
    const bool ok = read_line(&r, line);
    free(line);
    if (!ok) return false;
    at += n;
  }
  return (g->num_modules && g->num_gates) ||
         trouble_set(trouble, TROUBLE_ENVIRONMENT, "ghdl wrote no netlist that could be read");
}

void ghdl_free(ghdl_gates_t *g) {
  for (unsigned i = 0; i < g->num_nets; i++) free(g->nets[i].name);
  for (unsigned i = 0; i < g->num_gates; i++) free(g->gates[i].kind), free(g->gates[i].name), free(g->gates[i].safe);
  for (unsigned i = 0; i < g->num_modules; i++) free(g->modules[i].name), free(g->modules[i].safe);
  for (unsigned i = 0; i < g->num_ports; i++) free(g->ports[i].name), free(g->ports[i].safe);
  for (unsigned i = 0; i < g->num_files; i++) free(g->files[i]);
  free(g->nets), free(g->gates), free(g->modules), free(g->ports), free(g->links), free(g->values), free(g->files);
  *g = (ghdl_gates_t){0};
}

/* ---- what the text says */

unsigned ghdl_input(const ghdl_gates_t *g, const gate_t *gate, unsigned i) {
  return i < gate->inputs ? g->links[gate->first_input + i] : 0;
}

unsigned ghdl_output(const ghdl_gates_t *g, const gate_t *gate, unsigned i) {
  return i < gate->outputs ? g->links[gate->first_output + i] : 0;
}

const gate_t *ghdl_driver(const ghdl_gates_t *g, unsigned net) {
  if (!net) return NULL;
  const int gate = g->nets[g->nets[net].root].gate;
  return gate < 0 ? NULL : &g->gates[gate];
}

bool ghdl_is(const gate_t *gate, const char *kind) {
  return gate && strcmp(gate->kind, kind) == 0;
}

/* Bit i of a constant: 0, 1, z or x. */
static char constant_bit(const ghdl_gates_t *g, const gate_t *gate, unsigned i) {
  static const char digits[] = "01zx";
  const unsigned long *v = g->values + gate->first_param;
  const bool low = i < 32, log = ghdl_is(gate, "$const_log");
  if (ghdl_is(gate, "$const_X")) return 'x';
  if (ghdl_is(gate, "$const_Z")) return 'z';
  if (ghdl_is(gate, "$const_0") || ghdl_is(gate, "$const_1")) return gate->kind[7];
  if (ghdl_is(gate, "$const_SB32")) return digits[v[0] >> (low ? i : 31) & 1];
  if (ghdl_is(gate, "$const_UB32")) return digits[low ? v[0] >> i & 1 : 0];
  if (ghdl_is(gate, "$const_UL32")) return digits[low ? (v[0] >> i & 1) + 2 * (v[1] >> i & 1) : 0];
  const unsigned word = i / 32 * (log ? 2 : 1);
  if (word >= gate->params) return 'x';
  return digits[(v[word] >> i % 32 & 1) + (log ? 2 * (v[word + 1] >> i % 32 & 1) : 0)];
}

char *ghdl_constant(const ghdl_gates_t *g, unsigned net) {
  const gate_t *gate = ghdl_driver(g, net);
  if (!gate || strncmp(gate->kind, "$const_", 7) != 0) return NULL;
  const unsigned width = g->nets[net].width;
  char *text = calloc(width + 1, 1);
  for (unsigned i = 0; text && i < width; i++) text[width - 1 - i] = constant_bit(g, gate, i);
  return text;
}
