/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants at addresses in registers, of the near-bank processor: what threads read, as the host
 * has it at each launch; where the copy is; that a load of them is what a load of global memory is;
 * what is refused.
 */
#include <stdio.h>
#include <string.h>

#include "mpu_bed.h"
#include "unit_test.h"

/* k(buffer): %r1 the thread of all, %d1 the buffer, %d2
 * the thread's 8 bytes in it; `table` of the module. */
#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BEGIN(name)                                                                                             \
  ".visible .entry " name "(.param .u64 " name                                                                  \
  "_a)\n{\n.reg .pred %p<9>; .reg .b16 %h<19>; .reg .b32 %r<99>; .reg .b64 %d<29>;\n"                           \
  "ld.param.u64 %d1, [" name                                                                                    \
  "_a];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r1, %r2, %r3, %r1;\n" \
  "mad.wide.u32 %d2, %r1, 8, %d1;\n"
#define END "\nret;\n}\n"
#define KERNEL(name, body) BEGIN(name) body END
#define TABLE ".const .align 16 .b8 table[512];\n"

enum { MOST = 1024, TABLE_BYTES = 512 };

typedef struct {
  mpu_rig_t rig;
  ptx_module_t *module;
  mpu_config_t config;
  uint64_t buffer;
  uint64_t data[MOST];
} machine_t;

/* What the host puts at byte i of the table. */
static uint8_t table_byte(unsigned i, unsigned salt) {
  return (uint8_t)(i * 37 + i / 7 + salt);
}

/* The host writes the module's constants. A launch reads them as they are then. */
static void fill_table(const machine_t *m, unsigned salt) {
  uint8_t *to = mpu_variables(m->rig.mpu, m->module)->const_segment;
  for (unsigned i = 0; i < m->module->const_bytes; i++) to[i] = table_byte(i, salt);
}

static void open_machine(machine_t *m, const char *ptx, const mpu_config_t *c) {
  ptx_error_t bad = {0};
  m->config = *c;
  m->module = ptx_parse(ptx, strlen(ptx), "constants.ptx", &bad);
  if (!m->module) fail_msg("%s\n%s", bad.trouble.text, ptx);
  if (mpu_rig_open(&m->rig, &m->config) || mpu_load(m->rig.mpu, m->module, &m->rig.error))
    fail_msg("%s", m->rig.error.text);
  m->rig.cycle_limit = 2000000;
  m->buffer = mpu_malloc(m->rig.mpu, sizeof m->data, &m->rig.error);
  fill_table(m, 0);
}

static void close_machine(machine_t *m) {
  mpu_rig_close(&m->rig);
  ptx_free(m->module);
}

/* The buffer's word t is t before. 0, or the exit status. */
static int run_kernel(machine_t *m, const char *kernel, uint32_t blocks, uint32_t threads) {
  const mpu_launch_t l = {.kernel = kernel,
                          .grid = {blocks, 1, 1},
                          .block = {threads, 1, 1},
                          .params = &m->buffer,
                          .param_bytes = sizeof m->buffer};
  for (unsigned i = 0; i < MOST; i++) m->data[i] = i;
  if (mpu_copy_in(m->rig.mpu, m->buffer, m->data, sizeof m->data, &m->rig.error) ||
      mpu_launch(m->rig.mpu, &l, &m->rig.error) || mpu_rig_run(&m->rig))
    return m->rig.error.kind;
  return mpu_copy_out(m->rig.mpu, m->data, m->buffer, sizeof m->data, &m->rig.error);
}

static void expect_run(machine_t *m, const char *kernel, uint32_t blocks, uint32_t threads) {
  if (run_kernel(m, kernel, blocks, threads)) fail_msg("%s", m->rig.error.text);
}

/* ---- What threads read ----------------------------------------------------------------------- */

/* A load: its type, the register's kind and bits, elements, and the bytes of one. */
typedef struct {
  const char *type;
  char kind;
  unsigned bits, vec, bytes;
} width_t;

