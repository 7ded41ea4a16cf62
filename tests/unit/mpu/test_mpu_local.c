/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory of the near-bank processor, in DRAM of the warp's own near-bank unit: where a
 * thread's words are, what it reads there, what it costs, what is refused. How often an access is
 * offloaded: mpu_reasons_rows.def; random kernels that use it: test_mpu_programs.c.
 */
#include <string.h>

#include "mpu_bed.h"
#include "mpu_state.h"
#include "unit_test.h"

/* k(buffer): %r1 the thread of all, %d1 the buffer,
 * %d2 the thread's 16 bytes in it; own: 64 bytes. */
#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define KERNEL(name, body)                                                                                         \
  ".visible .entry " name "(.param .u64 " name                                                                     \
  "_a)\n{\n.local .align 8 .b8 own[64];\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %d<19>;\n" \
  "ld.param.u64 %d1, [" name                                                                                       \
  "_a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r1, %r2, %r3, %r1;\n"    \
  "mad.wide.u32 %d2, %r1, 16, %d1;\n" body "\nret;\n}\n"

enum { MOST = 2048 };
static uint32_t data[4 * MOST];

/* Word i of the buffer is (i % 4) << 24 | i / 4 before. */
static mpu_stats_t run_local(const char *ptx, const mpu_config_t *c, uint32_t blocks, uint32_t threads) {
  bed_t bed = {.ptx = ptx, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .data = data, .bytes = sizeof data};
  for (unsigned i = 0; i < 4 * MOST; i++) data[i] = 0x1000000u * (i % 4) + i / 4;
  if (bed_run(&bed, c)) fail_msg("%s", bed.error.text);
  return bed.stats;
}

/* ---- What threads read ----------------------------------------------------------------------- */

/* Loads after stores of all sizes, near and far of each other, guarded, at
 * addresses that differ by thread; and what other threads have is left alone. */
static const char mixed[] = HEAD KERNEL(
    "k", "st.local.u32 [own], %r1;\nst.local.u64 [own+8], %d2;\nst.local.u8 [own+1], %r2;\nld.local.u32 %r10, [own];\n"
         "st.global.u32 [%d2], %r10;\n"
         "ld.local.u32 %r11, [own+12];\nld.local.u32 %r12, [own+8];\nst.local.u32 [own+16], %r12;\n"
         "st.local.u32 [own+20], %r11;\nld.local.u64 %d5, [own+16];\n"
         "sub.s64 %d5, %d5, %d1;\ncvt.u32.u64 %r13, %d5;\nst.global.u32 [%d2+4], %r13;\n"
         "and.b32 %r20, %r1, 7;\nmul.wide.u32 %d6, %r20, 4;\nmov.u64 %d7, own;\nadd.s64 %d7, %d7, %d6;\n"
         "st.local.u32 [%d7+32], %r1;\nsetp.lt.u32 %p1, %r20, 4;\n"
         "@%p1 st.local.u16 [%d7+34], %r20;\nld.local.s16 %r14, [%d7+34];\nld.local.u32 %r15, [%d7+32];\n"
         "add.u32 %r15, %r15, %r14;\nst.global.u32 [%d2+8], %r15;\n"
         "st.local.v2.u32 [own+56], {%r1, %r20};\nld.local.v2.u32 {%r17, %r16}, [own+56];\n"
         "mad.lo.u32 %r16, %r16, 1000, %r17;\nst.global.u32 [%d2+12], %r16;");

