/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices between memory and registers on a GPU with ideal stacks: wmma of all shapes, types,
 * layouts and spaces from memory to memory, against three loops (matrix_reference.h); ldmatrix and
 * stmatrix against the PTX ISA's figures; through caches of all sizes, pages from the host, a
 * network that reorders; lines and conflicts by count; what is refused; what faults.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "matrix_reference.h"
#include "program_text.h"
#include "unit_test.h"

enum { LANES = 32, PART = 8192 /* bytes of each matrix in its buffer, and in shared memory */ };

#define HEAD                                                                                               \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n" \
  ".shared .align 128 .b8 sh[32768]; .local .align 16 .b8 lo[1024];\n"                                     \
  ".reg .pred %p<4>; .reg .b32 %r<30>; .reg .b64 %d<20>;\n"                                                \
  ".reg .b32 %xa<8>, %xb<8>, %xc<8>, %xd<8>; .reg .b64 %ya<8>, %yb<8>, %yc<8>, %yd<8>;\n"                  \
  "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x; mov.u64 %d5, sh; cvt.u32.u64 %r5, %d5;\n"

/* ---- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  uint8_t in[3 * PART], out[PART];
  gpu_stats_t stats;
  char says[sizeof((trouble_t *)0)->text];
  uint64_t order;  /* rig's random */
  unsigned unruly; /* and how far packets between nodes overtake each other */
} bed_t;

/* 0, or the exit status; b->says why. */
static int run_ptx(bed_t *b, const gpu_config_t *c, const char *ptx, unsigned threads) {
  trouble_t err = {0};
  gpu_rig_t *r = rig_new(c, ptx, strlen(ptx), "matrix.ptx", false);
  if (r->err.kind) fail_msg("%s\n%s", r->err.text, ptx);
  r->random = b->order, r->unruly = b->unruly, r->unruly_random = 7;
  const uint64_t params[] = {gpu_malloc(r->gpu, sizeof b->in, &err), gpu_malloc(r->gpu, sizeof b->out, &err)};
  const gpu_launch_t l = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  assert_int_equal(gpu_copy_in(r->gpu, params[0], b->in, sizeof b->in, &err), 0);
  assert_int_equal(gpu_copy_in(r->gpu, params[1], b->out, sizeof b->out, &err), 0);
  const int status = rig_run(r, &l, 2000000);
  if (!status) assert_int_equal(gpu_copy_out(r->gpu, b->out, params[1], sizeof b->out, &err), 0);
  b->stats = gpu_stats(r->gpu);
  snprintf(b->says, sizeof b->says, "%s", r->err.text);
  rig_free(r);
  return status;
}

/* ---- wmma ------------------------------------------------------------------------------------ */

/* Registers of a thread as the PTX ISA's table of wmma's fragments has them. */
typedef struct {
  product_t p;
  unsigned a, b, c; /* of C and D of their types */
  const char *behind;
} form_t;

/* The three shapes of k = 16 with their registers of a and b; rc: of c. */
#define SHAPES(d, ta, tb, c, rc, a16, b16, a32, b32, a8, b8)                     \
  {{16, 16, 16, d, ta, tb, c, PAIRS_MULTIPLY, false, 0}, a16, b16, rc, ""},      \
      {{32, 8, 16, d, ta, tb, c, PAIRS_MULTIPLY, false, 0}, a32, b32, rc, ""}, { \
    {8, 32, 16, d, ta, tb, c, PAIRS_MULTIPLY, false, 0}, a8, b8, rc, ""          \
  }

