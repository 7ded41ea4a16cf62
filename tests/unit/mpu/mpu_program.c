/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the random kernels of mpu_program.h. A kernel is a head, statements as long as
 * the budget lasts, and stores of what is left in registers. Every draw comes from
 * out.seed, so a seed gives one kernel.
 *
 *     statement: template | load | store | gather | if | loop | exchange in shared memory | exit
 */
#include "mpu_program.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "unit_test.h"

enum { WORD, LONG, SHORT, PRED, KINDS, OWN = 32, PLANES = 3 };

static const char kind_name[KINDS] = {'r', 'd', 'h', 'p'};

/* ---- Registers ------------------------------------------------------------------------------- */

/* Mostly a young one: so most live for a short time, and rows are used again. */
static unsigned old_register(mpu_program_text_t *p, unsigned kind) {
  unsigned n = p->count[kind], last = n < 6 ? n : 6;
  return pick(&p->out, 4) ? p->have[kind][n - 1 - pick(&p->out, last)] : p->have[kind][pick(&p->out, n)];
}

/* From now on the register may be read. */
static void keep_register(mpu_program_text_t *p, unsigned kind, unsigned reg) {
  if (p->count[kind] < 1024) p->have[kind][p->count[kind]++] = reg;
}

/* ---- Instructions: $ and a letter of a kind is a
 * source, the capital letter a result, # a constant */

static const char *const templates[] = {"add.s32 $R, $r, $r",
                                        "sub.u32 $R, $r, $r",
                                        "add.u32 $R, $r, #",
                                        "mul.lo.s32 $R, $r, $r",
                                        "mul.hi.u32 $R, $r, $r",
                                        "mad.lo.s32 $R, $r, $r, $r",
                                        "and.b32 $R, $r, $r",
                                        "xor.b32 $R, $r, $r",
                                        "or.b32 $R, $r, #",
                                        "not.b32 $R, $r",
                                        "shl.b32 $R, $r, $r",
                                        "shr.u32 $R, $r, 3",
                                        "shr.s32 $R, $r, $r",
                                        "min.s32 $R, $r, $r",
                                        "max.u32 $R, $r, $r",
                                        "div.u32 $R, $r, 7",
                                        "rem.s32 $R, $r, 13",
                                        "popc.b32 $R, $r",
                                        "mov.u32 $R, #",
                                        "mov.b32 $R, $r",
                                        "neg.s32 $R, $r",
                                        "bfe.u32 $R, $r, 5, 9",
                                        "prmt.b32 $R, $r, $r, 0x3715",
                                        "sad.u32 $R, $r, $r, $r",
                                        "lop3.b32 $R, $r, $r, $r, 0x96",
                                        "cvt.rn.f32.u32 $R, $r",
                                        "cvt.s32.s8 $R, $r",
                                        "mov.u32 $R, %tid.x",
                                        "mov.u32 $R, %laneid",
                                        "add.f32 $R, $r, 0f3f800000",
                                        "add.s64 $D, $d, $d",
                                        "sub.s64 $D, $d, $d",
                                        "mul.lo.s64 $D, $d, $d",
                                        "mul.wide.s32 $D, $r, $r",
                                        "mul.wide.u32 $D, $r, #",
                                        "mad.wide.u32 $D, $r, $r, $d",
                                        "xor.b64 $D, $d, $d",
                                        "and.b64 $D, $d, #",
                                        "shl.b64 $D, $d, $r",
                                        "shr.s64 $D, $d, 5",
                                        "max.s64 $D, $d, $d",
                                        "mov.b64 $D, {$r, $r}",
                                        "mov.u64 $D, #",
                                        "cvt.u64.u32 $D, $r",
                                        "cvt.s64.s32 $D, $r",
                                        "cvt.u32.u64 $R, $d",
                                        "cvt.rn.f64.s32 $D, $r",
                                        "popc.b64 $R, $d",
                                        "clz.b64 $R, $d",
                                        "mov.b64 $D, $d",
                                        "cvt.u16.u32 $H, $r",
                                        "cvt.u32.u16 $R, $h",
                                        "cvt.s32.s16 $R, $h",
                                        "add.s16 $H, $h, $h",
                                        "mul.wide.u16 $R, $h, $h",
                                        "xor.b16 $H, $h, $h",
                                        "mov.u16 $H, #",
                                        "setp.lt.s32 $P, $r, $r",
                                        "setp.ge.u32 $P, $r, #",
                                        "setp.ne.s64 $P, $d, $d",
                                        "setp.eq.s16 $P, $h, $h",
                                        "setp.lt.and.s32 $P, $r, $r, $p",
                                        "setp.gt.or.s32 $P, $r, $r, !$p",
                                        "and.pred $P, $p, $p",
                                        "xor.pred $P, $p, $p",
                                        "not.pred $P, $p",
                                        "mov.pred $P, $p",
                                        "setp.gt.u32 $P|_, $r, $r",
                                        "selp.b32 $R, $r, $r, $p",
                                        "selp.b64 $D, $d, $d, $p",
                                        "selp.b32 $R, #, $r, $p",
                                        "selp.b16 $H, $h, $h, $p",
                                        "selp.u32 $R, 1, 0, $p"};

