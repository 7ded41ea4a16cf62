/* SPDX-License-Identifier: Apache-2.0
 *
 * NSUs' read-only lines: what the GPU leaves out of its answers is what the NSU's end puts in.
 * Streams of answers with stores between them, through the port and its back-pressure, against
 * lists of the test's own; and random kernels that write what they read, on the whole GPU. Both are
 * wrong where stores are not heard of.
 */
#include "read_only.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_packet.h"
#include "gpu_rig.h"
#include "ni_bridge.h"
#include "program_text.h"
#include "unit_test.h"

/* ---- what is planted ---- */

/* The linker puts these between the GPU and read_only.c (--wrap). They can
 * leave out what it should hear of: stores of SMs, of NSUs, of both, launches. */
static enum { RIGHT, DEAF_TO_SMS, DEAF_TO_NSUS, DEAF, NO_LAUNCHES } planted;

void __real_read_only_store(read_only_t *r, const uint64_t *line, unsigned count);
void __real_read_only_write(read_only_t *r, uint64_t paddr);
void __real_read_only_launch(read_only_t *r);
void __wrap_read_only_store(read_only_t *r, const uint64_t *line, unsigned count);
void __wrap_read_only_write(read_only_t *r, uint64_t paddr);
void __wrap_read_only_launch(read_only_t *r);

void __wrap_read_only_store(read_only_t *r, const uint64_t *line, unsigned count) {
  if (planted != DEAF_TO_SMS && planted != DEAF) __real_read_only_store(r, line, count);
}

void __wrap_read_only_write(read_only_t *r, uint64_t paddr) {
  if (planted != DEAF_TO_NSUS && planted != DEAF) __real_read_only_write(r, paddr);
}

void __wrap_read_only_launch(read_only_t *r) {
  if (planted != NO_LAUNCHES) __real_read_only_launch(r);
}

/* ---- streams of answers ---- */

enum {
  STACKS = 2,
  NSU_UNITS = 2,
  NSUS = STACKS * NSU_UNITS,
  PAGES = 6,
  LINES = 3,
  WORDS = 32,
  IN_FLIGHT = 64,
  LOADS = 4096
};

/* The NSU's lines as a list, the one used last first. */
typedef struct {
  uint64_t line[READ_ONLY_MOST];
  bool word[READ_ONLY_MOST][WORDS];
  unsigned count;
} list_t;

typedef struct {
  gpu_config_t config;
  gpu_stats_t stats;
  packet_pool_t *pool;
  read_only_t *r;
  ni_bridge_t ni[NSUS];
  uint64_t tick, seed;
  uint32_t memory[STACKS][PAGES][LINES][WORDS];
  bool written[STACKS][PAGES];
  list_t list[NSUS];
  packet_t *crossbar[NSUS][IN_FLIGHT]; /* answers on their way to the link */
  unsigned waiting[NSUS];
  struct {
    unsigned stack, page, line;
  } last;
  uint32_t formed[LOADS][WORDS]; /* an answer's words as the cache gave them, by its number */
  unsigned loads, came, wrong;
  uint64_t hits, fills, saved, added;
} bed_t;

/* One bed for all: the streams' helpers work on it. */
static bed_t b;

/* 0 to n - 1. */
static unsigned draw_below(unsigned n) {
  return (unsigned)(test_random(&b.seed) % n);
}

/* A stack's page and line; pages 0 to 4 are not used. */
static uint64_t line_address(unsigned stack, unsigned page, unsigned line) {
  return stack_address(stack, 4096ull * (page + 5) + 128 * line);
}

/* lines: of each NSU. beats: what ni_bridge_set() gets. Memory is random. */
static void open_stream(unsigned lines, unsigned beats, uint64_t seed) {
  const link_config_t c = ni_bridge_default_config();
  memset(&b, 0, sizeof b);
  b.config = gpu_config_default();
  b.config.num_stacks = STACKS, b.config.nsu.read_only_lines = lines;
  b.pool = packet_pool_new(), b.seed = seed;
  b.r = read_only_new(&b.config, &b.stats);
  assert_non_null(b.r);
  for (unsigned k = 0; k < NSUS; k++) {
    ni_bridge_init(&b.ni[k], &c);
    ni_bridge_set(&b.ni[k], 1, 1, beats, b.pool);
  }
  for (uint32_t *w = &b.memory[0][0][0][0]; w < &b.memory[0][0][0][0] + sizeof b.memory / 4; w++)
    *w = (uint32_t)test_random(&b.seed);
}