static void test_mixed(void **state) {
  (void)state;
  for (unsigned m = 0; m < BED_MACHINES; m++)
    for (unsigned unit = 32; unit <= 1024; unit *= 4) {
      mpu_config_t c = bed_machine(m);
      c.unit_bytes = unit, c.core_bytes = 4 * unit;
      const unsigned threads = 250, blocks = 8;
      run_local(mixed, &c, blocks, threads);
      for (uint32_t t = 0; t < threads * blocks; t++) {
        const uint32_t lane = t & 7, word = lane < 4 ? (t & 0xffff) | lane << 16 : t;
        const uint32_t expect[4] = {(t & ~0xff00u) | (t / threads & 255) << 8, 16 * t,
                                    word + (uint32_t)(int16_t)(word >> 16), lane * 1000 + t};
        for (unsigned k = 0; k < 4; k++)
          if (data[4 * t + k] != expect[k])
            fail_msg("%s, %u bytes a unit: thread %u, word %u: 0x%x, not 0x%x", bed_machine_name(m), unit, t, k,
                     data[4 * t + k], expect[k]);
      }
    }
}

/* A generic address may be of either memory, thread by thread; of 64
 * bits, too, and the address may be the register that is loaded. */
static const char generic[] = HEAD KERNEL(
    "k",
    "mov.u64 %d5, own;\ncvta.local.u64 %d5, %d5;\nand.b32 %r20, %r1, 3;\nsetp.eq.u32 %p1, %r20, 1;\n"
    "selp.b64 %d6, %d2, %d5, %p1;\nmul.wide.u32 %d7, %r1, 3;\n"
    "st.u64 [%d6], %d7;\n@!%p1 st.u32 [%d6+8], %r1;\nld.u64 %d8, [%d6];\nld.u64 %d6, [%d6];\nadd.s64 %d6, %d6, %d8;\n"
    "cvt.u32.u64 %r10, %d6;\n"
    "@!%p1 ld.local.u32 %r11, [own];\n@%p1 ld.global.u32 %r11, [%d2];\nld.u8 %r12, [%d5+8];\n"
    "@!%p1 st.global.u32 [%d2], %r10;\n"
    "st.global.u32 [%d2+4], %r11;\n@!%p1 st.global.u32 [%d2+8], %r12;\n@%p1 st.global.u32 [%d2+12], %r10;");

static void test_generic(void **state) {
  (void)state;
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    const mpu_config_t c = bed_machine(m);
    const unsigned threads = 200, blocks = 8;
    const mpu_stats_t s = run_local(generic, &c, blocks, threads);
    for (uint32_t t = 0; t < threads * blocks; t++) {
      const bool global = t % 4 == 1;
      const uint32_t expect[4] = {global ? 3 * t : 6 * t, 3 * t, global ? 0x2000000 + t : t & 255,
                                  global ? 6 * t : 0x3000000 + t};
      for (unsigned k = 0; k < 4; k++)
        if (data[4 * t + k] != expect[k])
          fail_msg("%s: thread %u, word %u: 0x%x, not 0x%x", bed_machine_name(m), t, k, data[4 * t + k], expect[k]);
    }
    const unsigned part = c.ponb ? MPU_FATE_base_die : MPU_FATE_partial_mask;
    assert_true(s.local_loads[part] > 0 && s.loads[part] > 0 && s.local_stores[part] > 0 && s.stores[part] > 0);
  }
}

/* ---- Where words are ------------------------------------------------------------------------- */

typedef struct {
  mpu_rig_t rig;
  ptx_module_t *module;
  mpu_config_t config;
} machine_t;

static void open_machine(machine_t *m, const char *ptx, const mpu_config_t *c) {
  ptx_error_t bad = {0};
  m->config = *c;
  m->module = ptx_parse(ptx, strlen(ptx), "local.ptx", &bad);
  if (!m->module) fail_msg("%s", bad.trouble.text);
  if (mpu_rig_open(&m->rig, &m->config) || mpu_load(m->rig.mpu, m->module, &m->rig.error))
    fail_msg("%s", m->rig.error.text);
}

static void close_machine(machine_t *m) {
  mpu_rig_close(&m->rig);
  ptx_free(m->module);
}

/* A launch of one block. 0 or -1; the rig's error says why. */
static int launch_kernel(machine_t *m, const char *kernel, uint64_t buffer, uint32_t threads) {
  const mpu_launch_t l = {
      .kernel = kernel, .grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = &buffer, .param_bytes = sizeof buffer};
  return mpu_launch(m->rig.mpu, &l, &m->rig.error);
}

