/* SPDX-License-Identifier: Apache-2.0
 *
 * The near-bank processor's compiler on random kernels, on all of the tree's, and on very large
 * ones, under every policy and with shared memory on either die: rows, locations and executed paths
 * are checked by mpu_checker.c, and each of its checks is shown to fire.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mpu_checker.h"
#include "program_text.h"
#include "unit_test.h"

/* ---- Random PTX ------------------------------------------------------------------------------ */

typedef struct {
  program_text_t out;
  unsigned regs, labels;
} program_t;

/* $r 32-bit, $f float, $d 64-bit, $g double, $h 16-bit,
 * $p predicate register; $L label, $T table of labels */
static const char *const templates[] = {"add.s32 $r, $r, $r",
                                        "mad.lo.s32 $r, $r, $r, $r",
                                        "mul.wide.s32 $d, $r, $r",
                                        "add.s64 $d, $d, $d",
                                        "shl.b64 $d, $d, 3",
                                        "cvt.u32.u64 $r, $d",
                                        "cvt.s64.s32 $d, $r",
                                        "cvt.u16.u32 $h, $r",
                                        "cvt.u32.u16 $r, $h",
                                        "fma.rn.f32 $f, $f, $f, $f",
                                        "add.f64 $g, $g, $g",
                                        "cvt.f64.f32 $g, $f",
                                        "cvt.rn.f32.s32 $f, $r",
                                        "mov.b32 $r, $f",
                                        "mov.b64 {$r, $r}, $d",
                                        "mov.b64 $d, {$r, $r}",
                                        "mov.u32 $r, 7",
                                        "mov.u32 $r, %tid.x",
                                        "mov.u64 $d, sh",
                                        "selp.b32 $r, $r, $r, $p",
                                        "setp.lt.s32 $p, $r, $r",
                                        "setp.gt.f32 $p|$p, $f, 0f00000000",
                                        "setp.eq.and.s32 $p, $r, 0, !$p",
                                        "add.cc.u32 $r, $r, $r",
                                        "addc.u32 $r, $r, $r",
                                        "ld.param.u32 $r, [k_n]",
                                        "ld.param.u64 $d, [k_a]",
                                        "ld.const.f32 $f, [cst+4]",
                                        "ld.global.f32 $f, [$d]",
                                        "ld.global.u32 $r, [$d+8]",
                                        "ld.global.u64 $d, [$d]",
                                        "ld.global.v2.u32 {$r, $r}, [$d]",
                                        "ld.global.v4.f32 {$f, $f, $f, $f}, [$d]",
                                        "ld.global.v2.f64 {$g, $g}, [$d]",
                                        "st.global.f32 [$d], $f",
                                        "st.global.u32 [$d+4], $r",
                                        "st.global.u64 [$d], $d",
                                        "st.global.v2.f32 [$d], {$f, $f}",
                                        "ld.u32 $r, [$d]",
                                        "st.u32 [$d], $r",
                                        "ld.shared.f32 $f, [$r]",
                                        "st.shared.f32 [$r], $f",
                                        "ld.shared.v2.u32 {$r, $r}, [$r]",
                                        "ld.local.u32 $r, [$d]",
                                        "atom.global.add.u32 $r, [$d], $r",
                                        "atom.shared.cas.b32 $r, [$r], $r, $r",
                                        "red.global.add.u32 [$d], $r",
                                        "shfl.sync.bfly.b32 $r|$p, $r, 1, 31, -1",
                                        "vote.sync.ballot.b32 $r, $p, -1",
                                        "bar.sync 0",
                                        "membar.gl",
                                        "call.uni ($r), func, ($r, $d)",
                                        "tex.2d.v4.f32.f32 {$f, $f, $f, $f}, [tx, {$f, $f}]",
                                        "fma.rn.f16x2 $r, $r, $r, $r",
                                        "ex2.approx.f32 $f, $f",
                                        "popc.b64 $r, $d",
                                        "prmt.b32 $r, $r, $r, 0x5410",
                                        "bra $L",
                                        "brx.idx $r, $T",
                                        "exit",
                                        "bra $L",
                                        "bra $L"};

/* Few registers, so that most are written and read many times. */
static void say_register(program_t *p, char kind) {
  say(&p->out, "%%%c%u", kind, pick(&p->out, kind == 'p' ? 3 : p->regs));
}

/* A template with random registers. One in five
 * has a guard, of branches and exits nine in ten. */