/* A new register or an old one. `made` gets a new one,
 * which may be read from the next instruction on. */
static void say_result(mpu_program_text_t *p, unsigned kind, bool fresh, int *made) {
  unsigned reg = fresh ? p->next[kind]++ : old_register(p, kind);
  say(&p->out, "%%%c%u", kind_name[kind], reg);
  if (fresh) *made = (int)reg;
}

/* The operand for a template's letter: a source
 * for a small letter, the result for a capital. */
static void say_operand(mpu_program_text_t *p, char letter, bool fresh, int *made, unsigned *of) {
  for (unsigned kind = 0; kind < KINDS; kind++) {
    if (letter == kind_name[kind]) say(&p->out, "%%%c%u", letter, old_register(p, kind));
    if (letter != kind_name[kind] - 'a' + 'A') continue;
    say_result(p, kind, fresh, made);
    *of = kind;
  }
}

/* A guarded instruction writes what exists: threads that are left out keep it. */
static bool say_guard(mpu_program_text_t *p) {
  if (pick(&p->out, 5)) return false;
  say(&p->out, "@%s%%p%u ", pick(&p->out, 2) ? "!" : "", old_register(p, PRED));
  return true;
}

/* A template with its operands filled in. Under a guard its result is an old register. */
static void say_template(mpu_program_text_t *p, const char *at) {
  bool fresh = !say_guard(p) && pick(&p->out, 5) < 3;
  int made = -1;
  unsigned kind = 0;
  for (; *at; at++) {
    if (*at == '$') say_operand(p, *++at, fresh, &made, &kind);
    else if (*at == '#') say(&p->out, "%u", pick(&p->out, 3) ? pick(&p->out, 40) : pick(&p->out, 30000));
    else say(&p->out, "%c", *at);
  }
  say(&p->out, ";\n");
  if (made >= 0) keep_register(p, kind, (unsigned)made);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct {
  const char *type;
  unsigned kind, log, vec;
} access_t;

static const access_t accesses[] = {
    {"u32", WORD, 2, 1},    {"s32", WORD, 2, 1},    {"u64", LONG, 3, 1},    {"u8", WORD, 0, 1},
    {"s8", WORD, 0, 1},     {"u16", WORD, 1, 1},    {"s16", WORD, 1, 1},    {"u16", SHORT, 1, 1},
    {"s16", SHORT, 1, 1},   {"s8", SHORT, 0, 1},    {"f32", WORD, 2, 1},    {"v2.u32", WORD, 2, 2},
    {"v4.u32", WORD, 2, 4}, {"v2.u64", LONG, 3, 2}, {"v2.u16", WORD, 1, 2}, {"v4.u8", WORD, 0, 4}};

/* A place of say_place: most accesses are to a plane. */
static unsigned pick_place(mpu_program_text_t *p) {
  if (pick(&p->out, 5) < 3) return 1;
  return pick(&p->out, 3) ? 0 : 2;
}

/* Where: 0 the thread's own bytes, 1 a plane with an element
 * a thread, 2 the thread's bytes of local memory. */
static void say_place(mpu_program_text_t *p, const access_t *a, unsigned where) {
  unsigned bytes = a->vec << a->log, threads = p->grid * p->block;
  if (where == 1 && a->vec == 1) say(&p->out, "[%%plane%u+%u]", a->log, pick(&p->out, PLANES) * (threads << a->log));
  else if (where == 2) say(&p->out, "[own+%u]", pick(&p->out, OWN / bytes) * bytes);
  else say(&p->out, "[%%own+%u]", pick(&p->out, OWN / bytes) * bytes);
}

static const char *space_of(unsigned where) {
  return where == 2 ? "local" : "global";
}

/* A list of registers: results, some of them `_`, or sources. */
static void say_registers(mpu_program_text_t *p, const access_t *a, bool fresh, int made[4]) {
  if (a->vec > 1) say(&p->out, "{");
  for (unsigned k = 0; k < a->vec; k++) {
    if (k) say(&p->out, ", ");
    made[k] = -1;
    if (fresh && a->vec > 1 && !pick(&p->out, 8)) say(&p->out, "_");
    else if (fresh) say_result(p, a->kind, true, &made[k]);
    else
      say(&p->out, "%%%c%u", kind_name[a->kind],
          p->have[a->kind][(p->count[a->kind] + k * 3 + p->out.used) % p->count[a->kind]]);
  }
  if (a->vec > 1) say(&p->out, "}");
}

/* A load of any width from any of the three places. */
static void say_load(mpu_program_text_t *p) {
  const access_t *a = &accesses[pick(&p->out, sizeof accesses / sizeof *accesses)];
  unsigned where = pick_place(p);
  bool fresh = !say_guard(p) && (a->vec > 1 || pick(&p->out, 3)); /* a vector's registers differ */
  int made[4];
  if (!fresh && a->vec > 1) a = &accesses[0];
  say(&p->out, "ld.%s.%s ", space_of(where), a->type);
  say_registers(p, a, fresh, made);
  say(&p->out, ", ");
  say_place(p, a, where);
  say(&p->out, ";\n");
  for (unsigned k = 0; k < a->vec; k++)
    if (made[k] >= 0) keep_register(p, a->kind, (unsigned)made[k]);
}

/* A store of any width. No other thread has the place. */
static void say_store(mpu_program_text_t *p) {
  const access_t *a = &accesses[pick(&p->out, sizeof accesses / sizeof *accesses)];
  unsigned where = pick_place(p);
  int made[4];
  say_guard(p);
  say(&p->out, "st.%s.%s ", space_of(where), a->type);
  say_place(p, a, where);
  say(&p->out, ", ");
  say_registers(p, a, false, made);
  say(&p->out, ";\n");
}

/* From the table, which nobody writes, at a place that depends on data.
 * The address dies with the load, so its rows may be the data's. */
static void say_gather(mpu_program_text_t *p) {
  unsigned reg = p->next[WORD]++, at = p->next[LONG]++, kind = pick(&p->out, 2) ? LONG : WORD,
           vec = 1u << pick(&p->out, kind == LONG ? 2 : 3);
  say(&p->out, "and.b32 %%r%u, %%r%u, %u;\nmul.wide.u32 %%d%u, %%r%u, 16;\nadd.s64 %%d%u, %%d%u, %%base;\n", reg,
      old_register(p, WORD), pick(&p->out, 2) ? MPU_PROGRAM_TABLE / 16 - 1 : 15, at, reg, at, at);
  const access_t a = {kind == LONG ? "u64" : "u32", kind, kind == LONG ? 3 : 2, vec};
  bool into = kind == LONG && vec == 2 && pick(&p->out, 2); /* the address register */
  int made[4];
  static const char *const vectors[] = {[1] = "", [2] = "v2.", [4] = "v4."};
  say(&p->out, "ld.global.%s%s ", vectors[vec], a.type);
  if (into) say(&p->out, "{%%d%u, %%d%u}", at, made[1] = (int)p->next[LONG]++), made[0] = (int)at;
  else say_registers(p, &a, true, made);
  say(&p->out, ", [%%d%u];\n", at);
  for (unsigned k = 0; k < vec; k++)
    if (made[k] >= 0) keep_register(p, kind, (unsigned)made[k]);
}

/* ---- Shared memory: all threads write their own 8 bytes, then read anybody's ----------------- */

static void say_exchange(mpu_program_text_t *p) {
  static const char *const types[] = {"u32", "u64", "u16", "u8"};
  unsigned t = pick(&p->out, 4), index = p->next[WORD]++, kind = t == 1 ? LONG : WORD;
  say(&p->out, "bar.sync 0;\n");
  say_guard(p);
  say(&p->out,
      "st.shared.%s [%%mine], %%%c%u;\nbar.sync 0;\nrem.u32 %%r%u, %%r%u, %u;\nmad.lo.u32 %%r%u, %%r%u, 8, %%shared;\n",
      types[t], kind_name[kind], old_register(p, kind), index, old_register(p, WORD), p->block, index, index);
  if (pick(&p->out, 2)) { /* data may take the place of the address */
    unsigned to = p->next[LONG]++;
    say(&p->out, "ld.shared.u64 %%d%u, [%%r%u];\n", to, index);
    keep_register(p, LONG, to);
  } else {
    unsigned to = p->next[WORD]++;
    say(&p->out, "ld.shared.%s %%r%u, [%%r%u];\n", pick(&p->out, 2) ? "s16" : "u32", to, index);
    keep_register(p, WORD, to);
  }
}

/* ---- Control --------------------------------------------------------------------------------- */

static void say_statements(mpu_program_text_t *p, unsigned n);

/* What a branch or a loop makes is not read behind it: some threads have not made it. */
static void say_scope(mpu_program_text_t *p, unsigned n) {
  unsigned count[KINDS];
  memcpy(count, p->count, sizeof count);
  p->depth++;
  say_statements(p, n);
  p->depth--;
  memcpy(p->count, count, sizeof count);
}

/* A branch that threads take or not; in half of the cases with an else. */
static void say_if(mpu_program_text_t *p) {
  unsigned label = p->labels++, cond = old_register(p, PRED);
  bool other = pick(&p->out, 2);
  say(&p->out, "@%s%%p%u bra E%u;\n", pick(&p->out, 2) ? "!" : "", cond, label);
  say_scope(p, 1 + pick(&p->out, 6));
  if (other) say(&p->out, "bra.uni X%u;\n", label);
  say(&p->out, "E%u:\n", label);
  if (other) say_scope(p, 1 + pick(&p->out, 6));
  if (other) say(&p->out, "X%u:\n", label);
}

/* Each thread goes round a number of times of its own. */
static void say_loop(mpu_program_text_t *p) {
  unsigned loop = p->loops++;
  say(&p->out, "and.b32 %%c%u, %%r%u, 3;\nL%u:\n", loop, old_register(p, WORD), loop);
  say_scope(p, 1 + pick(&p->out, 5));
  say(&p->out, "add.s32 %%c%u, %%c%u, -1;\nsetp.gt.s32 %%q%u, %%c%u, 0;\n@%%q%u bra L%u;\n", loop, loop, loop, loop,
      loop, loop);
}

/* At least 25 of 40 draws are templates. Barriers stand
 * outside of all branches, where all threads come. */
static void say_statement(mpu_program_text_t *p) {
  unsigned what = pick(&p->out, 40);
  if (p->budget) p->budget--;
  if (what < 4) say_load(p);
  else if (what < 8) say_store(p);
  else if (what < 9) say_gather(p);
  else if (what < 11 && p->depth < 4 && p->budget) say_if(p);
  else if (what < 12 && p->depth < 3 && p->budget) say_loop(p);
  else if (what < 14 && !p->depth) say_exchange(p);
  else if (what == 14 && !pick(&p->out, 8)) say(&p->out, "@%%p%u exit;\n", old_register(p, PRED));
  else say_template(p, templates[pick(&p->out, sizeof templates / sizeof *templates)]);
}

static void say_statements(mpu_program_text_t *p, unsigned n) {
  while (n--) say_statement(p);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Bytes of the planes of elements of 1 << log bytes. */
static size_t plane_bytes(const mpu_program_text_t *p, unsigned log) {
  return (((size_t)PLANES * p->grid * p->block << log) + 7) / 8 * 8;
}

/* Declares everything, computes the thread's addresses, and fills
 * the first registers of each kind and the thread's local memory. */
static void say_head(mpu_program_text_t *p) {
  say(&p->out,
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_a)\n{\n"
      ".local .align 8 .b8 own[%u];\n.shared .align 8 .b8 sh[%u];\n"
      ".reg .b32 %%r<1024>; .reg .b64 %%d<1024>; .reg .b16 %%h<1024>; .reg .pred %%p<1024>; .reg .b32 %%c<1024>; .reg "
      ".pred %%q<1024>;\n"
      ".reg .b64 %%base, %%own, %%plane<4>; .reg .b32 %%gtid, %%mine, %%shared;\n",
      OWN, p->block * 8);
  say(&p->out,
      "ld.param.u64 %%base, [k_a];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
      "mad.lo.u32 %%gtid, %%r1, %u, %%r0;\n",
      p->block);
  say(&p->out,
      "mov.u32 %%shared, sh;\nmad.lo.u32 %%mine, %%r0, 8, %%shared;\n"
      "mad.wide.u32 %%own, %%gtid, %u, %%base;\nadd.s64 %%own, %%own, %u;\n",
      OWN, MPU_PROGRAM_TABLE);
  size_t at = MPU_PROGRAM_TABLE + (size_t)p->grid * p->block * OWN;
  for (unsigned log = 0; log < 4; log++) {
    say(&p->out, "mad.wide.u32 %%plane%u, %%gtid, %u, %%base;\nadd.s64 %%plane%u, %%plane%u, %zu;\n", log, 1u << log,
        log, log, at);
    at += plane_bytes(p, log);
  }
  for (unsigned k = 0; k < OWN; k += 8)
    say(&p->out, "ld.global.u64 %%d%u, [%%own+%u];\nst.local.u64 [own+%u], %%d%u;\n", k / 8, k, k, k / 8);
  say(&p->out,
      "cvt.u16.u32 %%h0, %%gtid;\nsetp.lt.u32 %%p0, %%r0, 17;\nand.b32 %%r2, %%r0, 1;\nsetp.eq.u32 %%p1, %%r2, 0;\n");
  for (unsigned i = 0; i < 3; i++) keep_register(p, WORD, i);
  for (unsigned i = 0; i < OWN / 8; i++) keep_register(p, LONG, i);
  keep_register(p, SHORT, 0), keep_register(p, PRED, 0), keep_register(p, PRED, 1);
  p->next[WORD] = 3, p->next[LONG] = OWN / 8, p->next[SHORT] = 1, p->next[PRED] = 2;
}

size_t mpu_program_bytes(const mpu_program_text_t *p) {
  size_t at = MPU_PROGRAM_TABLE + (size_t)p->grid * p->block * OWN;
  for (unsigned log = 0; log < 4; log++) at += plane_bytes(p, log);
  return at;
}

/* One kernel in eight is large: more threads, blocks and statements. */
void mpu_program_make(mpu_program_text_t *p, uint64_t seed) {
  memset(p, 0, sizeof *p);
  p->out.seed = seed;
  bool large = !pick(&p->out, 8);
  p->grid = 1 + pick(&p->out, large ? 6 : 3);
  p->block = pick(&p->out, 3) ? 1 + pick(&p->out, large ? 160 : 80) : 32 * (1 + pick(&p->out, large ? 4 : 2));
  p->budget = large ? 20 + pick(&p->out, 100) : 10 + pick(&p->out, 30);
  say_head(p);
  while (p->budget) say_statement(p);
  for (unsigned k = 0; k < 4; k++) say(&p->out, "st.global.u32 [%%own+%u], %%r%u;\n", 4 * k, old_register(p, WORD));
  for (unsigned k = 0; k < 2; k++)
    say(&p->out, "st.global.u64 [%%own+%u], %%d%u;\n", 16 + 8 * k, old_register(p, LONG));
  say(&p->out, "ret;\n}\n");
}
