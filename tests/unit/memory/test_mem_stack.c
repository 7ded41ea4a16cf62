/* SPDX-License-Identifier: Apache-2.0
 *
 * One stack alone, with a link to the GPU and a bridge to the NSU: what each packet becomes,
 * which bytes it carries, in which order requests to one line are done, what a full queue holds
 * up, and which packets and configurations are refused.
 *
 *     GPU  --from_gpu-->  stack (switch, 16 vaults)  --nsu.to_nsu-->  NSU
 *          <--to_gpu---                            <--nsu.from_nsu--
 *
 * Class 0 carries requests, class 1 answers.
 */
#include "unit_test.h"

#include <string.h>

#include "mem_stack.h"

enum { ID = 3, GPU = PKT_GPU };
static const uint64_t BASE = (uint64_t)ID << PKT_STACK_LSB;

typedef struct bench {
  memory_image_t *image;
  packet_pool_t *pool;
  link_t from_gpu, to_gpu;
  ni_bridge_t nsu;
  mem_stack_t *stack;
  uint64_t tick, dram;
} bench_t;

static bench_t b;

/* One stack with its links and one NSU's port. */
static void open_stack_with(const mem_stack_config_t *config) {
  link_config_t link = link_default_config(), port = ni_bridge_default_config();
  memset(&b, 0, sizeof b);
  b.image = memory_image_new();
  b.pool = packet_pool_new();
  link_init(&b.from_gpu, &link);
  link_init(&b.to_gpu, &link);
  ni_bridge_init(&b.nsu, &port);
  mem_stack_ports_t ports = {b.image, b.pool, &b.from_gpu, &b.to_gpu, NULL, &b.nsu, 1};
  b.stack = mem_stack_new(config, &ports);
}

static int setup(void **state) {
  (void)state;
  mem_stack_config_t config = mem_stack_default_config(ID);
  open_stack_with(&config);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  mem_stack_free(b.stack);
  packet_pool_free(b.pool);
  memory_image_free(b.image);
  return 0;
}

/* 0.8 ns; the DRAM's 1.5 ns clock first where both fall together. */
static void tick_bench(void) {
  if (b.tick * 8 >= b.dram * 15) mem_stack_tick_dram(b.stack, b.dram++);
  mem_stack_tick(b.stack, b.tick);
  link_tick(&b.from_gpu, b.tick);
  link_tick(&b.to_gpu, b.tick);
  ni_bridge_tick(&b.nsu, b.tick++);
}

/* The next packet of the class, whenever it comes; none within 5000 ticks is a failure. */
static packet_t *wait_for_packet(link_t *from, unsigned cls) {
  for (unsigned i = 0; i < 5000; i++) {
    packet_t *p = link_pop(from, cls);
    if (p) return p;
    tick_bench();
  }
  fail_msg("nothing came");
  return NULL;
}

/* A request whose header has a value in every field,
 * so that an answer shows which of them come back. */
static packet_t *new_request(unsigned type, unsigned src, uint64_t addr) {
  packet_t *p = packet_new(b.pool, type);
  p->src = src;
  p->dst = ID;
  p->hdr.target = ID;
  p->hdr.addr = addr;
  p->hdr.sm = 17, p->hdr.warp = 41, p->hdr.seq = 9, p->hdr.slot = 33;
  memset(p->data, 0xee, sizeof p->data); /* nothing of it may show in a response */
  return p;
}

/* The line's 128 bytes are 1, 2, ..., 128. */
static void fill_line(uint64_t addr) {
  uint8_t line[PKT_LINE_BYTES];
  for (unsigned i = 0; i < sizeof line; i++) line[i] = (uint8_t)(i + 1);
  memory_image_write(b.image, addr, line, sizeof line);
}

/* After 300 ticks nothing is left: no packet in the stack, on a link or out of the pool. */
static void assert_quiet(void) {
  for (unsigned i = 0; i < 300; i++) tick_bench();
  assert_true(mem_stack_idle(b.stack));
  assert_int_equal(mem_stack_held(b.stack), 0);
  assert_true(link_idle(&b.to_gpu) && link_idle(&b.from_gpu) && ni_bridge_idle(&b.nsu));
  assert_int_equal(packet_pool_live(b.pool), 0);
}

/* The GPU's read, the NSU's fetches of instructions and of constants: each brings
 * the whole line to who asked, in a packet of the type that belongs to the request. */
