/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions. Verilator has given each of them its width, and extended operands where the language
 * does so. What is written must not take another width or sign from where it stands: everything is
 * unsigned, signed operators have their operands in $signed() and braces around them, and operands
 * in a place that could be wider stand in braces.
 */
#include "design.h"

#include <stdlib.h>
#include <string.h>

static const char *width_text(emit_t *e, unsigned width) {
  return emit_text(e, "[%u:0]", width - 1);
}

/* ---- constants */

/* Takes "4'b1zz" apart: width, base and digits. False: a text or a real. */
static bool take_constant(const xml_node_t *node, unsigned *width, char *base, const char **digits) {
  const char *text = xml_value(node, "name"), *quote = text && *text != '"' ? strchr(text, '\'') : NULL;
  if (!quote || !xml_is(node, "const")) return false;
  *width = (unsigned)strtoul(text, NULL, 10);
  quote += quote[1] == 's' ? 2 : 1;
  *base = *quote, *digits = quote + 1;
  return *width > 0 && *base;
}

bool emit_number(const xml_node_t *node, unsigned long *value) {
  unsigned width;
  char base;
  const char *digits;
  if (!node || !take_constant(node, &width, &base, &digits) || base != 'h') return false;
  digits += strspn(digits, "0");
  *value = strtoul(digits, NULL, 16);
  return strlen(digits) <= 8 && !digits[strspn(digits, "0123456789abcdef")];
}

bool emit_is_wild(const xml_node_t *node) {
  unsigned width;
  char base;
  const char *digits;
  return take_constant(node, &width, &base, &digits) && base == 'b' && strpbrk(digits, "xz");
}

static const char *zeros(emit_t *e, unsigned count) {
  char *text = count < 1u << 24 ? malloc(count + 1) : NULL;
  if (!text) return "";
  memset(text, '0', count), text[count] = 0;
  const char *kept = emit_text(e, "%s", text);
  free(text);
  return kept;
}

/* Verilator leaves out zeros at the front; Verilog would put x or z there. */
const char *emit_constant(emit_t *e, const xml_node_t *node) {
  unsigned width;
  char base;
  const char *digits;
  if (!take_constant(node, &width, &base, &digits))
    return emit_refuse(e, node, "a constant that is a text or a real"), "1'b0";
  const size_t n = strlen(digits);
  const char *front = base == 'b' && n < width ? zeros(e, width - (unsigned)n) : "";
  return emit_text(e, "%u'%c%s%s", width, base, front, digits);
}

const char *emit_string(emit_t *e, const xml_node_t *node) {
  char text[1024];
  unsigned width;
  char base;
  const char *digits, *name = xml_value(node, "name");
  if (!xml_is(node, "const")) return emit_refuse(e, node, "a text that is no constant"), "\"\"";
  if (*name == '"') return name;
  if (!take_constant(node, &width, &base, &digits) || base != 'h')
    return emit_refuse(e, node, "a text that is no constant"), "\"\"";
  size_t n = 0;
  unsigned code;
  for (digits += strlen(digits) % 2; n + 1 < sizeof text && sscanf(digits, "%2x", &code) == 1; digits += 2)
    text[n++] = (char)code;
  text[n] = 0;
  return emit_text(e, "\"%s\"", text);
}

/* The width of an expression. */
unsigned emit_expr_width(emit_t *e, const xml_node_t *node) {
  unsigned width;
  char base;
  const char *digits;
  if (take_constant(node, &width, &base, &digits)) return width;
  width = node ? emit_width(e, node) : 0;
  if (!width && node) emit_refuse(e, node, "a value that is no vector");
  return width ? width : 1;
}

/* ---- functions for what Verilog 2005 has not */

/* A function of this module with one text as its body, in which x is the argument. */
static const char *helper(emit_t *e, const char *name, unsigned width, unsigned of, const char *more,
                          const char *body) {
  const char *text = emit_text(e, "function %s %s; input %s x; %s %s endfunction\n", width_text(e, width), name,
                               width_text(e, of), more, body);
  if (words_add_new(&e->helpers, name)) words_add(&e->helper_text, "%s", text);
  return name;
}

/* `bits` of a value that has no name. */
static const char *part_of(emit_t *e, const char *text, unsigned width, unsigned low, unsigned bits) {
  if (low == 0 && bits == width) return text;
  const char *name = emit_text(e, "lockstack_bits_%u_%u_%u", width, low, bits);
  helper(e, name, bits, width, "", emit_text(e, "%s = x[%u:%u];", name, low + bits - 1, low));
  return emit_text(e, "%s(%s)", name, text);
}

