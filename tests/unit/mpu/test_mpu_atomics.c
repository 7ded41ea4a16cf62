/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics of the MPU: each operation against the host's arithmetic, which threads, which words,
 * whose memory; one counter of all cores; order among a thread's own accesses; locks; what is
 * refused. On every machine of mpu_bed.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "atomic_port.h"
#include "half_reference.h"
#include "mpu_bed.h"
#include "unit_test.h"

/* of 64 bits: memory, old values, operands b and c, offsets */
enum { LANES = 32, CELLS = 4096, WORDS = CELLS + 4 * 64 + 32 };
enum { OLD = CELLS, B = OLD + 64, C = B + 64, AT = C + 64 };

#define HEAD                                                                                            \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n" \
  ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 "                                                      \
  "%d<40>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .b16 %h<9>;\n"                                        \
  ".shared .align 16 .b8 sh[4096];\nld.param.u64 %d1, [a];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n"

/* ---- Each operation -------------------------------------------------------------------------- */

/* Types in the order of their kinds: is_half() and bytes_of() rely on it. */
typedef enum { U32, S32, U64, S64, F32, F64, B32, B64, F16X2, BF16X2, F16, BF16, B16, TYPES } type_t;
static const char *const type_name[TYPES] = {"u32", "s32",   "u64",    "s64", "f32",  "f64", "b32",
                                             "b64", "f16x2", "bf16x2", "f16", "bf16", "b16"};

static bool is_wide(type_t t) {
  return t == U64 || t == S64 || t == F64 || t == B64;
}

static unsigned bytes_of(type_t t) {
  if (is_wide(t)) return 8;
  return t >= F16 ? 2 : 4;
}

/* Halves, alone and in pairs. */
static bool is_half(type_t t) {
  return t >= F16X2 && t != B16;
}

/* Whether a is below b as numbers of the type. */
static bool is_less(type_t t, uint64_t a, uint64_t b) {
  switch (t) {
  case U32: return (uint32_t)a < (uint32_t)b;
  case S32: return (int32_t)a < (int32_t)b;
  case S64: return (int64_t)a < (int64_t)b;
  default: return a < b;
  }
}

/* Bits as numbers. */
static float f32_of(uint64_t x) {
  float f;
  memcpy(&f, &x, 4);
  return f;
}

static double f64_of(uint64_t x) {
  double f;
  memcpy(&f, &x, 8);
  return f;
}

/* The sum in the type's arithmetic. Halves are
 * added to odd and rounded once (half_reference.h). */
static uint64_t add_values(type_t t, uint64_t a, uint64_t b) {
  uint64_t x = 0;
  if (t == F32) {
    const float f = f32_of(a) + f32_of(b);
    memcpy(&x, &f, 4);
  } else if (t == F64) {
    const double f = f64_of(a) + f64_of(b);
    memcpy(&x, &f, 8);
  } else if (is_half(t)) {
    const bool bf = t == BF16X2 || t == BF16;
    for (unsigned i = 0; i < 8 * bytes_of(t); i += 16)
      x |= (uint64_t)narrow(bf, odd_fma(widen(bf, a >> i & 0xffff), 1, widen(bf, b >> i & 0xffff)), 0) << i;
  } else x = a + b;
  return x;
}

/* By PTX's page of atom. */
static uint64_t host_result(const char *op, type_t t, uint64_t a, uint64_t b, uint64_t c) {
  if (!strncmp(op, "add", 3)) return add_values(t, a, b);
  if (!strcmp(op, "min")) return is_less(t, a, b) ? a : b;
  if (!strcmp(op, "max")) return is_less(t, b, a) ? a : b;
  if (!strcmp(op, "and")) return a & b;
  if (!strcmp(op, "or")) return a | b;
  if (!strcmp(op, "xor")) return a ^ b;
  if (!strcmp(op, "inc")) return a >= b ? 0 : a + 1;
  if (!strcmp(op, "dec")) return a == 0 || a > b ? b : a - 1;
  if (!strcmp(op, "exch")) return b;
  return a == b ? c : a; /* cas */
}

