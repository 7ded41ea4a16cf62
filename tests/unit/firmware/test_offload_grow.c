/* SPDX-License-Identifier: Apache-2.0
 *
 * A candidate that grows by one instruction at a time ends as plan_range() plans it at once: for
 * each range of each kernel, and of random kernels. The time for a long block grows linearly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "offload_internal.h"
#include "unit_test.h"

static const char *const names[] = {
#define WORKLOAD(name, bits, text) #name,
#include "../../firmware/workloads/kernels/workload_list.def"
};

typedef struct {
  uint64_t ranges, planned;
} seen_t;

/* No longer range has a plan either. A range that is UNFIT at once may be HOPELESS by growth:
 * each names the reason that it meets first. */
static void check_hopeless(const kernel_t *k, uint32_t first, uint32_t last, uint32_t end, plan_t *plan) {
  for (; last < end; last++) {
    const plan_result_t whole = plan_range(k, first, last, plan);
    if (whole == PLAN_OK) fail_msg("%s %u to %u: a plan of what cannot be one", k->func->name, first, last);
    if (whole == PLAN_HOPELESS) return;
  }
}

/* Grows a range from `first` to the end and plans each of its lengths anew. */
static void check_from(grow_t *g, const kernel_t *k, uint32_t first, uint32_t end, plan_t *plan, seen_t *seen) {
  grow_begin(g, first);
  for (uint32_t last = first; last < end; last++) {
    const plan_result_t grown = grow_add(g);
    if (grown == PLAN_HOPELESS) return check_hopeless(k, first, last, end, plan);
    const plan_result_t whole = plan_range(k, first, last, plan);
    seen->ranges++;
    seen->planned += whole == PLAN_OK;
    if (grown != whole) fail_msg("%s %u to %u: %d by growth, %d at once", k->func->name, first, last, grown, whole);
    if (whole == PLAN_OK && (g->score != plan->score || g->count != plan->count))
      fail_msg("%s %u to %u: score %d, %u instructions by growth, %d, %u at once", k->func->name, first, last, g->score,
               g->count, plan->score, plan->count);
  }
}

/* All ranges without HARD instructions, from each instruction of each block. */
static void check_module(const ptx_module_t *m, seen_t *seen) {
  plan_t *plan = malloc(sizeof *plan);
  grow_t *g = malloc(sizeof *g);
  for (uint32_t f = 0; f < m->num_funcs; f++) {
    kernel_t k;
    if (!m->funcs[f].is_kernel || !m->funcs[f].defined) continue;
    assert_true(facts_make(&k, m, &m->funcs[f], 128) && grow_make(g, &k));
    for (uint32_t b = 0; b < k.func->num_blocks; b++) {
      const ptx_block_t *block = &k.func->blocks[b];
      for (uint32_t i = block->first; i <= block->last; i++) {
        uint32_t end = i;
        while (end <= block->last && k.facts[end].class != CLASS_HARD) end++;
        check_from(g, &k, i, end, plan, seen);
      }
    }
    grow_free(g);
    facts_free(&k);
  }
  free(g);
  free(plan);
}

/* The workloads' own kernels. So many plans and ranges must be seen that the checks cannot be
 * empty. */
static void test_kernels(void **state) {
  (void)state;
  seen_t seen = {0, 0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    ptx_error_t err;
    snprintf(path, sizeof path, "%s/firmware/workloads/kernels/%s/%s.ptx", LOCKSTACK_SOURCE_DIR, names[i], names[i]);
    ptx_module_t *m = ptx_read(path, &err);
    assert_non_null(m);
    check_module(m, &seen);
    ptx_free(m);
  }
  assert_true(seen.planned > 1000 && seen.ranges > 2 * seen.planned);
}

/* ---- At random ------------------------------------------------------------------------------- */

#define HEAD                                                                                                      \
  ".version 6.0\n.target sm_35\n.address_size 64\n.const .b32 c[64];\n.global .b32 gv[64];\n"                     \
  ".entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"                                                    \
  ".reg .pred %p<4>;.reg .b32 %r<8>;.reg .b64 %rd<8>;.reg .f32 %f<8>;.reg .f64 %fd<4>;\nld.param.u64 %rd1,[a];\n" \
  "ld.param.u64 %rd2,[b];\nld.param.u32 %r1,[n];\n"