/* Word w of thread t of the warp in slot s of subcore u is in unit u, whose last
 * 16 x 16 x 128 of 64 MB are 16 slots of 16 rows: at 2048 s + 128 w + 4 t. */
static void test_place(void **state) {
  (void)state;
  static const char ptx[] = HEAD KERNEL(
      "k",
      "mul.lo.u32 %r5, %r1, 16;\nst.local.u32 [own], %r5;\nadd.u32 %r6, %r5, 1;\nst.local.u32 [own+4], %r6;\n"
      "cvt.u64.u32 %d5, %r5;\n"
      "shl.b64 %d6, %d5, 32;\nor.b64 %d5, %d5, %d6;\nst.local.u64 [own+56], %d5;\n@%p1 st.local.u32 [own+8], %r5;");
  machine_t m;
  mpu_config_t c = bed_machine(0);
  c.cores_x = c.cores_y = 1;
  open_machine(&m, ptx, &c);
  if (launch_kernel(&m, "k", mpu_malloc(m.rig.mpu, 64, &m.rig.error), 1024) || mpu_rig_run(&m.rig))
    fail_msg("%s", m.rig.error.text);
  for (uint32_t t = 0; t < 1024; t++) {
    const uint32_t warp = t / 32, unit = warp % 4, slot = warp / 4,
                   at = (64u << 20) - 16 * 2048 + slot * 2048 + t % 32 * 4;
    static const unsigned word[] = {0, 1, 2, 14, 15};
    const uint32_t expect[] = {16 * t, 16 * t + 1, 0, 16 * t, 16 * t};
    for (unsigned k = 0; k < 5; k++) {
      uint32_t is;
      memory_image_read(m.rig.mpu->image, ((uint64_t)unit << 26) + at + 128 * word[k], &is, sizeof is);
      if (is != expect[k]) fail_msg("thread %u, word %u: 0x%x, not 0x%x", t, word[k], is, expect[k]);
    }
  }
  close_machine(&m);
}

/* An address gives a place, and the place gives the address back. */
static void test_map(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (unsigned unit = 32; unit <= 1024; unit *= 2)
    for (unsigned core = 4 * unit; core <= 65536; core *= 2) {
      mpu_config_t c = mpu_config_default();
      c.unit_bytes = unit, c.core_bytes = core;
      const mpu_map_t map = mpu_map(&c);
      for (unsigned i = 0; i < 200; i++) {
        const uint64_t a = test_random(&seed) % mpu_map_bytes(map);
        assert_int_equal(mpu_map_address(map, mpu_map_place(map, a)), a);
      }
    }
}

/* ---- What it costs --------------------------------------------------------------------------- */

/* A row of a thread's own is read and written as a row of global memory in the
 * same unit is: the same messages, transfers and, but for the banks, time. */
static void test_as_global(void **state) {
  (void)state;
#define EIGHT(what) what what what what what what what what
#define ROWS(space, at)                                                                 \
  HEAD KERNEL("k", "mad.wide.u32 %d4, %r1, 4, %d1;\nld.global.u32 %r8, [%d4];\n" EIGHT( \
                       "st." space ".u32 [" at "], %r8;\nld." space ".u32 %r9, [" at "];\nadd.u32 %r8, %r9, 1;\n"))
  static const char local[] = ROWS("local", "own+8"), global[] = ROWS("global", "%d4+4096");
  for (unsigned ponb = 0; ponb < 2; ponb++) {
    mpu_config_t c = bed_machine(ponb ? BED_MACHINES - 1 : 0);
    c.cores_x = c.cores_y = 1;
    const mpu_stats_t l = run_local(local, &c, 1, 128), g = run_local(global, &c, 1, 128);
    c.local_ideal = true;
    const mpu_stats_t ideal = run_local(local, &c, 1, 128);
    assert_true(l.dram_reads == g.dram_reads && l.dram_writes == g.dram_writes && l.dram_writes == 8 * 4 * 4);
    static const mpu_use_t uses[] = {MPU_USE_offloaded, MPU_USE_transfers, MPU_USE_load_rows, MPU_USE_store_row};
    for (unsigned i = 0; i < sizeof uses / sizeof *uses; i++)
      assert_true(l.tsv_down[uses[i]] == g.tsv_down[uses[i]] && l.tsv_up[uses[i]] == g.tsv_up[uses[i]]);
    assert_in_range(l.cycles, g.cycles - g.cycles / 8, g.cycles + g.cycles / 8);
    assert_true(ideal.dram_reads == 4 * 4 && ideal.dram_writes == 0 && ideal.cycles < l.cycles);
  }
}