static const struct {
  const char *op;
  type_t type;
} operations[] = {{"add", U32},         {"add", S32},          {"add", U64},       {"add", F32},        {"add", F64},
                  {"min", U32},         {"min", S32},          {"min", U64},       {"min", S64},        {"max", U32},
                  {"max", S32},         {"max", U64},          {"max", S64},       {"and", B32},        {"and", B64},
                  {"or", B32},          {"or", B64},           {"xor", B32},       {"xor", B64},        {"inc", U32},
                  {"dec", U32},         {"exch", B32},         {"exch", B64},      {"cas", B32},        {"cas", B64},
                  {"add.noftz", F16X2}, {"add.noftz", BF16X2}, {"add.noftz", F16}, {"add.noftz", BF16}, {"cas", B16}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Where thread i's word is: one word, two words in turn, neighbours,
 * far apart (other units and cores), many that collide. */
enum { ONE, TWO, ROW, APART, SOME, PATTERNS };
static unsigned pattern_place(unsigned pattern, unsigned i) {
  switch (pattern) {
  case ONE: return 5;
  case TWO: return 600 + i % 2 * 3;
  case ROW: return i;
  case APART: return i * 113 % 2048;
  default: return i * i % 7 * 64;
  }
}

/* A fixed hash: operands are the same in every run. */
static uint64_t mix_bits(uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  return x ^ x >> 29;
}

/* Few different values, so that comparisons and
 * conditions go both ways; negative ones among them. */
static uint64_t draw_operand(type_t t, unsigned k) {
  const int64_t small = (int64_t)(mix_bits(k) % 9) - 4;
  if (t == F32) {
    const float f = (float)small * 0.37f;
    uint64_t x = 0;
    memcpy(&x, &f, 4);
    return x;
  }
  if (t == F64) {
    const double f = (double)small * 0.37;
    uint64_t x;
    memcpy(&x, &f, 8);
    return x;
  }
  if (is_half(t)) {
    const uint64_t one = narrow(t == BF16X2 || t == BF16, (float)small * 0.25f, 0);
    return bytes_of(t) == 2 ? one : one << 16 | narrow(t == BF16X2, (float)small * 1.5f, 0);
  }
  if (is_wide(t)) return (uint64_t)small;
  return bytes_of(t) == 2 ? (uint16_t)small : (uint32_t)small;
}

typedef struct {
  unsigned operation, pattern, threads;
  bool shared, reduces; /* red: without old values */
} case_t;

/* The letter of a type's registers. */
static char register_kind(type_t t) {
  if (is_wide(t)) return 'd';
  return bytes_of(t) == 2 ? 'h' : 'r';
}

/* Register 8 of this kind goes to OLD, with 64 bits. */
static const char *store_of_old_value(char kind) {
  if (kind == 'd') return "st.global.u64 [%d2+32768], %d8;\n";
  if (kind == 'h') return "cvt.u64.u16 %d8, %h8; st.global.u64 [%d2+32768], %d8;\n";
  return "cvt.u64.u32 %d8, %r8; st.global.u64 [%d2+32768], %d8;\n";
}

/* Every thread: atom at where AT says, with its b and c; its old value goes
 * to OLD. Shared memory is filled from, and goes back to, the buffer. */
static void write_kernel(char *text, size_t size, const case_t *k) {
  const char *op = operations[k->operation].op, *type = type_name[operations[k->operation].type];
  const bool cas = !strcmp(op, "cas");
  const char file = register_kind(operations[k->operation].type);
  char value[40], action[160];
  if (cas) snprintf(value, sizeof value, "%%%c6, %%%c7", file, file);
  else snprintf(value, sizeof value, "%%%c6", file);
  if (k->reduces)
    snprintf(action, sizeof action, "red.%s.%s.%s [%%d4], %s", k->shared ? "shared" : "global", op, type, value);
  else
    snprintf(action, sizeof action, "atom.%s.%s.%s %%%c8, [%%d4], %s", k->shared ? "shared" : "global", op, type, file,
             value);
  snprintf(
      text, size,
      "%s"
      "setp.ge.u32 %%p1, %%r1, %%r9;\nmul.wide.u32 %%d2, %%r1, 8;\nadd.u64 %%d2, %%d1, %%d2;\n"
      "mov.u64 %%d8, 0; mov.u32 %%r8, 0;\nld.global.u64 %%d6, [%%d2+%u];\nld.global.u64 %%d7, [%%d2+%u];\n"
      "ld.global.u64 %%d4, [%%d2+%u];\n"
      "cvt.u32.u64 %%r6, %%d6; cvt.u32.u64 %%r7, %%d7;\n"
      "cvt.u16.u32 %%h6, %%r6; cvt.u16.u32 %%h7, %%r7; mov.u16 %%h8, 0;\n%s@%%p1 bra END;\n%s;\n%sEND: %sret;\n}\n",
      HEAD, 8 * B, 8 * C, 8 * AT,
      k->shared
          ? "mov.u64 %d9, sh; mad.wide.u32 %d9, %r1, 64, %d9; mad.wide.u32 %d10, %r1, 64, %d1;\n"
            "ld.global.v2.u64 {%d11, %d12}, [%d10]; st.shared.v2.u64 [%d9], {%d11, %d12}; bar.sync 0; mov.u64 %d13, "
            "sh; add.u64 %d4, %d4, %d13;\n"
          : "add.u64 %d4, %d4, %d1;\n",
      action, k->reduces ? "" : store_of_old_value(file),
      k->shared ? "bar.sync 0;\nld.shared.v2.u64 {%d11, %d12}, [%d9]; st.global.v2.u64 [%d10], {%d11, %d12};\n" : "");
}

/* Bytes from the memory's begin. In shared memory 16 of each 64 bytes are brought there. */
static unsigned byte_of_thread(const case_t *k, unsigned i) {
  const unsigned size = bytes_of(operations[k->operation].type), at = pattern_place(k->pattern, i);
  return k->shared ? at % LANES * 64 + at / LANES % 2 * size : at * size;
}

/* Operands, offsets, and what is in memory first. Words that nobody names stay zero. */
static void fill_data(uint64_t *data, const case_t *k) {
  const type_t t = operations[k->operation].type;
  memset(data, 0, WORDS * sizeof *data);
  for (unsigned i = 0; i < LANES; i++) {
    data[B + i] = draw_operand(t, i);
    data[C + i] = draw_operand(t, 100 + i);
    data[AT + i] = byte_of_thread(k, i);
    const uint64_t first = draw_operand(t, 200 + byte_of_thread(k, i));
    memcpy((uint8_t *)data + byte_of_thread(k, i), &first, bytes_of(t));
  }
}

/* Threads in the order of their numbers: each sees what the ones before it left. */
static void expect_data(uint64_t *data, const case_t *k) {
  const type_t t = operations[k->operation].type;
  const size_t size = bytes_of(t);
  for (unsigned i = 0; i < k->threads; i++) {
    uint64_t old = 0;
    memcpy(&old, (uint8_t *)data + byte_of_thread(k, i), size);
    const uint64_t now = host_result(operations[k->operation].op, t, old, data[B + i], data[C + i]);
    memcpy((uint8_t *)data + byte_of_thread(k, i), &now, size);
    if (!k->reduces) data[OLD + i] = old;
  }
}

/* One operation of one warp, with the whole buffer
 * compared, and the counts of instructions and operations. */
static void run_case(const case_t *k, unsigned machine) {
  static uint64_t data[WORDS], want[WORDS];
  static char text[3000];
  const mpu_config_t c = bed_machine(machine);
  bed_t bed = {
      .ptx = text, .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .data = data, .bytes = sizeof data, .n = k->threads};
  write_kernel(text, sizeof text, k);
  fill_data(data, k), fill_data(want, k);
  expect_data(want, k);
  if (bed_run(&bed, &c)) fail_msg("%s: %s\n%s", bed_machine_name(machine), bed.error.text, text);
  for (unsigned i = 0; i < WORDS; i++)
    if (data[i] != want[i])
      fail_msg("%s: %s.%s%s%s, pattern %u, %u threads: word %u is %" PRIx64 ", not %" PRIx64, bed_machine_name(machine),
               operations[k->operation].op, type_name[operations[k->operation].type], k->shared ? ", shared" : "",
               k->reduces ? ", red" : "", k->pattern, k->threads, i, data[i], want[i]);
  assert_int_equal(k->shared ? bed.stats.shared_atomics : bed.stats.atomics, 1);
  assert_int_equal(bed.stats.atomic_operations, k->shared ? 0 : k->threads);
}

/* All that there is on one machine, then a choice of it on each. */
static void run_operations(bool shared) {
  static const unsigned threads[] = {32, 1, 19};
  unsigned n = 0;
  for (unsigned o = 0; o < OPERATIONS; o++)
    for (unsigned p = 0; p < PATTERNS; p++)
      for (unsigned t = 0; t < 3; t++)
        for (unsigned r = 0; r < 2; r++, n++) {
          const case_t k = {o, p, threads[t], shared,
                            r && strcmp(operations[o].op, "exch") && strcmp(operations[o].op, "cas")};
          run_case(&k, 0);
          if (n % 3 == 0) run_case(&k, 1 + n / 3 % (BED_MACHINES - 1));
        }
}

static void test_operations(void **state) {
  (void)state;
  run_operations(false);
}

static void test_shared_operations(void **state) {
  (void)state;
  run_operations(true);
}

/* ---- Many warps and cores -------------------------------------------------------------------- */

enum { BLOCKS = 12, BLOCK = 96, ALL = BLOCKS * BLOCK };
#define THREAD \
  "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nmad.wide.u32 %d2, %r4, 4, %d1;\n"

/* A kernel that has to end well, on one of the machines. */
static mpu_stats_t run_kernel(const char *text, uint32_t *data, size_t bytes, unsigned machine, uint32_t blocks,
                              uint32_t threads) {
  const mpu_config_t c = bed_machine(machine);
  bed_t bed = {.ptx = text, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .data = data, .bytes = bytes, .n = ALL};
  if (bed_run(&bed, &c)) fail_msg("%s: %s", bed_machine_name(machine), bed.error.text);
  return bed.stats;
}

/* A counter of the whole grid: each thread gets another number. */
static void test_counter(void **state) {
  (void)state;
  static uint32_t data[1024 + ALL];
  static bool seen[ALL];
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    memset(data, 0, sizeof data), memset(seen, 0, sizeof seen);
    const mpu_stats_t s =
        run_kernel(HEAD THREAD "atom.global.add.u32 %r5, [%d1+8], 1;\nst.global.u32 [%d2+4096], %r5;\nret;\n}\n", data,
                   sizeof data, m, BLOCKS, BLOCK);
    assert_int_equal(data[2], ALL);
    for (unsigned i = 0; i < ALL; i++) {
      assert_true(data[1024 + i] < ALL && !seen[data[1024 + i]]);
      seen[data[1024 + i]] = true;
    }
    assert_int_equal(s.atomic_operations, ALL);
    assert_int_equal(s.atomics_near + s.atomics_remote, ALL / 8); /* of 32 bytes of operands */
    assert_true(s.atomics_near && s.atomics_remote);
  }
}