/* No packet may be left. */
static void close_stream(void) {
  assert_int_equal(packet_pool_live(b.pool), 0);
  read_only_free(b.r);
  packet_pool_free(b.pool);
}

/* A cache answers an RDF with the words of now. Its number is in sm, warp and seq. */
static void form_answer(void) {
  const bool again = draw_below(2); /* the line of the one before */
  const unsigned stack = again ? b.last.stack : draw_below(STACKS), page = again ? b.last.page : draw_below(PAGES),
                 line = again ? b.last.line : draw_below(LINES);
  const unsigned nsu = draw_below(NSUS), number = b.loads;
  if (b.waiting[nsu] == IN_FLIGHT || number == LOADS) return;
  b.last.stack = stack, b.last.page = page, b.last.line = line;
  packet_t *p = packet_new(b.pool, PKT_RDF);
  p->hdr.sm = number & 31, p->hdr.warp = number >> 5 & 31, p->hdr.seq = number >> 10;
  p->hdr.addr = line_address(stack, page, line);
  p->hdr.target = nsu / NSU_UNITS, p->dst_unit = p->target_unit = (uint8_t)(nsu % NSU_UNITS);
  p->hdr.size = draw_below(8) ? 2 : draw_below(2);
  p->hdr.mask = draw_below(3) ? (uint32_t)test_random(&b.seed) | 1 : 1u << draw_below(32);
  p->hdr.lmask = draw_below(2) ? p->hdr.mask : p->hdr.mask | 1;
  p->hdr.aligned = draw_below(2);
  const unsigned same = draw_below(2) ? draw_below(WORDS) : WORDS; /* all threads want one word */
  const uint8_t *bytes = (const uint8_t *)b.memory[stack][page][line];
  for (unsigned i = 0; i < 32; i++) {
    const unsigned at = p->hdr.aligned ? i << p->hdr.size : 4 * (same < WORDS ? same : draw_below(WORDS));
    if (!(p->hdr.mask >> i & 1)) continue;
    if (!p->hdr.aligned) p->hdr.offs[i] = (uint8_t)at;
    memcpy(&b.formed[number][i], bytes + at, 1u << p->hdr.size);
  }
  read_only_answer(b.r, p, b.memory[stack][page][line]);
  b.crossbar[nsu][b.waiting[nsu]++] = p;
  b.loads++;
}

/* Its place in the list; count: it has none. */
static unsigned list_place(const list_t *l, uint64_t line) {
  unsigned at = 0;
  while (at < l->count && l->line[at] != line) at++;
  return at;
}

/* What the list says of an answer that may be kept: its
 * words are there. It is the one used last then. */
static bool list_has(list_t *l, uint64_t line, const bool *want) {
  unsigned at = list_place(l, line);
  bool word[WORDS] = {0}, all = true;
  if (at < l->count) memcpy(word, l->word[at], sizeof word);
  else if (l->count < b.config.nsu.read_only_lines) l->count++;
  else at--;
  memmove(&l->line[1], &l->line[0], at * sizeof *l->line);
  memmove(&l->word[1], &l->word[0], at * sizeof *l->word);
  for (unsigned w = 0; w < WORDS; w++) all &= word[w] || !want[w], word[w] |= want[w];
  l->line[0] = line;
  memcpy(l->word[0], word, sizeof word);
  return all;
}

/* Whole flits of header, mask, and offsets or data. */
static unsigned flits_of_answer(unsigned threads, bool partial, unsigned besides) {
  return (16 + (partial ? 4 : 0) + threads * besides + 15) / 16;
}

