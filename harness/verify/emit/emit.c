/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, their instances and processes.
 */
#include "emit.h"

#include "design.h"
#include "emit_interface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- processes */

static bool has_statements(const xml_node_t *process) {
  for (const xml_node_t *at = process->first; at; at = at->next)
    if (!xml_is(at, "sentree") && (!xml_is(at, "begin") || has_statements(at)) && !xml_is(at, "display")) return true;
  return false;
}

static void edges(emit_t *e, const xml_node_t *list) {
  if (!list) return emit_put(e, "@*");
  emit_put(e, "@(");
  for (const xml_node_t *item = list->first; item; item = item->next) {
    const char *edge = xml_value(item, "edgeType");
    const bool rises = strcmp(edge, "POS") == 0, falls = strcmp(edge, "NEG") == 0;
    if (!rises && !falls && strcmp(edge, "CHANGED")) return emit_refuse(e, item, "what this block waits for");
    emit_put(e, "%s%s%s", item == list->first ? "" : " or ",
             rises   ? "posedge "
             : falls ? "negedge "
                     : "",
             emit_expr(e, xml_at(item, 0)));
  }
  emit_put(e, ")");
}

/* Bits of a variable that other bits of are written in a process: Verilog takes no `assign`. */
static bool target_in_process(emit_t *e, const xml_node_t *target) {
  if (xml_is(target, "concat"))
    return target_in_process(e, xml_at(target, 0)) || target_in_process(e, xml_at(target, 1));
  while (target->first && !xml_is(target, "varref") && !xml_is(target, "varxref")) target = target->first;
  const emit_var_t *var = emit_var(e, target);
  return var && var->in_process;
}

static void assign(emit_t *e, const xml_node_t *node) {
  const xml_node_t *value = xml_at(node, 0), *target = xml_at(node, 1), *to = emit_dtype(e, target);
  const bool late = target_in_process(e, target), other = emit_turns(e, emit_dtype(e, value), to);
  emit_line(e, node);
  emit_put(e, "%s%s = %s;\n", late ? "always @* " : "assign ", emit_target(e, target),
           other ? emit_turned(e, value, to) : emit_expr(e, value));
}

static void process(emit_t *e, const xml_node_t *node) {
  if (!has_statements(node)) return;
  if (emit_was_assign(e, node)) {
    if (emit_is_own(e, xml_at(node->first, 1))) assign(e, node->first);
    return;
  }
  emit_flags(e, node, 0);
  emit_line(e, node);
  if (!xml_is(node, "always")) emit_put(e, "initial");
  else emit_put(e, "always "), edges(e, xml_child(node, "sentree"));
  emit_put(e, " begin\n");
  emit_statements(e, node->first, 2);
  emit_put(e, "end\n");
}

/* ---- instances */

static xml_node_t *module_by(emit_t *e, const char *name) {
  for (xml_node_t *m = e->netlist->first; m; m = m->next)
    if (xml_is(m, "module") && strcmp(xml_value(m, "name"), name) == 0) return m;
  return NULL;
}

static const xml_node_t *port_of(const xml_node_t *module, const char *name) {
  for (const xml_node_t *var = module->first; var; var = var->next)
    if (xml_is(var, "var") && xml_value(var, "dir") && strcmp(xml_value(var, "name"), name) == 0) return var;
  return NULL;
}

/* What instance `index` of `count` connects: its share of a value as wide as all ports together. */
static const char *pin_text(emit_t *e, const xml_node_t *pin, const xml_node_t *port, unsigned index, unsigned count) {
  const xml_node_t *value = pin->first;
  const bool out = strcmp(xml_value(port, "dir"), "input") != 0;
  if (out && target_in_process(e, value)) emit_refuse(e, pin, "a variable that an instance and a process drive");
  const xml_node_t *to = emit_dtype(e, port);
  if (emit_turns(e, emit_dtype(e, value), to)) return emit_turned(e, value, to);
  const char *text = out ? emit_target(e, value) : emit_expr(e, value);
  const unsigned width = emit_width(e, port), all = emit_width(e, value);
  if (count == 1 || all == width) return text;
  if (all != count * width || (!xml_is(value, "varref") && out))
    return emit_refuse(e, pin, "a connection of an array of instances"), text;
  if (xml_is(value, "varref")) return emit_text(e, "%s[%u:%u]", text, (index + 1) * width - 1, index * width);
  return emit_range(e, text, all, index * width, width);
}