/* What each put in another took out, the first and the last but once. */
static void test_exchange(void **state) {
  (void)state;
  static uint32_t data[2048 + ALL];
  static bool out[ALL + 1];
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    memset(data, 0, sizeof data), memset(out, 0, sizeof out);
    run_kernel(
        HEAD THREAD
        "add.u32 %r6, %r4, 1;\natom.global.exch.b32 %r5, [%d1+4096], %r6;\nst.global.u32 [%d2+8192], %r5;\nret;\n}\n",
        data, sizeof data, m, BLOCKS, BLOCK);
    for (unsigned i = 0; i < ALL; i++) {
      assert_true(data[2048 + i] <= ALL && !out[data[2048 + i]]);
      out[data[2048 + i]] = true;
    }
    assert_false(out[data[1024]]); /* the last one in is nobody's */
  }
}

/* A kernel ends after its reds; two words of one line, of threads
 * of all cores; nobody's order or sleep changes anything. */
static void test_ends(void **state) {
  (void)state;
  static uint32_t data[2][64];
  static const char text[] =
      HEAD THREAD "and.b32 %r5, %r4, 1;\nmad.wide.u32 %d4, %r5, 4, %d1;\nred.global.add.u32 [%d4+32], %r4;\nret;\n}\n";
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    const mpu_config_t c = bed_machine(m);
    bed_t bed[3];
    for (unsigned k = 0; k < 3; k++) {
      bed[k] = (bed_t){.ptx = text,
                       .grid = {BLOCKS, 1, 1},
                       .block = {BLOCK - 5, 1, 1},
                       .data = data[k % 2],
                       .bytes = sizeof data[0],
                       .backwards = k == 1,
                       .restless = k == 2};
      memset(data[k % 2], 0, sizeof data[0]);
      if (bed_run(&bed[k], &c)) fail_msg("%s", bed[k].error.text);
      uint32_t even = 0, odd = 0;
      for (unsigned i = 0; i < BLOCKS * (BLOCK - 5); i++) *(i % 2 ? &odd : &even) += i;
      assert_int_equal(data[k % 2][8], even);
      assert_int_equal(data[k % 2][9], odd);
      assert_int_equal(bed[k].stats.cycles, bed[0].stats.cycles);
    }
  }
}