static void reads_and_fills(void **state) {
  (void)state;
  static const unsigned kinds[][3] = {
      {PKT_READ, GPU, PKT_READ_RESP}, {PKT_IFETCH, ID, PKT_IFILL}, {PKT_CFETCH, ID, PKT_CFILL}};
  for (unsigned k = 0; k < 3; k++) {
    uint64_t addr = BASE + 0x12380 + 0x1000 * k;
    fill_line(addr);
    packet_t *p = new_request(kinds[k][0], kinds[k][1], addr);
    p->tag = 77;
    link_push(k ? &b.nsu.from_nsu : &b.from_gpu, p);
    p = wait_for_packet(k ? &b.nsu.to_nsu : &b.to_gpu, 1);
    assert_int_equal(p->hdr.type, kinds[k][2]);
    assert_int_equal(p->src, ID);
    assert_int_equal(p->dst, kinds[k][1]);
    assert_int_equal(p->hdr.addr, addr);
    assert_int_equal(p->tag, 77);
    for (unsigned i = 0; i < PKT_LINE_BYTES; i++) assert_int_equal(((uint8_t *)p->data[0])[i], i + 1);
    packet_free(b.pool, p);
  }
  assert_quiet();
}

/* An RDF gathers a word of 1, 2 or 4 bytes for each thread of its mask. Thread i's word is
 * the i-th of the line, or lies at the thread's own offset. Other threads' words are 0. */
static void rdf_gathers(void **state) {
  (void)state;
  fill_line(BASE);
  for (unsigned size = 0; size < 3; size++) {
    for (unsigned aligned = 0; aligned < 2; aligned++) {
      packet_t *p = new_request(PKT_RDF, GPU, BASE);
      p->hdr.mask = 0x80000105, p->hdr.lmask = 0xf0000105, p->hdr.size = size, p->hdr.aligned = aligned;
      for (unsigned i = 0; i < 32 && !aligned; i++) p->hdr.offs[i] = (uint8_t)(PKT_LINE_BYTES - (1U << size) - i);
      link_push(&b.from_gpu, p);
      p = wait_for_packet(&b.nsu.to_nsu, 1);
      assert_int_equal(p->hdr.type, PKT_RDF_RESP);
      assert_int_equal(p->hdr.mask, 0x80000105);
      assert_int_equal(p->hdr.lmask, 0xf0000105);
      assert_int_equal(p->hdr.sm, 17);
      assert_int_equal(p->hdr.warp, 41);
      assert_int_equal(p->hdr.seq, 9);
      for (unsigned i = 0; i < 32; i++) {
        uint32_t at = aligned ? i << size : PKT_LINE_BYTES - (1U << size) - i, word = 0;
        for (unsigned k = 0; k < 1U << size; k++) word |= (at + k + 1) << 8 * k;
        assert_int_equal(p->data[0][i], UINT32_C(0x80000105) >> i & 1 ? word : 0);
      }
      packet_free(b.pool, p);
    }
  }
  assert_quiet();
}

/* Five threads write two bytes each. Threads 1 and 31 write to one
 * place, threads 2 and 3 overlap: the higher thread wins. The NSU's
 * write also sends the GPU an invalidation with the writer's mask. */
static void writes(void **state) {
  (void)state;
  for (unsigned src = GPU;; src = ID) {
    fill_line(BASE + 0x800);
    packet_t *p = new_request(PKT_WRITE, src, BASE + 0x800);
    p->hdr.mask = 0x8000000f, p->hdr.lmask = 0xffffffff, p->hdr.size = 1;
    p->hdr.offs[0] = 126, p->hdr.offs[1] = 0, p->hdr.offs[2] = 10, p->hdr.offs[3] = 11, p->hdr.offs[31] = 0;
    for (unsigned i = 0; i < 32; i++) p->data[0][i] = 0xa5a50000 + 0x100 * i + i;
    link_push(src == GPU ? &b.from_gpu : &b.nsu.from_nsu, p);
    p = wait_for_packet(src == GPU ? &b.to_gpu : &b.nsu.to_nsu, 1);
    assert_int_equal(p->hdr.type, PKT_WRITE_ACK);
    assert_int_equal(p->hdr.slot, 33);
    assert_int_equal(p->dst, src);
    packet_free(b.pool, p);
    const uint8_t *line = memory_image_line(b.image, BASE + 0x800);
    assert_int_equal(line[126] | line[127] << 8, 0);
    assert_int_equal(line[0] | line[1] << 8, 31 * 0x101); /* the highest thread wins */
    assert_int_equal(line[10], 2);
    assert_int_equal(line[11] | line[12] << 8, 3 * 0x101);
    assert_int_equal(line[13], 14);
    if (src == ID) break;
    assert_quiet(); /* no invalidation for the GPU's own */
  }
  packet_t *p = wait_for_packet(&b.to_gpu, 1);
  assert_int_equal(p->hdr.type, PKT_INVAL);
  assert_int_equal(p->src, ID);
  assert_int_equal(p->hdr.addr, BASE + 0x800);
  assert_int_equal(p->hdr.warp, 41);
  assert_int_equal(p->hdr.mask, 0x8000000f);
  packet_free(b.pool, p);
  assert_quiet();
}