static void say_instruction(program_t *p) {
  const char *at = templates[pick(&p->out, sizeof templates / sizeof *templates)];
  bool ends = strncmp(at, "bra", 3) == 0 || strcmp(at, "exit") == 0;
  if (pick(&p->out, ends ? 10 : 5) < (ends ? 9u : 1u))
    say(&p->out, "@%s%%p%u ", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3));
  for (; *at; at++) {
    if (*at != '$') say(&p->out, "%c", *at);
    else if (*++at == 'L') say(&p->out, "L%u", pick(&p->out, p->labels));
    else if (*at == 'T') say(&p->out, "table");
    else say_register(p, *at);
  }
  say(&p->out, ";\n");
}

/* Up to 120 instructions with labels spread among them.
 * What it computes does not matter: it is only compiled. */
static void make_program(program_t *p, uint64_t seed) {
  p->out.used = 0;
  p->out.seed = seed;
  p->regs = 1 + pick(&p->out, 12);
  p->labels = 1 + pick(&p->out, 8);
  unsigned count = pick(&p->out, 120);
  say(&p->out,
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .f32 cst[4];\n.shared .u32 sh[64];\n"
      ".global .texref tx;\n.func (.reg .b32 %%x) func(.reg .b32 %%y, .reg .b64 %%z);\n"
      ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n"
      ".reg .pred %%p<3>; .reg .b16 %%h<16>; .reg .b32 %%r<16>; .reg .f32 %%f<16>; .reg .b64 %%d<16>; .reg .f64 "
      "%%g<16>;\n");
  for (unsigned i = 0, next = 0; i < count || next < p->labels; i++) {
    if (next < p->labels && (i >= count || pick(&p->out, 1 + count / p->labels) == 0)) say(&p->out, "L%u:\n", next++);
    say_instruction(p);
  }
  say(&p->out, "table: .branchtargets L0");
  for (unsigned i = 1; i < p->labels; i++) say(&p->out, ", L%u", i);
  say(&p->out, ";\n}\n");
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Compiling twice gives the same rows, hints and places. */
static bool same_program(const mpu_program_t *a, const mpu_program_t *b) {
  if (memcmp(&a->shares, &b->shares, sizeof a->shares)) return false;
  for (uint32_t r = 0; r < a->func->num_regs; r++)
    if (a->regs[r].loc != b->regs[r].loc || a->regs[r].row != b->regs[r].row) return false;
  for (uint32_t i = 0; i < a->func->num_instrs; i++)
    if (a->instrs[i].hint != b->instrs[i].hint || a->instrs[i].place != b->instrs[i].place) return false;
  return true;
}

/* How many of the eight configurations have a program. */
static unsigned check_function(const ptx_func_t *f, uint32_t steps, const char *text) {
  unsigned done = 0;
  for (unsigned i = 0; i < 2 * MPU_NUM_POLICIES; i++) {
    mpu_compile_error_t err;
    uint64_t seed = i;
    mpu_program_t *p = mpu_compile_smem(f, (mpu_policy_t)(i / 2), i % 2, &err);
    if (!p) {
      assert_int_equal(err.trouble.kind, 2);
      continue;
    }
    mpu_program_t *again = mpu_compile_smem(f, (mpu_policy_t)(i / 2), i % 2, &err);
    const char *bad = mpu_check_rows(p);
    if (!bad) bad = mpu_check_locations(p);
    for (unsigned k = 0; k < 8 && !bad; k++) bad = mpu_check_path(p, steps, &seed);
    if (bad) print_message("%s\npolicy %s: %s\n", text, mpu_policy_name(p->policy), bad);
    assert_null(bad);
    assert_true(same_program(p, again));
    mpu_program_free(p);
    mpu_program_free(again);
    done++;
  }
  return done;
}

/* 1500 kernels, each under all eight configurations. */
static void test_random_kernels(void **state) {
  (void)state;
  static program_t program;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    ptx_error_t err;
    make_program(&program, seed);
    ptx_module_t *m = ptx_parse(program.out.text, program.out.used, "random.ptx", &err);
    if (!m) print_message("%s\n%s\n", program.out.text, err.trouble.text);
    assert_non_null(m);
    assert_int_equal(check_function(ptx_find_kernel(m, "k"), 300, program.out.text), 2 * MPU_NUM_POLICIES);
    ptx_free(m);
  }
}

/* ---- The tree's kernels ---------------------------------------------------------------------- */