/* A thread sees its own accesses in its order, near
 * and in other cores: st, red, ld, atom, st, ld. */
#define IN_ORDER(space, at)                                                                                            \
  "st." space ".u32 [" at "], %r4;\nred." space ".add.u32 [" at "], 7;\nld." space ".u32 %r5, [" at "];\natom." space  \
  ".exch.b32 %r6, [" at "], %r5;\n"                                                                                    \
  "red." space ".xor.b32 [" at "], 1;\nld." space ".u32 %r7, [" at "];\nst." space ".u32 [" at "], %r12;\natom." space \
  ".max.u32 %r8, [" at "], 11;\n"                                                                                      \
  "ld." space ".u32 %r10, [" at                                                                                        \
  "];\nadd.u32 %r5, %r5, %r6;\nadd.u32 %r7, %r7, %r8;\nadd.u32 %r5, %r5, %r7;\nadd.u32 %r5, %r5, %r10;\n"

static void test_own_order(void **state) {
  (void)state;
  static uint32_t data[4096];
  static const char *const text[] = {
      HEAD THREAD "mov.u32 %r12, 9;\n" IN_ORDER("global", "%d2") "st.global.u32 [%d2+4096], %r5;\nret;\n}\n",
      HEAD THREAD "xor.b32 %r11, %r4, 37;\nmad.wide.u32 %d3, %r11, 4, %d1;\nmov.u32 %r12, 9;\n" IN_ORDER(
          "global", "%d3+8192") "st.global.u32 [%d2+4096], %r5;\nret;\n}\n",
      HEAD THREAD "mov.u32 %r11, sh;\nmad.lo.u32 %r11, %r1, 4, %r11;\nmov.u32 %r12, 9;\n" IN_ORDER(
          "shared", "%r11") "st.global.u32 [%d2+4096], %r5;\nret;\n}\n"};
  for (unsigned m = 0; m < BED_MACHINES; m++)
    for (unsigned k = 0; k < 3; k++) {
      memset(data, 0, sizeof data);
      run_kernel(text[k], data, sizeof data, m, 8, 128);
      for (uint32_t i = 0; i < 1024; i++)
        if (data[1024 + i] != 2 * (i + 7) + ((i + 7) ^ 1) + 9 + 11)
          fail_msg("%s: kernel %u, thread %u: %u", bed_machine_name(m), k, i, data[1024 + i]);
    }
}

