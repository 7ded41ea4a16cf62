/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the file into nets with a driver each. Nodes are then made depth first, from what is
 * seen outside and from the registers.
 *
 *   lm_i_N (before, an output) --> point, if a fault is here --> lm_o_N (behind, an input)
 *
 * A bit behind a cut (cut.h) is the bit before it. A fault can depend on another bit of its cut,
 * so all bits before the cut come first. That fails where bits of one port ripple through each
 * other: then the cut loses these faults (alone), and all nodes are made anew.
 */
#include "netlist.h"
#include "nets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  DRIVER_NONE,
  DRIVER_INPUT,
  DRIVER_CUT,
  DRIVER_CONST,
  DRIVER_BUF,
  DRIVER_NOT,
  DRIVER_AND,
  DRIVER_NAND,
  DRIVER_OR,
  DRIVER_NOR,
  DRIVER_XOR,
  DRIVER_XNOR,
  DRIVER_ANDNOT,
  DRIVER_ORNOT,
  DRIVER_MUX,
  DRIVER_LATCH
} driver_kind_t;

typedef struct {
  uint32_t kind, a, b, c; /* nets; CUT: a is the net before, b the cut; CONST: a is the value */
} driver_t;

/* Of a net: not visited; on the way from the root; it has its literal. */
enum { UNSEEN, OPEN, DONE };

typedef struct {
  netlist_t *n;
  nets_t nets;
  driver_t *drivers;
  unsigned num_drivers, room;
  uint32_t *ins, *outs, *checks[2][2]; /* nets; of assertions and assumptions A and EN */
  unsigned num_ins, num_outs, num_checks[2];
  fault_t *faults;
  unsigned num_faults;
  unsigned *first_fault; /* by cut; faults are sorted by it */
  bool *alone;           /* cuts without faults that depend on another bit */
  unsigned num_cuts;
  unsigned char *state;
  lit_t *lits;
  trouble_t *trouble;
} reader_t;

/* The first one is kept: reading goes on to the end of the line. */
#define WRONG(r, ...) (trouble_fail((r)->trouble, TROUBLE_INPUT, __VA_ARGS__), false)

/* --- reading */

/* The number of a net, with room for its driver. Out of memory: 0, and trouble. */
static uint32_t net_number(reader_t *r, const char *name) {
  uint32_t i = nets_add(&r->nets, name);
  if (i == NETS_NONE) return trouble_fail(r->trouble, TROUBLE_INPUT, "out of memory"), 0;
  while (i >= r->room) {
    unsigned room = r->room ? 2 * r->room : 4096;
    driver_t *drivers = realloc(r->drivers, room * sizeof *drivers);
    if (!drivers) return trouble_fail(r->trouble, TROUBLE_INPUT, "out of memory"), 0;
    memset(drivers + r->room, 0, (room - r->room) * sizeof *drivers);
    r->drivers = drivers;
    r->room = room;
  }
  return i;
}

/* Lists double: a count that is a power of two is full. */
static bool push_value(reader_t *r, uint32_t **list, unsigned *count, uint32_t value) {
  if ((*count & (*count - 1)) == 0) { /* room is a power of two */
    uint32_t *more = realloc(*list, (*count ? 2 * *count : 1) * sizeof **list);
    if (!more) return WRONG(r, "out of memory");
    *list = more;
  }
  (*list)[(*count)++] = value;
  return true;
}

/* Adds the names of a line to a list. */
static bool read_ports(reader_t *r, char *rest, uint32_t **list, unsigned *count) {
  for (char *name; (name = strtok_r(NULL, " \n", &rest));)
    if (!push_value(r, list, count, net_number(r, name))) return false;
  return true;
}

/* ".names FROM TO" is a buffer. ".names TO" is a constant: 1 when the next line begins with 1. */
static bool read_names(reader_t *r, char *rest, FILE *file) {
  char *a = strtok_r(NULL, " \n", &rest), *b = strtok_r(NULL, " \n", &rest);
  if (!a) return WRONG(r, ".names without a name");
  if (b) {
    uint32_t from = net_number(r, a), to = net_number(r, b);
    r->drivers[to] = (driver_t){DRIVER_BUF, from, 0, 0};
  } else {
    int next = fgetc(file);
    ungetc(next, file);
    uint32_t to = net_number(r, a);
    r->drivers[to] = (driver_t){DRIVER_CONST, next == '1', 0, 0};
  }
  return true;
}