/* All functions of a file; how many there were. */
static unsigned check_file(const char *path) {
  ptx_error_t err;
  struct stat info;
  unsigned kernels = 0;
  if (stat(path, &info)) return 0;
  ptx_module_t *m = ptx_read(path, &err);
  if (!m) print_message("%s\n", err.trouble.text);
  assert_non_null(m);
  for (uint32_t i = 0; i < m->num_funcs; i++) {
    if (!m->funcs[i].defined) continue;
    if (check_function(&m->funcs[i], 5000, path) != 2 * MPU_NUM_POLICIES)
      print_message("%s: %s\n", path, m->funcs[i].name);
    kernels++;
  }
  ptx_free(m);
  return kernels;
}

/* Every kernel of firmware/workloads/kernels. */
static void test_kernels(void **state) {
  (void)state;
  unsigned kernels = 0;
  DIR *dir = opendir(LOCKSTACK_SOURCE_DIR "/firmware/workloads/kernels");
  assert_non_null(dir);
  for (struct dirent *e; (e = readdir(dir));) {
    char path[1024];
    if (*e->d_name == '.') continue;
    snprintf(path, sizeof path, "%s/firmware/workloads/kernels/%s/%s.ptx", LOCKSTACK_SOURCE_DIR, e->d_name, e->d_name);
    kernels += check_file(path);
  }
  closedir(dir);
  assert_true(kernels >= 24);
}

/* ---- Large ones ------------------------------------------------------------------------------ */

/* count registers, each made of two earlier ones, the oldest `alive` registers back. */
static ptx_module_t *parse_chain(unsigned count, unsigned alive) {
  size_t room = 200 + (size_t)count * 64;
  char *text = malloc(room), *at = text;
  ptx_error_t err;
  at += sprintf(
      at, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_a)\n{\n.reg .u32 %%r<%u>;\n",
      count);
  for (unsigned i = 0; i < count; i++)
    at += i < alive ? sprintf(at, "mov.u32 %%r%u, %%tid.x;\n", i)
                    : sprintf(at, "add.u32 %%r%u, %%r%u, %%r%u;\n", i, i - 1, i - alive);
  at += sprintf(at, "ret;\n}\n");
  ptx_module_t *m = ptx_parse(text, (size_t)(at - text), "chain.ptx", &err);
  if (!m) print_message("%s\n", err.trouble.text);
  assert_non_null(m);
  free(text);
  return m;
}

/* 20000 registers of which 200 are alive need 200 rows.
 * 10000 alive at once are refused with their number. */
static void test_large(void **state) {
  (void)state;
  mpu_compile_error_t err;
  ptx_module_t *m = parse_chain(20000, 200);
  mpu_program_t *p = mpu_compile(ptx_find_kernel(m, "k"), MPU_ANNOTATED, &err);
  assert_non_null(p);
  assert_null(mpu_check_rows(p));
  assert_int_equal(p->far_only, 200);
  mpu_program_free(p);
  ptx_free(m);
  m = parse_chain(20000, 10000);
  assert_null(mpu_compile(ptx_find_kernel(m, "k"), MPU_ANNOTATED, &err));
  assert_int_equal(err.trouble.kind, 2);
  assert_non_null(
      strstr(err.trouble.text, "at least 10000 registers of 32 bits and 0 predicates are needed, at most 256 in all"));
  ptx_free(m);
}

/* ---- The checks fire ------------------------------------------------------------------------- */

/* A small kernel whose program is then broken in
 * many ways. The enum has its registers' numbers. */
