/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates of random structured kernels against the TOM paper's definitions, one by one and by
 * brute force. This test makes its own graph of instructions from branches and labels, and takes
 * ways in and out, live-ins and live-outs as the paper says (a path to a use without a write), and
 * the change of traffic in numbers. No pair of a begin and an exit may save more than the chosen
 * regions it meets.
 */
#include <stdlib.h>
#include <string.h>

#include "tom_compiler.h"
#include "program_text.h"
#include "unit_test.h"

enum { MOST = 256, ROUNDS = 3000 };

/* ---- Kernels --------------------------------------------------------------------------------- */

typedef struct {
  program_text_t out;
  unsigned labels, counters;
} program_t;

/* A guard in one of seven cases. */
static void say_guard(program_t *p) {
  if (pick(&p->out, 7)) return;
  say(&p->out, "@%s%%p%u ", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3));
  p->out.said--;
}

/* One instruction without a branch. */
static void say_plain(program_t *p) {
  say_guard(p);
  switch (pick(&p->out, 16)) {
  case 0:
  case 1:
  case 2:
    say(&p->out, "ld.global.u32 %%r%u, [%%a%u+%u];\n", pick(&p->out, 6), pick(&p->out, 2), 4 * pick(&p->out, 9));
    break;
  case 3: say(&p->out, "ld.global.u64 %%d%u, [%%a%u];\n", pick(&p->out, 2), pick(&p->out, 2)); break;
  case 4:
    say(&p->out, "ld.global.v2.u32 {%%r%u, %%r%u}, [%%a%u];\n", pick(&p->out, 3), 3 + pick(&p->out, 3),
        pick(&p->out, 2));
    break;
  case 5:
  case 6:
    say(&p->out, "st.global.u32 [%%a%u+%u], %%r%u;\n", pick(&p->out, 2), 4 * pick(&p->out, 9), pick(&p->out, 6));
    break;
  case 7: say(&p->out, "st.global.u16 [%%a%u], %%h0;\n", pick(&p->out, 2)); break;
  case 8:
    say(&p->out, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", pick(&p->out, 3), pick(&p->out, 6), pick(&p->out, 6));
    break;
  case 9: say(&p->out, "add.u32 %%a%u, %%a%u, %u;\n", pick(&p->out, 2), pick(&p->out, 2), 4 * pick(&p->out, 9)); break;
  case 10: say(&p->out, "mov.u32 %%r%u, %%tid.%c;\n", pick(&p->out, 6), "xyz"[pick(&p->out, 3)]); break;
  case 11: say(&p->out, "ld.param.u32 %%r%u, [k_n];\n", pick(&p->out, 6)); break;
  case 12: say(&p->out, "cvt.u64.u32 %%d%u, %%r%u;\n", pick(&p->out, 2), pick(&p->out, 6)); break;
  case 13:
    say(&p->out, "selp.u32 %%r%u, %%r%u, %%r%u, %%p%u;\n", pick(&p->out, 6), pick(&p->out, 6), pick(&p->out, 6),
        pick(&p->out, 3));
    break;
  default: say(&p->out, "add.u32 %%r%u, %%r%u, %%r%u;\n", pick(&p->out, 6), pick(&p->out, 6), pick(&p->out, 6)); break;
  }
}

static void say_statements(program_t *p, unsigned depth, unsigned leave);

static void say_if(program_t *p, unsigned depth, unsigned leave) {
  unsigned label = p->labels++;
  bool both = pick(&p->out, 2);
  say(&p->out, "@%s%%p%u bra I%u;\n", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3), label);
  say_statements(p, depth + 1, leave);
  if (both) say(&p->out, "bra J%u;\n", label);
  say(&p->out, "I%u:\n", label), p->out.said--;
  if (both) {
    say_statements(p, depth + 1, leave);
    say(&p->out, "J%u:\n", label), p->out.said--;
  }
}