/* Cells of BLIF that the netlist knows. DRIVER_NONE: a check, which drives nothing. */
static const struct {
  const char *name;
  driver_kind_t kind;
} GATES[] = {{"$_NOT_", DRIVER_NOT},     {"$_BUF_", DRIVER_BUF},   {"$_AND_", DRIVER_AND},
             {"$_NAND_", DRIVER_NAND},   {"$_OR_", DRIVER_OR},     {"$_NOR_", DRIVER_NOR},
             {"$_XOR_", DRIVER_XOR},     {"$_XNOR_", DRIVER_XNOR}, {"$_ANDNOT_", DRIVER_ANDNOT},
             {"$_ORNOT_", DRIVER_ORNOT}, {"$_MUX_", DRIVER_MUX},   {"$_DFF_P_", DRIVER_LATCH},
             {"$_FF_", DRIVER_LATCH},    {"$assert", DRIVER_NONE}, {"$assume", DRIVER_NONE}};

/* ".subckt TYPE A=net Y=net". Pins have one letter, but EN has two. */
static bool read_cell(reader_t *r, char *rest) {
  char *type = strtok_r(NULL, " \n", &rest);
  unsigned g = 0;
  uint32_t pin[256] = {0};
  while (g < sizeof GATES / sizeof *GATES && type && strcmp(GATES[g].name, type)) g++;
  if (!type || g == sizeof GATES / sizeof *GATES) return WRONG(r, "cells of type %s are not gates", type ? type : "''");
  for (char *word; (word = strtok_r(NULL, " \n", &rest));) {
    char *equals = strchr(word, '=');
    if (!equals) return WRONG(r, "%s: a pin without a net", type);
    if (equals == word + 1) pin[(unsigned char)*word] = net_number(r, equals + 1);
    else if (strncmp(word, "EN=", 3) == 0) pin['E'] = net_number(r, equals + 1);
  }
  if (r->trouble->kind) return false;
  if (GATES[g].kind == DRIVER_NONE) {
    int assume = strcmp(type, "$assume") == 0;
    unsigned count = r->num_checks[assume];
    return push_value(r, &r->checks[assume][0], &count, pin['A']) &&
           push_value(r, &r->checks[assume][1], &r->num_checks[assume], pin['E']);
  }
  if (GATES[g].kind == DRIVER_LATCH) r->drivers[pin['Q']] = (driver_t){DRIVER_LATCH, pin['D'], 0, 0};
  else r->drivers[pin['Y']] = (driver_t){GATES[g].kind, pin['A'], pin['B'], pin['S']};
  return true;
}

static bool read_line(reader_t *r, char *line, FILE *file) {
  char *rest;
  if (*line != '.') return true;
  char *word = strtok_r(line, " \n", &rest);
  if (strcmp(word, ".inputs") == 0) return read_ports(r, rest, &r->ins, &r->num_ins);
  if (strcmp(word, ".outputs") == 0) return read_ports(r, rest, &r->outs, &r->num_outs);
  if (strcmp(word, ".names") == 0) return read_names(r, rest, file);
  if (strcmp(word, ".subckt") == 0 || strcmp(word, ".gate") == 0) return read_cell(r, rest);
  return true;
}

/* --- cuts */

/* Reads "lm_o_12[3]": cut 12, bit 3. A port of one bit has no index. */
static bool is_cut(const char *name, const char *prefix, unsigned *cut, unsigned *bit) {
  *bit = 0;
  return strncmp(name, prefix, 5) == 0 && sscanf(name + 5, "%u[%u]", cut, bit) >= 1;
}

/* Connects each bit behind a cut with the bit before it. */
static bool make_cuts(reader_t *r) {
  unsigned cut, bit;
  for (unsigned i = 0; i < r->num_ins; i++) {
    const char *name = r->nets.names[r->ins[i]];
    if (!is_cut(name, "lm_o_", &cut, &bit)) {
      r->drivers[r->ins[i]].kind = DRIVER_INPUT;
      continue;
    }
    char before[64];
    snprintf(before, sizeof before, "lm_i_%s", name + 5);
    uint32_t from = nets_find(&r->nets, before);
    if (from == NETS_NONE) return WRONG(r, "%s is missing", before);
    r->drivers[r->ins[i]] = (driver_t){DRIVER_CUT, from, cut, bit};
    if (cut >= r->num_cuts) r->num_cuts = cut + 1;
  }
  r->first_fault = calloc(r->num_cuts + 2, sizeof *r->first_fault);
  r->alone = calloc(r->num_cuts + 1, sizeof *r->alone);
  if (!r->first_fault || !r->alone) return WRONG(r, "out of memory");
  for (unsigned i = r->num_faults; i-- > 0;)
    if (r->faults[i].cut < r->num_cuts) r->first_fault[r->faults[i].cut] = i + 1; /* 0: none */
  return true;
}

