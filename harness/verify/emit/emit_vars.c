/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables a module has and what each becomes (a wire, a reg, a memory), and the functions
 * and tasks that it calls.
 */
#include "design.h"

#include <stdlib.h>
#include <string.h>

static bool is_routine(const xml_node_t *node) {
  return xml_is(node, "func") || xml_is(node, "task");
}

static const xml_node_t *routine_of(const xml_node_t *node) {
  while (node && !is_routine(node)) node = node->parent;
  return node;
}

/* ---- what variables are */

static emit_var_t *var_of(emit_t *e, const xml_node_t *node) {
  const bool names = xml_is(node, "varref") || xml_is(node, "varxref");
  return names ? emit_var(e, node) : NULL;
}

/* The variable that an assignment's target is part of, each of a concatenation. */
static void mark_target(emit_t *e, const xml_node_t *target, bool process, bool words) {
  if (xml_is(target, "concat")) {
    mark_target(e, xml_at(target, 0), process, words), mark_target(e, xml_at(target, 1), process, words);
    return;
  }
  while (target && (xml_is(target, "sel") || xml_is(target, "arraysel") || xml_is(target, "structsel")))
    target = xml_at(target, 0);
  emit_var_t *var = var_of(e, target);
  if (!var) return;
  if (process) var->in_process = true;
  else var->in_assign = true;
  var->whole |= !words;
}

/* True if a memory may be written there: in a process of one edge, or before the first cycle. */
static bool writes_words(const xml_node_t *node) {
  while (node && !xml_is(node, "always") && !xml_is(node, "initial") && !xml_is(node, "initialstatic"))
    node = node->parent;
  if (!xml_is(node, "always")) return node;
  const xml_node_t *list = xml_child(node, "sentree"), *edge = xml_at(list, 0);
  return edge && !edge->next && strcmp(xml_value(edge, "edgeType"), "CHANGED");
}

/* The variable behind `before` that a caller gives; the result of a function is none. */
const xml_node_t *emit_argument(const xml_node_t *callee, const xml_node_t *before) {
  const xml_node_t *var = before ? before->next : callee ? callee->first : NULL;
  const char *self = callee ? xml_value(callee, "name") : "";
  while (var && (!xml_is(var, "var") || !xml_value(var, "dir") || strcmp(xml_value(var, "name"), self) == 0))
    var = var->next;
  return var;
}

/* Verilator makes `assign x = 1'b0;` an initial block of the module, also in a generate
 * block, whose
 * variable has the constant. */
bool emit_was_assign(emit_t *e, const xml_node_t *process) {
  const xml_node_t *only = process->first;
  return xml_is(process, "initial") && xml_is(only, "assign") && !only->next && xml_is(xml_at(only, 1), "varref") &&
         *emit_source(e, process, NULL) == '=';
}

/* The start of a loop of a generate block, which Verilator leaves in the module. */
bool emit_is_left(const xml_node_t *node) {
  if (!xml_is(node, "assign")) return false;
  const xml_node_t *at = node->parent;
  while (xml_is(at, "begin")) at = at->parent;
  return xml_is(at, "module");
}

/* Outputs of a call are targets. */
static void mark_outputs(emit_t *e, const xml_node_t *call) {
  const xml_node_t *callee = emit_callee(e, call), *var = emit_argument(callee, NULL);
  for (const xml_node_t *arg = call->first; arg && var; arg = arg->next, var = emit_argument(callee, var))
    if (strcmp(xml_value(var, "dir"), "input")) mark_target(e, xml_at(arg, 0), true, false);
}