static const width_t widths[] = {{"u8", 'r', 32, 1, 1},  {"s8", 'r', 32, 1, 1},  {"s8", 'h', 16, 1, 1},
                                 {"u16", 'h', 16, 1, 2}, {"s16", 'r', 32, 1, 2}, {"u32", 'r', 32, 1, 4},
                                 {"s32", 'd', 64, 1, 4}, {"u32", 'd', 64, 1, 4}, {"u64", 'd', 64, 1, 8},
                                 {"u8", 'r', 32, 4, 1},  {"u32", 'r', 32, 4, 4}, {"u64", 'd', 64, 2, 8}};

/* Thread t loads at (t * stride) % 256 behind the table's byte 16; guarded:
 * threads alone of which 3 is a divisor. Its result is made of all elements. */
static void write_kernel(char *text, size_t size, const width_t *w, bool generic, unsigned stride, bool guarded) {
  static const char *const vectors[] = {[1] = "", [2] = "v2.", [4] = "v4."};
  char body[1024];
  size_t n = 0;
  n += (size_t)snprintf(
      body + n, sizeof body - n,
      "mul.lo.u32 %%r5, %%r1, %u;\nand.b32 %%r5, %%r5, 255;\ncvt.u64.u32 %%d3, %%r5;\nmov.u64 %%d5, table;\n%s", stride,
      generic ? "cvta.const.u64 %d5, %d5;\n" : "");
  n += (size_t)snprintf(
      body + n, sizeof body - n,
      "add.s64 %%d5, %%d5, %%d3;\nrem.u32 %%r6, %%r1, 3;\nsetp.eq.u32 %%p1, %%r6, 0;\nmov.u64 %%d20, 0;\n");
  for (unsigned e = 0; e < w->vec; e++)
    n += (size_t)snprintf(body + n, sizeof body - n, "mov.b%u %%%c1%u, 5;\n", w->bits, w->kind, e);
  n += (size_t)snprintf(body + n, sizeof body - n, "%sld.%s%s%s%s ", guarded ? "@%p1 " : "", generic ? "" : "const.",
                        vectors[w->vec], w->type, w->vec > 1 ? " {" : "");
  for (unsigned e = 0; e < w->vec; e++)
    n += (size_t)snprintf(body + n, sizeof body - n, "%s%%%c1%u", e ? ", " : "", w->kind, e);
  n += (size_t)snprintf(body + n, sizeof body - n, "%s, [%%d5+16];\n", w->vec > 1 ? "}" : "");
  for (unsigned e = 0; e < w->vec; e++) {
    if (w->kind == 'd') n += (size_t)snprintf(body + n, sizeof body - n, "mov.u64 %%d21, %%d1%u;\n", e);
    else
      n += (size_t)snprintf(body + n, sizeof body - n, "cvt.%c64.%c%u %%d21, %%%c1%u;\n", *w->type, *w->type, w->bits,
                            w->kind, e);
    n += (size_t)snprintf(body + n, sizeof body - n, "mul.lo.u64 %%d20, %%d20, 3;\nadd.u64 %%d20, %%d20, %%d21;\n");
  }
  assert_true(n < sizeof body);
  n = (size_t)snprintf(text, size, "%s%s%s", HEAD TABLE BEGIN("k"), body, "st.global.u64 [%d2], %d20;" END);
  assert_true(n < size);
}

/* What write_kernel()'s kernel gives for thread t. */
static uint64_t expected_word(const width_t *w, unsigned t, unsigned stride, bool guarded) {
  uint64_t sum = 0;
  for (unsigned e = 0; e < w->vec; e++) {
    uint64_t x = 0;
    for (unsigned b = 0; b < w->bytes; b++)
      x |= (uint64_t)table_byte(16 + t * stride % 256 + e * w->bytes + b, 0) << 8 * b;
    const unsigned shift = 64 - 8 * w->bytes;
    if (*w->type == 's') x = (uint64_t)((int64_t)(x << shift) >> shift);
    sum = 3 * sum + (guarded && t % 3 ? 5 : x);
  }
  return sum;
}

