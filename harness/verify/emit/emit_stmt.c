/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements. Verilator makes break, continue and return jumps to the end of a block. A flag stands
 * for such a jump: what could come after it, up to the block's end, is left out while the flag
 * is 1.
 * A jump behind which nothing comes needs none.
 */
#include "design.h"

#include <string.h>

enum { MOST_TURNS = 8192 }; /* of a loop that is unrolled here */

static void statements(emit_t *e, const xml_node_t *first, const xml_node_t *end, unsigned depth);

static bool does_nothing(const xml_node_t *node) {
  static const char *const tags[] = {"var", "typedef", "comment", "jumplabel", "display", "sentree", "range"};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (xml_is(node, tags[i])) return true;
  if (!xml_is(node, "begin")) return false;
  for (const xml_node_t *child = node->first; child; child = child->next)
    if (!does_nothing(child)) return false;
  return true;
}

static bool something_follows(const xml_node_t *node) {
  for (node = node->next; node; node = node->next)
    if (!does_nothing(node)) return true;
  return false;
}

static bool is_within(const xml_node_t *node, const xml_node_t *top) {
  while (node && node != top) node = node->parent;
  return node;
}

/* ---- jumps */

static xml_node_t *around(const xml_node_t *node, const char *tag) {
  xml_node_t *at = node->parent;
  while (at && !xml_is(at, tag)) at = at->parent;
  return at;
}

/* The outermost block of jumps around `node`, within `top`. */
static xml_node_t *outermost(const xml_node_t *node, const xml_node_t *top) {
  xml_node_t *found = NULL;
  for (xml_node_t *at = node->parent; at && at != top; at = at->parent)
    if (xml_is(at, "jumpblock")) found = at;
  return found;
}

/* The block that a jump leaves. Verilator's tree does not say which one it is; the source's word
 * does. */
static xml_node_t *block_of(emit_t *e, const xml_node_t *jump) {
  xml_node_t *loop = around(jump, "while"), *block = around(jump, "jumpblock");
  if (emit_source_is(e, jump, "return")) return outermost(jump, NULL);
  if (loop && emit_source_is(e, jump, "break")) return around(loop, "jumpblock");
  if (loop && emit_source_is(e, jump, "continue")) return outermost(jump, loop);
  if (block && !around(block, "jumpblock")) return block; /* there is no other one */
  emit_refuse(e, jump, "a jump out of several blocks");
  return block;
}

/* True if something would run between the jump and its block's end. */
static bool needs_flag(const xml_node_t *jump, const xml_node_t *block) {
  for (const xml_node_t *at = jump; at && at != block; at = at->parent) {
    const xml_node_t *list = at->parent;
    const bool in_list = xml_is(list, "begin") || xml_is(list, "jumpblock") || xml_is(list, "caseitem");
    if (xml_is(at, "while") || (in_list && something_follows(at))) return true;
  }
  return false;
}

void emit_flags(emit_t *e, const xml_node_t *within, unsigned depth) {
  for (xml_node_t *node = xml_next(within, (xml_node_t *)within); node && !e->failed; node = xml_next(within, node)) {
    if (!xml_is(node, "jumpgo")) continue;
    xml_node_t *block = block_of(e, node);
    if (!block) emit_refuse(e, node, "a jump");
    if (!block || block->data || !needs_flag(node, block)) continue;
    block->data = (void *)emit_text(e, "lockstack_left_%u", e->flags++);
    emit_put(e, "%*sreg %s;\n", (int)depth, "", (const char *)block->data);
  }
}

/* Adds the flags of jumps in `node` to blocks around it. Returns "!a && !b"; "": none. */
static const char *left_flags(emit_t *e, const xml_node_t *node) {
  words_t flags = {0};
  const char *text = "";
  for (xml_node_t *at = (xml_node_t *)node; at; at = xml_next(node, at)) {
    if (!xml_is(at, "jumpgo")) continue;
    const xml_node_t *block = block_of(e, at);
    if (block && block->data && !is_within(block, node)) words_add_new(&flags, block->data);
  }
  for (size_t i = 0; i < flags.count; i++) text = emit_text(e, "%s%s!%s", text, i ? " && " : "", flags.at[i]);
  words_free(&flags);
  return text;
}