/* A loop, with its label K if its trips are known at its entry, otherwise U. */
static void say_loop(program_t *p, unsigned depth) {
  unsigned label = p->labels++, counter = p->counters++, kind = pick(&p->out, 4);
  bool known = kind != 0, breaks = !known && pick(&p->out, 2);
  if (pick(&p->out, 2)) say(&p->out, "mov.u32 %%c%u, 0;\n", counter);
  say(&p->out, "%c%u:\n", known ? 'K' : 'U', label), p->out.said--;
  if (kind != 3) say_plain(p); /* loops with one header would be one loop */
  if (kind == 3)
    say(&p->out, "setp.ge.s32 %%q%u, %%c%u, %%n;\n@%%q%u bra E%u;\n", counter, counter, counter, label), p->out.said++;
  say_statements(p, depth + 1, breaks ? label + 1 : 0);
  if (!known) say(&p->out, "ld.global.u32 %%m, [%%a0];\n");
  say(&p->out, "add.s32 %%c%u, %%c%u, 1;\n", counter, counter);
  if (kind == 3) say(&p->out, "bra K%u;\n", label);
  else if (kind == 1)
    say(&p->out, "setp.lt.s32 %%q%u, %%c%u, %u;\n@%%q%u bra K%u;\n", counter, counter, 1 + pick(&p->out, 9), counter,
        label),
        p->out.said++;
  else
    say(&p->out, "setp.lt.s32 %%q%u, %%c%u, %s;\n@%%q%u bra %c%u;\n", counter, counter, known ? "%n" : "%m", counter,
        known ? 'K' : 'U', label),
        p->out.said++;
  say(&p->out, "E%u:\n", label), p->out.said--;
}

/* Random statements. leave: one more than the label of the loop that may be left, 0: none. */
static void say_statements(program_t *p, unsigned depth, unsigned leave) {
  for (unsigned n = 1 + pick(&p->out, 5); n-- > 0 && p->out.said < 60;) {
    unsigned what = pick(&p->out, 24);
    if (what < 3 && depth < 3) say_if(p, depth, leave);
    else if (what < 6 && depth < 3 && p->counters < 6) say_loop(p, depth);
    else if (what == 6) say(&p->out, pick(&p->out, 2) ? "bar.sync 0;\n" : "ld.shared.u32 %%r0, [sh];\n");
    else if (what == 7 && leave) say(&p->out, "@%%p%u bra E%u;\n", pick(&p->out, 3), leave - 1);
    else if (what == 8)
      say(&p->out, "st.global.u32 [%%a0+%u], %%r%u;\nst.global.u32 [%%a0+%u], %%r%u;\n", 4 * pick(&p->out, 9),
          pick(&p->out, 6), 4 * pick(&p->out, 9), pick(&p->out, 6)),
          p->out.said++;
    else say_plain(p);
  }
}

/* A kernel of two groups of statements, at whose end some registers are still read. */
static void make_program(program_t *p, uint64_t seed) {
  *p = (program_t){.out.seed = seed};
  say(&p->out,
      ".version 6.0\n.target sm_35\n.address_size 32\n.shared .u32 sh[4];\n.visible .entry k(.param .u32 k_n)\n{\n"
      ".reg .pred %%p<3>; .reg .pred %%q<6>; .reg .b16 %%h<1>; .reg .b32 %%r<6>; .reg .b32 %%c<6>; .reg .b32 %%a<2>; "
      ".reg .b32 %%n; .reg .b32 %%m;\n"
      ".reg .b64 %%d<2>;\n");
  p->out.said = 0;
  say_statements(p, 0, 0);
  say_statements(p, 0, 0);
  for (unsigned r = 0; r < 6; r++)
    if (pick(&p->out, 4) == 0) say(&p->out, "st.shared.u32 [sh], %%r%u;\n", r);
  say(&p->out, "ret;\n}\n");
}

/* ---- Definitions ----------------------------------------------------------------------------- */

typedef struct {
  const ptx_func_t *f;
  unsigned n;
  unsigned num_succs[MOST];
  uint32_t succs[MOST][2];
  bool runs[MOST];   /* reachable from the kernel's start */
  bool banned[MOST]; /* barrier, shared memory, end */
  bool known[MOST];  /* a loop of known trips begins */
  unsigned words[MOST];
  bool is_store[MOST];
} graph_t;