static const form_t forms[] = {SHAPES(N_F32, N_F16, N_F16, N_F32, 8, 8, 8, 8, 8, 8, 8),
                               SHAPES(N_F16, N_F16, N_F16, N_F16, 4, 8, 8, 8, 8, 8, 8),
                               SHAPES(N_F32, N_BF16, N_BF16, N_F32, 8, 4, 4, 8, 2, 2, 8),
                               SHAPES(N_S32, N_S8, N_S8, N_S32, 8, 2, 2, 4, 1, 1, 4),
                               SHAPES(N_S32, N_U8, N_U8, N_S32, 8, 2, 2, 4, 1, 1, 4),
                               {{16, 16, 16, N_S32, N_S8, N_S8, N_S32, PAIRS_MULTIPLY, true, 0}, 2, 2, 8, ".satfinite"},
                               {{16, 16, 8, N_F32, N_TF32, N_TF32, N_F32, PAIRS_MULTIPLY, false, 0}, 4, 4, 8, ""},
                               {{8, 8, 4, N_F64, N_F64, N_F64, N_F64, PAIRS_MULTIPLY, false, 0}, 1, 1, 2, ""},
                               {{8, 8, 32, N_S32, N_S4, N_S4, N_S32, PAIRS_MULTIPLY, false, 0}, 1, 1, 2, ""},
                               {{8, 8, 32, N_S32, N_U4, N_U4, N_S32, PAIRS_MULTIPLY, false, 0}, 1, 1, 2, ".satfinite"},
                               {{8, 8, 128, N_S32, N_B1, N_B1, N_S32, PAIRS_XOR, false, 0}, 1, 1, 2, ""},
                               {{16, 16, 16, N_F32, N_F16, N_F16, N_F16, PAIRS_MULTIPLY, false, 0}, 8, 8, 4, ""},
                               {{16, 16, 16, N_F16, N_F16, N_F16, N_F32, PAIRS_MULTIPLY, false, 0}, 8, 8, 8, ""}};
enum { FORMS = sizeof forms / sizeof *forms };

typedef enum { IN_GLOBAL, IN_SHARED, GENERIC_GLOBAL, GENERIC_SHARED, SPACES } space_t;

/* How matrix `role` lies: row after row or column after column, `more` elements between them. */
typedef struct {
  bool row;
  unsigned stride;
} lie_t;

/* Elements of a row, or of a column. */
static unsigned least_stride(const product_t *p, char role, bool row) {
  const unsigned rows = role == 'b' ? p->k : p->m, columns = role == 'a' ? p->k : p->n;
  return row ? columns : rows;
}

/* role: a, b, c, or d for what is stored. */
static number_t type_of(const product_t *p, char role) {
  if (role == 'a') return p->a;
  if (role == 'b') return p->b;
  return role == 'c' ? p->c : p->d;
}

/* The element's number in memory. */
static unsigned place_in_matrix(const lie_t *l, unsigned row, unsigned col) {
  return l->row ? row * l->stride + col : col * l->stride + row;
}

/* Of a thread. D has as many as C if its type is
 * the same, else four of f16 pairs or eight of f32. */
static unsigned registers_of(const form_t *f, char role) {
  if (role == 'a') return f->a;
  if (role == 'b') return f->b;
  if (role == 'c') return f->c;
  if (f->p.d == f->p.c) return f->c;
  return f->p.d == N_F16 ? 4 : 8;
}

static void say_list(program_text_t *p, const form_t *f, char role) {
  say(p, "{");
  for (unsigned i = 0; i < registers_of(f, role); i++)
    say(p, "%s%%%c%c%u", i ? ", " : "", f->p.d == N_F64 ? 'y' : 'x', role, i);
  say(p, "}");
}

/* Where it is: %d6 and on, or of shared memory %r6 and on. */
static void say_access(program_text_t *p, const form_t *f, char role, const lie_t *l, space_t space) {
  static const char *const spaces[] = {".global", ".shared", "", ""};
  char at[32], stride[32] = "";
  snprintf(at, sizeof at, "[%%%c%d]", space == IN_SHARED ? 'r' : 'd', 6 + role - 'a');
  if (l->stride != least_stride(&f->p, role, l->row) || role == 'a')
    snprintf(stride, sizeof stride, role == 'b' ? ", %%r20" : ", %u", l->stride);
  if (role == 'b') say(p, "mov.u32 %%r20, %u;\n", l->stride);
  say(p, "wmma.%s.%c.sync.aligned.%s.m%un%uk%u%s.%s ", role == 'd' ? "store" : "load", role, l->row ? "row" : "col",
      f->p.m, f->p.n, f->p.k, spaces[space], number_name(type_of(&f->p, role)));
  if (role == 'd') say(p, "%s, ", at), say_list(p, f, role);
  else say_list(p, f, role), say(p, ", %s", at);
  say(p, "%s;\n", stride);
}

