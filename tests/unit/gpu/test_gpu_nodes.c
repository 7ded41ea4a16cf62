/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU at the nodes of a network: where SMs are, what stays at a node, ranges of CTAs; and, over a
 * network whose packets overtake each other as they like, random kernels that are right with the
 * guard of lines and wrong without.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "line_guard.h"
#include "nodes.h"
#include "program_text.h"
#include "unit_test.h"

/* ALL: threads of a launch. SLOTS: words and
 * bytes of a thread. OPS: accesses of a program. */
enum { NODES = 4, THREADS = 64, CTAS = 16, ALL = THREADS * CTAS, SLOTS = 3, OPS = 24 };

/* ---- lists of SMs ---- */

/* n*k: k nodes of n SMs each; a number alone is one node. As many
 * SMs and nodes as the configuration has, no more and no less. */
static void lists_of_sms(void **state) {
  nodes_t n;
  (void)state;
  assert_null(REFUSAL(nodes_parse, &n, "4*16", 16, 64));
  for (unsigned s = 0; s < 64; s++) assert_int_equal(n.of_sm[s], s / 4);
  assert_null(REFUSAL(nodes_parse, &n, "8*8,0*8", 16, 64));
  assert_true(n.of_sm[63] == 7 && n.first_sm[8] == 64 && n.first_sm[16] == 64);
  assert_null(REFUSAL(nodes_parse, &n, "3,0,4*2", 4, 11));
  assert_true(n.of_sm[2] == 0 && n.of_sm[3] == 2 && n.of_sm[6] == 2 && n.of_sm[7] == 3 && n.first_sm[1] == 3 &&
              n.first_sm[2] == 3 && n.first_sm[4] == 11);
  static const struct {
    const char *list, *what;
  } wrong[] = {
      {"4*15", "does not say where 64 SMs are at 16 nodes; 4*16 would be right"},
      {"4*17", "does not say where"},
      {"5*16", "does not say where"},
      {"4*16,1", "does not say where"},
      {"0*0,4*16,0*0,1", "does not say where"},
      {"99999999999999999999*16", "does not say where"},
      {"4x16", "is no list of SMs; one such as 4*16"},
      {"", "is no list of SMs"},
      {"4*16,", "is no list of SMs"},
      {"-4*16", "is no list of SMs"},
      {"4*,4", "is no list of SMs"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *text = REFUSAL(nodes_parse, &n, wrong[i].list, 16, 64);
    if (!text || !strstr(text, wrong[i].what)) fail_msg("'%s': %s", wrong[i].list, text ? text : "taken");
  }
}

/* Node k begins at the blocks times the SMs before it,
 * of six: of 13 blocks at 13/6 and 52/6, rounded down. */
static void ranges_of_ctas(void **state) {
  nodes_t n;
  (void)state;
  assert_null(REFUSAL(nodes_parse, &n, "1,0,3,2", 4, 6));
  static const struct {
    uint64_t blocks, first[5];
  } want[] = {{6, {0, 1, 1, 4, 6}},
              {1, {0, 0, 0, 0, 1}},
              {13, {0, 2, 2, 8, 13}},
              {UINT64_MAX, {0, UINT64_MAX / 6, UINT64_MAX / 6, UINT64_MAX / 3 * 2, UINT64_MAX}}};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
    for (unsigned k = 0; k < 5; k++) assert_true(nodes_first_block(&n, k, want[i].blocks, 6) == want[i].first[k]);
}

/* ---- the guard ---- */

static const guard_bytes_t none = {0}, word0 = {0xf, 0}, word1 = {0xf0, 0}, last = {0, UINT64_C(1) << 63};

/* Reads go together, stores to different bytes too; an atomic is alone with its line. */
static void guard_rules(void **state) {
  line_guard_t *g = line_guard_new(8);
  (void)state;
  assert_true(line_guard_enter(g, 0, GUARD_READ, none) && line_guard_enter(g, 0, GUARD_READ, none));
  assert_false(line_guard_enter(g, 0, GUARD_STORE, word0));
  assert_false(line_guard_enter(g, 0, GUARD_ATOMIC, none));
  assert_true(line_guard_enter(g, 128, GUARD_STORE, word0)); /* another line */
  assert_true(line_guard_enter(g, 128, GUARD_STORE, word1) && line_guard_enter(g, 128, GUARD_STORE, last));
  assert_false(line_guard_enter(g, 128, GUARD_STORE, word1));
  assert_false(line_guard_enter(g, 128, GUARD_STORE, last));
  assert_false(line_guard_enter(g, 128, GUARD_READ, none));
  line_guard_leave(g, 0, GUARD_READ);
  assert_false(line_guard_enter(g, 0, GUARD_STORE, word0));
  line_guard_leave(g, 0, GUARD_READ);
  assert_true(line_guard_enter(g, 0, GUARD_ATOMIC, none));
  assert_false(line_guard_enter(g, 0, GUARD_ATOMIC, none));
  assert_false(line_guard_enter(g, 0, GUARD_READ, none));
  assert_false(line_guard_enter(g, 0, GUARD_STORE, word0));
  line_guard_leave(g, 128, GUARD_STORE);
  line_guard_leave(g, 128, GUARD_STORE);
  assert_false(line_guard_enter(g, 128, GUARD_STORE, word0)); /* which of the three is left is not known */
  line_guard_leave(g, 128, GUARD_STORE);
  assert_true(line_guard_enter(g, 128, GUARD_STORE, word0));
  assert_int_equal(line_guard_lines(g), 2);
  line_guard_free(g);
}

/* As many lines as the guard has places, and no other one more. */
static void guard_places(void **state) {
  (void)state;
  for (unsigned size = 1; size <= LINE_GUARD_MOST; size = size * 4 - 1) {
    line_guard_t *g = line_guard_new(size);
    for (unsigned i = 0; i < size; i++) assert_true(line_guard_enter(g, 128ull * i, GUARD_READ, none));
    assert_false(line_guard_enter(g, 128ull * size, GUARD_READ, none));
    assert_true(line_guard_enter(g, 0, GUARD_READ, none)); /* has its place */
    line_guard_leave(g, 128ull * (size - 1), GUARD_READ);
    if (size > 1) assert_true(line_guard_enter(g, 128ull * size, GUARD_READ, none));
    line_guard_free(g);
  }
}

/* Against a list of what is under way: 200000 random steps on 64 places. */
static void against_a_list(void **state) {
  enum { LINES = 300, MOST = 200, STEPS = 200000 };
  static struct {
    uint64_t line;
    guard_kind_t kind;
    guard_bytes_t bytes;
  } way[MOST];
  uint64_t seed = 5;
  unsigned count = 0, refused = 0, went = 0;
  line_guard_t *g = line_guard_new(64);
  (void)state;
  for (unsigned step = 0; step < STEPS; step++) {
    if (count == MOST || (count && test_random(&seed) % 8 < 3)) {
      const unsigned i = (unsigned)(test_random(&seed) % count);
      line_guard_leave(g, way[i].line, way[i].kind);
      way[i] = way[--count];
      continue;
    }
    const uint64_t line = 128 * (test_random(&seed) % LINES) << (test_random(&seed) % 2 ? 20 : 0);
    const guard_kind_t kind = (guard_kind_t)(test_random(&seed) % GUARD_KINDS);
    const guard_bytes_t bytes = {kind == GUARD_STORE ? UINT64_C(15) << test_random(&seed) % 15 * 4 : 0, 0};
    unsigned of[GUARD_KINDS] = {0}, lines = 0;
    for (unsigned i = 0; i < count; i++) {
      bool first = true;
      for (unsigned k = 0; k < i; k++) first &= way[k].line != way[i].line;
      lines += first;
      if (way[i].line == line) of[way[i].kind]++;
    }
    const unsigned others = of[0] + of[1] + of[2];
    assert_int_equal(line_guard_lines(g), lines);
    const bool goes = line_guard_enter(g, line, kind, bytes);
    if (!others) assert_true(goes == (lines < 64));
    else if (kind == GUARD_ATOMIC || others > of[kind] || of[GUARD_ATOMIC]) assert_false(goes);
    else if (kind == GUARD_READ) assert_true(goes);
    for (unsigned i = 0; goes && kind == GUARD_STORE && i < count; i++) /* a store never beside one to its bytes */
      if (way[i].line == line) assert_false(way[i].bytes.low & bytes.low);
    if (goes) way[count].line = line, way[count].kind = kind, way[count++].bytes = bytes, went++;
    else refused++;
  }
  assert_true(refused > STEPS / 50 && went > STEPS / 20);
  line_guard_free(g);
}

/* ---- random kernels ---- */

typedef struct {
  program_text_t out;
  struct {
    enum { LOAD, STORE, ATOM } kind;
    bool byte, uncached;
    unsigned slot, value;
  } op[OPS];
} program_t;

/* Each thread has SLOTS words and bytes of its own, whose lines it shares with its warp, and of
 * bytes with all threads of two blocks; no access waits for one before it, as each load has a
 * register of its own. Buffer: words, bytes, results. */
static void write_program(program_t *p, uint64_t seed) {
  p->out.used = 0, p->out.seed = seed;
  say(&p->out,
      ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %%r<%u>;\n"
      ".reg .b64 %%d<5>;\n",
      OPS + 8);
  say(&p->out, "mov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r2, %%ntid.x;\nmov.u32 %%r3, %%tid.x;\n"
               "mad.lo.s32 %%r1, %%r1, %%r2, %%r3;\n");
  say(&p->out,
      "ld.param.u64 %%d1, [a];\nmul.wide.u32 %%d2, %%r1, 4;\nadd.s64 %%d2, %%d1, %%d2;\ncvt.u64.u32 %%d3, %%r1;\n"
      "add.s64 %%d3, %%d1, %%d3;\n");
  for (unsigned i = 0; i < OPS; i++) {
    const uint64_t r = test_random(&p->out.seed);
    p->op[i].kind = r % 2 ? LOAD : STORE;
    if (r % 8 == 0) p->op[i].kind = ATOM;
    p->op[i].byte = p->op[i].kind != ATOM && (r >> 8 & 1);
    p->op[i].uncached = r >> 9 & 1;
    p->op[i].slot = (unsigned)(r >> 16) % SLOTS;
    p->op[i].value = (unsigned)(r >> 32) & 0xffff;
    const unsigned at = p->op[i].byte ? 4 * ALL * SLOTS + ALL * p->op[i].slot : 4 * ALL * p->op[i].slot;
    const char *type = p->op[i].byte ? "u8" : "u32", *base = p->op[i].byte ? "%d3" : "%d2",
               *how = p->op[i].uncached ? ".volatile" : "";
    if (p->op[i].kind == LOAD) say(&p->out, "ld%s.global.%s %%r%u, [%s+%u];\n", how, type, 8 + i, base, at);
    if (p->op[i].kind == ATOM)
      say(&p->out, "atom.global.add.u32 %%r%u, [%s+%u], %u;\n", 8 + i, base, at, p->op[i].value);
    if (p->op[i].kind == STORE)
      say(&p->out, "add.u32 %%r%u, %%r1, %u;\nst.global.%s [%s+%u], %%r%u;\n", 8 + i, p->op[i].value, type, base, at,
          8 + i);
  }
  say(&p->out, "mov.u32 %%r4, 0;\n");
  for (unsigned i = 0; i < OPS; i++) say(&p->out, "mad.lo.u32 %%r4, %%r4, 31, %%r%u;\n", 8 + i);
  say(&p->out, "st.global.u32 [%%d2+%u], %%r4;\nret;\n}\n", 5 * ALL * SLOTS);
}

/* The same program, thread after thread: threads share lines, and no bytes. */
static void run_on_host(const program_t *p, uint8_t *data) {
  uint32_t *words = (uint32_t *)data;
  uint8_t *bytes = data + 4 * ALL * SLOTS;
  for (unsigned t = 0; t < ALL; t++) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < OPS; i++) {
      uint32_t *word = &words[ALL * p->op[i].slot + t], x = t + p->op[i].value;
      uint8_t *byte = &bytes[ALL * p->op[i].slot + t];
      if (p->op[i].kind == LOAD) x = p->op[i].byte ? *byte : *word;
      else if (p->op[i].kind == ATOM) x = *word, *word += p->op[i].value;
      else if (p->op[i].byte) *byte = (uint8_t)x;
      else *word = x;
      sum = sum * 31 + x;
    }
    memcpy(data + 5 * ALL * SLOTS + 4 * t, &sum, 4);
  }
}

