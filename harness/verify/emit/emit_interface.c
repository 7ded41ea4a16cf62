/* SPDX-License-Identifier: Apache-2.0
 *
 * From the top module down: who has an interface says which one it is. Verilator's tree names it
 * where it is made, not where it is a port.
 *
 *   <instance name="b" defName="b_if">  ->  <var name="b.d"/>  <var name="b.q"/>, b_if's logic
 *   <port name="p"> <varref name="b__Viftop"/>  ->  <port name="p.d"> <varref name="b.d"/> ...
 *   <var name="p" (a reference)>          ->  <var name="p.d" dir="output"/> ...
 */
#include "emit_interface.h"

#include <stdlib.h>
#include <string.h>

/* An interface, or an array of them: element k of `count` is called by the index low + k. */
typedef struct {
  const xml_node_t *iface;
  const char *path; /* in the module, "b" or "g.b" */
  bool array;
  int low;
  unsigned count;
} place_t;

/* What is connected to a port of a module. */
typedef struct {
  const xml_node_t *module;
  const char *port;
  place_t is;
} bound_t;

typedef struct {
  emit_t *e;
  bound_t *bound;
  size_t num_bound;
  words_t done; /* modules */
} spread_t;

static xml_node_t *found(const xml_node_t *scope, const char *tag, const char *name) {
  for (xml_node_t *node = scope->first; node; node = node->next)
    if (xml_is(node, tag) && xml_value(node, "name") && strcmp(xml_value(node, "name"), name) == 0) return node;
  return NULL;
}

static bool no_memory(spread_t *s, const void *made) {
  if (!made && !s->e->failed) s->e->failed = true, trouble_memory(s->e->trouble);
  return !made;
}

static const char *element(spread_t *s, const place_t *p, unsigned k) {
  return p->array ? emit_text(s->e, "%s[%d]", p->path, p->low + (int)k) : p->path;
}

/* A variable of the interface that is a signal: no parameter. */
static bool is_signal(const xml_node_t *var) {
  return xml_is(var, "var") && !xml_value(var, "param") && !xml_value(var, "localparam");
}

/* ---- which interface it is */

/* The type of a variable, or of its elements, if that is a reference to an interface. */
static const xml_node_t *reference_type(spread_t *s, const xml_node_t *var) {
  const xml_node_t *type = emit_dtype(s->e, var);
  while (xml_is(type, "unpackarraydtype")) type = emit_dtype_by(s->e, xml_value(type, "sub_dtype_id"));
  return xml_is(type, "ifacerefdtype") ? type : NULL;
}

static void take_range(const xml_node_t *range, place_t *p) {
  unsigned long left = 0, right = 0;
  if (!range || !emit_number(xml_at(range, 0), &left) || !emit_number(xml_at(range, 1), &right)) return;
  p->array = true;
  p->low = (int)(left < right ? left : right);
  p->count = (unsigned)labs((long)left - (long)right) + 1;
}

static bool of_instance(spread_t *s, const xml_node_t *instance, place_t *p) {
  const char *name = xml_value(instance, "name");
  *p = (place_t){.iface = found(s->e->netlist, "iface", xml_value(instance, "defName")), .path = name, .count = 1};
  take_range(xml_child(instance, "range"), p);
  return p->iface;
}

static const place_t *bound_to(const spread_t *s, const xml_node_t *module, const char *port) {
  for (size_t i = 0; i < s->num_bound; i++)
    if (s->bound[i].module == module && strcmp(s->bound[i].port, port) == 0) return &s->bound[i].is;
  return NULL;
}

/* The interface that a <varref> names: one that a scope around has, or a port of the module. */
static bool of_reference(spread_t *s, const xml_node_t *ref, place_t *p) {
  static const char end[] = "__Viftop";
  const char *name = xml_value(ref, "name");
  const size_t n = strlen(name), k = sizeof end - 1;
  const char *own = n > k && strcmp(name + n - k, end) == 0 ? emit_text(s->e, "%.*s", (int)(n - k), name) : name;
  for (const xml_node_t *scope = ref->parent; scope; scope = scope->parent) {
    const xml_node_t *instance = found(scope, "instance", own);
    if (instance && of_instance(s, instance, p)) return true;
    const place_t *port = xml_is(scope, "module") ? bound_to(s, scope, name) : NULL;
    if (port) return *p = *port, p->path = name, true;
  }
  return false;
}