/* A loop by one warp: all inputs to shared memory, or the result back. */
static void say_copies(program_text_t *p, bool back) {
  say(p, "mov.u32 %%r21, 0;\nLOOP%u: mad.lo.u32 %%r22, %%r0, 4, %%r21; cvt.u64.u32 %%d12, %%r22;\n", back);
  if (back)
    say(p,
        "add.u64 %%d13, %%d2, %%d12; add.u32 %%r22, %%r22, %%r9; ld.shared.u32 %%r23, [%%r22]; st.global.u32 [%%d13], "
        "%%r23;\n");
  else
    say(p,
        "add.u64 %%d13, %%d1, %%d12; add.u32 %%r22, %%r22, %%r5; ld.global.u32 %%r23, [%%d13]; st.shared.u32 [%%r22], "
        "%%r23;\n");
  say(p, "add.u32 %%r21, %%r21, 128; setp.lt.u32 %%p1, %%r21, %u;\n@%%p1 bra LOOP%u;\n", back ? PART : 3 * PART, back);
}

/* Loads of a, b and c, the product, the store of d, all in one space. */
static void say_program(program_text_t *p, const form_t *f, const lie_t lies[4], space_t space) {
  const bool shared = space == IN_SHARED || space == GENERIC_SHARED;
  p->used = 0;
  say(p, "%smov.u64 %%d9, %%d2; add.u32 %%r9, %%r5, %u;\n", HEAD, 3 * PART);
  for (unsigned i = 0; i < 3; i++)
    say(p, "add.u64 %%d%u, %%d1, %u; add.u32 %%r%u, %%r5, %u;\n", 6 + i, i * PART, 6 + i, i * PART);
  for (unsigned i = 0; i < 4 && space == GENERIC_SHARED; i++)
    say(p, "cvt.u64.u32 %%d%u, %%r%u; cvta.shared.u64 %%d%u, %%d%u;\n", 6 + i, 6 + i, 6 + i, 6 + i);
  if (shared) say_copies(p, false);
  for (unsigned i = 0; i < 3; i++) say_access(p, f, "abc"[i], &lies[i], space);
  say(p, "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u.%s", f->p.pairs == PAIRS_XOR ? ".xor.popc" : "",
      lies[0].row ? "row" : "col", lies[1].row ? "row" : "col", f->p.m, f->p.n, f->p.k, number_name(f->p.d));
  if (f->p.a != N_F16) say(p, ".%s.%s", number_name(f->p.a), number_name(f->p.b));
  say(p, ".%s%s ", number_name(f->p.c), f->behind);
  for (unsigned o = 0; o < 4; o++) say_list(p, f, "dabc"[o]), say(p, o < 3 ? ", " : ";\n");
  say_access(p, f, 'd', &lies[3], space);
  if (shared) say_copies(p, true);
  say(p, "ret;\n}\n");
}

/* A matrix into its part of `in`, as it lies. */
static void fill_matrix(bed_t *b, const form_t *f, unsigned which, const lie_t *l, const uint64_t *from) {
  const product_t *p = &f->p;
  const char role = "abc"[which];
  const unsigned rows = role == 'b' ? p->k : p->m, columns = role == 'a' ? p->k : p->n;
  for (unsigned row = 0; row < rows; row++)
    for (unsigned col = 0; col < columns; col++)
      number_put(b->in + which * PART, type_of(p, role), place_in_matrix(l, row, col), from[row * columns + col]);
}

/* What of `out` is not of the matrix stays as it was. */
static void expect_out(const bed_t *b, const bed_t *before, const form_t *f, const lie_t *l, const uint64_t *want) {
  const product_t *p = &f->p;
  uint8_t all[PART];
  memcpy(all, before->out, PART);
  for (unsigned row = 0; row < p->m; row++)
    for (unsigned col = 0; col < p->n; col++)
      number_put(all, p->d, place_in_matrix(l, row, col), want[row * p->n + col]);
  for (unsigned i = 0; i < PART; i++)
    if (b->out[i] != all[i])
      fail_msg("m%un%uk%u of %s: byte %u is 0x%02x, not 0x%02x", p->m, p->n, p->k, number_name(p->a), i, b->out[i],
               all[i]);
}

/* Rows that begin at multiples of 16 bytes. */
static void draw_lies(const form_t *f, lie_t lies[4], uint64_t *seed) {
  for (unsigned i = 0; i < 4; i++) {
    const char role = "abcd"[i];
    const unsigned bits = number_bits(type_of(&f->p, role));
    lies[i].row = bits < 8 ? role == 'a' : test_random(seed) % 2;
    const unsigned least = least_stride(&f->p, role, lies[i].row), step = 128 / bits;
    lies[i].stride =
        test_random(seed) % 4 ? (least + step - 1) / step * step + step * (unsigned)(test_random(seed) % 5) : least;
  }
}