/* Six SMs at four nodes, one of which has none;
 * small caches, so that much goes over the network. */
static gpu_config_t four_nodes(bool guard) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 6, c.num_stacks = NODES, c.nodes = true, c.guard = guard;
  strcpy(c.sm.node_sms, "1,0,3,2");
  c.map.mode = GPU_MAP_fixed, c.map.bit = 8;
  c.l1.bytes = 1024, c.l1.ways = 2, c.l2.bytes = 4 << 10, c.l2.ways = 2;
  c.offload_policy = GPU_OFFLOAD_none;
  return c;
}

/* Whether the result is right. */
static bool kernel_is_right(const gpu_config_t *c, const program_t *p, unsigned unruly, gpu_stats_t *stats) {
  enum { BYTES = 5 * ALL * SLOTS + 4 * ALL };
  static uint8_t data[BYTES], want[BYTES], got[BYTES];
  uint64_t seed = p->out.seed;
  gpu_rig_t *r = rig_new(c, p->out.text, p->out.used, "nodes.ptx", false);
  if (r->err.kind) fail_msg("%s", r->err.text);
  r->unruly = unruly, r->unruly_random = seed;
  for (unsigned i = 0; i < BYTES; i++) data[i] = (uint8_t)test_random(&seed);
  memcpy(want, data, BYTES);
  run_on_host(p, want);
  const uint64_t a = gpu_malloc(r->gpu, BYTES, &r->err);
  gpu_copy_in(r->gpu, a, data, BYTES, &r->err);
  const gpu_launch_t l = {.grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .params = &a, .param_bytes = sizeof a};
  if (rig_run(r, &l, 2000000)) fail_msg("%s", r->err.text);
  if (r->broken) fail_msg("%s", r->broken);
  gpu_copy_out(r->gpu, got, a, BYTES, &r->err);
  *stats = gpu_stats(r->gpu);
  rig_free(r);
  return !memcmp(got, want, BYTES);
}