/* An answer leaves over the link: as the list says. */
static void leave_gpu(unsigned nsu) {
  packet_t *p = b.crossbar[nsu][0];
  const unsigned page = (unsigned)(p->hdr.addr >> 12 & 0xfffff) - 5,
                 threads = (unsigned)__builtin_popcountll(p->hdr.mask);
  const bool partial = p->hdr.mask != p->hdr.lmask, kept = p->kept != PACKET_PLAIN, aligned = p->hdr.aligned;
  const unsigned offsets = kept && !aligned ? (7 * threads + 7) / 8 : 0, data = threads << p->hdr.size,
                 before = 16 + (partial ? 4 : 0) + data + offsets;
  bool want[WORDS] = {0};
  assert_int_equal(packet_bytes(p), before);
  if (kept) assert_true(p->hdr.size == 2 && flits_of_answer(1, partial, offsets) < flits_of_answer(1, partial, data));
  for (unsigned i = 0; i < 32; i++)
    if (kept && p->hdr.mask >> i & 1) want[aligned ? i : p->hdr.offs[i] / 4] = true;
  const int more = kept ? read_only_leave(b.r, p) : 0;
  assert_int_equal((int)packet_bytes(p), (int)before + more);
  const bool keeps = kept && !b.written[stack_of(p->hdr.addr)][page],
             has = keeps && list_has(&b.list[nsu], p->hdr.addr, want);
  unsigned form = keeps ? PACKET_KEEPS : PACKET_PLAIN;
  if (has) form = PACKET_NAMES;
  if (planted == RIGHT) assert_int_equal(p->kept, form);
  if (p->kept == PACKET_PLAIN) assert_int_equal(packet_bytes(p), before - offsets);
  if (p->kept == PACKET_NAMES) assert_int_equal(packet_bytes(p), before - data);
  b.hits += has, b.fills += keeps && !has;
  b.saved += has ? data - offsets : 0, b.added += keeps && !has ? offsets : 0;
  link_push(&b.ni[nsu].to_nsu, p);
  memmove(&b.crossbar[nsu][0], &b.crossbar[nsu][1], --b.waiting[nsu] * sizeof(packet_t *));
}

/* The stores are heard of, and then written, whatever is under way. */
static void store_line(void) {
  const bool last = draw_below(2);
  const unsigned stack = last ? b.last.stack : draw_below(STACKS), page = last ? b.last.page : draw_below(PAGES),
                 line = last ? b.last.line : draw_below(LINES);
  const uint64_t at = line_address(stack, page, line);
  if (draw_below(2)) read_only_store(b.r, &at, 1);
  else read_only_write(b.r, at + 4 * draw_below(WORDS));
  b.written[stack][page] = true;
  for (unsigned k = 0; k < NSUS; k++)
    for (unsigned i = 0; i < b.list[k].count; i++) {
      list_t *l = &b.list[k];
      if (l->line[i] >> 12 != at >> 12) continue;
      l->count--;
      memmove(&l->line[i], &l->line[i + 1], (l->count - i) * sizeof *l->line);
      memmove(&l->word[i], &l->word[i + 1], (l->count - i) * sizeof *l->word);
      i--;
    }
  for (unsigned w = 0; w < WORDS; w++) b.memory[stack][page][line][w] = (uint32_t)test_random(&b.seed);
}

/* As the NSU gets it: plain, with the words that the cache gave.
 * Of several of a load, which no two here are, it would be one. */
static void arrive_at_nsu(packet_t *p) {
  const unsigned number = (unsigned)(p->hdr.sm | p->hdr.warp << 5 | p->hdr.seq << 10);
  bool right = p->kept == PACKET_PLAIN && p->hdr.aligned && p->hdr.type == PKT_RDF_RESP;
  for (unsigned i = 0; i < 32; i++) right &= !p->hdr.offs[i] && p->data[0][i] == b.formed[number][i];
  b.wrong += !right;
  b.came++;
  packet_free(b.pool, p);
}

/* A cycle of all NSUs. rush: nobody waits, what is there goes. */
static void tick_ports(bool rush) {
  for (unsigned k = 0; k < NSUS; k++) {
    while (b.waiting[k] && link_can_push(&b.ni[k].to_nsu, 1) && (rush || draw_below(3))) leave_gpu(k);
    ni_bridge_tick(&b.ni[k], b.tick);
    packet_t *p = rush || !draw_below(4) ? ni_bridge_pop(&b.ni[k], 1) : NULL;
    if (p) arrive_at_nsu(p);
  }
  b.tick++;
}

/* A launch: nothing is under way; then somebody writes whom nobody hears. */
static void launch_again(void) {
  while (b.came < b.loads) tick_ports(true);
  for (unsigned n = 0; n < PAGES * LINES; n++) {
    uint32_t *line = b.memory[draw_below(STACKS)][draw_below(PAGES)][draw_below(LINES)];
    for (unsigned w = 0; w < WORDS; w++) line[w] = (uint32_t)test_random(&b.seed);
  }
  read_only_launch(b.r);
  memset(b.written, 0, sizeof b.written);
  memset(b.list, 0, sizeof b.list);
}