/* One product of random numbers and random layouts. */
static void check_form(const form_t *f, const gpu_config_t *c, space_t space, uint64_t order, uint64_t *seed) {
  static bed_t b, before;
  static program_text_t text;
  static uint64_t x[4][MOST_NUMBERS];
  const product_t *p = &f->p;
  const unsigned counts[] = {p->m * p->k, p->k * p->n, p->m * p->n};
  lie_t lies[4];
  draw_lies(f, lies, seed);
  for (unsigned i = 0; i < sizeof b.in; i++) b.in[i] = (uint8_t)test_random(seed);
  for (unsigned i = 0; i < sizeof b.out; i++) b.out[i] = 0x5a;
  const bool shared = space == IN_SHARED || space == GENERIC_SHARED;
  if (shared) memset(b.out, 0, sizeof b.out); /* as shared memory is at first */
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned e = 0; e < counts[i]; e++) x[i][e] = number_pick(type_of(p, "abc"[i]), seed);
    fill_matrix(&b, f, i, &lies[i], x[i]);
  }
  product_of(p, x[0], x[1], x[2], x[3]);
  before = b;
  b.order = order;
  say_program(&text, f, lies, space);
  if (run_ptx(&b, c, text.text, LANES)) fail_msg("%s\n%s", b.says, text.text);
  expect_out(&b, &before, f, &lies[3], x[3]);
  assert_int_equal(b.stats.matrix_accesses, 4);
}

/* 16 times each form, through the four spaces in turn. */
static void test_wide(void **state) {
  uint64_t seed = 5;
  const gpu_config_t c = rig_two_sms();
  (void)state;
  for (unsigned f = 0; f < FORMS; f++)
    for (unsigned n = 0; n < 16; n++) check_form(&forms[f], &c, n % SPACES, 0, &seed);
}

/* Caches of all sizes, pages from the host, answers in any order. */
static void test_machines(void **state) {
  uint64_t seed = 6;
  (void)state;
  for (unsigned n = 0; n < 6; n++) {
    gpu_config_t c = rig_two_sms();
    if (n == 1) c.l1.mshrs = 1, c.l1.merges = 1;
    if (n == 2) c.l1.bytes = 4096, c.sm.lsu_queue = 1, c.sm.max_loads = 4;
    if (n == 3) c.paging.demand = true, c.paging.latency = 50, c.paging.interval = 3;
    for (unsigned f = 0; f < FORMS; f++)
      check_form(&forms[f], &c, f % 2 ? IN_GLOBAL : GENERIC_GLOBAL, n >= 4 ? n : 0, &seed);
  }
}

/* A matrix that is stored where it is loaded from next, six times: a warp's
 * accesses to a line stay in order, also where packets overtake each other. */
static void test_order(void **state) {
  static bed_t b;
  static program_text_t text;
  static uint64_t x[4][MOST_NUMBERS];
  const form_t *f = &forms[0];
  const product_t *p = &f->p;
  const lie_t by_row = {true, 16};
  uint64_t seed = 8;
  (void)state;
  text.used = 0;
  say(&text, "%smov.u64 %%d6, %%d1; add.u64 %%d7, %%d1, %u; mov.u64 %%d8, %%d2; mov.u64 %%d9, %%d2;\n", HEAD, PART);
  for (unsigned i = 0; i < 2; i++) say_access(&text, f, "ab"[i], &by_row, IN_GLOBAL);
  for (unsigned n = 0; n < 6; n++) {
    say_access(&text, f, 'c', &by_row, IN_GLOBAL);
    say(&text, "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 ");
    for (unsigned o = 0; o < 4; o++) say_list(&text, f, "dabc"[o]), say(&text, o < 3 ? ", " : ";\n");
    say_access(&text, f, 'd', &by_row, IN_GLOBAL);
  }
  say(&text, "ret;\n}\n");
  for (unsigned machine = 0; machine < 8; machine++) {
    gpu_config_t c = rig_two_sms();
    memset(&b, 0, sizeof b);
    if (machine) {
      c.num_sms = 6, c.num_stacks = 4, c.nodes = c.guard = true, c.map.mode = GPU_MAP_fixed, c.map.bit = 8,
      c.offload_policy = GPU_OFFLOAD_none;
      strcpy(c.sm.node_sms, "1,0,3,2");
      c.l1.bytes = 1024, c.l1.ways = 2, c.sm.guard_lines = machine % 2 ? 256 : 2;
      b.unruly = 40 * machine, b.order = machine;
    }
    for (unsigned i = 0; i < 3; i++) {
      for (unsigned e = 0; e < 256; e++) x[i][e] = number_pick(type_of(p, "abc"[i]), &seed);
      if (i < 2) fill_matrix(&b, f, i, &by_row, x[i]);
    }
    for (unsigned e = 0; e < 256; e++) number_put(b.out, N_F32, e, x[2][e]);
    if (run_ptx(&b, &c, text.text, LANES)) fail_msg("%s", b.says);
    for (unsigned n = 0; n < 6; n++) product_of(p, x[0], x[1], x[2], x[3]), memcpy(x[2], x[3], sizeof x[2]);
    for (unsigned e = 0; e < 256; e++) assert_int_equal(number_at(b.out, N_F32, e), x[3][e]);
  }
}