/* Packets take up to 400 cycles. With the guard each
 * of 12 programs is right, without most are wrong. */
static void overtaken(void **state) {
  static program_t p;
  unsigned wrong = 0;
  (void)state;
  for (unsigned seed = 1; seed <= 12; seed++) {
    gpu_stats_t s;
    gpu_config_t c = four_nodes(true);
    write_program(&p, seed);
    c.sm.cta_order = seed % 2 ? GPU_CTAS_RANGES : GPU_CTAS_ROUND;
    c.sm.guard_lines = seed % 3 ? 256 : 2;
    if (!kernel_is_right(&c, &p, 400, &s)) fail_msg("seed %u: wrong with the guard", seed);
    assert_true(s.order_waits > 0 && s.net_bytes > 0 && s.node_bytes > 0);
    c.guard = false;
    if (!kernel_is_right(&c, &p, 0, &s)) fail_msg("seed %u: wrong where nobody overtakes", seed);
    assert_int_equal(s.order_waits, 0);
    wrong += !kernel_is_right(&c, &p, 400, &s);
  }
  assert_true(wrong > 6); /* the check can fire */
}

/* ---- what is counted ---- */

/* Threads load a word each of their own node's lines, or of the next one's. */
static void own_and_others(void **state) {
  static const char text[] =
      ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<5>;\n"
      ".reg .b64 %d<4>;\n"
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nshl.b32 %r1, %r1, 8;\nshl.b32 %r2, %r2, 3;\n"
      "add.u32 %r1, %r1, %r2;\n"
      "ld.param.u64 %d1, [a];\ncvt.u64.u32 %d2, %r1;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r3, [%d3];\n"
      "st.global.u32 [%d3+4], %r3;\n"
      "ret;\n}\n";
  (void)state;
  for (unsigned shift = 0; shift < 2; shift++) {
    gpu_config_t c = four_nodes(true);
    c.num_sms = NODES, c.sm.cta_order = GPU_CTAS_RANGES;
    strcpy(c.sm.node_sms, "1*4");
    gpu_rig_t *r = rig_new(&c, text, sizeof text - 1, "own.ptx", false);
    if (r->err.kind) fail_msg("%s", r->err.text);
    const uint64_t a = gpu_malloc(r->gpu, 8192, &r->err) + 256 * shift;
    /* One block a node: 32 threads of 8 bytes each, the chunk
     * of 256 bytes, two lines, at the node of its number. */
    const gpu_launch_t l = {.grid = {NODES, 1, 1}, .block = {32, 1, 1}, .params = &a, .param_bytes = sizeof a};
    if (rig_run(r, &l, 100000)) fail_msg("%s", r->err.text);
    const gpu_stats_t s = gpu_stats(r->gpu);
    /* READ, READ_RESP, WRITE of 16 words, WRITE_ACK */
    const uint64_t bytes = NODES * 2 * (16 + 144 + (16 + 4 * 16) + 16);
    assert_true((shift ? s.net_bytes : s.node_bytes) == bytes && (shift ? s.node_bytes : s.net_bytes) == 0);
    assert_true(s.load_lines[1] == NODES && s.store_lines[1] == NODES && s.load_lines[0] + s.store_lines[0] == 0);
    assert_int_equal(s.load_spread[0] + s.load_spread[1] + s.load_spread[2] + s.load_spread[3] + s.load_spread[4],
                     NODES);
    rig_free(r);
  }
}