/* A lock that all threads of all blocks want, one after
 * the other of a warp: what it protects is not atomic. */
static void test_lock(void **state) {
  (void)state;
  static uint32_t data[2048];
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    memset(data, 0, sizeof data);
    run_kernel(
        HEAD
        "mov.u32 %r5, 0;\nAGAIN: setp.ne.u32 %p1, %r5, 0;\n@%p1 bra NEXT;\natom.global.cas.b32 %r6, [%d1], 0, 1;\n"
        "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra NEXT;\n"
        "ld.volatile.global.u32 %r7, [%d1+4096];\nadd.u32 %r7, %r7, 1;\nst.volatile.global.u32 [%d1+4096], %r7;\n"
        "membar.gl;\n"
        "atom.global.exch.b32 %r8, [%d1], 0;\nmov.u32 %r5, 1;\nNEXT: setp.eq.u32 %p3, %r5, 0;\n@%p3 bra AGAIN;\nret;\n"
        "}\n",
        data, sizeof data, m, 6, 40);
    assert_int_equal(data[0], 0);
    assert_int_equal(data[1024], 240);
  }
}

/* The same lock, given back by a store: it is not lost between an atomic's read and its write. */
static void test_store_between(void **state) {
  (void)state;
  static uint32_t data[2048];
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    memset(data, 0, sizeof data);
    run_kernel(
        HEAD "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\nAGAIN: atom.global.cas.b32 %r6, [%d1], 0, 1;\n"
             "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra AGAIN;\n"
             "ld.volatile.global.u32 %r7, [%d1+4096];\nadd.u32 %r7, %r7, 1;\nst.volatile.global.u32 [%d1+4096], %r7;\n"
             "membar.gl;\n"
             "mov.u32 %r8, 0;\nst.volatile.global.u32 [%d1], %r8;\nEND: ret;\n}\n",
        data, sizeof data, m, 64, 32);
    assert_int_equal(data[0], 0);
    assert_int_equal(data[1024], 64);
  }
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* To another core a request waits for the one before it to the
 * same 32 bytes, to the core itself and to others it does not. */