/* Whether a memory's use is that of one word. */
static void mark_use(emit_t *e, const xml_node_t *ref) {
  emit_var_t *var = var_of(e, ref);
  if (!var) return;
  var->read |= !xml_is(ref->parent, "port") && !(xml_value(ref->parent, "loc") && ref->parent->first != ref);
  if ((xml_is(ref->parent, "sel") || xml_is(ref->parent, "arraysel")) && ref->parent->first == ref) var->vector = true;
  if (var->type.elements == 1) return;
  const xml_node_t *at = ref;
  while (xml_is(at->parent, "arraysel") && at->parent->first == at) at = at->parent;
  const bool image = xml_is(at->parent, "readmem");
  const bool words = at == ref && xml_is(at->parent, "assign") && writes_words(at) &&
                     !xml_is(at->parent->parent, "always") && xml_is(xml_at(at->parent, 0), "initarray");
  if (image || words) return;
  if (at == ref || emit_type_of(e, at).elements != 1) var->whole = true;
}

static void mark(emit_t *e, xml_node_t *node) {
  if (xml_is(node, "assign") || xml_is(node, "assigndly"))
    mark_target(e, xml_at(node, 1), true, writes_words(node) && !routine_of(node));
  else if (xml_is(node, "contassign")) mark_target(e, xml_at(node, 1), false, false);
  else if (xml_is(node, "taskref") || xml_is(node, "funcref")) mark_outputs(e, node);
  else if (xml_is(node, "readmem")) mark_target(e, xml_at(node, 1), true, true);
  else if (xml_is(node, "varref") || xml_is(node, "varxref")) mark_use(e, node);
  else if (xml_is(node, "port") && node->first && strcmp(xml_value(node, "direction"), "in"))
    mark_target(e, xml_at(node, 0), false, false);
}

static void add_var(emit_t *e, xml_node_t *node) {
  emit_var_t *var = calloc(1, sizeof *var);
  if (!var) {
    e->failed = true, trouble_memory(e->trouble);
    return;
  }
  *var = (emit_var_t){.type = emit_type_of(e, node)};
  var->name = emit_name(e, emit_text(e, "%s%s", emit_scope(e, node), xml_value(node, "name")));
  var->whole = xml_value(node, "dir") || routine_of(node) || var->type.elements == 1;
  var->in_assign = xml_is(node->first, "const");
  node->data = var;
}

static void settle(xml_node_t *node) {
  emit_var_t *var = node->data;
  var->is_memory = var->type.elements > 1 && !var->whole && !var->in_assign && var->in_process;
}

void emit_find_vars(emit_t *e, xml_node_t *within) {
  for (xml_node_t *node = within->first; node && !e->failed; node = xml_next(within, node))
    if (xml_is(node, "var") && !node->data) add_var(e, node);
  for (xml_node_t *node = within->first; node && !e->failed;) {
    const bool skip = emit_was_assign(e, node) || emit_is_left(node);
    if (!skip) mark(e, node);
    else if (xml_is(node, "initial") && emit_is_own(e, xml_at(node->first, 1)))
      mark_target(e, xml_at(node->first, 1), false, false);
    node = skip ? xml_after(within, node) : xml_next(within, node);
  }
  for (xml_node_t *node = within->first; node && !e->failed; node = xml_next(within, node))
    if (xml_is(node, "var")) settle(node);
}

/* ---- declarations */

void emit_declare(emit_t *e, const xml_node_t *node, const char *kind) {
  const emit_var_t *var = node->data;
  if (!var->type.width) return emit_refuse(e, node, emit_text(e, "'%s', which is no vector,", xml_value(node, "name")));
  const unsigned width = var->is_memory ? var->type.width / var->type.elements : var->type.width;
  emit_line(e, node);
  emit_put(e, "%s ", kind);
  if (width > 1 || var->vector) emit_put(e, "[%u:0] ", width - 1);
  emit_put(e, "%s", var->name);
  if (var->is_memory) emit_put(e, " [0:%u]", var->type.elements - 1);
  emit_put(e, ";\n");
}

/* ---- functions and tasks */

/* Finds a function by name from the scopes around a call outwards, then in packages: the call's
 * own text says which package where several have one. */
static xml_node_t *routine_here(const xml_node_t *scope, const char *name) {
  for (xml_node_t *child = scope->first; child; child = child->next)
    if (is_routine(child) && strcmp(xml_value(child, "name"), name) == 0) return child;
  return NULL;
}