static void one_instance(emit_t *e, const xml_node_t *node, const xml_node_t *module, const char *name, unsigned index,
                         unsigned count) {
  const char *between = "";
  emit_line(e, node);
  emit_put(e, "%s %s (", emit_name(e, xml_value(node, "defName")),
           emit_name(e, emit_text(e, "%s%s", emit_scope(e, node), name)));
  for (const xml_node_t *pin = node->first; pin && !e->failed; pin = pin->next) {
    const xml_node_t *port = xml_is(pin, "port") ? port_of(module, xml_value(pin, "name")) : NULL;
    if (!port || !pin->first) continue;
    emit_put(e, "%s.%s(%s)", between, emit_name(e, xml_value(pin, "name")), pin_text(e, pin, port, index, count));
    between = ", ";
  }
  emit_put(e, ");\n");
}

static void instance(emit_t *e, const xml_node_t *node) {
  unsigned long left = 0, right = 0;
  const xml_node_t *range = xml_child(node, "range"), *module = module_by(e, xml_value(node, "defName"));
  const char *name = xml_value(node, "name");
  if (!module) return emit_refuse(e, node, emit_text(e, "the instance of '%s'", xml_value(node, "defName")));
  if (!range) return one_instance(e, node, module, name, 0, 1);
  if (!emit_number(xml_at(range, 0), &left) || !emit_number(xml_at(range, 1), &right) || left < right)
    return emit_refuse(e, node, "an array of instances with an ascending range");
  for (unsigned long i = right; i <= left && !e->failed; i++)
    one_instance(e, node, module, emit_text(e, "%s[%lu]", name, i), (unsigned)(i - right),
                 (unsigned)(left - right + 1));
}

/* ---- modules */

static bool is_parameter(const xml_node_t *var) {
  return xml_value(var, "param") || xml_value(var, "localparam");
}

static void header(emit_t *e) {
  const char *between = "";
  emit_line(e, e->module);
  emit_put(e, "module %s (", emit_name(e, xml_value(e->module, "name")));
  for (const xml_node_t *var = e->module->first; var; var = var->next) {
    if (!xml_is(var, "var") || !xml_value(var, "dir")) continue;
    emit_put(e, "%s%s", between, ((emit_var_t *)var->data)->name);
    between = ", ";
  }
  emit_put(e, ");\n");
}

/* Is its type, by way of typedefs and enums, one with a sign? Its range is asked of the text. */
static bool is_signed(emit_t *e, const xml_node_t *var) {
  const xml_node_t *type = emit_dtype_by(e, xml_value(var, "dtype_id"));
  for (int depth = 0; type && depth < 16 && (xml_is(type, "refdtype") || xml_is(type, "enumdtype")); depth++)
    type = emit_dtype_by(e, xml_value(type, "sub_dtype_id"));
  const char *value = type ? xml_value(type, "signed") : NULL;
  return value && strcmp(value, "true") == 0;
}

/* A parameter is a number in Verilator's tree wherever it is used. An array stays. */
static void parameter(emit_t *e, const xml_node_t *var) {
  const emit_var_t *v = var->data;
  if (v->type.elements > 1 && xml_is(var->first, "initarray")) {
    emit_declare(e, var, "wire");
    emit_put(e, "assign %s = %s;\n", v->name, emit_expr(e, var->first));
  } else if (xml_value(var, "param") && var->parent == e->module && v->type.width && xml_is(var->first, "const") &&
             xml_value(e->module, "topModule"))
    emit_put(e, "parameter %s[%u:0] %s = %s;\n", is_signed(e, var) ? "signed " : "", v->type.width - 1, v->name,
             emit_constant(e, var->first));
}

static void variable(emit_t *e, const xml_node_t *node) {
  const emit_var_t *var = node->data;
  const char *dir = xml_value(node, "dir");
  if (is_parameter(node)) return parameter(e, node);
  if (!var->type.width && !dir && !var->in_process && !var->in_assign) return; /* a genvar's, a string's */
  /* Verilator 5.006 leaves out instances of a module in itself */
  if (var->read && !dir && !var->in_process && !var->in_assign)
    emit_refuse(e, node, emit_text(e, "'%s', which nothing drives in Verilator's tree,", xml_value(node, "name")));
  emit_declare(e, node,
               dir               ? emit_text(e, "%s%s", dir, var->in_process ? " reg" : "")
               : var->in_process ? "reg"
                                 : "wire");
  if (xml_is(node->first, "const")) emit_put(e, "assign %s = %s;\n", var->name, emit_constant(e, node->first));
}

/* Calls `write` for each child of this kind, also in generate blocks. */
static void each(emit_t *e, const xml_node_t *scope, const char *tag, void (*write)(emit_t *, const xml_node_t *)) {
  for (const xml_node_t *node = scope->first; node && !e->failed; node = node->next) {
    if (xml_is(node, tag)) write(e, node);
    else if (xml_is(node, "begin")) each(e, node, tag, write);
  }
}