static void jump(emit_t *e, const xml_node_t *node, unsigned depth) {
  const xml_node_t *block = block_of(e, node);
  if (block && block->data) emit_put(e, "%*s%s = 1'b1;\n", (int)depth, "", (const char *)block->data);
}

static void jump_block(emit_t *e, const xml_node_t *node, unsigned depth) {
  if (node->data) emit_put(e, "%*s%s = 1'b0;\n", (int)depth, "", (const char *)node->data);
  statements(e, node->first, NULL, depth);
}

/* ---- statements */

static void body(emit_t *e, const xml_node_t *node, unsigned depth) {
  emit_put(e, " begin\n");
  if (node) statements(e, node->first, NULL, depth + 2);
  emit_put(e, "%*send", (int)depth, "");
}

/* Verilator makes `if (c) a <= x; else a <= y;` one assignment. Yosys finds asynchronous resets in
 * an if alone. */
static bool was_if(emit_t *e, const xml_node_t *value) {
  return xml_is(value, "cond") && *emit_source(e, value, NULL) != '?';
}

static void assign(emit_t *e, const xml_node_t *node, const xml_node_t *value, const char *target, unsigned depth) {
  const char *sign = xml_is(node, "assigndly") ? "<=" : "=";
  if (!was_if(e, value)) {
    emit_line(e, value);
    const xml_node_t *to = emit_dtype(e, xml_at(node, 1));
    const bool other = emit_turns(e, emit_dtype(e, value), to);
    emit_put(e, "%*s%s %s %s;\n", (int)depth, "", target, sign,
             other ? emit_turned(e, value, to) : emit_expr(e, value));
    return;
  }
  emit_put(e, "%*sif (%s) begin\n", (int)depth, "", emit_expr(e, xml_at(value, 0)));
  assign(e, node, xml_at(value, 1), target, depth + 2);
  emit_put(e, "%*send else begin\n", (int)depth, "");
  assign(e, node, xml_at(value, 2), target, depth + 2);
  emit_put(e, "%*send\n", (int)depth, "");
}

/* A memory's words, each with its own value. */
static bool assign_words(emit_t *e, const xml_node_t *node, unsigned depth) {
  const xml_node_t *value = xml_at(node, 0), *to = xml_at(node, 1);
  const emit_var_t *var = xml_is(to, "varref") && xml_is(value, "initarray") ? emit_var(e, to) : NULL;
  if (!var || !var->is_memory) return false;
  for (const xml_node_t *item = value->first; item; item = item->next)
    emit_put(e, "%*s%s[%s] = %s;\n", (int)depth, "", var->name, xml_value(item, "index"), emit_expr(e, item->first));
  return true;
}

static void assignment(emit_t *e, const xml_node_t *node, unsigned depth) {
  const xml_node_t *value = xml_at(node, 0), *target = xml_at(node, 1);
  if (xml_at(node, 2)) emit_refuse(e, node, "a delay");
  else if (!assign_words(e, node, depth)) assign(e, node, value, emit_target(e, target), depth);
}

static void choose(emit_t *e, const xml_node_t *node, unsigned depth) {
  uint64_t which;
  if (emit_fold(e, xml_at(node, 0), &which)) {
    const xml_node_t *branch = xml_at(node, which ? 1 : 2);
    if (branch) statements(e, branch->first, NULL, depth);
    return;
  }
  emit_put(e, "%*sif (%s)", (int)depth, "", emit_expr(e, xml_at(node, 0)));
  body(e, xml_at(node, 1), depth);
  if (xml_at(node, 2)) {
    emit_put(e, " else");
    body(e, xml_at(node, 2), depth);
  }
  emit_put(e, "\n");
}

/* ---- case */

static bool is_statement(const xml_node_t *node) {
  static const char *const tags[] = {"assign", "assigndly", "begin",   "if",       "case",
                                     "while",  "jumpblock", "jumpgo",  "stmtexpr", "display",
                                     "finish", "stop",      "comment", "readmem",  "var"};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (xml_is(node, tags[i])) return true;
  return false;
}

static const xml_node_t *item_body(const xml_node_t *item) {
  const xml_node_t *at = item->first;
  while (at && !is_statement(at)) at = at->next;
  return at;
}