/* The interface of a connection: a reference, or an element of an array. False: it is none. */
static bool of_connection(spread_t *s, const xml_node_t *value, place_t *p) {
  unsigned long index;
  if (xml_is(value, "varref")) return of_reference(s, value, p);
  if (!xml_is(value, "arraysel") || !xml_is(xml_at(value, 0), "varref")) return false;
  if (!of_reference(s, xml_at(value, 0), p) || !emit_number(xml_at(value, 1), &index) || index >= p->count)
    return false;
  p->path = element(s, p, (unsigned)index), p->array = false, p->count = 1;
  return true;
}

/* ---- an instance of an interface */

static void rename_signals(spread_t *s, xml_node_t *top, const place_t *p, const char *path) {
  for (xml_node_t *node = top; node; node = xml_next(top, node)) {
    const char *name = xml_is(node, "varref") ? xml_value(node, "name") : NULL;
    if (!name && xml_is(node, "begin") && node == top) name = xml_value(node, "name");
    const bool own = name && *name && (xml_is(node, "begin") || found(p->iface, "var", name));
    if (own) xml_set(node, "name", emit_text(s->e, "%s.%s", path, name));
  }
}

/* Its variables and its logic in the scope of the instance. */
static void spread_element(spread_t *s, xml_node_t *scope, const place_t *p, const char *path) {
  static const char *const logic[] = {"always", "initial", "initialstatic", "contassign", "begin"};
  for (const xml_node_t *node = p->iface->first; node && !s->e->failed; node = node->next) {
    if (is_signal(node)) {
      xml_node_t *var = xml_copy(scope, node);
      if (no_memory(s, var)) return;
      xml_set(var, "name", emit_text(s->e, "%s.%s", path, xml_value(node, "name")));
      for (size_t i = 0; i < var->num_attributes; i++) /* a port of the interface is a net, too */
        if (strcmp(var->attributes[i].name, "dir") == 0) var->attributes[i].name = "was_dir";
    }
    if (xml_is(node, "instance")) return emit_refuse(s->e, node, "an instance inside of an interface");
    for (size_t i = 0; i < sizeof logic / sizeof *logic; i++) {
      xml_node_t *copy = xml_is(node, logic[i]) ? xml_copy(scope, node) : NULL;
      if (xml_is(node, logic[i]) && no_memory(s, copy)) return;
      if (copy) rename_signals(s, copy, p, path);
    }
  }
}

/* Ports of an interface are assignments. */
static void connect(spread_t *s, xml_node_t *scope, const xml_node_t *pin, const place_t *p, const char *path) {
  const xml_node_t *port = found(p->iface, "var", xml_value(pin, "name"));
  if (!port || !pin->first) return;
  xml_node_t *assign = xml_add(scope, "contassign");
  if (no_memory(s, assign)) return;
  const bool out = strcmp(xml_value(port, "dir"), "input") != 0;
  xml_node_t *value = out ? NULL : xml_copy(assign, pin->first), *ref = xml_add(assign, "varref");
  if (no_memory(s, ref) || (!out && no_memory(s, value)) || (out && no_memory(s, xml_copy(assign, pin->first)))) return;
  xml_set(assign, "loc", xml_value(pin, "loc")), xml_set(assign, "dtype_id", xml_value(port, "dtype_id"));
  xml_set(ref, "loc", xml_value(pin, "loc")), xml_set(ref, "dtype_id", xml_value(port, "dtype_id"));
  xml_set(ref, "name", emit_text(s->e, "%s.%s", path, xml_value(pin, "name")));
  if (emit_width(s->e, pin->first) != emit_width(s->e, port))
    emit_refuse(s->e, pin, "a connection of an array of interfaces");
}