/* Does the fault depend on another bit of its cut? */
static bool needs_other_bit(const fault_t *f) {
  return f->kind == FAULT_CNOT0 || f->kind == FAULT_CNOT1;
}

/* The net before a bit of a cut; NETS_NONE: there is no such bit. */
static uint32_t before_net(const reader_t *r, unsigned cut, unsigned bit) {
  char name[64];
  snprintf(name, sizeof name, "lm_i_%u[%u]", cut, bit);
  uint32_t found = nets_find(&r->nets, name);
  if (found != NETS_NONE || bit) return found;
  snprintf(name, sizeof name, "lm_i_%u", cut);
  return nets_find(&r->nets, name);
}

/* --- nodes */

/* The nets that this one reads within the cycle. Returns how many. */
static unsigned net_sources(const reader_t *r, uint32_t i, uint32_t *nets, unsigned most) {
  const driver_t *d = &r->drivers[i];
  unsigned n = 0;
  if (d->kind >= DRIVER_BUF && d->kind != DRIVER_LATCH) nets[n++] = d->a;
  if (d->kind >= DRIVER_AND && d->kind != DRIVER_LATCH) nets[n++] = d->b;
  if (d->kind == DRIVER_MUX) nets[n++] = d->c;
  if (d->kind != DRIVER_CUT) return n;
  nets[n++] = d->a;
  unsigned f = r->alone[d->b] ? 0 : r->first_fault[d->b];
  for (; f && f <= r->num_faults && r->faults[f - 1].cut == d->b; f++)
    if (needs_other_bit(&r->faults[f - 1]) && n < most) {
      uint32_t other = before_net(r, d->b, r->faults[f - 1].other);
      if (other != NETS_NONE) nets[n++] = other;
    }
  return n;
}

/* The literal behind a cut: a point when the bit has a fault, else the literal before. Sets the
 * faults' points. */
static lit_t cut_lit(reader_t *r, const driver_t *d) {
  lit_t point = 0;
  for (unsigned f = r->first_fault[d->b]; f && f <= r->num_faults && r->faults[f - 1].cut == d->b; f++) {
    fault_t *fault = &r->faults[f - 1];
    if (fault->bit != d->c || (needs_other_bit(fault) && r->alone[d->b])) continue;
    if (!point) point = gates_new(&r->n->gates, NODE_POINT, r->lits[d->a]);
    fault->point = point / 2;
    uint32_t other = needs_other_bit(fault) ? before_net(r, d->b, fault->other) : NETS_NONE;
    if (other != NETS_NONE) fault->control = r->lits[other];
    else if (needs_other_bit(fault)) fault->point = 0;
  }
  return point ? point : r->lits[d->a];
}

/* The literal of a net whose sources have theirs. */
static lit_t make_lit(reader_t *r, uint32_t i) {
  const driver_t *d = &r->drivers[i];
  gates_t *g = &r->n->gates;
  lit_t a = d->kind >= DRIVER_BUF ? r->lits[d->a] : 0, b = d->kind >= DRIVER_AND ? r->lits[d->b] : 0;
  switch (d->kind) {
  case DRIVER_INPUT: return gates_new(g, NODE_INPUT, 0);
  case DRIVER_LATCH: return gates_new(g, NODE_LATCH, 0);
  case DRIVER_CUT: return cut_lit(r, d);
  case DRIVER_CONST: return d->a;
  case DRIVER_BUF: return a;
  case DRIVER_NOT: return a ^ 1;
  case DRIVER_AND: return gates_and(g, a, b);
  case DRIVER_NAND: return gates_and(g, a, b) ^ 1;
  case DRIVER_OR: return gates_or(g, a, b);
  case DRIVER_NOR: return gates_or(g, a, b) ^ 1;
  case DRIVER_XOR: return gates_xor(g, a, b);
  case DRIVER_XNOR: return gates_xor(g, a, b) ^ 1;
  case DRIVER_ANDNOT: return gates_and(g, a, b ^ 1);
  case DRIVER_ORNOT: return gates_or(g, a, b ^ 1);
  case DRIVER_MUX: return gates_mux(g, a, b, r->lits[d->c]);
  default: return LIT_0; /* driven by nothing */
  }
}