/* Looks for the constants of a case: bits that match anything, and ranges of `inside`. */
static void look_at_items(const xml_node_t *node, bool *wild, bool *ranges) {
  for (const xml_node_t *item = xml_at(node, 1); item; item = item->next)
    for (const xml_node_t *at = item->first; at && at != item_body(item); at = at->next)
      *wild |= emit_is_wild(at), *ranges |= xml_is(at, "insiderange");
}

/* All values have an item: `unique` and `priority` promise it. */
static bool is_full(emit_t *e, const xml_node_t *node) {
  const char *before, *at = emit_source(e, node, &before);
  while (at > before && (at[-1] == ' ' || at[-1] == '\t')) at--;
  return (at - before >= 6 && strncmp(at - 6, "unique", 6) == 0) ||
         (at - before >= 8 && strncmp(at - 8, "priority", 8) == 0);
}

static void item_values(emit_t *e, const xml_node_t *item, unsigned depth) {
  emit_put(e, "%*s", (int)depth, "");
  if (item->first == item_body(item)) emit_put(e, "default");
  for (const xml_node_t *at = item->first; at && at != item_body(item); at = at->next)
    emit_put(e, "%s%s", at == item->first ? "" : ", ", emit_closed(e, at));
  emit_put(e, ": begin\n");
}

static void case_items(emit_t *e, const xml_node_t *node, const char *word, unsigned depth) {
  emit_put(e, "%*s%s%s (%s)\n", (int)depth, "", is_full(e, node) ? "(* full_case *) " : "", word,
           emit_expr(e, xml_at(node, 0)));
  for (const xml_node_t *item = xml_at(node, 1); item && !e->failed; item = item->next) {
    item_values(e, item, depth + 2);
    statements(e, item_body(item), NULL, depth + 4);
    emit_put(e, "%*send\n", (int)depth + 2, "");
  }
  emit_put(e, "%*sendcase\n", (int)depth, "");
}

static const char *item_matches(emit_t *e, const xml_node_t *node, const xml_node_t *at) {
  const char *value = emit_expr(e, xml_at(node, 0));
  if (!xml_is(at, "insiderange")) {
    xml_node_t pair[2] = {*xml_at(node, 0), *at}, compare = {.tag = "eqwild", .first = pair};
    pair[0].next = pair + 1, pair[1].next = NULL;
    return emit_expr(e, &compare);
  }
  return emit_text(e, "(%s >= %s && %s <= %s)", value, emit_expr(e, xml_at(at, 0)), value, emit_expr(e, xml_at(at, 1)));
}

/* case ... inside with ranges: a chain of ifs, whose last is the default. */
static void case_chain(emit_t *e, const xml_node_t *node, unsigned depth) {
  const xml_node_t *other = NULL;
  const char *otherwise = "";
  emit_put(e, "%*s", (int)depth, "");
  for (const xml_node_t *item = xml_at(node, 1); item && !e->failed; item = item->next) {
    const char *text = "";
    if (item->first == item_body(item)) other = item;
    if (other == item) continue;
    for (const xml_node_t *at = item->first; at && at != item_body(item); at = at->next)
      text = emit_text(e, "%s%s%s", text, *text ? " || " : "", item_matches(e, node, at));
    emit_put(e, "%sif (%s) begin\n", otherwise, text);
    statements(e, item_body(item), NULL, depth + 2);
    emit_put(e, "%*send", (int)depth, ""), otherwise = " else ";
  }
  if (other) {
    emit_put(e, "%s begin\n", *otherwise ? " else" : "");
    statements(e, item_body(other), NULL, depth + 2);
    emit_put(e, "%*send", (int)depth, "");
  }
  emit_put(e, "\n");
}

static void case_statement(emit_t *e, const xml_node_t *node, unsigned depth) {
  bool wild = false, ranges = false;
  look_at_items(node, &wild, &ranges);
  if (!xml_at(node, 1)) return;
  if (ranges) case_chain(e, node, depth);
  else case_items(e, node, emit_source_is(e, node, "casex") ? "casex" : wild ? "casez" : "case", depth);
}

/* ---- loops */

static const xml_node_t *target_of(const xml_node_t *node) {
  const xml_node_t *to = xml_is(node, "assign") ? xml_at(node, 1) : NULL;
  return xml_is(to, "varref") ? to : NULL;
}