/* All at one address, at consecutive ones, and at ones that lie apart. */
static void expect_reads(const width_t *w, const mpu_config_t *c, bool generic, const char *name) {
  static machine_t m;
  static char text[4096];
  const unsigned size = w->vec * w->bytes, strides[] = {0, size, 5 * size, 80};
  for (unsigned k = 0; k < 8; k++) {
    const unsigned stride = strides[k / 2], threads = 100, blocks = 5;
    write_kernel(text, sizeof text, w, generic, stride, k % 2);
    open_machine(&m, text, c);
    expect_run(&m, "k", blocks, threads);
    for (unsigned t = 0; t < threads * blocks; t++)
      if (m.data[t] != expected_word(w, t, stride, k % 2))
        fail_msg("%s: thread %u: 0x%llx, not 0x%llx\n%s", name, t, (unsigned long long)m.data[t],
                 (unsigned long long)expected_word(w, t, stride, k % 2), text);
    close_machine(&m);
  }
}

/* Every width on every machine, with `.const` and generic
 * addresses, and with ideal constants; units of 32 to 1024 bytes. */
static void test_widths(void **state) {
  (void)state;
  for (unsigned which = 0; which < BED_MACHINES; which++)
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
      mpu_config_t c = bed_machine(which);
      c.unit_bytes = 32u << i % 6, c.core_bytes = 4 * c.unit_bytes;
      expect_reads(&widths[i], &c, false, bed_machine_name(which));
      expect_reads(&widths[i], &c, true, bed_machine_name(which));
      c.constant_ideal = true;
      expect_reads(&widths[i], &c, false, "ideal");
    }
}

/* A generic address may be of any of three memories, thread by
 * thread; the register that is loaded may be the address. */
static void test_generic(void **state) {
  (void)state;
  static const char ptx[] = HEAD TABLE KERNEL(
      "k", ".local .align 8 .b8 own[16];\nmov.u64 %d4, own;\nst.local.u64 [%d4+8], %d2;\ncvta.local.u64 %d4, %d4;\n"
           "mov.u64 %d5, table;\ncvta.const.u64 %d5, %d5;\n"
           "and.b32 %r5, %r1, 15;\nmul.wide.u32 %d6, %r5, 8;\nadd.s64 %d5, %d5, %d6;\nrem.u32 %r6, %r1, 3;\n"
           "setp.eq.u32 %p1, %r6, 0;\n"
           "setp.eq.u32 %p2, %r6, 1;\nselp.b64 %d7, %d5, %d4, %p1;\nselp.b64 %d7, %d2, %d7, %p2;\n"
           "selp.b64 %d8, 0, 8, %p2;\nadd.s64 %d7, %d7, %d8;\n"
           "ld.u32 %r7, [%d7];\nld.u64 %d7, [%d7];\ncvt.u64.u32 %d9, %r7;\nadd.s64 %d7, %d7, %d9;\n"
           "st.global.u64 [%d2], %d7;");
  static machine_t m;
  for (unsigned which = 0; which < BED_MACHINES; which++) {
    const mpu_config_t c = bed_machine(which);
    open_machine(&m, ptx, &c);
    expect_run(&m, "k", 5, 100);
    for (unsigned t = 0; t < 500; t++) {
      uint64_t x = t % 3 == 1 ? t : m.buffer + 8 * t;
      for (unsigned b = 0; t % 3 == 0 && b < 8; b++)
        x = (b ? x : 0) | (uint64_t)table_byte(8 + t % 16 * 8 + b, 0) << 8 * b;
      if (m.data[t] != x + (uint32_t)x)
        fail_msg("%s: thread %u: 0x%llx", bed_machine_name(which), t, (unsigned long long)m.data[t]);
    }
    close_machine(&m);
  }
}

