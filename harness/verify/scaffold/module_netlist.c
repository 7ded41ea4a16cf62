/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits of the netlist are numbers; constants are texts. For each bit we keep the cell that
 * drives it. From an output, the search goes back through logic until it meets registers or
 * inputs.
 */
#include "module.h"

#include "json_sure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  module_t *m;
  json_t **driver; /* by bit: its cell; NULL: an input of the module, or nothing */
  int *input;      /* by bit: the port's index + 1 */
  bool *seen;
  bool *declared; /* by bit: it has a value at power-up */
  int *depth;     /* by bit: registers in a row up to it; -1: not known yet */
  size_t bits;
} netlist_t;

static const char *type_of(const json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  return type ? type : "";
}

/* Does text end in `end`? */
static bool ends_in(const char *text, const char *end) {
  const size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

static bool is_memory(const json_t *cell) {
  return strstr(type_of(cell), "$mem");
}

/* Parameters are texts of bits. */
static bool parameter_has_one(const json_t *cell, const char *parameter) {
  const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), parameter));
  return value && strchr(value, '1');
}

/* $dff, $adffe, $sdffce, ...; a memory that is written. One that nothing writes is a table, which
 * `proc` also makes of a large `case`. */
static bool is_register(const json_t *cell) {
  const char *type = type_of(cell);
  return strstr(type, "dff") || ends_in(type, "latch") || (is_memory(cell) && parameter_has_one(cell, "WR_PORTS"));
}

/* Does a value at this input reach the cell's outputs within the cycle? Memories have no clocks at
 * their read ports here (-nordff). */
static bool is_passed_on(const json_t *cell, const char *pin) {
  return is_memory(cell) ? !strcmp(pin, "RD_ADDR") : !is_register(cell);
}

/* Parameters are texts of bits, the highest first. */
static bool parameter_bit_is_high(const json_t *cell, const char *parameter, size_t bit) {
  const char *value = json_string_value(json_object_get(json_object_get(cell, "parameters"), parameter));
  const size_t length = value ? strlen(value) : 0;
  return bit < length && value[length - 1 - bit] == '1';
}

static bool parameter_is_high(const json_t *cell, const char *parameter) {
  return parameter_bit_is_high(cell, parameter, 0);
}

/* The list of bits at a cell's port. */
static const json_t *pin_bits(const json_t *cell, const char *port) {
  return json_object_get(json_object_get(cell, "connections"), port);
}

/* False: a constant. */
static bool bit_of(const netlist_t *n, const json_t *bit, size_t *at) {
  if (!json_is_integer(bit)) return false;
  *at = (size_t)json_integer_value(bit);
  return *at < n->bits;
}

/* The module's input that this bit comes from, through inverters only. NULL: none. */
static module_port_t *port_behind(const netlist_t *n, const json_t *bit, bool *inverted) {
  size_t at;
  *inverted = false;
  for (unsigned steps = 0; steps < 16 && bit_of(n, bit, &at); steps++) {
    if (n->input[at]) return &n->m->ports[n->input[at] - 1];
    const json_t *driver = n->driver[at];
    if (!driver || (strcmp(type_of(driver), "$not") && strcmp(type_of(driver), "$logic_not"))) return NULL;
    const json_t *bits = pin_bits(driver, "A");
    bit = json_array_size(bits) == 1 ? json_array_get(bits, 0) : NULL;
    *inverted = !*inverted;
  }
  return NULL;
}

/* The same of a pin of one bit. */
static module_port_t *port_at(const netlist_t *n, const json_t *cell, const char *pin, bool *inverted) {
  const json_t *bits = pin_bits(cell, pin);
  *inverted = false;
  return json_array_size(bits) == 1 ? port_behind(n, json_array_get(bits, 0), inverted) : NULL;
}

/* Notes the clocks of a memory's ports: a bit of the pin, and of the parameter that says whether
 * there is one, for each port. */
static void see_memory(const netlist_t *n, const json_t *cell, const char *pin, const char *enable) {
  const json_t *bit;
  size_t i;
  bool inverted;
  json_array_foreach(pin_bits(cell, pin), i, bit) {
    module_port_t *clock = parameter_bit_is_high(cell, enable, i) ? port_behind(n, bit, &inverted) : NULL;
    if (clock) clock->clock = true;
  }
}

/* Notes the clock and the resets of a register. An inverter between turns the active level
 * around. */