static void test_requests(void **state) {
  (void)state;
  static uint8_t file[256];
  const mpu_config_t c = bed_machine(0);
  const mpu_map_t map = mpu_map(&c);
  const simt_op_t op = {
      .b = 0, .c = SIMT_NO_OPERAND, .v = {128}, .bytes = 4, .reg_bytes = 4, .sub = PTX_MOD_add, .type = PTX_U32};
  const simt_warp_t w = {.base = {file}};
  for (unsigned own = 0; own < 2; own++) {
    atomic_port_t p = {.busy = true, .tag = 3, .left = 0x1ffff};
    /* core 1: twice eight of the same bytes, one other */
    for (unsigned i = 0; i < 32; i++) p.address[i] = i < 16 ? 4096 + i % 2 * 4 : 4096 + 64;
    atomic_port_make(&p, &op, &w, map, own, 2);
    assert_true(p.ready && p.packet.atomic.count == 8 && p.packet.dest == 1 && p.packet.source == own &&
                p.packet.subcore == 2);
    assert_int_equal(atomic_port_has_local(&p), own);
    atomic_port_sent(&p);
    const mpu_packet_t first = p.packet;
    atomic_port_make(&p, &op, &w, map, own, 2);
    assert_int_equal(p.ready, own);
    unsigned tag;
    assert_false(atomic_port_answer(&p, &first, &tag));
    assert_int_equal(tag, 3);
    atomic_port_make(&p, &op, &w, map, own, 2);
    assert_true(p.ready && p.left == 0x10000);
    const mpu_packet_t second = p.packet;
    atomic_port_sent(&p);
    atomic_port_make(&p, &op, &w, map, own, 2);
    assert_true(p.ready && p.packet.atomic.count == 1 && !p.left);
    atomic_port_sent(&p);
    assert_false(p.busy);
    assert_false(atomic_port_answer(&p, &p.packet, &tag));
    assert_true(atomic_port_answer(&p, &second, &tag));
    assert_int_equal(p.live, 0);
  }
}

