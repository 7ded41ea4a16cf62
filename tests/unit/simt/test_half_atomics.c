/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics of 16 bits and of pairs of halves on a GPU with ideal stacks: what an operation does
 * against the host's binary32, and sums of many threads at the same and at neighbouring halves of a
 * word, in global and in shared memory.
 */
#include <stdio.h>
#include <string.h>

#include "atomic.h"
#include "gpu_rig.h"
#include "half_reference.h"
#include "unit_test.h"

/* The sum by the host, rounded to nearest; any NaN gives the canonical one. */
static unsigned add_halves(bool bf, unsigned a, unsigned b) {
  if (no_number(bf, a) || no_number(bf, b)) return 0x7fff;
  const float both = odd_fma(widen(bf, a), 1, widen(bf, b));
  return both != both ? 0x7fff : narrow(bf, both, 0);
}

/* One operation without a machine: halves alone
 * and pairs, of which each half is its own sum. */
static void test_operation(void **state) {
  uint64_t seed = 5;
  (void)state;
  for (unsigned i = 0; i < 200000; i++) {
    const bool bf = i & 1;
    const unsigned a = pick_half(bf, &seed), b = pick_half(bf, &seed), c = pick_half(bf, &seed),
                   d = pick_half(bf, &seed);
    assert_int_equal(atomic_apply(PTX_MOD_add, bf ? PTX_BF16 : PTX_F16, a, b, 0), add_halves(bf, a, b));
    assert_int_equal(atomic_apply(PTX_MOD_add, bf ? PTX_BF16X2 : PTX_F16X2, c << 16 | a, d << 16 | b, 0),
                     add_halves(bf, c, d) << 16 | add_halves(bf, a, b));
  }
}

enum { THREADS = 96, CELLS = 7 };

/* Thread i: cell i % CELLS of `cells`, in global memory or in
 * shared memory that goes back there; old value to out[i]. */
#define KERNEL(address, code, back)                                                                                \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 cells, .param .u64 out)\n{\n"      \
  ".shared .align 8 .b8 sh[64];\n"                                                                                 \
  ".reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;\n"                                       \
  "ld.param.u64 %d1, [cells]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x;\n"                                     \
  "mad.wide.u32 %d2, %r0, 4, %d2; mov.u64 %d5, sh; rem.u32 %r1, %r0, 7; mov.u32 %r2, 0;\n"                         \
  "mad.wide.u32 %d6, %r0, 4, %d5; setp.ge.u32 %p1, %r0, 16; @!%p1 st.shared.u32 [%d6], %r2; bar.sync 0;\n" address \
  "\n" code "\nst.global.u32 [%d2], %r10;\nbar.sync 0;\n" back "\nret;\n}\n"
#define GLOBAL(size, code) KERNEL("mad.wide.u32 %d4, %r1, " size ", %d1;", code, "")
#define SHARED(size, code)                                                        \
  KERNEL("mad.wide.u32 %d4, %r1, " size ", %d5; cvta.shared.u64 %d4, %d4;", code, \
         "mad.wide.u32 %d7, %r0, 4, %d1; @!%p1 ld.shared.u32 %r3, [%d6]; @!%p1 st.global.u32 [%d7], %r3;")

/* How many threads had come before: what each adds is 1, or 1 and 2. */
#define ADD(type, one) "mov.b16 %h1, " one "; atom.add.noftz." type " %h2, [%d4], %h1; cvt.u32.u16 %r10, %h2;"
#define ADD_PAIR(type, pair) "mov.b32 %r4, " pair "; atom.add.noftz." type " %r10, [%d4], %r4;"
#define COUNT                                                                                                        \
  "LOOP: ld.volatile.u16 %h1, [%d4]; add.u16 %h2, %h1, 1; atom.cas.b16 %h3, [%d4], %h1, %h2; setp.ne.u16 %p2, %h3, " \
  "%h1;\n@%p2 bra LOOP; cvt.u32.u16 %r10, %h3;"

typedef enum { AS_F16, AS_BF16, AS_NUMBER } as_t;

/* A cell's code as a whole number: all sums here are small and exact. */
static unsigned cell_value(as_t as, unsigned code) {
  return as == AS_NUMBER ? code : (unsigned)widen(as == AS_BF16, code);
}