/* One burst for half a line, two for accesses to both halves. */
static void bursts(void **state) {
  (void)state;
  static const struct {
    uint32_t mask;
    unsigned bursts;
  } cases[] = {{0x1, 1}, {0x8000, 1}, {0x10000, 1}, {0x18000, 2}, {0x80000001, 2}, {0xffffffff, 2}, {0xffff0000, 1}};
  uint64_t before = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    packet_t *p = new_request(PKT_RDF, GPU, BASE);
    p->hdr.mask = cases[i].mask, p->hdr.size = 2, p->hdr.aligned = 1;
    link_push(&b.from_gpu, p);
    packet_free(b.pool, wait_for_packet(&b.nsu.to_nsu, 1));
    uint64_t now = mem_stack_vault_stats(b.stack).read_bursts;
    assert_int_equal(now - before, cases[i].bursts);
    before = now;
  }
}

/* Packets that are not for the memory go through unchanged. */
static void passes_to_nsu_and_gpu(void **state) {
  (void)state;
  static const unsigned down[] = {PKT_CMD, PKT_WTA, PKT_RDF_RESP}, up[] = {PKT_OFLD_ACK, PKT_CREDIT};
  for (unsigned i = 0; i < 3; i++) {
    link_push(&b.from_gpu, new_request(down[i], GPU, 0x1000 + i));
    packet_t *p = wait_for_packet(&b.nsu.to_nsu, i == 2);
    assert_int_equal(p->hdr.type, down[i]);
    assert_int_equal(p->hdr.addr, 0x1000 + i);
    packet_free(b.pool, p);
  }
  for (unsigned i = 0; i < 2; i++) {
    packet_t *p = new_request(up[i], ID, 0);
    p->dst = GPU;
    link_push(&b.nsu.from_nsu, p);
    p = wait_for_packet(&b.to_gpu, 1);
    assert_int_equal(p->hdr.type, up[i]);
    packet_free(b.pool, p);
  }
  assert_quiet();
}

/* Writes and reads of one line, back to back: every
 * read sees the writes before it and none after. */
static void order_of_one_line(void **state) {
  (void)state;
  enum { PAIRS = 300 };
  unsigned seen = 0, acks = 0;
  for (unsigned pushed = 0, i = 0; seen + acks < 2 * PAIRS; i++) {
    assert_true(i < 100000);
    if (pushed < 2 * PAIRS && link_can_push(&b.from_gpu, 0)) {
      packet_t *p = new_request(pushed % 2 ? PKT_READ : PKT_WRITE, GPU, BASE + 0x4000 * (pushed / 2 % 2));
      p->hdr.mask = 1, p->hdr.size = 2, p->hdr.aligned = 1;
      p->data[0][0] = pushed / 2 + 1;
      p->tag = pushed / 2;
      link_push(&b.from_gpu, p);
      pushed++;
    }
    tick_bench();
    packet_t *p = link_pop(&b.to_gpu, 1);
    if (!p) continue;
    acks += p->hdr.type == PKT_WRITE_ACK;
    seen += p->hdr.type == PKT_READ_RESP;
    if (p->hdr.type == PKT_READ_RESP) assert_int_equal(p->data[0][0], p->tag + 1);
    packet_free(b.pool, p);
  }
  assert_quiet();
}

/* The GPU takes nothing: requests stop at its link, the
 * other class still passes to the NSU; then all drains. */