/* Variables of named blocks in processes, too, but for functions'. */
static void variables(emit_t *e) {
  xml_node_t *node = e->module->first;
  while (node && !e->failed) {
    const bool skip = xml_is(node, "func") || xml_is(node, "task");
    if (xml_is(node, "var")) variable(e, node);
    node = skip || xml_is(node, "var") ? xml_after(e->module, node) : xml_next(e->module, node);
  }
}

static void refuse_unknown(emit_t *e, const xml_node_t *scope) {
  static const char *const known[] = {"var",           "begin",   "typedef",    "always",   "initial",
                                      "initialstatic", "final",   "contassign", "instance", "func",
                                      "task",          "modport", "comment",    "sentree"};
  for (const xml_node_t *node = scope->first; node; node = node->next) {
    size_t i = 0, n = sizeof known / sizeof *known;
    while (i < n && !xml_is(node, known[i])) i++;
    if (i == n && !emit_is_left(node)) emit_refuse(e, node, emit_text(e, "what Verilator calls '%s'", node->tag));
    if (xml_is(node, "begin")) refuse_unknown(e, node);
  }
}

static void items(emit_t *e) {
  each(e, e->module, "instance", instance);
  each(e, e->module, "initialstatic", process);
  each(e, e->module, "initial", process);
  each(e, e->module, "contassign", assign);
  each(e, e->module, "always", process);
  emit_functions(e);
}

/* Functions that stand for operators come before what calls them, and are known after it. */
static void write_module(emit_t *e, xml_node_t *module) {
  FILE *out = e->out;
  char *text = NULL;
  size_t size;
  e->module = module, e->file = NULL, e->flags = 0;
  words_free(&e->functions), words_free(&e->helpers), words_free(&e->helper_text);
  emit_find_vars(e, module);
  refuse_unknown(e, module);
  if (e->failed) return;
  header(e), variables(e);
  e->out = open_memstream(&text, &size), e->file = NULL;
  if (e->out) items(e), fclose(e->out);
  e->out = out, e->file = NULL;
  for (size_t i = 0; i < e->helper_text.count; i++) emit_put(e, "%s", e->helper_text.at[i]);
  emit_put(e, "%sendmodule\n", text ? text : ""), e->file = NULL;
  free(text);
}

/* ---- the design */

static bool index_types(emit_t *e) {
  const xml_node_t *table = xml_child(e->netlist, "typetable");
  for (int pass = 0; table && pass < 2; pass++) {
    for (xml_node_t *type = table->first; type; type = type->next) {
      const unsigned long id = xml_value(type, "id") ? strtoul(xml_value(type, "id"), NULL, 10) : 0;
      if (!pass && id >= e->num_types && id < 1ul << 24) e->num_types = id + 1;
      else if (pass && id < e->num_types) e->types[id] = type;
    }
    if (!pass) e->types = calloc(e->num_types + 1, sizeof *e->types);
    if (!e->types) return false;
  }
  return table;
}

static void free_vars(xml_node_t *root) {
  for (xml_node_t *node = root; node; node = xml_next(root, node))
    if (xml_is(node, "var")) free(node->data);
}

static bool write_design(emit_t *e, const char *to) {
  e->out = fopen(to, "w");
  if (!e->out) return trouble_set(e->trouble, TROUBLE_ENVIRONMENT, "%s: %s", to, strerror(errno));
  emit_interfaces(e);
  for (xml_node_t *m = e->netlist->first; m && !e->failed; m = m->next)
    if (xml_is(m, "module")) write_module(e, m);
  const bool good = !ferror(e->out);
  if ((fclose(e->out) || !good) && !e->failed)
    e->failed = true, trouble_set(e->trouble, TROUBLE_ENVIRONMENT, "%s: %s", to, strerror(errno));
  if (e->failed) unlink(to);
  return !e->failed;
}

bool emit_verilog(const char *xml, const char *to, trouble_t *trouble) {
  emit_t e = {.trouble = trouble, .xml = xml, .root = xml_tree_read(xml, trouble)};
  if (!e.root) return false;
  xml_node_t *file = e.root;
  e.root = xml_child(file, "verilator_xml"), e.netlist = e.root ? xml_child(e.root, "netlist") : NULL;
  bool good = e.netlist && index_types(&e);
  if (!good) trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: should be an XML file of Verilator's with types", xml);
  else good = write_design(&e, to);
  free_vars(file), free(e.types);
  words_free(&e.texts), words_free(&e.functions), words_free(&e.helpers), words_free(&e.helper_text);
  words_free(&e.sources);
  xml_tree_free(file);
  return good;
}

void emit_command(words_t *command, const char *xml) {
  words_split(command, "verilator --xml-only -fno-dfg -Wno-fatal -Wno-lint --no-timing --xml-output", " ");
  words_add(command, "%s", xml);
}