/* ---- What is wrong --------------------------------------------------------------------------- */

/* 32 words are allocated. NULL: the kernel ends well. */
static void expect_stop(const char *text, const char *expected) {
  static uint32_t data[64];
  for (unsigned m = 0; m < BED_MACHINES; m += 4) {
    const mpu_config_t c = bed_machine(m);
    bed_t bed = {.ptx = text, .grid = {1, 1, 1}, .block = {32, 1, 1}, .data = data, .bytes = 4 * 32};
    assert_int_equal(bed_run(&bed, &c), expected ? 2 : 0);
    if (expected && !strstr(bed.error.text, expected)) fail_msg("'%s' has no '%s'", bed.error.text, expected);
  }
}

/* The last word is good; one beyond, and misaligned
 * ones, are not. In shared memory likewise. */
static void test_faults_name_the_thread(void **state) {
  (void)state;
  expect_stop(HEAD "mad.wide.u32 %d2, %r1, 4, %d1;\nred.global.add.u32 [%d2], 1;\nret;\n}\n",
              NULL); /* the last word, too */
  expect_stop(HEAD "mad.wide.u32 %d2, %r1, 4, %d1;\nred.global.add.u32 [%d2+4], 1;\nret;\n}\n",
              "thread (tid 31,0,0): address");
  expect_stop(HEAD "mad.wide.u32 %d2, %r1, 4, %d1;\nred.global.add.u32 [%d2+4], 1;\nret;\n}\n",
              "is out of bounds of every allocation");
  expect_stop(HEAD "mad.wide.u32 %d2, %r1, 4, %d1;\nred.global.add.u32 [%d2+2], 1;\nret;\n}\n",
              "is not aligned to the access's size");
  expect_stop(HEAD "mad.wide.u32 %d2, %r1, 4, %d1;\natom.global.add.u64 %d4, [%d2], 1;\nret;\n}\n",
              "thread (tid 1,0,0): address");
  expect_stop(HEAD "mov.u32 %r2, sh;\natom.shared.add.u32 %r4, [%r2+4092], 1;\nret;\n}\n", NULL);
  expect_stop(HEAD "mov.u32 %r2, sh;\natom.shared.add.u32 %r4, [%r2+4096], 1;\nret;\n}\n",
              "is outside of the block's shared memory");
  expect_stop(HEAD "mov.u32 %r2, sh;\natom.shared.add.u32 %r4, [%r2+2], 1;\nret;\n}\n",
              "is not aligned to the access's size");
}

/* Nobody takes part, a guard, no result wanted. */
static void test_nobody(void **state) {
  (void)state;
  static uint32_t data[64];
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    memset(data, 0, sizeof data);
    run_kernel(
        HEAD
        "mov.u32 %r4, sh;\nsetp.gt.u32 %p1, %r1, 99;\nsetp.eq.u32 %p2, %r1, 3;\n@%p1 red.global.add.u32 [%d1], 1;\n"
        "@%p1 red.shared.add.u32 [%r4], 1;\n"
        "@%p2 atom.global.add.u32 _, [%d1+4], 5;\nmembar.gl;\nld.global.u32 %r2, [%d1+4];\n"
        "st.global.u32 [%d1+8], %r2;\nret;\n}\n",
        data, sizeof data, m, 1, 32);
    assert_int_equal(data[0], 0);
    assert_int_equal(data[1], 5);
    assert_int_equal(data[2], 5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_shared_operations),
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_exchange),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_own_order),
      cmocka_unit_test(test_lock),
      cmocka_unit_test(test_store_between),
      cmocka_unit_test(test_faults_name_the_thread),
      cmocka_unit_test(test_nobody),
      cmocka_unit_test(test_requests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