static void back_pressure(void **state) {
  (void)state;
  unsigned pushed = 0, came = 0;
  for (unsigned i = 0; i < 20000; i++) {
    if (link_can_push(&b.from_gpu, 0)) {
      link_push(&b.from_gpu, new_request(PKT_READ, GPU, BASE + 0x800 * (pushed % 64))); /* all in vault 0 */
      pushed++;
    }
    tick_bench();
  }
  assert_false(link_can_push(&b.from_gpu, 0));
  assert_in_range(pushed, 96, 96 + 128 + 4 + 4 + 20);
  char text[4096];
  size_t used = mem_stack_describe_waits(b.stack, text, sizeof text);
  assert_int_equal(used, strlen(text));
  assert_non_null(strstr(text, "READ waits for vault 0 (full)"));
  assert_non_null(strstr(text, "stack 3: from GPU link class 0: READ waits for vault 0 (full)\n"));
  assert_non_null(strstr(text, "stack 3: from vaults' responses: READ_RESP waits for GPU link class 1 (full)\n"));
  /* hold_packets, all served */
  assert_non_null(strstr(text, "stack 3 vault 0: 0 wait to enter, 0 queued, 96 responses owed\n"));
  /* the other class is free */
  link_push(&b.from_gpu, new_request(PKT_RDF_RESP, GPU, 0));
  packet_free(b.pool, wait_for_packet(&b.nsu.to_nsu, 1));
  for (unsigned i = 0; i < 20000 && came < pushed; i++) {
    packet_t *p = link_pop(&b.to_gpu, 1);
    if (p) came++, packet_free(b.pool, p);
    tick_bench();
  }
  assert_int_equal(came, pushed);
  assert_quiet();
}

/* Queues of one packet and room for two answers still do writes in
 * order. With room for one answer a write of the NSU could not end. */
static void smallest_sizes(void **state) {
  mem_stack_config_t config = mem_stack_default_config(ID);
  config.wait_packets = 1;
  config.hold_packets = 2;
  config.vault.queue = 1;
  assert_null(REFUSAL(mem_stack_check_config, &config));
  teardown(state);
  open_stack_with(&config);
  writes(state);
  order_of_one_line(state);
  config.hold_packets = 1; /* no room for an acknowledgement and an invalidation */
  assert_non_null(REFUSAL(mem_stack_check_config, &config));
}