static const char *part_at(emit_t *e, const char *text, unsigned width, const char *at, unsigned bits) {
  const char *name = emit_text(e, "lockstack_at_%u_%u", width, bits);
  helper(e, name, bits, width, "input [31:0] at;", emit_text(e, "%s = x >> at;", name));
  return emit_text(e, "%s(%s, %s)", name, text, at);
}

static const char *closed(emit_t *e, const char *text) {
  return *text == '(' ? emit_text(e, "{%s}", text) : text;
}

const char *emit_closed(emit_t *e, const xml_node_t *node) {
  return closed(e, emit_expr(e, node));
}

static const char *zero_extended(emit_t *e, const char *text, unsigned from, unsigned to) {
  return emit_text(e, "{%u'h0, %s}", to - from, text);
}

static const char *narrow(emit_t *e, const xml_node_t *node, unsigned bits);

/* The expression with this width. */
static const char *sized(emit_t *e, const xml_node_t *node, unsigned width) {
  const unsigned now = emit_expr_width(e, node);
  if (now == width) return emit_expr(e, node);
  return now < width ? zero_extended(e, emit_expr(e, node), now, width) : narrow(e, node, width);
}

static const char *sign_extended(emit_t *e, const xml_node_t *node, unsigned to) {
  return emit_text(e, "{$signed(%s) | %u'sh0}", emit_expr(e, node), to);
}

/* ---- parts of variables */

typedef struct {
  emit_var_t *var;
  const char *text;  /* of a value without a name */
  unsigned width;    /* of the variable, its word or the value */
  unsigned low;      /* the lowest bit, besides `terms` */
  const char *terms; /* NULL: no more */
  const char *word;  /* of a memory; NULL: none yet */
  unsigned bits;
} part_t;

static const char *add_term(emit_t *e, const char *sum, const xml_node_t *index, unsigned scale) {
  uint64_t value;
  if (emit_fold(e, index, &value)) {
    if (!value && sum) return sum;
    return emit_text(e, "%s%s32'd%lu", sum ? sum : "", sum ? " + " : "", (unsigned long)value * scale);
  }
  const char *text = emit_closed(e, index);
  if (scale != 1) text = emit_text(e, "%s * 32'd%u", text, scale);
  return sum ? emit_text(e, "%s + %s", sum, text) : text;
}

static void add_index(emit_t *e, part_t *p, const xml_node_t *index, unsigned scale) {
  uint64_t value;
  if (emit_fold(e, index, &value)) p->low += (unsigned)value * scale;
  else p->terms = add_term(e, p->terms, index, scale);
}

static void find_part(emit_t *e, const xml_node_t *node, part_t *p);

static void take_element(emit_t *e, const xml_node_t *node, part_t *p) {
  const emit_type_t type = emit_type_of(e, node);
  find_part(e, xml_at(node, 0), p);
  if (p->var && p->var->is_memory) p->word = add_term(e, p->word, xml_at(node, 1), type.elements);
  else add_index(e, p, xml_at(node, 1), type.width);
  p->bits = type.width;
}

/* A member of an unpacked struct; those of packed ones are bits in Verilator's tree. */
static void take_member(emit_t *e, const xml_node_t *node, part_t *p) {
  const xml_node_t *type = emit_dtype(e, xml_at(node, 0));
  find_part(e, xml_at(node, 0), p);
  p->bits = emit_expr_width(e, node);
  bool found = false;
  for (const xml_node_t *m = type ? type->first : NULL; m; m = m->next) {
    if (found && xml_is(type, "structdtype"))
      p->low += emit_width(e, &(xml_node_t){.attributes = &(xml_attribute_t){"dtype_id", xml_value(m, "sub_dtype_id")},
                                            .num_attributes = 1});
    found |= strcmp(xml_value(m, "name"), xml_value(node, "name")) == 0;
  }
  if (!found) emit_refuse(e, node, "a member of an object");
}

static void find_part(emit_t *e, const xml_node_t *node, part_t *p) {
  unsigned long bits = 0;
  if (xml_is(node, "varref") || xml_is(node, "varxref")) {
    p->var = emit_var(e, node);
    if (p->var)
      p->width = p->bits = p->var->is_memory ? p->var->type.width / p->var->type.elements : p->var->type.width;
  } else if (xml_is(node, "sel")) {
    find_part(e, xml_at(node, 0), p);
    if (!emit_number(xml_at(node, 2), &bits)) emit_refuse(e, node, "a part of variable width");
    add_index(e, p, xml_at(node, 1), 1);
    p->bits = (unsigned)bits;
  } else if (xml_is(node, "arraysel")) take_element(e, node, p);
  else if (xml_is(node, "structsel")) take_member(e, node, p);
  else p->text = emit_expr(e, node), p->width = p->bits = emit_expr_width(e, node);
}

