/* SPDX-License-Identifier: Apache-2.0
 *
 * Which inputs are clocks and asynchronous resets, from Verilator's XML: for modules that Yosys
 * cannot read, or not in time. An `always` that waits for edges of several nets has one clock: the
 * net that its statements do not read.
 *
 *   in each module    what waits for an edge of which net
 *   up the hierarchy  a pin of an instance, or an assigned net, stands for the net behind it
 */
#include "file.h"
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name within the file's text. */
typedef struct {
  const char *at;
  size_t length;
} name_t;

/* Something in `module` waits for an edge of `net`. */
typedef struct {
  name_t module, net;
  bool falling, clock;
} wait_t;

/* In `module`, `net` drives `pin`: of an instance of `inner`, or another net (inner empty). */
typedef struct {
  name_t module, inner, pin, net;
  bool inverted;
} wire_t;

enum { SEVERAL = 8 };

typedef struct {
  wait_t *waits;
  wire_t *wires;
  size_t num_waits, num_wires;
  bool failed; /* no memory */
  /* where the reader is; an empty name: in no such element */
  name_t module, inner, pin;
  bool in_always, in_list, in_edge, in_assign, inverted;
  wait_t listed[SEVERAL]; /* edges of the `always` */
  bool read[SEVERAL];     /* its statements read the net */
  unsigned num_listed;
  unsigned operands; /* of the assignment, so far */
  name_t source;     /* its first operand, if that is a net */
  unsigned deep;     /* elements that are open within the pin or the assignment */
} edges_t;