typedef struct {
  uint32_t *nets;
  unsigned count;
} way_t;

/* The nets of a loop are on the stack from `again` to the top. Cuts among them stop ordering
 * their bits. False: no cut is in the loop, so the design itself has one. */
static bool break_loop(reader_t *r, const way_t *s, uint32_t again) {
  bool broken = false;
  for (unsigned i = s->count; i-- > 0;) {
    const driver_t *d = &r->drivers[s->nets[i]];
    if (r->state[s->nets[i]] == OPEN && d->kind == DRIVER_CUT && !r->alone[d->b]) broken = r->alone[d->b] = true;
    if (s->nets[i] == again) break;
  }
  return broken || WRONG(r, "a loop of gates through %s", r->nets.names[again]);
}

typedef enum { VISIT_DONE, VISIT_AGAIN, VISIT_WRONG } visit_t;

/* Makes literals of the net and of all that it depends on. AGAIN: a cut changed, so all starts
 * over. The stack holds the way from the root, because a recursion could be too deep. */
static visit_t visit(reader_t *r, way_t *s, uint32_t root) {
  uint32_t nets[4096];
  s->count = 0;
  s->nets[s->count++] = root;
  while (s->count) {
    uint32_t i = s->nets[s->count - 1];
    if (r->state[i] == DONE) {
      s->count--;
      continue;
    }
    unsigned n = net_sources(r, i, nets, 4096);
    bool ready = true;
    r->state[i] = OPEN;
    for (unsigned k = 0; k < n; k++) {
      if (r->state[nets[k]] == OPEN) return break_loop(r, s, nets[k]) ? VISIT_AGAIN : VISIT_WRONG;
      if (r->state[nets[k]] == DONE) continue;
      if (ready) s->nets[s->count++] = nets[k]; /* one at a time: what is open is the way from the root */
      ready = false;
    }
    if (!ready) continue;
    r->lits[i] = make_lit(r, i);
    r->state[i] = DONE;
    s->count--;
  }
  return VISIT_DONE;
}

/* Inputs and registers first, then everything that lockstep can see and the registers' next
 * states. */
static visit_t visit_all(reader_t *r, way_t *s) {
  visit_t v = VISIT_DONE;
  gates_close(&r->n->gates);
  if (!gates_open(&r->n->gates)) return trouble_fail(r->trouble, TROUBLE_INPUT, "out of memory"), VISIT_WRONG;
  memset(r->state, 0, r->nets.count);
  for (unsigned i = 0; i < r->num_faults; i++) r->faults[i].point = 0;
  for (unsigned i = 0; i < r->num_ins && v == VISIT_DONE; i++)
    if (r->drivers[r->ins[i]].kind == DRIVER_INPUT) v = visit(r, s, r->ins[i]);
  for (unsigned i = 0; i < r->nets.count && v == VISIT_DONE; i++)
    if (r->drivers[i].kind == DRIVER_LATCH) v = visit(r, s, i);
  for (unsigned i = 0; i < r->num_outs && v == VISIT_DONE; i++) v = visit(r, s, r->outs[i]);
  for (int k = 0; k < 4; k++)
    for (unsigned i = 0; i < r->num_checks[k / 2] && v == VISIT_DONE; i++) v = visit(r, s, r->checks[k / 2][k % 2][i]);
  for (unsigned i = 0; i < r->nets.count && v == VISIT_DONE; i++)
    if (r->drivers[i].kind == DRIVER_LATCH) v = visit(r, s, r->drivers[i].a);
  return v;
}

/* --- the netlist */

static int by_name(const void *a, const void *b) {
  const netlist_bit_t *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  if (order) return order;
  return x->bit < y->bit ? -1 : x->bit > y->bit;
}

/* Splits "x_i[3]" into x_i and 3. */
static bool add_bit(reader_t *r, netlist_bit_t *bit, uint32_t i) {
  if (!(bit->name = strdup(r->nets.names[i]))) return WRONG(r, "out of memory");
  char *bracket = strrchr(bit->name, '[');
  bool indexed = bracket && sscanf(bracket, "[%u]", &bit->bit) == 1 && bit->name[strlen(bit->name) - 1] == ']';
  if (indexed) *bracket = 0;
  else bit->bit = 0;
  bit->lit = r->lits[i];
  return true;
}