static bool begins_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Successors of each instruction, from its text alone, and what it means for a candidate. */
static void make_graph(graph_t *g, const ptx_func_t *f) {
  *g = (graph_t){.f = f, .n = f->num_instrs};
  assert_true(g->n <= MOST);
  for (uint32_t i = 0; i < g->n; i++) {
    const ptx_instr_t *in = &f->instrs[i];
    bool ends = begins_with(in->text, "ret"), jumps = begins_with(in->text, "bra");
    if (!ends && (!jumps || in->guarded) && i + 1 < g->n) g->succs[i][g->num_succs[i]++] = i + 1;
    if (jumps && !(g->num_succs[i] && g->succs[i][0] == (uint32_t)in->target))
      g->succs[i][g->num_succs[i]++] = (uint32_t)in->target;
    g->banned[i] = ends || begins_with(in->text, "bar") || begins_with(in->text, "ld.shared") ||
                   begins_with(in->text, "st.shared");
    g->is_store[i] = begins_with(in->text, "st.global");
    if (g->is_store[i] || begins_with(in->text, "ld.global"))
      g->words[i] = strstr(in->text, "64") || strstr(in->text, "v2") ? 2 : 1;
  }
  for (uint32_t l = 0; l < f->num_labels; l++)
    if (f->labels[l].name[0] == 'K') g->known[f->labels[l].instr] = true;
  g->runs[0] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < g->n; i++)
      for (unsigned s = 0; g->runs[i] && s < g->num_succs[i]; s++)
        more |= !g->runs[g->succs[i][s]], g->runs[g->succs[i][s]] = true;
  }
}

/* Registers are numbers, special ones (three of them) come behind. */
static bool is_in(const int32_t *regs, unsigned n, int32_t reg) {
  while (n-- > 0)
    if (regs[n] == reg) return true;
  return false;
}

/* Does the instruction read it? Special registers have numbers behind all others. */
static bool reads_register(const graph_t *g, uint32_t i, int32_t reg) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  const ptx_instr_t *in = &g->f->instrs[i];
  int32_t special = reg - (int32_t)g->f->num_regs;
  if (special < 0) return is_in(regs, ptx_uses(g->f, in, regs, PTX_MAX_INSTR_REGS), reg);
  return in->num_operands == 2 && in->operand[1].kind == PTX_OPND_SREG && in->operand[1].sel == special;
}

/* Does the instruction write it? */
static bool writes_register(const graph_t *g, uint32_t i, int32_t reg) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  return is_in(regs, ptx_defs(g->f, &g->f->instrs[i], regs, PTX_MAX_INSTR_REGS), reg);
}

/* From instruction `at`, through `inside` alone if it is given: there is a way to a use, or to
 * `end`, on which the register keeps its value. */
static bool reaches_use(const graph_t *g, uint32_t at, int32_t reg, const bool *inside, uint32_t end,
                        bool wanted_at_end) {
  bool seen[MOST] = {false};
  uint32_t queue[MOST], count = 0;
  if (at == end) return wanted_at_end;
  seen[at] = true;
  queue[count++] = at;
  for (uint32_t head = 0; head < count; head++) {
    uint32_t i = queue[head];
    if (reads_register(g, i, reg)) return true;
    if (writes_register(g, i, reg) && !g->f->instrs[i].guarded) continue;
    for (unsigned s = 0; s < g->num_succs[i]; s++) {
      uint32_t to = g->succs[i][s];
      if (to == end && inside) {
        if (wanted_at_end) return true;
        continue;
      }
      if (seen[to] || (inside && !inside[to])) continue;
      seen[to] = true;
      queue[count++] = to;
    }
  }
  return false;
}

typedef struct {
  bool inside[MOST];
  unsigned loads, stores, sent, returned, sent_predicates, returned_predicates;
  bool lives_in[64], lives_out[64];
  double tx, rx;
} measure_t;

/* Words of a register, 0 of a predicate, which is counted apart. */
static unsigned register_words(const graph_t *g, int32_t reg) {
  if (reg >= (int32_t)g->f->num_regs) return 1;
  ptx_type_t type = g->f->regs[reg].type;
  if (type == PTX_PRED) return 0;
  return ptx_type_bytes(type) == 8 ? 2 : 1;
}

/* Fills inside[] by walking from begin to exit. False: there is another way in or out, or an
 * instruction that is banned. */
static bool walk_region(const graph_t *g, uint32_t begin, uint32_t exit, bool *inside) {
  uint32_t queue[MOST], count = 0;
  bool arrives = false;
  memset(inside, 0, MOST);
  if (begin == exit || !g->runs[begin]) return false;
  inside[begin] = true;
  queue[count++] = begin;
  for (uint32_t head = 0; head < count; head++) {
    uint32_t i = queue[head];
    if (g->banned[i] || !g->num_succs[i]) return false;
    for (unsigned s = 0; s < g->num_succs[i]; s++) {
      uint32_t to = g->succs[i][s];
      arrives |= to == exit;
      if (to == exit || inside[to]) continue;
      inside[to] = true;
      queue[count++] = to;
    }
  }
  if (!arrives || (inside[0] && begin)) return false;
  for (uint32_t i = 0; i < g->n; i++)
    for (unsigned s = 0; g->runs[i] && !inside[i] && s < g->num_succs[i]; s++)
      if (inside[g->succs[i][s]] && g->succs[i][s] != begin) return false;
  return true;
}