static bool same(name_t a, name_t b) {
  return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool is_element(const char *line, const char *name) {
  const size_t n = strlen(name);
  return *line == '<' && strncmp(line + 1, name, n) == 0 && strchr(" >/", line[n + 1]);
}

static bool is_end(const char *line, const char *name) {
  return line[1] == '/' && strncmp(line + 2, name, strlen(name)) == 0;
}

/* The value of ` name="value"`; empty: the element has none. */
static name_t value_of(const char *line, const char *name) {
  char text[32];
  snprintf(text, sizeof text, " %s=\"", name);
  const char *at = strstr(line, text);
  if (!at) return (name_t){"", 0};
  at += strlen(text);
  return (name_t){at, strcspn(at, "\"")};
}

static void add_wait(edges_t *e, wait_t wait) {
  for (size_t i = 0; i < e->num_waits; i++)
    if (same(e->waits[i].module, wait.module) && same(e->waits[i].net, wait.net) && e->waits[i].clock == wait.clock &&
        e->waits[i].falling == wait.falling)
      return;
  wait_t *more = realloc(e->waits, (e->num_waits + 1) * sizeof *more);
  if (!more) e->failed = true;
  else e->waits = more, e->waits[e->num_waits++] = wait;
}

static void add_wire(edges_t *e, wire_t wire) {
  wire_t *more = realloc(e->wires, (e->num_wires + 1) * sizeof *more);
  if (!more) e->failed = true;
  else e->wires = more, e->wires[e->num_wires++] = wire;
}

/* ---- the reader */

/* An `always` ends: the edge that no statement reads is the clock's. Where no statement reads two
 * of them, because a register has the same constant in and out of reset, it says nothing. */
static void end_always(edges_t *e) {
  unsigned unread = 0;
  for (unsigned i = 0; i < e->num_listed; i++) unread += !e->read[i];
  for (unsigned i = 0; unread < 2 && i < e->num_listed; i++) {
    e->listed[i].clock = e->num_listed == 1 || !e->read[i];
    add_wait(e, e->listed[i]);
  }
  e->in_always = false;
}

static void take_net_of_always(edges_t *e, name_t net) {
  for (unsigned i = 0; i < e->num_listed && !e->in_list; i++)
    if (same(e->listed[i].net, net)) e->read[i] = true;
  if (e->in_edge && e->num_listed && !e->listed[e->num_listed - 1].net.length) e->listed[e->num_listed - 1].net = net;
}

/* A net that is, but for an inverter, all that a pin or an assignment has. */
static void take_net_of_wire(edges_t *e, name_t net) {
  const bool alone = e->deep == (e->inverted ? 1u : 0u);
  if (e->pin.length && alone) add_wire(e, (wire_t){e->module, e->inner, e->pin, net, e->inverted});
  if (e->in_assign && alone && e->operands == 0) e->source = net;
  if (e->in_assign && e->deep == 0 && e->operands == 1 && e->source.length)
    add_wire(e, (wire_t){e->module, {"", 0}, net, e->source, e->inverted});
}

/* Elements within a pin or an assignment. */
static void follow_wire(edges_t *e, const char *line) {
  const bool ends = line[1] == '/', whole = strstr(line, "/>");
  if (is_element(line, "not") && e->deep == 0 && e->operands == 0) e->inverted = true;
  if (is_element(line, "varref")) take_net_of_wire(e, value_of(line, "name"));
  if (!ends && !whole) e->deep++;
  if (ends && e->deep) e->deep--;
  if (e->deep == 0 && (ends || whole)) e->operands++;
}

static void take_edge(edges_t *e, const char *line) {
  const name_t edge = value_of(line, "edgeType");
  e->in_edge = e->num_listed < SEVERAL && (same(edge, (name_t){"POS", 3}) || same(edge, (name_t){"NEG", 3}));
  if (!e->in_edge) return;
  e->read[e->num_listed] = false;
  e->listed[e->num_listed++] = (wait_t){e->module, {"", 0}, *edge.at == 'N', false};
}

/* False: the line is none of an `always`. */
static bool follow_always(edges_t *e, const char *line) {
  if (is_element(line, "always")) return e->in_always = true, e->num_listed = 0, true;
  if (!e->in_always) return false;
  if (is_end(line, "always")) end_always(e);
  else if (is_element(line, "sentree")) e->in_list = true;
  else if (is_end(line, "sentree")) e->in_list = e->in_edge = false;
  else if (is_element(line, "senitem")) take_edge(e, line);
  else if (is_element(line, "varref")) take_net_of_always(e, value_of(line, "name"));
  return true;
}

static void begin_wire(edges_t *e, name_t pin, bool assign) {
  e->pin = pin, e->in_assign = assign, e->inverted = false, e->deep = e->operands = 0, e->source = (name_t){"", 0};
}

static void follow_line(edges_t *e, const char *line) {
  if (is_element(line, "module")) e->module = value_of(line, "name");
  else if (follow_always(e, line)) return;
  else if (is_element(line, "instance")) e->inner = value_of(line, "defName");
  else if (is_element(line, "port") && !strstr(line, "/>")) begin_wire(e, value_of(line, "name"), false);
  else if (is_element(line, "contassign")) begin_wire(e, (name_t){"", 0}, true);
  else if (is_end(line, "port") || is_end(line, "contassign")) begin_wire(e, (name_t){"", 0}, false);
  else if (e->pin.length || e->in_assign) follow_wire(e, line);
}

/* ---- up the hierarchy */

static bool leads_to(const wire_t *wire, const wait_t *wait) {
  return same(wire->pin, wait->net) && same(wire->inner.length ? wire->inner : wire->module, wait->module);
}

/* The list of waits grows while it is gone through. */
static void climb(edges_t *e) {
  for (size_t i = 0; i < e->num_waits && !e->failed; i++)
    for (size_t k = 0; k < e->num_wires; k++) {
      const wire_t *wire = &e->wires[k];
      const wait_t wait = e->waits[i];
      if (leads_to(wire, &wait))
        add_wait(e, (wait_t){wire->module, wire->net, wait.falling != wire->inverted, wait.clock});
    }
}

static void set_ports(const edges_t *e, module_t *m, name_t top) {
  for (module_port_t *p = m->ports; p < m->ports + m->num_ports; p++) {
    const name_t name = {p->name, strlen(p->name)};
    for (const wait_t *w = e->waits; w < e->waits + e->num_waits; w++) {
      if (p->output || !same(w->module, top) || !same(w->net, name)) continue;
      if (w->clock) p->clock = true;
      else (*(w->falling ? &p->async_low : &p->async_high))++;
    }
  }
}

void module_read_edges(module_t *m, const char *path) {
  edges_t e = {.module = {"", 0}, .inner = {"", 0}, .pin = {"", 0}, .source = {"", 0}};
  name_t top = {"", 0};
  char *text = file_read(path), *rest = NULL;
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
    line += strspn(line, " ");
    if (*line == '<') follow_line(&e, line);
    if (is_element(line, "module") && strstr(line, " topModule=\"1\"")) top = e.module;
  }
  climb(&e);
  if (top.length && !e.failed) set_ports(&e, m, top);
  free(e.waits);
  free(e.wires);
  free(text);
}