/* The assignment before a loop, which sets what it counts in. */
static const xml_node_t *loop_start(const xml_node_t *loop) {
  const xml_node_t *found = NULL;
  if (xml_is(loop->parent, "jumpblock") && loop->parent->first == loop) loop = loop->parent;
  for (const xml_node_t *at = loop->parent->first; at && at != loop; at = at->next)
    if (!does_nothing(at)) found = at;
  return found;
}

static const xml_node_t *last_of(const xml_node_t *list) {
  const xml_node_t *found = NULL;
  for (const xml_node_t *at = list ? list->first : NULL; at; at = at->next)
    if (!does_nothing(at)) found = at;
  return found;
}

typedef struct {
  const xml_node_t *start, *test, *inner, *steps, *step, *counter;
} loop_t;

/* False: the loop does not count in one variable. */
static bool take_loop(emit_t *e, const xml_node_t *node, loop_t *l) {
  *l = (loop_t){.start = loop_start(node), .test = xml_at(node, 1), .inner = xml_at(node, 2), .steps = xml_at(node, 3)};
  l->step = last_of(l->steps ? l->steps : l->inner);
  const xml_node_t *next = l->step ? target_of(l->step) : NULL;
  l->counter = l->start ? target_of(l->start) : NULL;
  return l->counter && next && !last_of(xml_at(node, 0)) && emit_var(e, l->counter) == emit_var(e, next);
}

/* True if the loop's body writes the variable that the loop counts in. */
static bool writes_counter(emit_t *e, const loop_t *l, const emit_var_t *var) {
  for (xml_node_t *at = l->inner->first; at; at = xml_next(l->inner, at)) {
    const xml_node_t *target = at != l->step && xml_is(at, "assign") ? target_of(at) : NULL;
    if (target && emit_var(e, target) == var) return true;
  }
  return false;
}

static void loop_body(emit_t *e, const loop_t *l, const char *left, unsigned depth) {
  if (*left) emit_put(e, "%*sif (%s) begin\n", (int)depth, "", left);
  statements(e, l->inner->first, l->steps ? NULL : l->step, depth + 2);
  if (l->steps) statements(e, l->steps->first, l->step, depth + 2);
  if (*left) emit_put(e, "%*send\n", (int)depth, "");
}

static bool take_step(emit_t *e, const loop_t *l, emit_var_t *var) {
  uint64_t next;
  const bool good = emit_fold(e, xml_at(l->step, 0), &next);
  var->value = next;
  return good;
}

/* Yosys takes the index of an unrolled loop for a variable in some places: written once for each
 * value, all indices are constants. False, and nothing is written: not with constants. */
static bool unroll(emit_t *e, const loop_t *l, const char *left, unsigned depth) {
  emit_var_t *var = emit_var(e, l->counter);
  uint64_t runs, next = 0;
  unsigned times = 0;
  e->loops++;
  bool good = !writes_counter(e, l, var) && emit_fold(e, xml_at(l->start, 0), &next);
  var->known = good, var->value = next;
  while (good && emit_fold(e, xml_at(l->test, 0), &runs) && runs && times++ < MOST_TURNS) good = take_step(e, l, var);
  good = good && emit_fold(e, xml_at(l->test, 0), &runs) && !runs;
  for (var->value = next; good && !e->failed && emit_fold(e, xml_at(l->test, 0), &runs) && runs;) {
    loop_body(e, l, left, depth);
    take_step(e, l, var);
  }
  var->known = false, e->loops--;
  if (good) emit_put(e, "%*s%s = %lu;\n", (int)depth, "", var->name, (unsigned long)var->value);
  return good;
}

/* Verilog's `for` has its first and next value in its head, and Yosys reads no `while`. */
static void loop(emit_t *e, const xml_node_t *node, unsigned depth) {
  loop_t l;
  if (!take_loop(e, node, &l)) return emit_refuse(e, node, "a loop that does not count in one variable");
  const char *name = emit_target(e, l.counter), *left = left_flags(e, l.inner);
  if (unroll(e, &l, left, depth)) return;
  emit_put(e, "%*sfor (%s = %s; %s; %s = %s) begin\n", (int)depth, "", name, emit_expr(e, xml_at(l.start, 0)),
           emit_expr(e, xml_at(l.test, 0)), name, emit_expr(e, xml_at(l.step, 0)));
  loop_body(e, &l, left, depth + 2);
  emit_put(e, "%*send\n", (int)depth, "");
}