/* ---- What is refused ------------------------------------------------------------------------- */

/* Beyond either end, misaligned, generic ones where local memory is ideal, and an atomic. */
static void test_bad_addresses_stop_the_run(void **state) {
  (void)state;
  static const struct {
    const char *ptx, *what;
    bool ideal;
  } row[] = {
      {HEAD KERNEL("k", "st.local.u32 [own+64], %r1;"),
       "'st.local.u32' of thread (tid 0,0,0): address 0x40 is out of bounds or misaligned", false},
      {HEAD KERNEL("k", "mov.u64 %d5, own;\nst.local.u32 [%d5+-4], %r1;"), "is out of bounds or misaligned", false},
      {HEAD KERNEL("k", "mov.u64 %d5, own;\nst.local.u64 [%d5+60], %d1;"),
       "address 0x3c is out of bounds or misaligned", false},
      {HEAD KERNEL("k",
                   "mov.u64 %d5, own;\nsetp.eq.u32 %p1, %r1, 33;\n@%p1 add.s64 %d5, %d5, 2;\nld.local.u32 %r5, [%d5];\n"
                   "st.global.u32 [%d2], %r5;"),
       "of thread (tid 33,0,0): address 0x2 is out of bounds or misaligned", false},
      {HEAD KERNEL("k", "mov.u64 %d5, own;\ncvta.local.u64 %d5, %d5;\nst.u32 [%d5+64], %r1;"),
       "address 0x40 is out of bounds or misaligned", false},
      {HEAD KERNEL("k", "mov.u64 %d5, own;\ncvta.local.u64 %d5, %d5;\nst.u32 [%d5], %r1;"),
       "is a generic address outside of global memory", true},
      {HEAD KERNEL("k", "st.local.u32 [own+64], %r1;"), "is out of bounds or misaligned", true},
      {HEAD KERNEL("k", "mov.u64 %d5, own;\ncvta.local.u64 %d5, %d5;\natom.add.u32 %r5, [%d5], %r1;"),
       "is a generic address outside of global memory", false},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    mpu_config_t c = bed_machine(0);
    c.local_ideal = row[i].ideal;
    bed_t bed = {.ptx = row[i].ptx, .grid = {1, 1, 1}, .block = {64, 1, 1}, .data = data, .bytes = sizeof data};
    if (bed_run(&bed, &c) != 2 || !strstr(bed.error.text, row[i].what))
      fail_msg("row %u: %d, '%s'", i, bed.error.kind, bed.error.text);
  }
}

#define NO_LOCAL                                                                                 \
  ".visible .entry none(.param .u64 none_a)\n{\n.reg .b64 %d<3>;\nld.param.u64 %d1, [none_a];\n" \
  "st.global.u64 [%d1], %d1;\nret;\n}\n"
static const char two[] =
    HEAD NO_LOCAL KERNEL("uses", "st.local.u32 [own], %r1;\nld.local.u32 %r5, [own];\nst.global.u32 [%d2], %r5;");