/* $r, $d, $f, $g, $p: a register of that class; $a: an address; $@: perhaps a guard */
static const char *const forms[] = {
    "$@ld.global.f32 $f,$a;",
    "$@ld.global.u32 $r,$a;",
    "ld.global.u64 $d,$a;",
    "ld.global.nc.f32 $f,$a;",
    "$@ld.global.u32 $d,$a;",
    "ld.global.v2.f32 {$f,$f},$a;",
    "$@st.global.f32 $a,$f;",
    "st.global.u32 $a,$r;",
    "st.global.u64 $a,$d;",
    "st.global.f64 $a,$g;",
    "st.global.v2.f32 $a,{$f,$f};",
    "ld.global.f64 $g,$a;",
    "add.s64 $d,$d,8;",
    "add.s64 $d,$d,$d;",
    "mul.wide.s32 $d,$r,4;",
    "$@add.f32 $f,$f,$f;",
    "$@add.s32 $r,$r,3;",
    "fma.rn.f32 $f,$f,$f,$f;",
    "$@setp.lt.s32 $p,$r,$r;",
    "selp.f32 $f,$f,$f,$p;",
    "mov.u32 $r,%clock;",
    "ld.const.u32 $r,[$d];",
    "ld.const.u32 $r,[c+8];",
    "ld.param.u32 $r,[n];",
    "cvt.rn.f32.s32 $f,$r;",
    "div.rn.f32 $f,$f,$f;",
    "fma.rn.f64 $g,$g,$g,$g;",
    "ld.global.f32 $f,[gv+4];",
    "st.global.f32 [gv+4],$f;",
    "mov.u32 $r,%tid.x;",
};

/* Writes the form with a random register for each $ letter. */
static size_t expand_form(char *to, const char *form, uint64_t *seed) {
  static const struct {
    char key;
    const char *prefix;
    unsigned count;
  } classes[] = {{'r', "%r", 8}, {'d', "%rd", 8}, {'f', "%f", 8}, {'g', "%fd", 4}, {'p', "%p", 4}};
  size_t n = 0;
  for (const char *c = form; *c; c++) {
    if (*c != '$') {
      to[n++] = *c;
      continue;
    }
    c++;
    if (*c == '@' && test_random(seed) % 6 == 0)
      n += (size_t)sprintf(to + n, "@%s%%p%u ", test_random(seed) % 2 ? "!" : "", (unsigned)(test_random(seed) % 4));
    if (*c == 'a')
      n += (size_t)sprintf(to + n, "[%%rd%u+%u]", (unsigned)(test_random(seed) % 3),
                           4 * (unsigned)(test_random(seed) % 4));
    for (unsigned i = 0; i < 5; i++)
      if (classes[i].key == *c)
        n += (size_t)sprintf(to + n, "%s%u", classes[i].prefix, (unsigned)(test_random(seed) % classes[i].count));
  }
  to[n++] = '\n';
  return n;
}

/* 150 kernels of 10 to 129 random statements, half of which are of the first 18 forms. */
static void test_random_kernels(void **state) {
  (void)state;
  seen_t seen = {0, 0};
  uint64_t seed = 1;
  for (unsigned round = 0; round < 150; round++) {
    static char text[1 << 16];
    size_t n = (size_t)sprintf(text, "%s", HEAD);
    const unsigned most = sizeof forms / sizeof *forms, length = 10 + (unsigned)(test_random(&seed) % 120);
    for (unsigned i = 0; i < length; i++)
      n += expand_form(text + n, forms[test_random(&seed) % (test_random(&seed) % 2 ? most : 18)], &seed);
    n += (size_t)sprintf(text + n, "ret;\n}\n");
    ptx_error_t err;
    ptx_module_t *m = ptx_parse(text, n, "random.ptx", &err);
    if (!m) fail_msg("%s", err.trouble.text);
    check_module(m, &seen);
    ptx_free(m);
  }
  assert_true(seen.planned > 1000 && seen.ranges > 2 * seen.planned);
}

/* ---- Long blocks ----------------------------------------------------------------------------- */

/* Seconds of CPU time to compile a block of `pairs` loads and stores, ten fused sums between the
 * two. */
static double seconds_of_block(unsigned pairs) {
  char *text = malloc(1000 + 700 * pairs);
  size_t n = (size_t)sprintf(text, "%s", HEAD);
  for (unsigned i = 0; i < pairs; i++) {
    n += (size_t)sprintf(text + n, "ld.global.f32 %%f1,[%%rd1+%u];\n", 4 * i);
    for (unsigned a = 0; a < 10; a++)
      n += (size_t)sprintf(text + n, "fma.rn.f32 %%f%u,%%f%u,%%f1,%%f1;\n", 2 + a % 2, 1 + a % 3);
    n += (size_t)sprintf(text + n, "st.global.f32 [%%rd2+%u],%%f3;\n", 4 * i);
  }
  n += (size_t)sprintf(text + n, "ret;\n}\n");
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, n, "long.ptx", &err);
  assert_non_null(m);
  const clock_t start = clock();
  offload_t *o = offload_compile(m);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_non_null(o);
  assert_true(o->kernels[0].num_blocks >= pairs / 32);
  offload_free(o);
  ptx_free(m);
  free(text);
  return seconds;
}

/* 6000 accesses. Planning each range from its beginning took 100 s. */
static void test_long_block(void **state) {
  (void)state;
  const double seconds = seconds_of_block(3000);
  if (seconds > 10) fail_msg("%.1f s", seconds); /* also with sanitizers, also beside other work */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels), cmocka_unit_test(test_random_kernels),
                                     cmocka_unit_test(test_long_block)};
  return cmocka_run_group_tests_name("offload_grow", tests, NULL, NULL);
}