static bool is_part(const xml_node_t *node) {
  return xml_is(node, "varref") || xml_is(node, "varxref") || xml_is(node, "sel") || xml_is(node, "arraysel") ||
         xml_is(node, "structsel");
}

static const char *offset(emit_t *e, const part_t *p) {
  return p->low ? emit_text(e, "%s + 32'd%u", p->terms, p->low) : p->terms;
}

static const char *part_text(emit_t *e, const part_t *p) {
  if (!p->var && !p->text) return "1'b0";
  if (p->text) {
    if (p->terms) return part_at(e, p->text, p->width, offset(e, p), p->bits);
    return part_of(e, p->text, p->width, p->low, p->bits);
  }
  const char *name = p->var->name;
  if (p->var->is_memory) name = emit_text(e, "%s[%s]", name, p->word ? p->word : "0");
  if (p->terms && p->bits == 1) return emit_text(e, "%s[%s]", name, offset(e, p));
  if (p->terms) return emit_text(e, "%s[%s +: %u]", name, offset(e, p), p->bits);
  if (p->bits == p->width && !p->low) return name;
  if (p->bits == 1) return emit_text(e, "%s[%u]", name, p->low);
  return emit_text(e, "%s[%u:%u]", name, p->low + p->bits - 1, p->low);
}

const char *emit_range(emit_t *e, const char *text, unsigned width, unsigned low, unsigned bits) {
  return part_of(e, text, width, low, bits);
}

/* The low bits of a part. */
static const char *part_low(emit_t *e, const xml_node_t *node, unsigned bits) {
  part_t p = {0};
  find_part(e, node, &p);
  p.bits = bits;
  return part_text(e, &p);
}

const char *emit_bits(emit_t *e, const xml_node_t *node, unsigned low, unsigned bits) {
  part_t p = {0};
  if (!is_part(node)) return part_of(e, emit_expr(e, node), emit_expr_width(e, node), low, bits);
  find_part(e, node, &p);
  p.low += low, p.bits = bits;
  return part_text(e, &p);
}

/* An expression as one of the type: arrays may be vectors in another order there. */
static const char *as_type(emit_t *e, const xml_node_t *node, const xml_node_t *to, unsigned width) {
  return emit_turns(e, emit_dtype(e, node), to) ? emit_turned(e, node, to) : sized(e, node, width);
}

const char *emit_target(emit_t *e, const xml_node_t *node) {
  if (xml_is(node, "concat"))
    return emit_text(e, "{%s, %s}", emit_target(e, xml_at(node, 0)), emit_target(e, xml_at(node, 1)));
  part_t p = {0};
  if (is_part(node)) find_part(e, node, &p);
  if (!p.var || p.text) return emit_refuse(e, node, "an assignment to an expression"), "";
  return part_text(e, &p);
}

/* ---- operators */

typedef enum { ARITHMETIC, SIGNED_ARITHMETIC, SHIFT, SIGNED_SHIFT, COMPARE, SIGNED_COMPARE, LOGIC, ONE } kind_t;