/* Local memory is at the end of what there is: a kernel that has some is not launched where that is
 * somebody's, nobody gets it while the kernel runs, and who gets it afterwards reads zero. */
static void test_memory(void **state) {
  (void)state;
  machine_t m;
  const mpu_config_t c = bed_machine(0); /* four cores of four units */
  const uint64_t total = 16ull << 26, stripe = 4 * 4096, local = 16 * 16ull * 16 * 128;
  open_machine(&m, two, &c);
  mpu_t *mpu = m.rig.mpu;
  const uint64_t small = mpu_malloc(mpu, 1024, &m.rig.error), rest = mpu_malloc(mpu, total - 2 * stripe, &m.rig.error);
  assert_true(small && rest);
  assert_int_equal(launch_kernel(&m, "uses", small, 32), -1);
  assert_int_equal(m.rig.error.kind, 2);
  if (!strstr(m.rig.error.text,
              "kernel uses: 64 bytes of local memory a thread take the last 1 MB of memory, and not so much is free"))
    fail_msg("%s", m.rig.error.text);
  m.rig.error = (trouble_t){0};
  if (launch_kernel(&m, "none", small, 32) || mpu_rig_run(&m.rig)) fail_msg("%s", m.rig.error.text);
  assert_int_equal(mpu_release(mpu, rest, &m.rig.error), 0);
  assert_int_equal(launch_kernel(&m, "uses", small, 64), 0);
  assert_int_equal(mpu_malloc(mpu, total - 2 * stripe - local + 1, &m.rig.error), 0);
  m.rig.error = (trouble_t){0};
  const uint64_t most = mpu_malloc(mpu, total - 2 * stripe - local, &m.rig.error);
  assert_int_equal(most, rest);
  if (mpu_rig_run(&m.rig)) fail_msg("%s", m.rig.error.text);
  const uint64_t last = mpu_malloc(mpu, local - 1, &m.rig.error);
  assert_int_equal(last, 0); /* behind an allocation something is nobody's */
  m.rig.error = (trouble_t){0};
  assert_int_equal(mpu_release(mpu, most, &m.rig.error), 0);
  const uint64_t again = mpu_malloc(mpu, total - 2 * stripe, &m.rig.error);
  assert_true(again);
  for (uint64_t at = total - local; at < total; at += sizeof data) {
    assert_int_equal(mpu_copy_out(mpu, data, at, sizeof data, &m.rig.error), 0);
    for (unsigned i = 0; i < sizeof data / sizeof *data; i++) assert_int_equal(data[i], 0);
  }
  close_machine(&m);
}

/* 200000 bytes a thread are 102 MB for a subcore's
 * 16 warps, and its unit has 64 MB. Four warps fit. */
static void test_too_much(void **state) {
  (void)state;
  static const char large[] =
      HEAD ".visible .entry k(.param .u64 a)\n{\n.local .align 4 .b8 own[200000];\n.reg .b32 %r<3>; .reg .b64 %d<3>;\n"
           "mov.u64 %d1, own;\nst.local.u32 [%d1+199996], %r1;\nret;\n}\n";
  bed_t bed = {.ptx = large, .grid = {1, 1, 1}, .block = {64, 1, 1}, .data = data, .bytes = sizeof data};
  mpu_config_t c = bed_machine(0);
  assert_int_equal(bed_run(&bed, &c), 2);
  if (!strstr(bed.error.text, "200000 bytes of local memory a thread")) fail_msg("%s", bed.error.text);
  c.warps = 4;
  if (bed_run(&bed, &c)) fail_msg("%s", bed.error.text);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mixed),     cmocka_unit_test(test_generic),
      cmocka_unit_test(test_place),     cmocka_unit_test(test_map),
      cmocka_unit_test(test_as_global), cmocka_unit_test(test_bad_addresses_stop_the_run),
      cmocka_unit_test(test_memory),    cmocka_unit_test(test_too_much)};
  return cmocka_run_group_tests_name("mpu_local", tests, NULL, NULL);
}