static void spread_instance(spread_t *s, xml_node_t *instance, const place_t *p) {
  for (unsigned k = 0; k < p->count && !s->e->failed; k++) {
    const char *path = element(s, p, k);
    spread_element(s, instance->parent, p, path);
    for (const xml_node_t *pin = instance->first; pin && !s->e->failed; pin = pin->next)
      if (xml_is(pin, "port")) connect(s, instance->parent, pin, p, path);
  }
}

/* ---- a port that is an interface */

/* Which way a signal of a port goes: as the modport says; without one, out if the module writes it.
 * NULL: the modport has no such signal. */
static const char *direction(spread_t *s, xml_node_t *module, const char *port, const xml_node_t *modport,
                             const char *signal) {
  char path[EMIT_NAME];
  const size_t n = strlen(port);
  for (const xml_node_t *ref = modport ? modport->first : NULL; ref; ref = ref->next) {
    if (strcmp(xml_value(ref, "name"), signal)) continue;
    const char *dir = xml_value(ref, "direction");
    if (!dir || (strcmp(dir, "in") && strcmp(dir, "out")))
      return emit_refuse(s->e, ref, "this member of a modport"), NULL;
    return strcmp(dir, "in") == 0 ? "input" : "output";
  }
  for (xml_node_t *node = module->first; node && !modport; node = xml_next(module, node)) {
    const char *dotted = xml_is(node, "varxref") ? xml_value(node, "dotted") : NULL;
    if (!dotted || strcmp(xml_value(node, "name"), signal)) continue;
    emit_plain_name(dotted, path);
    if (strncmp(path, port, n) == 0 && (!path[n] || path[n] == '[') && xml_is_written(node)) return "output";
  }
  return modport ? NULL : "input";
}

static const xml_node_t *modport_of(spread_t *s, const xml_node_t *var, const place_t *p) {
  const char *name = xml_value(reference_type(s, var), "modportname");
  return name && *name ? found(p->iface, "modport", name) : NULL;
}

/* Ports of the module, one for each signal of each element. */
static void spread_port(spread_t *s, xml_node_t *module, const xml_node_t *var) {
  const char *name = xml_value(var, "name");
  const place_t *is = bound_to(s, module, name);
  if (!is) return emit_refuse(s->e, var, emit_text(s->e, "'%s', an interface that nothing is connected to,", name));
  const place_t p = {.iface = is->iface, .path = name, .array = is->array, .low = is->low, .count = is->count};
  const xml_node_t *modport = modport_of(s, var, &p);
  for (unsigned k = 0; k < p.count; k++)
    for (const xml_node_t *signal = p.iface->first; signal && !s->e->failed; signal = signal->next) {
      const char *dir = is_signal(signal) ? direction(s, module, name, modport, xml_value(signal, "name")) : NULL;
      xml_node_t *port = dir ? xml_copy(module, signal) : NULL;
      if (!dir || no_memory(s, port)) continue;
      xml_set(port, "name", emit_text(s->e, "%s.%s", element(s, &p, k), xml_value(signal, "name")));
      xml_set(port, "dir", dir);
    }
}

/* ---- instances of modules */

/* One pin for each port that the module's own port became. */
static void spread_pin(spread_t *s, xml_node_t *pin, const xml_node_t *module, const place_t *p) {
  const char *name = xml_value(pin, "name");
  const place_t *is = bound_to(s, module, name);
  for (unsigned k = 0; k < p->count; k++) {
    const char *inner = p->array ? emit_text(s->e, "%s[%d]", name, is->low + (int)k) : name;
    const size_t n = strlen(inner);
    for (const xml_node_t *port = module->first; port && !s->e->failed; port = port->next) {
      const char *whole = xml_is(port, "var") ? xml_value(port, "name") : "", *dir = xml_value(port, "dir");
      if (!dir || strncmp(whole, inner, n) || whole[n] != '.') continue;
      xml_node_t *made = xml_add(pin->parent, "port"), *ref = made ? xml_add(made, "varxref") : NULL;
      if (no_memory(s, ref)) return;
      xml_set(made, "loc", xml_value(pin, "loc")), xml_set(made, "name", whole);
      xml_set(made, "direction", strcmp(dir, "input") == 0 ? "in" : "out");
      xml_set(ref, "loc", xml_value(pin, "loc")), xml_set(ref, "dtype_id", xml_value(port, "dtype_id"));
      xml_set(ref, "name", whole + n + 1), xml_set(ref, "dotted", element(s, p, k));
    }
  }
  xml_drop(pin);
}