/* ---- The copy -------------------------------------------------------------------------------- */

#define READS                                                                                       \
  "and.b32 %r5, %r1, 63;\nmul.wide.u32 %d6, %r5, 8;\nmov.u64 %d5, table;\nadd.s64 %d5, %d5, %d6;\n" \
  "ld.const.u64 %d7, [%d5];\nst.global.u64 [%d2], %d7;"
#define NAMES "ld.const.u64 %d7, [table+8];\nst.global.u64 [%d2], %d7;"
#define LOOK                                                                                   \
  ".func (.param .b64 r) look(.param .b64 at)\n{\n.reg .b64 %d<4>;\nld.param.u64 %d1, [at];\n" \
  "ld.const.u64 %d2, [%d1];\nst.param.b64 [r], %d2;\nret;\n}\n"
#define CALLS                                                                                                       \
  "{\n.param .b64 a, r;\nmov.u64 %d5, table;\nadd.s64 %d5, %d5, 8;\nst.param.b64 [a], %d5;\ncall (r), look, (a);\n" \
  "ld.param.b64 %d7, [r];\nst.global.u64 [%d2], %d7;\n}"
static const char kernels[] = HEAD TABLE KERNEL("names", NAMES) KERNEL("reads", READS) LOOK KERNEL("calls", CALLS);

/* Word i of the table of this salt. */
static uint64_t table_word(unsigned i, unsigned salt) {
  uint64_t x = 0;
  for (unsigned b = 0; b < 8; b++) x |= (uint64_t)table_byte(8 * i + b, salt) << 8 * b;
  return x;
}

/* At each launch a kernel reads what the host has then, whether or not constants are ideal. */
static void test_host(void **state) {
  (void)state;
  static machine_t m;
  static const char *const names[] = {"reads", "names", "calls"};
  for (unsigned ideal = 0; ideal < 2; ideal++) {
    mpu_config_t c = bed_machine(0);
    c.constant_ideal = ideal;
    open_machine(&m, kernels, &c);
    for (unsigned turn = 0; turn < 9; turn++) {
      fill_table(&m, turn);
      expect_run(&m, names[turn % 3], 2, 64);
      for (unsigned t = 0; t < 128; t++) assert_int_equal(m.data[t], table_word(turn % 3 ? 1 : t % 64, turn));
    }
    close_machine(&m);
  }
}

/* Where the next allocation is. */
static uint64_t next_free(machine_t *m) {
  const uint64_t at = mpu_malloc(m->rig.mpu, 1, &m->rig.error);
  assert_int_equal(mpu_release(m->rig.mpu, at, &m->rig.error), 0);
  return at;
}

/* Memory is taken when a kernel is launched that finds
 * addresses itself, once, and given back with the module. */
static void test_place(void **state) {
  (void)state;
  static machine_t m;
  for (unsigned ideal = 0; ideal < 2; ideal++) {
    mpu_config_t c = bed_machine(0);
    c.constant_ideal = ideal;
    open_machine(&m, kernels, &c);
    const uint64_t before = next_free(&m), stripe = 4 * c.core_bytes;
    expect_run(&m, "names", 1, 32);
    assert_int_equal(next_free(&m), before);
    for (unsigned i = 0; i < 2; i++) expect_run(&m, "reads", 1, 32);
    assert_int_equal(next_free(&m), before + (ideal ? 0 : stripe));
    uint8_t copy[TABLE_BYTES];
    assert_int_equal(mpu_copy_out(m.rig.mpu, copy, before, sizeof copy, &m.rig.error), ideal ? -1 : 0);
    for (unsigned i = 0; !ideal && i < TABLE_BYTES; i++) assert_int_equal(copy[i], table_byte(i, 0));
    m.rig.error = (trouble_t){0};
    mpu_unload(m.rig.mpu, m.module);
    assert_int_equal(next_free(&m), before);
    close_machine(&m);
  }
}