static bool add_ports(reader_t *r) {
  netlist_t *n = r->n;
  unsigned cut, k;
  n->inputs = calloc(r->num_ins + 1, sizeof *n->inputs);
  n->outputs = calloc(r->num_outs + 1, sizeof *n->outputs);
  if (!n->inputs || !n->outputs) return WRONG(r, "out of memory");
  for (unsigned i = 0; i < r->num_ins; i++)
    if (r->drivers[r->ins[i]].kind == DRIVER_INPUT && !add_bit(r, &n->inputs[n->num_inputs++], r->ins[i])) return false;
  for (unsigned i = 0; i < r->num_outs; i++)
    if (!is_cut(r->nets.names[r->outs[i]], "lm_i_", &cut, &k) && !add_bit(r, &n->outputs[n->num_outputs++], r->outs[i]))
      return false;
  qsort(n->inputs, n->num_inputs, sizeof *n->inputs, by_name);
  qsort(n->outputs, n->num_outputs, sizeof *n->outputs, by_name);
  return true;
}

/* Connects registers with their next states. A check fires where EN is 1 and A is 0. */
static bool add_state(reader_t *r) {
  netlist_t *n = r->n;
  for (unsigned i = 0; i < r->nets.count; i++)
    if (r->drivers[i].kind == DRIVER_LATCH) {
      n->gates.nodes[r->lits[i] / 2].a = r->lits[r->drivers[i].a];
      if (!push_value(r, &n->latches, &n->num_latches, r->lits[i] / 2)) return false;
    }
  for (int k = 0; k < 2; k++)
    for (unsigned i = 0; i < r->num_checks[k]; i++) {
      lit_t fires = gates_and(&n->gates, r->lits[r->checks[k][0][i]] ^ 1, r->lits[r->checks[k][1][i]]);
      if (!push_value(r, k ? &n->assumes : &n->asserts, k ? &n->num_assumes : &n->num_asserts, fires)) return false;
    }
  return !n->gates.failed || WRONG(r, "out of memory");
}

static bool build_nodes(reader_t *r) {
  way_t stack = {malloc((r->nets.count + 1) * sizeof *stack.nets), 0};
  visit_t v = VISIT_AGAIN;
  r->state = calloc(r->nets.count + 1, 1);
  r->lits = calloc(r->nets.count + 1, sizeof *r->lits);
  if (!stack.nets || !r->state || !r->lits) trouble_fail(r->trouble, TROUBLE_INPUT, "out of memory"), v = VISIT_WRONG;
  while (v == VISIT_AGAIN) v = visit_all(r, &stack);
  free(stack.nets);
  return v == VISIT_DONE && add_ports(r) && add_state(r);
}

static void free_reader(reader_t *r) {
  nets_free(&r->nets);
  free(r->drivers);
  free(r->ins);
  free(r->outs);
  for (int k = 0; k < 4; k++) free(r->checks[k / 2][k % 2]);
  free(r->first_fault);
  free(r->alone);
  free(r->state);
  free(r->lits);
}

bool netlist_read(netlist_t *n, const char *path, fault_t *faults, unsigned num_faults, trouble_t *trouble) {
  reader_t r = {.n = n, .faults = faults, .num_faults = num_faults, .trouble = trouble};
  memset(n, 0, sizeof *n);
  *trouble = (trouble_t){0};
  FILE *file = fopen(path, "r");
  if (!file) return WRONG(&r, "%s: %s", path, strerror(errno));
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  while (ok && getline(&line, &room, file) > 0) ok = read_line(&r, line, file) && !trouble->kind;
  free(line);
  fclose(file);
  ok = ok && make_cuts(&r) && build_nodes(&r);
  free_reader(&r);
  return ok;
}

static void free_bits(netlist_bit_t *bits, unsigned num) {
  for (unsigned i = 0; i < num; i++) free(bits[i].name);
  free(bits);
}

void netlist_free(netlist_t *n) {
  gates_close(&n->gates);
  free_bits(n->inputs, n->num_inputs);
  free_bits(n->outputs, n->num_outputs);
  free(n->latches);
  free(n->asserts);
  free(n->assumes);
  memset(n, 0, sizeof *n);
}

unsigned netlist_port(const netlist_bit_t *bits, unsigned num, const char *name, const netlist_bit_t **first) {
  unsigned low = 0, n = 0;
  for (unsigned high = num; low < high;) {
    unsigned middle = (low + high) / 2;
    if (strcmp(bits[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  *first = bits + low;
  while (low + n < num && strcmp(bits[low + n].name, name) == 0) n++;
  return n;
}