static const struct {
  const char *tag, *text;
  kind_t kind;
  bool low; /* low bits of the result are those of the operands' low bits */
} operators[] = {
    /* clang-format off */
    {"add", "+", ARITHMETIC, true},        {"sub", "-", ARITHMETIC, true},         {"mul", "*", ARITHMETIC, true},
    {"muls", "*", ARITHMETIC, true},       {"and", "&", ARITHMETIC, true},         {"or", "|", ARITHMETIC, true},
    {"xor", "^", ARITHMETIC, true},        {"xnor", "~^", ARITHMETIC, true},       {"div", "/", ARITHMETIC, false},
    {"moddiv", "%", ARITHMETIC, false},    {"divs", "/", SIGNED_ARITHMETIC, false},
    {"moddivs", "%", SIGNED_ARITHMETIC, false},
    {"pow", "**", SHIFT, false},           {"powsu", "**", SIGNED_SHIFT, false},
    {"powss", "**", SIGNED_ARITHMETIC, false}, {"powus", "**", SHIFT, false},
    {"shiftl", "<<", SHIFT, true},         {"shiftr", ">>", SHIFT, false},
    {"shiftrs", ">>>", SIGNED_SHIFT, false},
    {"eq", "==", COMPARE, false},          {"neq", "!=", COMPARE, false},          {"eqcase", "===", COMPARE, false},
    {"neqcase", "!==", COMPARE, false},    {"lt", "<", COMPARE, false},            {"lte", "<=", COMPARE, false},
    {"gt", ">", COMPARE, false},           {"gte", ">=", COMPARE, false},          {"lts", "<", SIGNED_COMPARE, false},
    {"ltes", "<=", SIGNED_COMPARE, false}, {"gts", ">", SIGNED_COMPARE, false},
    {"gtes", ">=", SIGNED_COMPARE, false},
    {"logand", "&&", LOGIC, false},        {"logor", "||", LOGIC, false},
    {"not", "~", ONE, true},               {"negate", "-", ONE, true},             {"lognot", "!", LOGIC, false},
    {"redand", "&", LOGIC, false},         {"redor", "|", LOGIC, false},           {"redxor", "^", LOGIC, false},
    {"redxnor", "~^", LOGIC, false},
    /* clang-format on */
};

enum { OPERATORS = sizeof operators / sizeof *operators };

static size_t find_operator(const xml_node_t *node) {
  size_t i = 0;
  while (i < OPERATORS && strcmp(operators[i].tag, node->tag)) i++;
  return i;
}

static const char *wider_compare(emit_t *e, const xml_node_t *a, const xml_node_t *b, const char *text, bool sign) {
  const unsigned wa = emit_expr_width(e, a), wb = emit_expr_width(e, b), width = wa > wb ? wa : wb;
  return emit_text(e, sign ? "($signed(%s) %s $signed(%s))" : "(%s %s %s)", sized(e, a, width), text,
                   sized(e, b, width));
}

static const char *operation(emit_t *e, const xml_node_t *node, size_t i, unsigned width) {
  const xml_node_t *a = xml_at(node, 0), *b = xml_at(node, 1);
  const char *text = operators[i].text;
  if (!b && operators[i].kind != ONE) return emit_text(e, "(%s%s)", text, emit_closed(e, a));
  switch (operators[i].kind) {
  case ONE: return emit_text(e, "(%s%s)", text, sized(e, a, width));
  case ARITHMETIC: return emit_text(e, "(%s %s %s)", sized(e, a, width), text, sized(e, b, width));
  case SIGNED_ARITHMETIC:
    return emit_text(e, "{$signed(%s) %s $signed(%s)}", sized(e, a, width), text, sized(e, b, width));
  case SHIFT: return emit_text(e, "(%s %s %s)", sized(e, a, width), text, emit_closed(e, b));
  case SIGNED_SHIFT: return emit_text(e, "{$signed(%s) %s %s}", sized(e, a, width), text, emit_closed(e, b));
  case COMPARE: return wider_compare(e, a, b, text, false);
  case SIGNED_COMPARE: return wider_compare(e, a, b, text, true);
  default: return emit_text(e, "(%s %s %s)", emit_closed(e, a), text, emit_closed(e, b));
  }
}

/* The low bits of an expression: where it can be, of its operands' low bits. */
static const char *narrow(emit_t *e, const xml_node_t *node, unsigned bits) {
  const size_t i = find_operator(node);
  if (i < OPERATORS && operators[i].low) return operation(e, node, i, bits);
  unsigned long value;
  if (is_part(node)) return part_low(e, node, bits);
  if (emit_number(node, &value)) return emit_text(e, "%u'h%lx", bits, bits < 32 ? value & ((1ul << bits) - 1) : value);
  if (xml_is(node, "extend") || xml_is(node, "extends")) {
    const unsigned from = emit_expr_width(e, xml_at(node, 0));
    if (bits <= from) return sized(e, xml_at(node, 0), bits);
    return xml_is(node, "extend") ? zero_extended(e, emit_expr(e, xml_at(node, 0)), from, bits)
                                  : sign_extended(e, xml_at(node, 0), bits);
  }
  return part_of(e, emit_expr(e, node), emit_expr_width(e, node), 0, bits);
}