/* What does not go with SMs at nodes. */
static void node_configs_refused(void **state) {
  gpu_config_t c = four_nodes(true);
  (void)state;
  assert_null(REFUSAL(gpu_config_check, &c));
  c.sm.guard_lines = 1025;
  assert_string_equal(REFUSAL(gpu_config_check, &c),
                      "gpu.guard_lines: 1025 is out of range; from 1 to 1024 would be right");
  c = four_nodes(true), c.paging.demand = true;
  assert_non_null(strstr(REFUSAL(gpu_config_check, &c), "paging.demand=false would be right"));
  c = four_nodes(true), c.offload_policy = GPU_OFFLOAD_static, c.nsu.ratio = 0.5;
  assert_non_null(strstr(REFUSAL(gpu_config_check, &c), "offload.policy=none would be right"));
  c = four_nodes(true), c.num_sms = 7;
  assert_non_null(strstr(REFUSAL(gpu_config_check, &c), "does not say where 7 SMs are at 4 nodes"));
  c = four_nodes(true), c.nodes = false, c.sm.cta_order = GPU_CTAS_RANGES;
  assert_non_null(strstr(REFUSAL(gpu_config_check, &c), "gpu.cta_order=ranges is for SMs at nodes"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_of_sms),   cmocka_unit_test(ranges_of_ctas),
                                     cmocka_unit_test(guard_rules),    cmocka_unit_test(guard_places),
                                     cmocka_unit_test(against_a_list), cmocka_unit_test(overtaken),
                                     cmocka_unit_test(own_and_others), cmocka_unit_test(node_configs_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