/* ---- ldmatrix, stmatrix ---------------------------------------------------------------------- */

/* Row i of matrix m at byte 16 * order[8 m + i]; thread t has elements 2
 * (t % 4) and the next one of row t / 4, with .trans of column t / 4. */
static void check_rows(unsigned count, bool trans, bool store, bool generic, uint64_t *seed) {
  static bed_t b;
  static program_text_t text;
  const gpu_config_t c = rig_two_sms();
  uint8_t want[PART] = {0};
  unsigned order[32];
  for (unsigned i = 0; i < 32; i++) order[i] = i;
  for (unsigned i = 31; i; i--) {
    const unsigned k = (unsigned)(test_random(seed) % (i + 1)), was = order[i];
    order[i] = order[k], order[k] = was;
  }
  memset(&b, 0, sizeof b);
  for (unsigned i = 0; i < 512; i++) b.in[i] = (uint8_t)test_random(seed);
  for (unsigned i = 0; i < 32; i++) memcpy(b.in + 1024 + 4 * i, &order[i], 4); /* whose address a thread has */
  text.used = 0;
  say(&text,
      "%smad.wide.u32 %%d6, %%r0, 16, %%d1; mad.wide.u32 %%d7, %%r0, 16, %%d2; mad.wide.u32 %%d8, %%r0, 4, %%d1; "
      "mad.lo.u32 %%r6, %%r0, 16, %%r5;\n",
      HEAD);
  say(&text,
      "ld.global.v4.u32 {%%xa0, %%xa1, %%xa2, %%xa3}, [%%d6]; ld.global.u32 %%r7, [%%d8+1024]; mad.lo.u32 %%r7, %%r7, "
      "16, %%r5;\n");
  say(&text,
      "cvt.u64.u32 %%d9, %%r7; cvta.shared.u64 %%d9, %%d9; mov.b32 %%xb0, 0; mov.b32 %%xb1, 0; mov.b32 %%xb2, 0; "
      "mov.b32 %%xb3, 0;\n");
  if (!store) say(&text, "st.shared.v4.u32 [%%r6], {%%xa0, %%xa1, %%xa2, %%xa3};\n");
  say(&text, "%smatrix.sync.aligned.m8n8.x%u%s%s.b16 ", store ? "st" : "ld", count, trans ? ".trans" : "",
      generic ? "" : ".shared");
  if (store) say(&text, "[%s], ", generic ? "%d9" : "%r7");
  for (unsigned i = 0; i < count; i++)
    say(&text, "%s%%x%c%u%s", i ? ", " : "{", store ? 'a' : 'b', i, i + 1 < count ? "" : "}");
  if (!store) say(&text, ", [%s]", generic ? "%d9" : "%r7");
  say(&text, ";\n");
  if (store) say(&text, "ld.shared.v4.u32 {%%xb0, %%xb1, %%xb2, %%xb3}, [%%r6];\n");
  say(&text, "st.global.v4.u32 [%%d7], {%%xb0, %%xb1, %%xb2, %%xb3};\nret;\n}\n");
  if (run_ptx(&b, &c, text.text, LANES)) fail_msg("%s\n%s", b.says, text.text);
  for (unsigned m = 0; m < count; m++)
    for (unsigned t = 0; t < 32; t++)
      for (unsigned e = 0; e < 2; e++) {
        const unsigned row = trans ? 2 * (t % 4) + e : t / 4, col = trans ? t / 4 : 2 * (t % 4) + e;
        const unsigned memory = 16 * order[8 * m + row] + 2 * col, thread = 16 * t + 4 * m + 2 * e;
        memcpy(want + (store ? memory : thread), b.in + (store ? thread : memory), 2);
      }
  assert_memory_equal(b.out, want, 512);
  assert_int_equal(b.stats.matrix_accesses, 1);
}