static bool is_package(const xml_node_t *node) {
  return xml_is(node, "package");
}

static xml_node_t *in_packages(emit_t *e, const xml_node_t *call, const char *name) {
  xml_node_t *found = NULL;
  const char *before;
  const size_t place = (size_t)(emit_source(e, call, &before) - before);
  for (const xml_node_t *p = e->netlist->first; p; p = p->next) {
    xml_node_t *one = is_package(p) ? routine_here(p, name) : NULL;
    const char *prefix = one ? emit_text(e, "%s::", xml_value(p, "name")) : "";
    const size_t n = strlen(prefix);
    if (one && place >= n && strncmp(before + place - n, prefix, n) == 0) return one;
    if (one && found) emit_refuse(e, call, emit_text(e, "'%s', which several packages have,", name));
    found = one ? one : found;
  }
  return found;
}

xml_node_t *emit_callee(emit_t *e, const xml_node_t *call) {
  const char *name = xml_value(call, "name");
  xml_node_t *found = NULL;
  for (const xml_node_t *at = call->parent; at && !found && at != e->netlist; at = at->parent) {
    found = routine_here(at, name);
    if (!found && is_routine(at) && strcmp(xml_value(at, "name"), name) == 0) found = (xml_node_t *)at;
  }
  if (!found) found = in_packages(e, call, name);
  if (!found) emit_refuse(e, call, emit_text(e, "the call of '%s'", name));
  return found;
}

const char *emit_callee_name(emit_t *e, const xml_node_t *callee) {
  const bool package = is_package(callee->parent);
  const char *name = xml_value(callee, "name");
  name = package ? emit_text(e, "%s::%s", xml_value(callee->parent, "name"), name)
                 : emit_text(e, "%s%s", emit_scope(e, callee), name);
  words_add_new(&e->functions, emit_text(e, "%p", (const void *)callee));
  return emit_name(e, name);
}

static void routine_vars(emit_t *e, const xml_node_t *routine) {
  const char *self = xml_value(routine, "name");
  for (xml_node_t *node = routine->first; node && !e->failed; node = xml_next(routine, node)) {
    const char *dir = xml_is(node, "var") ? xml_value(node, "dir") : NULL;
    if (!xml_is(node, "var")) continue;
    if (dir && xml_is(routine, "func") && strcmp(xml_value(node, "name"), self) == 0) continue;
    emit_declare(e, node, dir ? dir : "reg");
  }
}

static bool is_loop(const xml_node_t *routine) {
  for (xml_node_t *node = routine->first; node; node = xml_next(routine, node))
    if (xml_is(node, "taskref") || xml_is(node, "funcref"))
      if (strcmp(xml_value(node, "name"), xml_value(routine, "name")) == 0) return true;
  return false;
}

static void routine(emit_t *e, xml_node_t *node) {
  const char *name = emit_callee_name(e, node);
  if (is_loop(node)) return emit_refuse(e, node, "a function that calls itself");
  if (is_package(node->parent)) emit_find_vars(e, node);
  for (xml_node_t *var = node->first; var; var = var->next) /* the function's result has its name */
    if (xml_is(var, "var") && var->data && strcmp(xml_value(var, "name"), xml_value(node, "name")) == 0)
      ((emit_var_t *)var->data)->name = name;
  emit_line(e, node);
  const bool function = xml_is(node, "func");
  if (function) emit_put(e, "function [%u:0] %s;\n", emit_width(e, node) - 1, name);
  else emit_put(e, "task %s;\n", name);
  if (function && !emit_argument(node, NULL)) emit_put(e, "input lockstack_none;\n");
  routine_vars(e, node);
  emit_flags(e, node, 0);
  emit_put(e, "begin\n");
  emit_statements(e, node->first, 2);
  emit_put(e, "end\nend%s\n", function ? "function" : "task");
}

void emit_functions(emit_t *e) {
  for (size_t i = 0; i < e->functions.count && !e->failed; i++) {
    void *node;
    if (sscanf(e->functions.at[i], "%p", &node) == 1) routine(e, node);
  }
}