/* How many answers had other words than they should. */
static unsigned run_stream(unsigned lines, unsigned beats, uint64_t seed) {
  open_stream(lines, beats, seed);
  for (unsigned launches = 0; launches < 6; launches++) {
    launch_again();
    for (unsigned n = 0; n < 500; n++) {
      if (draw_below(4)) form_answer();
      if (!draw_below(80)) store_line();
      tick_ports(false);
    }
  }
  while (b.came < b.loads) tick_ports(true);
  if (planted == RIGHT) {
    uint64_t hits = 0, fills = 0;
    for (unsigned k = 0; k < NSUS; k++) hits += b.ni[k].lines.hits, fills += b.ni[k].lines.fills;
    assert_true(b.hits > 0 && b.fills > 0 && b.stats.read_only_drops > 0);
    assert_true(hits == b.hits && fills == b.fills && b.stats.read_only_hits == b.hits &&
                b.stats.read_only_fills == b.fills);
    assert_true(b.stats.read_only_saved == b.saved && b.stats.read_only_added == b.added);
  }
  const unsigned wrong = b.wrong;
  close_stream();
  return wrong;
}

/* Lines of an NSU, and the port's beats. */
static const unsigned sizes[] = {1, 2, 3, 16, READ_ONLY_MOST}, places[] = {0, 1, 4};

/* No answer has a wrong word. */
static void streams_are_right(void **state) {
  (void)state;
  planted = RIGHT;
  for (unsigned n = 0; n < 5; n++)
    for (unsigned k = 0; k < 3; k++) assert_int_equal(run_stream(sizes[n], places[k], 10 * n + k), 0);
}

/* With each bug planted some answer is wrong, within 100 seeds. */
static void planted_streams(void **state) {
  (void)state;
  for (unsigned n = 0; n < 5; n++)
    for (planted = DEAF_TO_SMS; planted <= NO_LAUNCHES; planted++) {
      unsigned wrong = 0;
      for (uint64_t seed = 1; !wrong && seed <= 100; seed++) wrong += run_stream(sizes[n], 4, seed);
      if (!wrong) fail_msg("%u lines: nothing is wrong with bug %u planted", sizes[n], planted);
    }
  planted = RIGHT;
}

/* Exactly what is given up, and at what: a page of 4 KB of one stack, in all NSUs, once. */
static void given_up(void **state) {
  (void)state;
  planted = RIGHT;
  open_stream(4, 0, 1);
  for (unsigned k = 0; k < 2 * NSUS + 2; k++) {
    packet_t *p = packet_new(b.pool, PKT_RDF);
    const unsigned nsu = k % NSUS;
    p->hdr.addr = k < NSUS ? line_address(0, 0, 0) : line_address(k < 2 * NSUS ? 1 : 0, k < 2 * NSUS ? 0 : 1, 0);
    p->hdr.mask = p->hdr.lmask = ~0u, p->hdr.size = 2, p->hdr.aligned = 1;
    p->hdr.target = nsu / NSU_UNITS, p->dst_unit = (uint8_t)(nsu % NSU_UNITS);
    read_only_answer(b.r, p, b.memory[0][0][0]);
    assert_int_equal(p->kept, PACKET_MAY_KEEP);
    assert_int_equal(read_only_leave(b.r, p), 0);
    assert_int_equal(p->kept, PACKET_KEEPS);
    packet_free(b.pool, p);
  }
  read_only_write(b.r, line_address(0, 0, 0) + 4095);
  assert_int_equal(b.stats.read_only_drops, NSUS);
  read_only_write(b.r, line_address(0, 0, 0));               /* again */
  read_only_write(b.r, line_address(0, 2, 0));               /* a page of which nobody has a line */
  read_only_write(b.r, stack_address(STACKS, 0) + 4096 * 5); /* of no stack */
  assert_int_equal(b.stats.read_only_drops, NSUS);
  read_only_write(b.r, line_address(0, 1, 2));
  assert_int_equal(b.stats.read_only_drops, NSUS + 2);
  read_only_write(b.r, line_address(1, 0, 0));
  assert_int_equal(b.stats.read_only_drops, 2 * NSUS + 2);
  close_stream();
}

/* ---- kernels ---- */