/* x ==? 4'b1?0?: the bits that count, compared. */
static const char *wild_compare(emit_t *e, const xml_node_t *node, const char *text) {
  const xml_node_t *a = xml_at(node, 0), *b = xml_at(node, 1);
  if (!emit_is_wild(b)) return wider_compare(e, a, b, text, false);
  char *mask = strdup(emit_constant(e, b)), *value = mask ? strdup(mask) : NULL;
  for (char *p = value ? strchr(mask, 'b') + 1 : NULL; p && *p; p++) {
    const bool any = *p == 'x' || *p == 'z';
    if (any) value[p - mask] = '0';
    *p = any ? '0' : '1';
  }
  const char *whole =
      emit_text(e, "((%s & %s) %s %s)", sized(e, a, emit_expr_width(e, b)), mask ? mask : "", text, value ? value : "");
  free(mask), free(value);
  return whole;
}

static const char *stream(emit_t *e, const xml_node_t *node) {
  unsigned long slice;
  const unsigned width = emit_expr_width(e, xml_at(node, 0));
  if (!emit_number(xml_at(node, 1), &slice) || !slice)
    return emit_refuse(e, node, "a stream of variable width"), "1'b0";
  if (xml_is(node, "streamr") || slice >= width) return emit_expr(e, xml_at(node, 0));
  const char *name = emit_text(e, "lockstack_stream_%u_%lu", width, slice), *body = "";
  for (unsigned low = 0; low < width; low += (unsigned)slice) {
    const unsigned high = low + (unsigned)slice < width ? low + (unsigned)slice - 1 : width - 1;
    body = emit_text(e, "%s%sx[%u:%u]", body, low ? ", " : "", high, low);
  }
  helper(e, name, width, width, "", emit_text(e, "%s = {%s};", name, body));
  return emit_text(e, "%s(%s)", name, emit_expr(e, xml_at(node, 0)));
}

static const char *ones(emit_t *e, const xml_node_t *node) {
  const unsigned of = emit_expr_width(e, xml_at(node, 0)), width = emit_expr_width(e, node);
  const char *name = emit_text(e, "lockstack_ones_%u_%u", of, width), *body = "";
  for (unsigned i = 0; i < of; i++) {
    const char *bit = width > 1 ? emit_text(e, "{%u'h0, x[%u]}", width - 1, i) : emit_text(e, "x[%u]", i);
    body = emit_text(e, "%s%s%s", body, i ? " + " : "", bit);
  }
  helper(e, name, width, of, "", emit_text(e, "%s = %s;", name, body));
  return emit_text(e, "%s(%s)", name, emit_expr(e, xml_at(node, 0)));
}

static const char *log_two(emit_t *e, const xml_node_t *node) {
  const unsigned of = emit_expr_width(e, xml_at(node, 0)), width = emit_expr_width(e, node);
  const char *name = emit_text(e, "lockstack_clog2_%u_%u", of, width), *body = emit_text(e, "%u'h0", width);
  for (unsigned i = 0; i < of; i++) body = emit_text(e, "(x > (%u'h1 << %u)) ? %u'h%x : %s", of, i, width, i + 1, body);
  helper(e, name, width, of, "", emit_text(e, "%s = %s;", name, body));
  return emit_text(e, "%s(%s)", name, emit_expr(e, xml_at(node, 0)));
}

static const char *one_hot(emit_t *e, const xml_node_t *node) {
  const unsigned of = emit_expr_width(e, xml_at(node, 0));
  const bool zero = xml_is(node, "onehot0");
  const char *name = emit_text(e, "lockstack_%s_%u", node->tag, of);
  const char *body = emit_text(e, "%s = %s(x & (x - %u'h1)) == %u'h0;", name, zero ? "" : "(|x) && ", of, of);
  helper(e, name, 1, of, "", body);
  return emit_text(e, "%s(%s)", name, emit_expr(e, xml_at(node, 0)));
}

static const char *call(emit_t *e, const xml_node_t *node) {
  const xml_node_t *callee = emit_callee(e, node), *var = emit_argument(callee, NULL);
  const char *text = "";
  if (!callee) return "1'b0";
  if (xml_is(callee, "task")) return emit_refuse(e, node, "a task's value"), "1'b0";
  for (const xml_node_t *arg = node->first; arg; arg = arg->next, var = emit_argument(callee, var)) {
    if (!var || strcmp(xml_value(var, "dir"), "input"))
      return emit_refuse(e, node, "a function with an output"), "1'b0";
    text = emit_text(e, "%s%s%s", text, *text ? ", " : "",
                     as_type(e, xml_at(arg, 0), emit_dtype(e, var), emit_width(e, var)));
  }
  return emit_text(e, "%s(%s)", emit_callee_name(e, callee), *text ? text : "1'b0");
}