/* Accesses, live-ins and live-outs of the region, and Equations 3 and 4 on them. */
static void measure_change(const graph_t *g, uint32_t begin, uint32_t exit, measure_t *m) {
  int32_t regs = (int32_t)g->f->num_regs;
  m->loads = m->stores = m->sent = m->returned = m->sent_predicates = m->returned_predicates = 0;
  assert_true(regs + 3 <= 64);
  for (uint32_t i = 0; i < g->n; i++)
    if (m->inside[i]) *(g->is_store[i] ? &m->stores : &m->loads) += g->words[i];
  for (int32_t r = 0; r < regs + 3; r++) {
    bool written = false;
    for (uint32_t i = 0; r < regs && i < g->n; i++) written |= m->inside[i] && writes_register(g, i, r);
    m->lives_out[r] = written && reaches_use(g, exit, r, NULL, UINT32_MAX, false);
    m->lives_in[r] = reaches_use(g, begin, r, m->inside, exit, m->lives_out[r]);
    unsigned words = register_words(g, r);
    m->sent += m->lives_in[r] * words;
    m->sent_predicates += m->lives_in[r] && !words;
    m->returned += m->lives_out[r] * words;
    m->returned_predicates += m->lives_out[r] && !words;
  }
  m->tx = 32.0 * m->sent + m->sent_predicates - (0.5 * m->loads + 33.0 * m->stores);
  m->rx = 32.0 * m->returned + m->returned_predicates - (16.0 * m->loads + 0.25 * m->stores);
}

/* A straight line leads to the first access, and no live-in is overwritten on it. */
static bool line_is_free(const graph_t *g, uint32_t begin, const measure_t *m) {
  for (uint32_t i = begin; m->inside[i] && i < g->n; i++) {
    if (g->words[i]) return true;
    if (begins_with(g->f->instrs[i].text, "bra")) return false;
    for (int32_t r = 0; r < (int32_t)g->f->num_regs; r++)
      if (writes_register(g, i, r) && m->lives_in[r]) return false;
  }
  return false;
}

/* A loop of known trips lies inside with its back edge. */
static bool has_known_loop(const graph_t *g, const bool *inside) {
  for (uint32_t i = 0; i < g->n; i++) {
    if (!g->known[i] || !inside[i]) continue;
    for (uint32_t j = i; j < g->n; j++) /* with its back edge: all of it is inside */
      for (unsigned s = 0; inside[j] && s < g->num_succs[j]; s++)
        if (g->succs[j][s] == i) return true;
  }
  return false;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Is the register in a block's list? */
static bool list_has(const tom_reg_t *list, uint32_t count, int32_t reg, int32_t regs) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i].reg == PTX_NONE ? reg >= regs && list[i].sel == reg - regs : list[i].reg == reg) return true;
  return false;
}

/* The candidate keeps each definition; a region's numbers are exactly those counted here. */
static void check_block(const graph_t *g, const tom_block_t *b) {
  measure_t m;
  int32_t regs = (int32_t)g->f->num_regs;
  assert_true(walk_region(g, b->begin, b->exit, m.inside));
  unsigned count = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    assert_int_equal(m.inside[i], b->inside[i]);
    count += m.inside[i];
  }
  assert_int_equal(count, b->num_instrs);
  measure_change(g, b->begin, b->exit, &m);
  assert_true(line_is_free(g, b->begin, &m));
  for (int32_t r = 0; r < regs + 3; r++) {
    assert_int_equal(m.lives_in[r], list_has(b->sent, b->num_sent, r, regs));
    assert_int_equal(m.lives_out[r], list_has(b->returned, b->num_returned, r, regs));
  }
  assert_int_equal(m.sent, b->sent_size.words);
  assert_int_equal(m.sent_predicates, b->sent_size.predicates);
  assert_int_equal(m.returned, b->returned_size.words);
  assert_int_equal(m.returned_predicates, b->returned_size.predicates);
  assert_true(m.sent + m.sent_predicates <= 28);
  assert_int_equal(b->is_loop, b->is_loop && g->known[b->begin]);
  assert_true(tom_sum(b->change) < 0);
  assert_int_equal(b->saves_tx, b->change.tx < 0);
  assert_int_equal(b->saves_rx, b->change.rx < 0);
  if (b->is_loop) return;
  assert_false(has_known_loop(g, m.inside));
  assert_int_equal(m.loads, b->loads);
  assert_int_equal(m.stores, b->stores);
  assert_true(m.tx == (double)b->change.tx / 4 && m.rx == (double)b->change.rx / 4);
}