static bool bind(spread_t *s, const xml_node_t *module, const xml_node_t *pin, const place_t *p) {
  const place_t *is = bound_to(s, module, xml_value(pin, "name"));
  if (is && (is->iface != p->iface || is->count != p->count))
    return emit_refuse(s->e, pin, "a port that is another interface in another instance"), false;
  if (is) return true;
  bound_t *more = realloc(s->bound, (s->num_bound + 1) * sizeof *more);
  if (no_memory(s, more)) return false;
  s->bound = more;
  s->bound[s->num_bound++] = (bound_t){module, xml_value(pin, "name"), *p};
  return true;
}

static void spread_module(spread_t *s, xml_node_t *module);

/* Binds its ports, spreads the module, then the pins. */
static void spread_pins(spread_t *s, xml_node_t *instance, xml_node_t *module) {
  place_t p;
  for (xml_node_t *pin = instance->first; pin && !s->e->failed; pin = pin->next) {
    const xml_node_t *var = xml_is(pin, "port") ? found(module, "var", xml_value(pin, "name")) : NULL;
    if (!var || !reference_type(s, var)) continue;
    if (!of_connection(s, pin->first, &p)) emit_refuse(s->e, pin, "this connection of an interface");
    else if (xml_child(instance, "range")) emit_refuse(s->e, pin, "an interface of an array of instances");
    else bind(s, module, pin, &p);
  }
  if (!s->e->failed) spread_module(s, module);
  for (xml_node_t *pin = instance->first, *last = instance->last, *next; pin && !s->e->failed; pin = next) {
    next = pin == last ? NULL : pin->next; /* made ones are appended */
    const xml_node_t *var = xml_is(pin, "port") ? found(module, "var", xml_value(pin, "name")) : NULL;
    if (var && reference_type(s, var) && of_connection(s, pin->first, &p)) spread_pin(s, pin, module, &p);
  }
}

static void spread_module(spread_t *s, xml_node_t *module) {
  place_t p;
  if (!words_add_new(&s->done, emit_text(s->e, "%p", (void *)module))) return;
  for (const xml_node_t *var = module->first, *last = module->last; var && !s->e->failed; var = var->next) {
    const char *name = xml_is(var, "var") ? xml_value(var, "name") : NULL;
    if (name && reference_type(s, var) && !strstr(name, "__Viftop")) spread_port(s, module, var);
    if (var == last) break;
  }
  for (xml_node_t *node = module->first; node && !s->e->failed; node = xml_next(module, node)) {
    xml_node_t *of = xml_is(node, "instance") ? found(s->e->netlist, "module", xml_value(node, "defName")) : NULL;
    if (of) spread_pins(s, node, of);
  }
  for (xml_node_t *node = module->first; node && !s->e->failed; node = xml_next(module, node))
    if (xml_is(node, "instance") && of_instance(s, node, &p)) spread_instance(s, node, &p), xml_drop(node);
}

void emit_interfaces(emit_t *e) {
  spread_t s = {.e = e};
  xml_node_t *top = NULL;
  for (xml_node_t *m = e->netlist->first; m; m = m->next)
    if (xml_is(m, "module") && xml_value(m, "topModule")) top = m;
  if (xml_child(e->netlist, "iface") && top) spread_module(&s, top);
  words_free(&s.done);
  free(s.bound);
}