static void see_register(const netlist_t *n, const json_t *cell) {
  bool inverted;
  if (is_memory(cell)) see_memory(n, cell, "WR_CLK", "WR_CLK_ENABLE"), see_memory(n, cell, "RD_CLK", "RD_CLK_ENABLE");
  module_port_t *clock = port_at(n, cell, "CLK", &inverted), *async = port_at(n, cell, "ARST", &inverted);
  if (clock) clock->clock = true;
  if (async) (*(parameter_is_high(cell, "ARST_POLARITY") != inverted ? &async->async_high : &async->async_low))++;
  module_port_t *sync = port_at(n, cell, "SRST", &inverted);
  if (sync) (*(parameter_is_high(cell, "SRST_POLARITY") != inverted ? &sync->sync_high : &sync->sync_low))++;
}

/* Does the bit depend on an input within the cycle? Clocks and asynchronous resets do not count.
 * A bit that was seen before is false: its answer is in the result already. */
static bool reaches_input(const netlist_t *n, const json_t *bit) {
  size_t at, i;
  const char *name;
  json_t *direction, *pin;
  if (!bit_of(n, bit, &at) || n->seen[at]) return false;
  n->seen[at] = true;
  if (n->input[at]) {
    const module_port_t *port = &n->m->ports[n->input[at] - 1];
    return !port->clock && !port->async_low && !port->async_high;
  }
  const json_t *cell = n->driver[at];
  json_object_foreach(json_object_get(cell, "port_directions"), name, direction) {
    if (strcmp(json_string_value(direction), "input") || !is_passed_on(cell, name)) continue;
    json_array_foreach(pin_bits(cell, name), i, pin) if (reaches_input(n, pin)) return true;
  }
  return false;
}

/* The greatest number of a bit, and one. */
static size_t count_bits(const json_t *cells, const json_t *ports) {
  size_t most = 0, i;
  const char *name, *pin;
  const json_t *cell, *bits, *bit, *port;
  json_object_foreach((json_t *)cells, name, cell) json_object_foreach(json_object_get(cell, "connections"), pin, bits)
      json_array_foreach(bits, i, bit) if (json_is_integer(bit) && (size_t)json_integer_value(bit) > most) most =
          (size_t)json_integer_value(bit);
  json_object_foreach((json_t *)ports, name, port) json_array_foreach(
      json_object_get(port, "bits"), i, bit) if (json_is_integer(bit) && (size_t)json_integer_value(bit) > most) most =
      (size_t)json_integer_value(bit);
  return most + 1;
}

/* Fills driver and input of each bit. */
static void connect_bits_of(const netlist_t *n, json_t *cells, json_t *ports) {
  const char *name, *pin;
  json_t *cell, *direction, *bit, *port;
  size_t i, at;
  json_object_foreach(cells, name, cell) json_object_foreach(json_object_get(cell, "port_directions"), pin, direction) {
    if (strcmp(json_string_value(direction), "output") != 0) continue;
    json_array_foreach(pin_bits(cell, pin), i, bit) if (bit_of(n, bit, &at)) n->driver[at] = cell;
  }
  json_object_foreach(ports, name, port) {
    const module_port_t *known = module_port(n->m, name);
    if (!known || known->output) continue;
    json_array_foreach(json_object_get(port, "bits"), i, bit) if (bit_of(n, bit, &at)) n->input[at] =
        (int)(known - n->m->ports) + 1;
  }
}

/* Registers come first: reaches_input needs to know clocks and resets. */
static void study_netlist(netlist_t *n, json_t *cells, json_t *ports) {
  const char *name;
  json_t *cell, *port, *bit;
  size_t i;
  connect_bits_of(n, cells, ports);
  json_object_foreach(cells, name, cell) if (is_register(cell)) see_register(n, cell);
  json_object_foreach(ports, name, port) {
    const module_port_t *known = module_port(n->m, name);
    if (!known || !known->output) continue;
    json_array_foreach(json_object_get(port, "bits"), i, bit) n->m->mealy = n->m->mealy || reaches_input(n, bit);
  }
  n->m->seen_inside = true;
}

/* ---- power-up */

/* The attribute `init` of a net has a letter for each bit, the highest first: 0, 1, or x. */
static void find_declared(const netlist_t *n, json_t *nets) {
  const char *name;
  json_t *net, *bit;
  size_t i, at;
  json_object_foreach(nets, name, net) {
    const char *init = json_string_value(json_object_get(json_object_get(net, "attributes"), "init"));
    const size_t length = init ? strlen(init) : 0;
    json_array_foreach(json_object_get(net, "bits"), i,
                       bit) if (i < length && bit_of(n, bit, &at) && strchr("01", init[length - 1 - i]))
        n->declared[at] = true;
  }
}