/* ---- calls */

static void task_call(emit_t *e, const xml_node_t *node, unsigned depth) {
  const xml_node_t *call = xml_at(node, 0), *callee = emit_callee(e, call), *var = emit_argument(callee, NULL);
  const char *text = "";
  if (!callee) return;
  if (!xml_is(callee, "task")) return emit_refuse(e, node, "a function whose value is not used");
  for (const xml_node_t *arg = call->first; arg; arg = arg->next, var = emit_argument(callee, var)) {
    if (!var) return emit_refuse(e, node, "a task with more arguments than it has");
    const bool in = strcmp(xml_value(var, "dir"), "input") == 0;
    const xml_node_t *to = emit_dtype(e, var);
    const char *one = emit_turns(e, emit_dtype(e, xml_at(arg, 0)), to)
                          ? emit_turned(e, xml_at(arg, 0), to)
                          : (in ? emit_expr : emit_target)(e, xml_at(arg, 0));
    text = emit_text(e, "%s%s%s", text, *text ? ", " : "", one);
  }
  emit_put(e, "%*s%s%s%s%s;\n", (int)depth, "", emit_callee_name(e, callee), *text ? "(" : "", text, *text ? ")" : "");
}

static void read_memory(emit_t *e, const xml_node_t *node, unsigned depth) {
  const bool binary = emit_source_is(e, node, "$readmemb");
  const emit_var_t *var = xml_is(xml_at(node, 1), "varref") ? emit_var(e, xml_at(node, 1)) : NULL;
  if (!binary && !emit_source_is(e, node, "$readmemh")) return emit_refuse(e, node, "a memory's image");
  if (!var || !var->is_memory) return emit_refuse(e, node, "an image of what is no memory");
  const char *text = emit_text(e, "%s, %s", emit_string(e, xml_at(node, 0)), var->name);
  for (unsigned i = 2; xml_at(node, i); i++) text = emit_text(e, "%s, %s", text, emit_expr(e, xml_at(node, i)));
  emit_put(e, "%*s$readmem%c(%s);\n", (int)depth, "", binary ? 'b' : 'h', text);
}

/* $error and $fatal are assertions. */
static void end_run(emit_t *e, const xml_node_t *node, unsigned depth) {
  if (emit_source_is(e, node, "$error") || emit_source_is(e, node, "$fatal")) return;
  emit_put(e, "%*s$%s;\n", (int)depth, "", node->tag);
}

static void inner_block(emit_t *e, const xml_node_t *node, unsigned depth) {
  statements(e, node->first, NULL, depth);
}

static const struct {
  const char *tag;
  void (*write)(emit_t *e, const xml_node_t *node, unsigned depth);
} kinds[] = {{"assign", assignment},   {"assigndly", assignment}, {"begin", inner_block},    {"if", choose},
             {"case", case_statement}, {"while", loop},           {"jumpblock", jump_block}, {"jumpgo", jump},
             {"stmtexpr", task_call},  {"readmem", read_memory},  {"finish", end_run},       {"stop", end_run}};

static void statement(emit_t *e, const xml_node_t *node, unsigned depth) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (xml_is(node, kinds[i].tag)) {
      if (!xml_is(node, "begin") && !xml_is(node, "jumpblock")) emit_line(e, node);
      return kinds[i].write(e, node, depth);
    }
  emit_refuse(e, node, emit_text(e, "what Verilator calls '%s'", node->tag));
}

/* From `first` to before `end`, NULL: all. Behind a statement with a jump the rest waits for its
 * flag. */
static void statements(emit_t *e, const xml_node_t *first, const xml_node_t *end, unsigned depth) {
  for (const xml_node_t *node = first; node && node != end && !e->failed; node = node->next) {
    if (does_nothing(node)) continue;
    statement(e, node, depth);
    const char *left = something_follows(node) ? left_flags(e, node) : "";
    if (!*left) continue;
    emit_put(e, "%*sif (%s) begin\n", (int)depth, "", left);
    statements(e, node->next, end, depth + 2);
    emit_put(e, "%*send\n", (int)depth, "");
    return;
  }
}

void emit_statements(emit_t *e, const xml_node_t *first, unsigned depth) {
  statements(e, first, NULL, depth);
}