/* Two candidates have nothing in common, or one is part
 * of the other; of two that are no loops the former. */
static void check_pair(const graph_t *g, const tom_block_t *a, const tom_block_t *b) {
  unsigned common = 0;
  for (uint32_t i = 0; i < g->n; i++) common += a->inside[i] && b->inside[i];
  if (!common) return;
  assert_true(a->is_loop || b->is_loop);
  assert_int_equal(common, a->num_instrs < b->num_instrs ? a->num_instrs : b->num_instrs);
  if (a->begin == b->begin) assert_true(a->num_instrs >= b->num_instrs); /* a comes first: the outer one */
}

/* The change of traffic in words, of both directions together. */
static double change_of(const tom_block_t *b) {
  return (double)tom_sum(b->change) / 4;
}

/* Every region that saves has instructions in common
 * with a chosen one that saves as much, or more. */
static unsigned check_choice(const graph_t *g, const tom_program_t *p) {
  static measure_t m;
  unsigned regions = 0;
  for (uint32_t begin = 0; begin < g->n; begin++) {
    for (uint32_t exit = 0; exit < g->n; exit++) {
      if (!walk_region(g, begin, exit, m.inside) || has_known_loop(g, m.inside)) continue;
      measure_change(g, begin, exit, &m);
      if (m.tx + m.rx >= 0 || m.sent + m.sent_predicates > 28 || !line_is_free(g, begin, &m)) continue;
      bool found = false;
      for (uint32_t k = 0; k < p->num_blocks && !found; k++)
        for (uint32_t i = 0; i < g->n; i++)
          found |=
              !p->blocks[k].is_loop && p->blocks[k].inside[i] && m.inside[i] && change_of(&p->blocks[k]) <= m.tx + m.rx;
      if (!found) print_message("%u to %u: %g is missed\n", begin, exit, m.tx + m.rx);
      assert_true(found);
      regions++;
    }
  }
  return regions;
}

typedef struct {
  unsigned loops, conditions, regions, flows, refused;
} seen_t;

/* All checks on one kernel, with both settings of the compiler. */
static void check_program(const program_t *p, seen_t *seen) {
  static graph_t g;
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(p->out.text, p->out.used, "t.ptx", &err);
  if (!m) print_message("%s\n%s", err.trouble.text, p->out.text);
  assert_non_null(m);
  make_graph(&g, ptx_find_kernel(m, "k"));
  tom_program_t *all = tom_compile(m, g.f, TOM_REGIONS_ALL), *loops = tom_compile(m, g.f, TOM_REGIONS_LOOPS);
  assert_true(all && loops);
  for (uint32_t i = 0; i < all->num_blocks; i++) {
    const tom_block_t *b = &all->blocks[i];
    check_block(&g, b);
    for (uint32_t j = i + 1; j < all->num_blocks; j++) check_pair(&g, b, &all->blocks[j]);
    seen->loops += b->is_loop;
    seen->conditions += b->cond.kind != TOM_ALWAYS;
    seen->regions += !b->is_loop;
    for (uint32_t at = 0; at < g.n; at++)
      if (!b->is_loop && b->inside[at] && g.num_succs[at] == 2) {
        seen->flows++;
        break;
      }
  }
  for (uint32_t i = 0; i < loops->num_blocks; i++) check_block(&g, &loops->blocks[i]);
  check_choice(&g, all);
  seen->refused += all->num_refused;
  tom_program_free(all);
  tom_program_free(loops);
  ptx_free(m);
}

/* 3000 kernels. So many of each kind must be seen that no check is empty. */
static void test_random_kernels(void **state) {
  (void)state;
  static program_t p;
  seen_t seen = {0};
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    make_program(&p, seed);
    check_program(&p, &seen);
  }
  print_message("%u loops, %u conditions, %u regions, %u with branches, %u refused\n", seen.loops, seen.conditions,
                seen.regions, seen.flows, seen.refused);
  assert_true(seen.loops > 500 && seen.conditions > 200 && seen.regions > 1000 && seen.flows > 100 &&
              seen.refused > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_kernels)};
  return cmocka_run_group_tests_name("tom_random", tests, NULL, NULL);
}