/* A kernel that needs the copy is refused where
 * no stripe is free, and runs when there is one. */
static void test_no_room(void **state) {
  (void)state;
  static machine_t m;
  const mpu_config_t c = bed_machine(0);
  open_machine(&m, kernels, &c);
  const uint64_t rest = mpu_malloc(m.rig.mpu, (16ull << 26) - 2 * 4 * 4096, &m.rig.error);
  assert_true(rest);
  expect_run(&m, "names", 1, 32);
  assert_int_equal(run_kernel(&m, "reads", 1, 32), 2);
  if (!strstr(m.rig.error.text, "have no room for 512 bytes more")) fail_msg("%s", m.rig.error.text);
  m.rig.error = (trouble_t){0};
  assert_int_equal(mpu_release(m.rig.mpu, rest, &m.rig.error), 0);
  expect_run(&m, "reads", 1, 32);
  assert_int_equal(m.data[5], table_word(5, 0));
  close_machine(&m);
}

/* ---- What it costs --------------------------------------------------------------------------- */

/* The same fates, transfers and beats as of a table in global memory; ideal ones cost nothing. */
static void test_as_global(void **state) {
  (void)state;
#define LOOKS(space, address)                                                                                        \
  HEAD "." space " .align 16 .b8 table[512];\n" KERNEL("k", "mov.u64 %d5, table;\n" address                          \
                                                            "add.s64 %d5, %d5, %d6;\nld." space ".u32 %r7, [%d5];\n" \
                                                            "cvt.u64.u32 %d7, %r7;\nst.global.u64 [%d2], %d7;")
#define OWN "mul.wide.u32 %d6, %r1, 4;\n"
#define ONE "and.b32 %r5, %r1, 0;\nmul.wide.u32 %d6, %r5, 4;\n"
#define APART "mul.lo.u32 %r5, %r1, 13;\nand.b32 %r5, %r5, 127;\nmul.wide.u32 %d6, %r5, 4;\n"
  static const char *const pair[][2] = {{LOOKS("const", OWN), LOOKS("global", OWN)},
                                        {LOOKS("const", ONE), LOOKS("global", ONE)},
                                        {LOOKS("const", APART), LOOKS("global", APART)}};
  static machine_t m;
  for (unsigned i = 0; i < 2 * sizeof pair / sizeof *pair; i++) {
    mpu_stats_t s[3];
    for (unsigned k = 0; k < 3; k++) {
      mpu_config_t c = bed_machine(i % 2 ? BED_MACHINES - 1 : 0);
      c.cores_x = c.cores_y = 1, c.unit_bytes = 128, c.core_bytes = 512;
      c.constant_ideal = k == 2;
      open_machine(&m, pair[i / 2][k == 1], &c);
      expect_run(&m, "k", 1, 128);
      s[k] = mpu_stats(m.rig.mpu);
      close_machine(&m);
    }
    assert_memory_equal(s[0].loads, s[1].loads, sizeof s[0].loads);
    assert_memory_equal(s[0].tsv_down, s[1].tsv_down, sizeof s[0].tsv_down);
    assert_memory_equal(s[0].tsv_up, s[1].tsv_up, sizeof s[0].tsv_up);
    assert_true(s[0].dram_reads == s[1].dram_reads && s[0].dram_reads > 0 && s[0].global_accesses == 8);
    assert_true(s[2].dram_reads == 0 && s[2].global_accesses == 4 && s[2].cycles < s[0].cycles);
    if (i == 0) assert_int_equal(s[0].loads[MPU_FATE_offloaded], 4);
    if (i == 2) assert_true(s[0].loads[MPU_FATE_scattered] == 4 && s[0].dram_reads == 4); /* one transfer a warp */
  }
}

/* ---- What is refused ------------------------------------------------------------------------- */

/* Beyond either end, misaligned, a vector over the end,
 * a store, an atomic: each with thread and address. */