/* x1, x2 and x4, with .trans or not, load or
 * store, shared or generic, in all combinations. */
static void test_rows(void **state) {
  uint64_t seed = 9;
  (void)state;
  for (unsigned n = 0; n < 48; n++) check_rows(1u << n % 3, n / 3 % 2, n / 6 % 2, n / 12 % 2, &seed);
}

/* ---- What it costs --------------------------------------------------------------------------- */

#define A16 "{%xa0, %xa1, %xa2, %xa3, %xa4, %xa5, %xa6, %xa7}"
#define C32 "{%xc0, %xc1, %xc2, %xc3, %xc4, %xc5, %xc6, %xc7}"

/* Each line once; a bank's words after the first, each a cycle. */
static void test_cost(void **state) {
  static const struct {
    const char *code;
    unsigned lines, conflicts;
  } row[] = {
      {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A16 ", [%d1], 64;", 16, 0},  /* a row each */
      {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A16 ", [%d1];", 4, 0},       /* 512 bytes */
      {"wmma.load.a.sync.aligned.col.m16n16k16.global.f16 " A16 ", [%d1], 16;", 4, 0},   /* the same */
      {"wmma.load.c.sync.aligned.row.m8n32k16.global.f32 " C32 ", [%d1], 32;", 8, 0},    /* 1024 bytes */
      {"wmma.load.c.sync.aligned.row.m8n32k16.global.f32 " C32 ", [%d1+64], 32;", 9, 0}, /* from the middle of a line */
      {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d2], " C32 ", 16;", 8, 0},
      {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d2], " C32 ", 32;", 16, 0},
      {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " A16 ", [%r5], 16;", 0, 3}, /* 128 words of 32 banks */
      /* 16 rows at the same eight banks */
      {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " A16 ", [%r5], 64;", 0, 15},
      /* four banks on a row: of each four */
      {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " A16 ", [%r5], 72;", 0, 3},
      {"mad.lo.u32 %r6, %r0, 16, %r5; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%xa0}, [%r6];", 0, 0},
      {"mad.lo.u32 %r6, %r0, 16, %r5; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%xa0, %xa1, %xa2, %xa3}, [%r6];", 0, 3},
      {"mad.lo.u32 %r6, %r0, 128, %r5; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%xa0}, [%r6];", 0, 7},
      {"mad.lo.u32 %r6, %r0, 144, %r5; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%xa0}, [%r6];", 0, 0},
      {"mad.lo.u32 %r6, %r0, 128, %r5; stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r6], {%xa0, %xa1};", 0, 15},
  };
  static program_text_t text;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    text.used = 0;
    say(&text, "%s%s\nret;\n}\n", HEAD, row[i].code);
    if (run_ptx(&b, &c, text.text, LANES)) fail_msg("%s", b.says);
    if (b.stats.lines_accessed != row[i].lines || b.stats.shared_conflicts != row[i].conflicts)
      fail_msg("'%s': %llu lines, %llu conflicts", row[i].code, (unsigned long long)b.stats.lines_accessed,
               (unsigned long long)b.stats.shared_conflicts);
  }
}

/* ---- What is refused, what faults ------------------------------------------------------------ */

/* Each message names the part that is not executed. */
static void test_forms_not_executed(void **state) {
  static const struct {
    const char *code, *says;
  } row[] = {
      {"wmma.load.a.sync.aligned.row.m16n16k8.global.f16 " A16 ", [%d1], 16;", "shape of these types"},
      {"wmma.load.c.sync.aligned.row.m16n16k16.global.f64 " C32 ", [%d1], 16;", "shape of these types"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.global.e4m3 " A16 ", [%d1], 16;", "shape of these types"},
      {"wmma.load.a.sync.aligned.m16n16k16.global.f16 " A16 ", [%d1], 16;", "form"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.local.f16 " A16 ", [%d1], 16;", "a matrix in this space"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 " A16 ", [lo], 16;", "a matrix in this space"},
      {"wmma.load.a.sync.aligned.row.m16n16k17.global.f16 " A16 ", [%d1], 16;", "a shape that PTX has not"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%xa0, %xa1}, [%d1], 16;", "number of a matrix's registers"},
      {"wmma.load.b.sync.aligned.row.m8n8k32.global.s4 {%xa0}, [%d1], 32;", "layout"},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite " C32 ", " A16 ", " A16 ", " C32 ";",
       ".satfinite of these types"},
      {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.f32 " C32 ", " A16 ", " A16 ", " C32 ";", "shape of these types"},
      {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%xa0}, [%d1];", "a matrix in this space"},
      {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%xa0, %xa1}, [%r5];",
       "matrices other than eight by eight of 16 bits"},
      {"ldmatrix.sync.aligned.m8n8.shared.b16 {%xa0}, [%r5];", "form"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%xa0}, [%r5];", "number of a matrix's registers"},
      {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r5], {%xa0};",
       "matrices other than eight by eight of 16 bits"},
  };
  static program_text_t text;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    text.used = 0;
    say(&text, "%s%s\nret;\n}\n", HEAD, row[i].code);
    assert_int_equal(run_ptx(&b, &c, text.text, LANES), 2);
    if (!strstr(b.says, row[i].says) || !strstr(b.says, "is not executed by the GPU model ("))
      fail_msg("'%s' says '%s'", row[i].code, b.says);
  }
}