enum {
  THREADS = 64,
  CTAS = 16,
  SLOTS = 6,
  READ_SLOTS = 2,
  SM_SLOT = 2,
  STEPS = 24,
  PAGE = 4096,
  BYTES = PAGE * SLOTS * CTAS
};

typedef struct {
  program_text_t out;
  struct {
    unsigned a, b, to, add;
    bool near; /* a: of the neighbour */
  } step[STEPS];
} program_t;

/* A slot is a page of each block, with a word of each thread. In a step a thread adds its own word,
 * or that of another thread of its block, and another slot's, its own or, of the first READ_SLOTS,
 * one word that all threads read; and stores the sum in a third slot, which is none of the first
 * READ_SLOTS, or adds it to SM_SLOT, as no NSU can. Barriers between steps. */
static void write_program(program_t *p, uint64_t seed) {
  p->out.used = 0;
  say(&p->out,
      ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %%r<20>;\n"
      ".reg .b64 %%d<6>;\n");
  say(&p->out,
      "mov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r3, %%tid.x;\nmul.lo.u32 %%r1, %%r1, %u;\nadd.u32 %%r4, %%r3, 37;\n",
      SLOTS * PAGE / 4);
  say(&p->out, "and.b32 %%r4, %%r4, %u;\nadd.u32 %%r3, %%r1, %%r3;\nadd.u32 %%r4, %%r1, %%r4;\n", THREADS - 1);
  say(&p->out,
      "ld.param.u64 %%d1, [a];\nmul.wide.u32 %%d2, %%r3, 4;\nadd.s64 %%d2, %%d1, %%d2;\nmul.wide.u32 %%d3, %%r4, 4;\n"
      "add.s64 %%d3, %%d1, %%d3;\n");
  for (unsigned i = 0; i < STEPS; i++) {
    p->step[i].to = READ_SLOTS + (unsigned)(test_random(&seed) % (SLOTS - READ_SLOTS));
    do p->step[i].a = (unsigned)(test_random(&seed) % SLOTS);
    while (p->step[i].a == p->step[i].to);
    do p->step[i].b = (unsigned)(test_random(&seed) % SLOTS);
    while (p->step[i].b == p->step[i].to);
    p->step[i].near = test_random(&seed) % 2, p->step[i].add = (unsigned)(test_random(&seed) & 0xffff);
    say(&p->out, "ld.global.u32 %%r10, [%%d%u+%u];\nld.global.u32 %%r11, [%%d%u+%u];\n", p->step[i].near ? 3 : 2,
        PAGE * p->step[i].a, p->step[i].b < READ_SLOTS ? 1 : 2, PAGE * p->step[i].b);
    say(&p->out, "add.u32 %%r12, %%r10, %%r11;\nadd.u32 %%r12, %%r12, %u;\n%s [%%d2+%u], %%r12;\nbar.sync 0;\n",
        p->step[i].add, p->step[i].to == SM_SLOT ? "red.global.add.u32" : "st.global.u32", PAGE * p->step[i].to);
  }
  say(&p->out, "ret;\n}\n");
}

typedef uint32_t slot_t[PAGE / 4];

/* Step by step, all threads: barriers separate the steps. */
static void run_on_host(const program_t *p, slot_t (*block)[SLOTS]) {
  for (unsigned i = 0; i < STEPS; i++)
    for (unsigned k = 0; k < CTAS; k++)
      for (unsigned t = 0; t < THREADS; t++) {
        slot_t *slot = block[k];
        const uint32_t one = slot[p->step[i].a][p->step[i].near ? (t + 37) % THREADS : t];
        const uint32_t other = p->step[i].b < READ_SLOTS ? block[0][p->step[i].b][0] : slot[p->step[i].b][t];
        slot[p->step[i].to][t] = (p->step[i].to == SM_SLOT ? slot[SM_SLOT][t] : 0) + one + other + p->step[i].add;
      }
}

/* Half of the blocks are offloaded; small caches. */
static gpu_config_t machine_with_lines(unsigned lines) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 3, c.num_stacks = 2, c.nsu.ratio = 0.5, c.nsu.read_only_lines = lines;
  c.l1.bytes = 4096, c.l2.bytes = 16 << 10;
  c.link_queue = 2;
  return c;
}

/* What the score learns of answers is what went over the links. */
static void compare_bytes(const gpu_rig_t *r) {
  const gpu_log_t log = gpu_log(r->gpu);
  uint64_t bytes = 0;
  for (unsigned k = 0; k < log.blocks; k++) bytes += log.block[k].rdf_hit_bytes;
  assert_int_equal(bytes, gpu_stats(r->gpu).sent_bytes[PKT_RDF_RESP]);
}