/* An array, its last element first. */
static const char *array(emit_t *e, const xml_node_t *node) {
  const char *text = "";
  unsigned long next = 0;
  for (const xml_node_t *item = node->first; item; item = item->next) {
    if (strtoul(xml_value(item, "index"), NULL, 10) != next++)
      emit_refuse(e, node, "an array that leaves elements out");
    text = emit_text(e, "%s%s%s", emit_expr(e, xml_at(item, 0)), *text ? ", " : "", text);
  }
  return emit_text(e, "{%s}", text);
}

static const char *repeated(emit_t *e, const xml_node_t *node) {
  unsigned long times;
  if (!emit_number(xml_at(node, 1), &times)) return emit_refuse(e, node, "a variable number of copies"), "1'b0";
  return emit_text(e, "{%lu{%s}}", times, emit_expr(e, xml_at(node, 0)));
}

static const char *choice(emit_t *e, const xml_node_t *node) {
  uint64_t which;
  const unsigned width = emit_expr_width(e, node);
  const xml_node_t *to = emit_dtype(e, node);
  if (emit_fold(e, xml_at(node, 0), &which)) return as_type(e, xml_at(node, which ? 1 : 2), to, width);
  return emit_text(e, "(%s ? %s : %s)", emit_closed(e, xml_at(node, 0)), as_type(e, xml_at(node, 1), to, width),
                   as_type(e, xml_at(node, 2), to, width));
}

static const char *extended(emit_t *e, const xml_node_t *node) {
  const unsigned from = emit_expr_width(e, xml_at(node, 0)), to = emit_expr_width(e, node);
  if (from >= to) return sized(e, xml_at(node, 0), to);
  return xml_is(node, "extend") ? zero_extended(e, emit_expr(e, xml_at(node, 0)), from, to)
                                : sign_extended(e, xml_at(node, 0), to);
}

static const char *same(emit_t *e, const xml_node_t *node) {
  return sized(e, xml_at(node, 0), emit_expr_width(e, node));
}

static const char *joined(emit_t *e, const xml_node_t *node) {
  return emit_text(e, "{%s, %s}", emit_expr(e, xml_at(node, 0)), emit_expr(e, xml_at(node, 1)));
}

static const char *equal_wild(emit_t *e, const xml_node_t *node) {
  return wild_compare(e, node, "==");
}
static const char *differ_wild(emit_t *e, const xml_node_t *node) {
  return wild_compare(e, node, "!=");
}
static const char *never(emit_t *e, const xml_node_t *node) {
  return (void)e, (void)node, "1'b0";
}

static const struct {
  const char *tag;
  const char *(*text)(emit_t *e, const xml_node_t *node);
} others[] = {{"const", emit_constant}, {"extend", extended}, {"extends", extended},   {"cond", choice},
              {"condbound", choice},    {"concat", joined},   {"replicate", repeated}, {"streaml", stream},
              {"streamr", stream},      {"funcref", call},    {"countones", ones},     {"onehot", one_hot},
              {"clog2", log_two},       {"onehot0", one_hot}, {"isunknown", never},    {"initarray", array},
              {"signed", same},         {"unsigned", same},   {"ccast", same},         {"eqwild", equal_wild},
              {"neqwild", differ_wild}};

const char *emit_expr(emit_t *e, const xml_node_t *node) {
  uint64_t value;
  if (e->failed || !node) return "1'b0";
  if (e->loops && !xml_is(node, "const") && emit_fold(e, node, &value))
    return emit_text(e, "%u'h%lx", emit_expr_width(e, node), (unsigned long)value);
  if (is_part(node)) {
    const xml_node_t *from = xml_at(node, 0);
    unsigned long low;
    const bool cut = xml_is(node, "sel") && !is_part(from) && emit_number(xml_at(node, 1), &low) && !low;
    if (cut) return narrow(e, from, emit_expr_width(e, node));
    part_t p = {0};
    find_part(e, node, &p);
    return part_text(e, &p);
  }
  const size_t op = find_operator(node);
  if (op < OPERATORS &&
      emit_turns(e, emit_dtype(e, xml_at(node, 0)), emit_dtype(e, xml_at(node, 1) ? xml_at(node, 1) : node)))
    return emit_refuse(e, node, "a comparison of arrays whose ranges run in opposite ways"), "1'b0";
  if (op < OPERATORS) return operation(e, node, op, emit_expr_width(e, node));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].tag, node->tag) == 0) return others[i].text(e, node);
  emit_refuse(e, node, emit_text(e, "what Verilator calls '%s'", node->tag));
  return "1'b0";
}