/* Each of 96 threads adds 1 to the cell that its
 * number modulo 7 says (2 to a pair's upper half).
 * A cell ends at the number of its threads, and
 * their old values are all numbers below, once each. */
static void test_threads(void **state) {
  static const struct {
    const char *ptx;
    as_t as;
    unsigned bytes;
  } row[] = {{GLOBAL("2", ADD("f16", "0x3c00")), AS_F16, 2},
             {SHARED("2", ADD("f16", "0x3c00")), AS_F16, 2},
             {GLOBAL("2", ADD("bf16", "0x3f80")), AS_BF16, 2},
             {SHARED("2", ADD("bf16", "0x3f80")), AS_BF16, 2},
             {GLOBAL("4", ADD_PAIR("f16x2", "0x40003c00")), AS_F16, 4},
             {SHARED("4", ADD_PAIR("f16x2", "0x40003c00")), AS_F16, 4},
             {GLOBAL("4", ADD_PAIR("bf16x2", "0x40003f80")), AS_BF16, 4},
             {SHARED("4", ADD_PAIR("bf16x2", "0x40003f80")), AS_BF16, 4},
             {GLOBAL("2", COUNT), AS_NUMBER, 2},
             {SHARED("2", COUNT), AS_NUMBER, 2}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t err = {0};
    gpu_config_t c = gpu_config_default();
    c.num_sms = c.num_stacks = 2;
    gpu_rig_t *r = rig_new(&c, row[i].ptx, strlen(row[i].ptx), "half.ptx", false);
    if (r->err.kind) fail_msg("%s", r->err.text);
    uint8_t cells[64] = {0};
    uint32_t out[THREADS];
    const uint64_t params[] = {gpu_malloc(r->gpu, sizeof cells, &err), gpu_malloc(r->gpu, sizeof out, &err)};
    const gpu_launch_t l = {
        .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .param_bytes = sizeof params};
    assert_int_equal(gpu_copy_in(r->gpu, params[0], cells, sizeof cells, &err), 0);
    if (rig_run(r, &l, 1000000)) fail_msg("%s", r->err.text);
    assert_int_equal(gpu_copy_out(r->gpu, cells, params[0], sizeof cells, &err), 0);
    assert_int_equal(gpu_copy_out(r->gpu, out, params[1], sizeof out, &err), 0);
    for (unsigned k = 0; k < 64 / row[i].bytes; k++) {
      const unsigned came = k < CELLS ? (THREADS - k + CELLS - 1) / CELLS : 0;
      uint32_t now = 0, seen = 0;
      memcpy(&now, cells + k * row[i].bytes, row[i].bytes);
      if (cell_value(row[i].as, now & 0xffff) != came)
        fail_msg("row %u: cell %u is 0x%x of %u threads", i, k, now, came);
      if (row[i].bytes == 4 && cell_value(row[i].as, now >> 16) != 2 * came)
        fail_msg("row %u: upper cell %u is 0x%x of %u threads", i, k, now, came);
      for (unsigned t = k; t < THREADS && k < CELLS; t += CELLS) seen |= 1u << cell_value(row[i].as, out[t] & 0xffff);
      if (seen != (1u << came) - 1) fail_msg("row %u: cell %u was seen as 0x%x", i, k, seen);
    }
    rig_free(r);
  }
}

/* Atomics of 16 bits that PTX has and the GPU model
 * does not execute are refused at the launch. */
static void test_atomics_not_executed(void **state) {
  static const struct {
    const char *ptx, *says;
  } row[] = {{GLOBAL("2", "mov.b16 %h1, 0; atom.max.noftz.f16 %h2, [%d4], %h1;"), "atomic operation of this type"},
             {GLOBAL("2", "mov.b16 %h1, 0; atom.exch.b16 %h2, [%d4], %h1;"), "atomic operation of this type"}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t err = {0};
    gpu_config_t c = gpu_config_default();
    gpu_rig_t *r = rig_new(&c, row[i].ptx, strlen(row[i].ptx), "half.ptx", false);
    const uint64_t params[2] = {0};
    const gpu_launch_t l = {
        .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .param_bytes = sizeof params};
    assert_int_equal(gpu_launch(r->gpu, &l, &err), -1);
    if (!strstr(err.text, row[i].says)) fail_msg("%s", err.text);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operation), cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_atomics_not_executed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