static const char victim_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_a, .param .f32 k_f)\n{\n"
    ".reg .u64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<3>; .reg .b32 %r<5>;\nld.param.u64 %d1, [k_a];\n"
    "ld.param.f32 %f1, [k_f];\n"
    "ld.global.f32 %f2, [%d1];\nld.global.f32 %f3, [%d1+4];\nadd.s64 %d2, %d1, 8;\nfma.rn.f32 %f4, %f2, %f3, %f1;\n"
    "setp.gt.f32 %p1, %f1, 0f00000000;\nsetp.gt.f32 %p2, %f1, 0f3f800000;\n@%p1 st.global.f32 [%d2], %f4;\n"
    "@%p2 st.global.f32 [%d1], %f3;\nret;\nadd.u32 %r1, %r1, 1;\n}\n";
enum { D1, F1, F2, F3, D2, F4, P1, P2, R1 };

typedef enum { BY_ROWS = 1, BY_LOCATIONS = 2, BY_PATH = 4 } checks_t;

/* Which of the three checks find something. Paths are random, so 50 of them are tried. */
static unsigned checks_that_fire(const mpu_program_t *p) {
  unsigned by = (mpu_check_rows(p) ? BY_ROWS : 0) | (mpu_check_locations(p) ? BY_LOCATIONS : 0);
  uint64_t seed = 1;
  for (unsigned i = 0; i < 50; i++) by |= mpu_check_path(p, 100, &seed) ? BY_PATH : 0;
  return by;
}

/* Two registers that are alive together get one
 * row: both the static check and a path find it. */
static void break_rows(mpu_program_t *p) {
  static const struct {
    int reg, like;
    unsigned by;
  } rows[] = {{F2, F3, BY_ROWS | BY_PATH}, {F3, F4, BY_ROWS | BY_PATH}, {D1, D2, BY_ROWS | BY_PATH},
              {P1, P2, BY_ROWS | BY_PATH}, {F2, D2, BY_ROWS | BY_PATH}, {D1, F2, BY_ROWS | BY_PATH},
              {F1, F2, BY_ROWS | BY_PATH}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    int32_t row = p->regs[rows[i].reg].row;
    p->regs[rows[i].reg].row = p->regs[rows[i].like].row;
    assert_int_equal(checks_that_fire(p) & rows[i].by, rows[i].by);
    p->regs[rows[i].reg].row = row;
    assert_int_equal(checks_that_fire(p), 0);
  }
  p->regs[D1].row++;
  assert_true(checks_that_fire(p) & BY_ROWS); /* a pair at an odd row */
  p->regs[D1].row--;
  p->regs[R1].row = 0;
  assert_true(checks_that_fire(p) & BY_ROWS); /* a row that nobody needs */
  p->regs[R1].row = -1;
  p->near_rows--;
  assert_true(checks_that_fire(p) & BY_ROWS);
  p->near_rows++;
}

/* Each register's location, and each instruction's place and hint, is made another. */
static void break_locations(mpu_program_t *p) {
  for (int reg = D1; reg <= F4; reg++) {
    mpu_reg_t was = p->regs[reg];
    p->regs[reg].annotated = was.annotated ^ MPU_B ? (mpu_loc_t)(was.annotated ^ MPU_B) : MPU_N;
    assert_int_equal(checks_that_fire(p), BY_LOCATIONS);
    p->regs[reg] = was;
    p->regs[reg].loc = was.loc == MPU_N ? MPU_F : MPU_N;
    assert_true(checks_that_fire(p) & BY_LOCATIONS);
    p->regs[reg] = was;
  }
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    mpu_instr_t was = p->instrs[i];
    p->instrs[i].place = was.place == MPU_F ? MPU_N : MPU_F;
    assert_true(checks_that_fire(p) & BY_LOCATIONS);
    p->instrs[i] = was;
  }
  p->regs[P1].loc = p->regs[P1].annotated = MPU_N; /* a guard, as if it were a value */
  assert_true(checks_that_fire(p) & BY_LOCATIONS);
  p->regs[P1].loc = p->regs[P1].annotated = MPU_F;
  p->instrs[4].hint = p->instrs[4].place = MPU_N; /* an address, computed near */
  assert_true(checks_that_fire(p) & BY_LOCATIONS);
  p->instrs[4].hint = p->instrs[4].place = MPU_F;
  assert_int_equal(checks_that_fire(p), 0);
}

static void test_checks_fire(void **state) {
  (void)state;
  ptx_error_t err;
  mpu_compile_error_t why;
  ptx_module_t *m = ptx_parse(victim_text, sizeof victim_text - 1, "victim.ptx", &err);
  if (!m) print_message("%s\n", err.trouble.text);
  assert_non_null(m);
  mpu_program_t *p = mpu_compile(ptx_find_kernel(m, "k"), MPU_ANNOTATED, &why);
  assert_non_null(p);
  assert_int_equal(checks_that_fire(p), 0);
  break_rows(p);
  break_locations(p);
  mpu_program_free(p);
  ptx_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_kernels), cmocka_unit_test(test_kernels),
                                     cmocka_unit_test(test_large), cmocka_unit_test(test_checks_fire)};
  return cmocka_run_group_tests_name("mpu_random", tests, NULL, NULL);
}