#define LOAD "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " A16 ", "

/* Threads that are missing, addresses that differ, are
 * not aligned, or are nobody's. NULL: it is right. */
static void test_bad_accesses_stop_the_run(void **state) {
  static const struct {
    const char *code;
    unsigned threads;
    const char *says;
  } row[] = {
      {"setp.lt.u32 %p1, %r0, 31; @%p1 " LOAD "[%d1], 16;", 32,
       "executes 'wmma.load.a.sync.aligned.row.m16n16k16.global.f16' with 31 of 32 threads"},
      {LOAD "[%d1], 16;", 33, "with 1 of 32 threads"},
      {"setp.lt.u32 %p1, %r0, 5; @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%xa0}, [%r5];", 32,
       "with 5 of 32 threads"},
      {"mad.wide.u32 %d1, %r0, 32, %d1; " LOAD "[%d1], 16;", 32,
       "accesses a matrix whose address or stride differs between its threads"},
      {LOAD "[%d1], %r0;", 32, "accesses a matrix whose address or stride differs between its threads"},
      {LOAD "[%d1+8], 16;", 32, "reads 16 bytes at address"},
      {LOAD "[%d1], 20;", 32, "which is not aligned to the access's size"},
      {LOAD "[%d1+24448], 16;", 32, "which is out of bounds of every allocation"},
      {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r5+32000], " C32 ", 16;", 32,
       "out of bounds of its shared memory"},
      {"mov.u64 %d3, lo; cvta.local.u64 %d3, %d3; wmma.load.a.sync.aligned.row.m16n16k16.f16 " A16 ", [%d3], 16;", 32,
       "which is neither global nor shared memory"},
      {"ldmatrix.sync.aligned.m8n8.x1.b16 {%xa0}, [%d1];", 32, "which is not shared memory"},
      {"mad.lo.u32 %r6, %r0, 8, %r5; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%xa0}, [%r6];", 32,
       "tid 1,0,0) reads 16 bytes at address 0x8, which is not"},
      {"mad.lo.u32 %r6, %r0, 4096, %r5; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r6], {%xa0, %xa1, %xa2, %xa3};", 32,
       "tid 8,0,0) writes 16 bytes"},
      {"mad.lo.u32 %r6, %r0, 4096, %r5; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%xa0};", 32, NULL},
      {"setp.lt.u32 %p1, %r0, 64; @!%p1 " LOAD "[%d1+1], 16;", 64, NULL},
  };
  static program_text_t text;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    text.used = 0;
    say(&text, "%s%s\nret;\n}\n", HEAD, row[i].code);
    const int status = run_ptx(&b, &c, text.text, row[i].threads);
    if (status != (row[i].says ? 2 : 0) || (row[i].says && (!strstr(b.says, row[i].says) || strchr(b.says, '\n'))))
      fail_msg("'%s' says '%s'", row[i].code, b.says);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wide),
                                     cmocka_unit_test(test_machines),
                                     cmocka_unit_test(test_order),
                                     cmocka_unit_test(test_rows),
                                     cmocka_unit_test(test_cost),
                                     cmocka_unit_test(test_forms_not_executed),
                                     cmocka_unit_test(test_bad_accesses_stop_the_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