/* A wrong packet is dropped, counted and named in the stack's fault. Nothing else comes of it. */
static void bad_packets(void **state) {
  static const struct {
    unsigned type, dst;
    uint64_t addr;
    const char *text;
  } cases[] = {
      {PKT_READ, ID, (uint64_t)4 << 32, "another stack"},      {PKT_READ, ID, ((uint64_t)ID << 32) + 4, "low bits"},
      {PKT_READ, 5, (uint64_t)5 << 32, "no way to the stack"}, {PKT_INVAL, ID, 0, "no stack receives"},
      {PKT_RDF, ID, (uint64_t)ID << 32, "beyond its line"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_null(mem_stack_fault(b.stack));
    packet_t *p = new_request(cases[i].type, GPU, cases[i].addr);
    p->dst = cases[i].dst;
    p->hdr.mask = 1, p->hdr.size = 2, p->hdr.offs[0] = 125;
    link_push(&b.from_gpu, p);
    for (unsigned k = 0; k < 50; k++) tick_bench();
    assert_non_null(mem_stack_fault(b.stack));
    assert_non_null(strstr(mem_stack_fault(b.stack)->text, cases[i].text));
    assert_int_equal(mem_stack_stats(b.stack)->errors, 1);
    assert_quiet();
    teardown(state);
    setup(state);
  }
}

/* The same work, ticked always and only when something is there: same ticks, same statistics. */
static void idle_skips(void **state) {
  vault_stats_t stats[2];
  uint64_t ends[2];
  for (unsigned skip = 0; skip < 2; skip++) {
    if (skip) teardown(state), setup(state);
    for (unsigned i = 0; i < 40; i++) {
      for (uint64_t until = 3000 * i; b.tick < until;) {
        bool idle = mem_stack_idle(b.stack) && link_idle(&b.from_gpu) && link_idle(&b.to_gpu);
        if (skip && idle) b.tick = until, b.dram = (until * 8 + 14) / 15;
        else tick_bench();
      }
      link_push(&b.from_gpu, new_request(PKT_READ, GPU, BASE + 0x800 * i));
      packet_free(b.pool, wait_for_packet(&b.to_gpu, 1));
    }
    stats[skip] = mem_stack_vault_stats(b.stack);
    ends[skip] = b.tick;
  }
  assert_int_equal(ends[0], ends[1]);
  assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
  assert_true(stats[0].refreshes > 8);
}

/* Consecutive lines go to the 16 vaults in turn, and 8192 lines fill
 * one row of every bank. The map is one to one, also with shorter rows. */
static void address_map(void **state) {
  (void)state;
  static uint8_t used[STACK_VAULTS][STACK_BANKS][STACK_ROW_LINES];
  for (uint64_t line = 0; line < 8192; line++) { /* 1 MB: every vault, bank and column of a row once */
    stack_place_t p = stack_place(BASE + 0x4ff00000 + line * 128, STACK_ROW_LINES);
    assert_int_equal(p.stack, ID);
    assert_int_equal(p.row, 0x4ff);
    assert_int_equal(p.vault, line % 16);
    assert_int_equal(used[p.vault][p.bank][p.line]++, 0);
  }
  /* shorter rows: as many lines of each, and more rows */
  for (unsigned lines = 1; lines <= STACK_ROW_LINES; lines *= 2) {
    memset(used, 0, sizeof used);
    for (uint64_t line = 0; line < 256 * lines; line++) {
      const stack_place_t p = stack_place(BASE + line * 128, lines);
      assert_true(p.row == stack_place(BASE, lines).row && p.line < lines);
      assert_int_equal(used[p.vault][p.bank][p.line]++, 0);
    }
    assert_int_equal(stack_place(BASE + 0x80000000 + 256 * 128 * lines, lines).row,
                     stack_place(BASE + 0x80000000, lines).row + 1);
  }
  assert_int_not_equal(stack_place(BASE, STACK_ROW_LINES).bank, stack_place(BASE + 0x100000, STACK_ROW_LINES).bank);
}

/* ---- the switch ---- */

/* Arrived, but not taken: the link has been ticked and the stack has not. */
static void arrive_at_input(link_t *link, packet_t *p) {
  link_push(link, p);
  for (unsigned i = 0; i < 30; i++) link_tick(link, b.tick + i);
  b.tick += 30;
}

/* The whole text of what the stack waits for. */
static void expect_waits(const char *expected) {
  char text[512] = "before";
  assert_int_equal(mem_stack_describe_waits(b.stack, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
}

/* A packet that has come to an input makes the stack busy, though the stack does
 * not hold it yet. The text names the packet, its input and what it waits for. */
static void packets_at_an_input_are_work(void **state) {
  (void)state;
  expect_waits("");
  assert_true(mem_stack_idle(b.stack));
  arrive_at_input(&b.from_gpu, new_request(PKT_CMD, GPU, 0));
  assert_false(mem_stack_idle(b.stack));
  assert_int_equal(mem_stack_held(b.stack), 0);
  expect_waits("stack 3: from GPU link class 0: CMD waits for unit 0 class 0 (has room)\n");
  packet_free(b.pool, wait_for_packet(&b.nsu.to_nsu, 0));
  packet_t *p = new_request(PKT_OFLD_ACK, ID, 0);
  p->dst = GPU;
  arrive_at_input(&b.nsu.from_nsu, p);
  assert_false(mem_stack_idle(b.stack));
  expect_waits("stack 3: from unit 0 class 1: OFLD_ACK waits for GPU link class 1 (has room)\n");
  packet_free(b.pool, wait_for_packet(&b.to_gpu, 1));
  p = new_request(PKT_READ, GPU, BASE + 4);
  arrive_at_input(&b.from_gpu, p);
  expect_waits("stack 3: from GPU link class 0: READ waits for nothing: line address with low bits set (full)\n");
}

/* Three sources of packets for the NSU's class 1, each with more than can go: each gets a third. */
static void outputs_take_sources_by_turns(void **state) {
  (void)state;
  unsigned came[PKT_INVAL + 16] = {0}, all = 0;
  while (all < 900) {
    assert_true(b.tick < 200000);
    if (link_can_push(&b.from_gpu, 1)) { /* a response of another stack, of no words */
      packet_t *p = new_request(PKT_RDF_RESP, GPU, 0);
      p->hdr.mask = p->hdr.lmask = 0;
      link_push(&b.from_gpu, p);
    }
    if (link_can_push(&b.nsu.from_nsu, 1)) link_push(&b.nsu.from_nsu, new_request(PKT_WRITE_ACK, ID, 0));
    if (link_can_push(&b.nsu.from_nsu, 0))
      link_push(&b.nsu.from_nsu, new_request(PKT_IFETCH, ID, BASE + 128 * (b.tick % 64)));
    tick_bench();
    packet_t *p = link_pop(&b.nsu.to_nsu, 1);
    if (!p) continue;
    if (b.tick > 1000) came[p->hdr.type]++, all++;
    packet_free(b.pool, p);
  }
  assert_in_range(came[PKT_RDF_RESP], 297, 303);
  assert_in_range(came[PKT_WRITE_ACK], 297, 303);
  assert_in_range(came[PKT_IFILL], 297, 303);
}

/* A unit that takes nothing holds back no other: the
 * fills of the first stand, that of the second comes. */
static void units_do_not_wait_for_each_other(void **state) {
  (void)state;
  enum { BOTH = 6000 }; /* from then on the first takes its fills, too */
  static ni_bridge_t unit[2];
  const link_config_t port = ni_bridge_default_config();
  const mem_stack_config_t config = mem_stack_default_config(ID);
  const mem_stack_ports_t ports = {b.image, b.pool, &b.from_gpu, &b.to_gpu, NULL, unit, 2};
  mem_stack_free(b.stack);
  b.stack = mem_stack_new(&config, &ports);
  for (unsigned u = 0; u < 2; u++) ni_bridge_init(&unit[u], &port);
  unsigned asked[2] = {0}, came[2] = {0};
  while (b.tick < BOTH || came[0] < asked[0]) {
    assert_true(b.tick < 20000);
    if (asked[0] < 600 && link_can_push(&unit[0].from_nsu, 0)) { /* vaults 0 to 14 */
      link_push(&unit[0].from_nsu, new_request(PKT_IFETCH, ID, BASE + 128 * (b.tick % 15)));
      asked[0]++;
    }
    if (b.tick == 4000) {
      link_push(&unit[1].from_nsu, new_request(PKT_IFETCH, ID, BASE + 128 * 15));
      asked[1]++;
    }
    tick_bench();
    for (unsigned u = 0; u < 2; u++) ni_bridge_tick(&unit[u], b.tick - 1);
    if (b.tick == BOTH) assert_int_equal(came[1], 1);
    const unsigned u = b.tick < BOTH;
    packet_t *p = link_pop(&unit[u].to_nsu, 1);
    if (!p) continue;
    assert_int_equal(p->hdr.addr == BASE + 128 * 15, u);
    packet_free(b.pool, p);
    came[u]++;
  }
  assert_true(asked[0] == 600 && mem_stack_idle(b.stack));
  assert_int_equal(packet_pool_live(b.pool), 0);
}

/* What a thread outside of the mask says of its offset does not matter. */
static void offsets_outside_of_the_mask_are_free(void **state) {
  (void)state;
  fill_line(BASE);
  packet_t *p = new_request(PKT_RDF, GPU, BASE);
  p->hdr.mask = p->hdr.lmask = 0x80000000, p->hdr.size = 2, p->hdr.offs[0] = 127, p->hdr.offs[31] = 124;
  link_push(&b.from_gpu, p);
  p = wait_for_packet(&b.nsu.to_nsu, 1);
  assert_int_equal(p->hdr.type, PKT_RDF_RESP);
  assert_int_equal(p->data[0][31], 0x807f7e7d); /* bytes 124 to 127 hold 125 to 128 */
  packet_free(b.pool, p);
  assert_null(mem_stack_fault(b.stack));
}

/* Two stacks' work side by side: another stack's NSU writes here; the
 * GPU is told by this stack, and the writer cannot be reached alone. */
static void invalidation_names_this_stack(void **state) {
  (void)state;
  packet_t *p = new_request(PKT_WRITE, 5, BASE);
  p->hdr.mask = 1, p->hdr.size = 2, p->hdr.aligned = 1;
  link_push(&b.from_gpu, p);
  p = wait_for_packet(&b.to_gpu, 1);
  assert_int_equal(p->hdr.type, PKT_INVAL);
  assert_int_equal(p->src, ID);
  assert_int_equal(p->dst, GPU);
  packet_free(b.pool, p);
  for (unsigned i = 0; i < 50; i++) tick_bench();
  assert_string_equal(mem_stack_fault(b.stack)->text,
                      "stack 3: no way to the stack: WRITE_ACK from 3 to 5, address 0x300000000");
}

/* Who tells the GPU himself says so: the acknowledgement is all that comes. */
static void a_quiet_write_invalidates_nothing(void **state) {
  (void)state;
  packet_t *p = new_request(PKT_WRITE, ID, BASE);
  p->hdr.mask = 1, p->hdr.size = 2, p->hdr.aligned = 1, p->quiet = true;
  link_push(&b.nsu.from_nsu, p);
  p = wait_for_packet(&b.nsu.to_nsu, 1);
  assert_int_equal(p->hdr.type, PKT_WRITE_ACK);
  packet_free(b.pool, p);
  assert_quiet();
}

/* Requests by kind, with what became of each; one vault's row
 * is opened once, so one read misses and the others hit. */
static void statistics(void **state) {
  (void)state;
  for (unsigned i = 0; i < 5; i++) {
    link_push(&b.from_gpu, new_request(PKT_READ, GPU, BASE + 0x800 * i));
    packet_free(b.pool, wait_for_packet(&b.to_gpu, 1));
  }
  packet_t *p = new_request(PKT_WRITE, GPU, BASE);
  p->hdr.mask = 1, p->hdr.size = 2, p->hdr.aligned = 1;
  link_push(&b.from_gpu, p);
  packet_free(b.pool, wait_for_packet(&b.to_gpu, 1));
  const mem_stack_stats_t *s = mem_stack_stats(b.stack);
  static const unsigned served[16] = {[PKT_READ] = 5, [PKT_WRITE] = 1};
  static const unsigned responses[16] = {[PKT_READ_RESP] = 5, [PKT_WRITE_ACK] = 1};
  for (unsigned t = 0; t < 16; t++) {
    assert_int_equal(s->served[t], served[t]);
    assert_int_equal(s->responses[t], responses[t]);
  }
  vault_stats_t v = mem_stack_vault_stats(b.stack);
  assert_int_equal(v.reads, 5);
  assert_int_equal(v.writes, 1);
  assert_int_equal(v.read_bursts, 10); /* whole lines */
  assert_int_equal(v.write_bursts, 1);
  assert_int_equal(v.row_misses, 1);
  assert_int_equal(v.row_hits, 5);
  assert_int_equal(v.activates, 1);
}

/* Each limit with its message, and the defaults: 4 packets wait to enter a vault, 96 are held. */
static void stack_config_limits(void **state) {
  (void)state;
  const mem_stack_config_t good = mem_stack_default_config(255);
  mem_stack_config_t c = good;
  assert_null(REFUSAL(mem_stack_check_config, &c));
  c.id = 256;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c), "a stack's id must be 0 to 255");
  c = good, c.vault.banks = 8;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c), "a stack's vaults have 16 banks");
  c = good, c.wait_packets = 0;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c), "wait_packets must be at least 1");
  c = good, c.row_lines = 24;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c), "vault.row_lines must be 1, 2, 4, 8, 16 or 32");
  c = good, c.hold_packets = 1;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c), "hold_packets must be at least 2");
  c = good, c.vault.queue = 0;
  assert_string_equal(REFUSAL(mem_stack_check_config, &c),
                      "vault.queue: 0 is out of range; from 1 to 128 would be right");
  assert_int_equal(good.wait_packets, 4);
  assert_int_equal(good.hold_packets, 96);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(reads_and_fills),
      TEST(rdf_gathers),
      TEST(writes),
      TEST(bursts),
      TEST(passes_to_nsu_and_gpu),
      TEST(order_of_one_line),
      TEST(back_pressure),
      TEST(smallest_sizes),
      TEST(bad_packets),
      TEST(idle_skips),
      TEST(address_map),
      TEST(packets_at_an_input_are_work),
      TEST(outputs_take_sources_by_turns),
      TEST(units_do_not_wait_for_each_other),
      TEST(offsets_outside_of_the_mask_are_free),
      TEST(invalidation_names_this_stack),
      TEST(a_quiet_write_invalidates_nothing),
      TEST(statistics),
      TEST(stack_config_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