/* Has each bit of a register, or a memory, a value at power-up? */
static bool is_declared(const netlist_t *n, const json_t *cell) {
  const char *init = json_string_value(json_object_get(json_object_get(cell, "parameters"), "INIT"));
  const json_t *bits = pin_bits(cell, "Q"), *bit;
  size_t i, at;
  if (is_memory(cell)) return n->m->filled || (init && *init && !strchr(init, 'x'));
  json_array_foreach(bits, i, bit) if (bit_of(n, bit, &at) && !n->declared[at]) return false;
  return true;
}

/* Registers in a row up to a bit. A way around, through what is being asked, adds none. */
static int depth_of(const netlist_t *n, const json_t *bit) {
  size_t at, i;
  const char *name;
  json_t *direction, *pin;
  if (!bit_of(n, bit, &at)) return 0;
  if (n->depth[at] >= 0) return n->depth[at];
  n->depth[at] = 0;
  const json_t *cell = n->driver[at];
  int most = 0;
  json_object_foreach(json_object_get(cell, "port_directions"), name, direction) {
    if (strcmp(json_string_value(direction), "input")) continue;
    json_array_foreach(pin_bits(cell, name), i, pin) {
      const int depth = depth_of(n, pin);
      if (depth > most) most = depth;
    }
  }
  return n->depth[at] = cell && is_register(cell) ? most + 1 : most;
}

/* Keeps the place and the name of a latch's net, whose source is "FILE:LINE.COLUMN-...". */
static void see_latch(const netlist_t *n, const json_t *cell, json_t *nets) {
  const json_t *first = json_array_get(pin_bits(cell, "Q"), 0), *bit;
  const char *name;
  json_t *net;
  size_t i;
  json_object_foreach(nets, name, net) json_array_foreach(json_object_get(net, "bits"), i, bit) {
    const char *source = json_string_value(json_object_get(json_object_get(net, "attributes"), "src"));
    const char *colon = source ? strrchr(source, ':') : NULL;
    if (*n->m->latch || !colon || !json_equal(bit, first)) continue;
    snprintf(n->m->latch, sizeof n->m->latch, "%.*s: %.100s", (int)(colon - source) + (int)strcspn(colon, "."), source,
             name);
  }
}

static void study_power_up(netlist_t *n, const json_t *top) {
  json_t *cells = json_object_get(top, "cells"), *cell, *port, *bit;
  const char *name;
  size_t i;
  find_declared(n, json_object_get(top, "netnames"));
  for (size_t k = 0; k < n->bits; k++) n->depth[k] = -1;
  json_object_foreach(cells, name, cell) {
    if (!is_register(cell)) continue;
    n->m->num_registers++;
    n->m->num_undeclared += !is_declared(n, cell);
    if (ends_in(type_of(cell), "latch")) see_latch(n, cell, json_object_get(top, "netnames"));
  }
  json_object_foreach(json_object_get(top, "ports"), name, port)
      json_array_foreach(json_object_get(port, "bits"), i, bit) {
    const int depth = depth_of(n, bit);
    if (depth > (int)n->m->depth) n->m->depth = (unsigned)depth;
  }
}

bool module_read_netlist(module_t *m, const char *path) {
  json_t *root = json_load_file(path, 0, NULL), *top = json_object_get(json_object_get(root, "modules"), m->name);
  json_t *cells = json_object_get(top, "cells"), *ports = json_object_get(top, "ports");
  netlist_t n = {.m = m, .bits = top ? count_bits(cells, ports) : 0};
  n.driver = calloc(n.bits + 1, sizeof *n.driver);
  n.input = calloc(n.bits + 1, sizeof *n.input);
  n.seen = calloc(n.bits + 1, sizeof *n.seen);
  n.declared = calloc(n.bits + 1, sizeof *n.declared);
  n.depth = calloc(n.bits + 1, sizeof *n.depth);
  if (top && n.driver && n.input && n.seen && n.declared && n.depth)
    study_netlist(&n, cells, ports), study_power_up(&n, top);
  free(n.driver);
  free(n.input);
  free(n.seen);
  free(n.declared);
  free(n.depth);
  json_decref(root);
  return m->seen_inside;
}