/* Twice, with other data between. Whether both results are right. */
static bool run_program(const program_t *p, unsigned lines, uint64_t seed, gpu_stats_t *stats, ni_lines_t *at_nsus) {
  static slot_t want[CTAS][SLOTS], got[CTAS][SLOTS];
  const gpu_config_t c = machine_with_lines(lines);
  gpu_rig_t *r = rig_new(&c, p->out.text, p->out.used, "lines.ptx", true);
  if (r->err.kind) fail_msg("%s", r->err.text);
  r->random = seed;
  bool right = true;
  const uint64_t a = gpu_malloc(r->gpu, BYTES, &r->err);
  const gpu_launch_t l = {.grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .params = &a, .param_bytes = sizeof a};
  for (unsigned launches = 0; launches < 2; launches++) {
    for (unsigned k = 0; k < BYTES / 4; k++) (&want[0][0][0])[k] = (uint32_t)test_random(&seed);
    gpu_copy_in(r->gpu, a, want, BYTES, &r->err);
    run_on_host(p, want);
    if (rig_run(r, &l, 2000000)) fail_msg("%s", r->err.text);
    if (r->broken) fail_msg("%s", r->broken);
    gpu_copy_out(r->gpu, got, a, BYTES, &r->err);
    right &= !memcmp(got, want, BYTES);
  }
  *stats = gpu_stats(r->gpu);
  *at_nsus = (ni_lines_t){0};
  for (unsigned s = 0; s < c.num_stacks; s++) at_nsus->hits += r->lines[s].hits, at_nsus->fills += r->lines[s].fills;
  compare_bytes(r);
  assert_int_equal(packet_pool_live(r->pool), 0);
  rig_free(r);
  return right;
}

/* Twelve programs on four sizes; each bug makes some of them wrong. */
static void kernels_are_right(void **state) {
  static program_t p;
  static const unsigned lines[] = {0, 1, 2, READ_ONLY_MOST};
  unsigned wrong[DEAF + 1] = {0}; /* what the host copies is heard of, so launches are no matter here */
  (void)state;
  for (unsigned seed = 1; seed <= 12; seed++) {
    gpu_stats_t s;
    ni_lines_t at;
    write_program(&p, seed);
    planted = RIGHT;
    for (unsigned k = 0; k < 4; k++) {
      if (!run_program(&p, lines[k], seed, &s, &at)) fail_msg("seed %u, %u lines: a wrong result", seed, lines[k]);
      assert_true(s.blocks_offloaded > 0 && s.blocks_kept > 0);
      assert_true(at.hits == s.read_only_hits && at.fills == s.read_only_fills);
      assert_true((s.read_only_hits > 0) == (k > 0) && (s.read_only_fills > 0) == (k > 0) &&
                  (s.read_only_drops > 0) == (k > 0));
    }
    for (planted = DEAF_TO_SMS; planted <= DEAF; planted++)
      wrong[planted] += !run_program(&p, READ_ONLY_MOST, seed, &s, &at);
  }
  planted = RIGHT;
  for (unsigned k = DEAF_TO_SMS; k <= DEAF; k++)
    if (!wrong[k]) fail_msg("no kernel is wrong with bug %u planted", k);
}

/* 0 to 64 lines, and none beside TOM. */
static void read_only_configs_refused(void **state) {
  gpu_config_t c = machine_with_lines(READ_ONLY_MOST);
  (void)state;
  assert_null(REFUSAL(gpu_config_check, &c));
  c.nsu.read_only_lines++;
  assert_string_equal(REFUSAL(gpu_config_check, &c),
                      "nsu.read_only_lines: 65 is out of range; from 0 to 64 would be right");
  c = machine_with_lines(1), c.tom_beside = true;
  assert_non_null(strstr(REFUSAL(gpu_config_check, &c), "nsu.read_only_lines=0, or tom.offload=none, would be right"));
  c.nsu.read_only_lines = 0;
  assert_null(REFUSAL(gpu_config_check, &c));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(streams_are_right), cmocka_unit_test(planted_streams),
                                     cmocka_unit_test(given_up), cmocka_unit_test(kernels_are_right),
                                     cmocka_unit_test(read_only_configs_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
