/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes come from the netlist's text (netlist_text.h), accesses from the toggles of the enables.
 */
#include "power_memory.h"

#include <stdlib.h>
#include <string.h>

bool power_is_memory(const loads_instance_t *i) {
  return i->parent && strcmp(i->cell, "sram_1r1w") == 0;
}

/* ---- sizes, as netlist_text.h writes them */

/* Is the name at `at` this one, followed by `end`? An escaped name begins with a backslash and
 * ends in a blank. *after is what follows the name. */
static bool skip_name(const char *at, const char *name, char end, const char **after) {
  const size_t n = strlen(name);
  const bool escaped = *at == '\\';
  at += escaped;
  if (strncmp(at, name, n)) return false;
  *after = at + n + (escaped && at[n] == ' ');
  return **after == end;
}

/* Reads the value of "  defparam u_rows.Depth = 32'd4;". */
static bool read_defparam(const char *line, const char *local, const char *param, unsigned long *value) {
  static const char word[] = "  defparam ";
  const char *at;
  const size_t n = strlen(param);
  if (strncmp(line, word, sizeof word - 1) || !skip_name(line + sizeof word - 1, local, '.', &at)) return false;
  if (strncmp(at + 1, param, n) || strncmp(at + 1 + n, " = ", 3)) return false;
  const char *end = strchr(at, '\n'), *quote = strchr(at, '\'');
  if (!quote || (end && quote > end) || quote[1] != 'd') return false;
  *value = strtoul(quote + 2, NULL, 10);
  return true;
}

/* Reads the sizes from the module that has the memory. */
static bool find_size(power_memory_t *m, const loads_instance_t *i, const char *netlist) {
  bool inside = false;
  const char *after;
  m->rows = m->width = 0;
  for (const char *line = netlist; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, "module ", 7) == 0) inside = skip_name(line + 7, i->parent, '(', &after);
    else if (inside && !read_defparam(line, i->local, "Depth", &m->rows))
      read_defparam(line, i->local, "Width", &m->width);
  }
  return m->rows && m->width;
}

/* ---- accesses */

/* Clock edges at which the port was 1. A port tied to 1 has an edge in each cycle. False: its
 * net was not counted. */
static bool count_edges(double *edges, const loads_t *loads, const loads_instance_t *i, const char *port,
                        const toggles_t *t) {
  for (const loads_pin_t *p = loads->pins + i->first; p < loads->pins + i->first + i->pins; p++) {
    bool value;
    if (strcmp(p->port, port)) continue;
    if (loads_is_tied(p->net, &value)) return *edges = value ? (double)t->cycles : 0, true;
    const toggles_net_t *net = toggles_find_either(t, p->net);
    if (net) *edges = (double)t->all[net->count].edges;
    return net;
  }
  return false;
}

static bool sum_memory(power_memory_t *m, const loads_t *loads, const loads_instance_t *i, const char *netlist,
                       const toggles_t *toggles, const sram_fit_t *fit, trouble_t *trouble) {
  *m = (power_memory_t){.name = i->name};
  if (!find_size(m, i, netlist))
    return trouble_set(trouble, TROUBLE_INPUT, "the netlist does not say how large the memory %s is", i->name);
  if (!count_edges(&m->reads, loads, i, "rd_en_i", toggles) || !count_edges(&m->writes, loads, i, "wr_en_i", toggles))
    return trouble_set(trouble, TROUBLE_INPUT, "the memory %s: its rd_en_i or wr_en_i is on a net that was not counted",
                       i->name);
  m->read = sram_at(&fit->read, m->rows, m->width), m->write = sram_at(&fit->write, m->rows, m->width);
  m->leakage = sram_at(&fit->leakage, m->rows, m->width);
  m->joules = m->reads * m->read + m->writes * m->write;
  m->extrapolated = sram_outside(fit, m->rows, m->width);
  return true;
}

static int by_joules(const void *a, const void *b) {
  const power_memory_t *x = a, *y = b;
  return x->joules != y->joules ? (x->joules < y->joules) - (x->joules > y->joules) : strcmp(x->name, y->name);
}

bool power_memories(power_memories_t *all, const loads_t *loads, const char *netlist, const toggles_t *toggles,
                    const sram_fit_t *fit, trouble_t *trouble) {
  *all = (power_memories_t){.list = calloc(loads->num_instances + 1, sizeof *all->list)};
  if (!all->list) return trouble_memory(trouble);
  for (const loads_instance_t *i = loads->instances; i < loads->instances + loads->num_instances; i++) {
    power_memory_t *m = &all->list[all->count];
    if (!power_is_memory(i)) continue;
    if (!sum_memory(m, loads, i, netlist, toggles, fit, trouble)) return false;
    all->count++, all->extrapolated += m->extrapolated;
    all->joules += m->joules, all->leakage += m->leakage;
  }
  qsort(all->list, all->count, sizeof *all->list, by_joules);
  return true;
}

void power_memories_free(power_memories_t *all) {
  free(all->list);
  *all = (power_memories_t){0};
}