static void test_bad_addresses_stop_the_run(void **state) {
  (void)state;
#define AT_OF(table, body) \
  HEAD table KERNEL("k", "mov.u64 %d5, table;\nsetp.eq.u32 %p1, %r1, 33;\n" body "\nst.global.u32 [%d2], %r7;")
#define AT(body) AT_OF(TABLE, body)
#define ODD ".const .align 16 .b8 table[510];\n"
  static const struct {
    const char *ptx, *what;
    bool both; /* ideal ones, too */
  } row[] = {
      {AT("@%p1 add.s64 %d5, %d5, 512;\nld.const.u32 %r7, [%d5];"),
       "'ld.const.u32' of thread (tid 33,0,0): address 0x200 is out of bounds or misaligned", true},
      {AT("@%p1 add.s64 %d5, %d5, 509;\nld.const.u8 %r7, [%d5+2];\nld.const.u8 %r7, [%d5+3];"),
       "'ld.const.u8' of thread (tid 33,0,0): address 0x200", true},
      {AT("@%p1 add.s64 %d5, %d5, 2;\nld.const.u32 %r7, [%d5];"),
       "of thread (tid 33,0,0): address 0x2 is out of bounds or misaligned", true},
      {AT("ld.const.u64 %d7, [%d5+508];"), "address 0x1fc is out of bounds or misaligned", true},
      {AT("ld.const.u32 %r7, [%d5+-4];"), "address 0xfffffffffffffffc is out of bounds or misaligned", true},
      {AT("@!%p1 ld.const.u32 %r7, [%d5+-4];\n@%p1 ld.const.u32 %r7, [%d5+4096];"),
       "address 0xfffffffffffffffc is out of bounds or misaligned", true},
      {AT_OF(ODD, "ld.const.u16 %r7, [%d5+508];\nld.const.u32 %r7, [%d5+508];"),
       "'ld.const.u32' of thread (tid 0,0,0): address 0x1fc is out of bounds", true},
      {AT("ld.const.v2.u64 {%d7, %d8}, [%d5+504];"), "address 0x1f8 is out of bounds or misaligned", true},
      {AT("ld.const.v2.u64 {%d7, %d8}, [%d5+512];"), "address 0x200 is out of bounds or misaligned", true},
      {AT("cvta.const.u64 %d5, %d5;\n@%p1 add.s64 %d5, %d5, 512;\nld.u32 %r7, [%d5];"),
       "of thread (tid 33,0,0): address 0x200 is out of bounds or misaligned", false},
      {AT("cvta.const.u64 %d5, %d5;\n@%p1 st.u32 [%d5+8], %r1;"),
       "of thread (tid 33,0,0): address 0x8 is of constant memory, which is not written", false},
      {AT("cvta.const.u64 %d5, %d5;\natom.add.u32 %r7, [%d5], %r1;"), "is a generic address outside of global memory",
       true},
  };
  static machine_t m;
  for (unsigned i = 0; i < 2 * sizeof row / sizeof *row; i++) {
    mpu_config_t c = bed_machine(0);
    c.constant_ideal = i % 2;
    open_machine(&m, row[i / 2].ptx, &c);
    const char *what =
        c.constant_ideal && !row[i / 2].both ? "is a generic address outside of global memory" : row[i / 2].what;
    if (run_kernel(&m, "k", 1, 64) != 2 || !strstr(m.rig.error.text, what))
      fail_msg("row %u: %d, '%s'", i / 2, m.rig.error.kind, m.rig.error.text);
    close_machine(&m);
  }
}

int main(void) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(test_widths),
                                            cmocka_unit_test(test_generic),
                                            cmocka_unit_test(test_host),
                                            cmocka_unit_test(test_place),
                                            cmocka_unit_test(test_no_room),
                                            cmocka_unit_test(test_as_global),
                                            cmocka_unit_test(test_bad_addresses_stop_the_run)};
  return cmocka_run_group_tests_name("mpu_constants", tests, NULL, NULL);
}
