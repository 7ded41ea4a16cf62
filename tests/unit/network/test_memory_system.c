/* SPDX-License-Identifier: Apache-2.0
 *
 * Eight stacks with their links, bridges and network under random traffic of every kind.
 * The GPU and the NSUs stall at random. Each request has its answers and no others, at the
 * right place, with the right bytes, and the memory is right at the end.
 *
 * Every packet has an id. What is still to come of an id stands in expected[], and must be
 * empty at the end. Then single packets, and what is said of those that wait.
 */
#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "memory_system.h"
#include "router_models.h"

enum { MAX_IDS = 1 << 20, WRITTEN_LINES = 256, GPU = PKT_GPU };
static const uint64_t READ_ONLY = 0x100000, WRITTEN = 0x200000;

typedef struct expected { /* by id: sm, warp, seq */
  uint8_t type[2], at[2]; /* packets still to come and where: stack's NSU, or 16 + stack for that stack's GPU link */
  unsigned count;
} expected_t;

/* The stacks under test, with clocks of 0.8 ns and 1.5 ns and what was written last. */
typedef struct world {
  memory_image_t *image;
  packet_pool_t *pool;
  memory_system_t *memory;
  uint64_t seed, tick, dram, next_id;
  uint32_t last_written[8][9][WRITTEN_LINES]; /* stack, writer (8: the GPU), line */
  uint64_t tally[16];
  bool far; /* the GPU has no links of its own */
} world_t;

static world_t w;
static expected_t expected[MAX_IDS];

/* 0 to n - 1. */
static unsigned random_below(unsigned n) {
  return (unsigned)(test_random(&w.seed) % n);
}

/* 0.8 ns; the DRAM's 1.5 ns clock first where both fall together. */
static void tick_world(void) {
  if (w.tick * 8 >= w.dram * 15) memory_system_tick_dram(w.memory, w.dram++);
  memory_system_tick(w.memory, w.tick++);
}

/* ---- requests ---- */

/* A packet with an id of its own, which the header carries in sm, warp and seq. */
static packet_t *new_packet(unsigned type, unsigned src, unsigned dst) {
  packet_t *p = packet_new(w.pool, type);
  uint64_t id = w.next_id++;
  assert_true(id < MAX_IDS);
  p->hdr.sm = id >> 12, p->hdr.warp = id >> 6 & 63, p->hdr.seq = id & 63;
  p->src = src, p->dst = dst, p->hdr.target = dst;
  p->hdr.mask = test_random(&w.seed) & 0xffffffff, p->hdr.lmask = 0xffffffff;
  p->hdr.size = 2, p->hdr.aligned = 1;
  p->tag = (uint32_t)id;
  expected[id] = (expected_t){0};
  w.tally[type]++;
  return p;
}

/* The id of new_packet(). */
static uint64_t id_of(const packet_t *p) {
  return p->hdr.sm << 12 | p->hdr.warp << 6 | p->hdr.seq;
}

/* A packet of this type has to come at this place, one more. */
static void expect_packet(const packet_t *p, unsigned type, unsigned at) {
  expected_t *e = &expected[id_of(p)];
  e->type[e->count] = (uint8_t)type;
  e->at[e->count++] = (uint8_t)at;
}

/* The first address of a stack. */
static uint64_t stack_base(unsigned stack) {
  return (uint64_t)stack << PKT_STACK_LSB;
}

/* Every writer has threads of its own (of 9 lanes), so the
 * last write of a word is known: a writer's order is kept. */
static packet_t *make_write(unsigned writer, unsigned stack) {
  packet_t *p = new_packet(PKT_WRITE, writer == 8 ? GPU : writer, stack);
  unsigned line = random_below(WRITTEN_LINES);
  p->hdr.addr = stack_base(stack) + WRITTEN + line * 128;
  p->hdr.mask = 1U << writer;
  p->data[0][writer] = p->tag + 1;
  w.last_written[stack][writer][line] = p->tag + 1;
  expect_packet(p, PKT_WRITE_ACK, writer == 8 ? 16 + stack : writer);
  if (writer != 8) expect_packet(p, PKT_INVAL, 16 + stack);
  return p;
}

/* A random packet of the GPU, with what has to come of it. */
static packet_t *gpu_request(unsigned stack) {
  unsigned kind = random_below(6);
  if (kind == 0) return make_write(8, stack);
  static const unsigned types[] = {0, PKT_READ, PKT_RDF, PKT_CMD, PKT_WTA, PKT_RDF_RESP};
  packet_t *p = new_packet(types[kind], GPU, stack);
  p->hdr.addr = stack_base(stack) + READ_ONLY + random_below(512) * 128;
  if (kind == 1) expect_packet(p, PKT_READ_RESP, 16 + stack);
  if (kind == 2) p->hdr.target = random_below(8), expect_packet(p, PKT_RDF_RESP, (unsigned)p->hdr.target);
  if (kind >= 3) expect_packet(p, types[kind], stack);
  if (kind == 3) p->hdr.count = random_below(8);
  return p;
}

/* A random packet of an NSU, with what has to come of it. */
static packet_t *nsu_request(unsigned nsu) {
  unsigned kind = random_below(5);
  if (kind < 2) return make_write(nsu, random_below(8));
  static const unsigned types[] = {0, 0, PKT_IFETCH, PKT_CFETCH, PKT_OFLD_ACK}, fills[] = {0, 0, PKT_IFILL, PKT_CFILL};
  packet_t *p = new_packet(types[kind], nsu, kind == 4 ? GPU : random_below(8));
  p->hdr.addr = stack_base((unsigned)p->dst % 8) + READ_ONLY + random_below(512) * 128;
  if (kind < 4) expect_packet(p, fills[kind], nsu);
  else expect_packet(p, PKT_OFLD_ACK, 16 + nsu);
  return p;
}

/* ---- responses ---- */

/* What the read-only lines have at an address. */
static uint32_t word_at(uint64_t addr) {
  return (uint32_t)(addr >> 2) * 2654435761U + (uint32_t)(addr >> 32);
}

/* Lines and words of the read-only part are those
 * of their addresses; other threads' words are 0. */
static void check_data(const packet_t *p) {
  bool line = p->hdr.type == PKT_READ_RESP || p->hdr.type == PKT_IFILL || p->hdr.type == PKT_CFILL;
  if (!line && (p->hdr.type != PKT_RDF_RESP || p->src == GPU)) return;
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(p->data[0][i], line || p->hdr.mask >> i & 1 ? word_at(p->hdr.addr + 4 * i) : 0);
}

/* What comes is one of the packets that are expected for its id at this place. */
static void receive_packet(packet_t *p, unsigned at) {
  if (!p) return;
  expected_t *e = &expected[id_of(p)];
  unsigned k = 0;
  while (k < e->count && (e->type[k] != p->hdr.type || e->at[k] != at)) k++;
  if (k == e->count) fail_msg("unexpected %s at %u", pkt_type_name((unsigned)p->hdr.type), at);
  e->count--;
  e->type[k] = e->type[e->count], e->at[k] = e->at[e->count];
  check_data(p);
  w.tally[p->hdr.type]++;
  packet_free(w.pool, p);
}

/* The GPU's side of stack s: over its link, or from its place of the network. */
static bool gpu_can_push(unsigned s, unsigned cls) {
  return w.far ? network_can_push(w.memory->network, 8 + s, 0, cls) : link_can_push(&w.memory->node[s].from_gpu, cls);
}

static void gpu_push(unsigned s, packet_t *p) {
  if (w.far) network_push(w.memory->network, 8 + s, 0, p);
  else link_push(&w.memory->node[s].from_gpu, p);
}

static packet_t *gpu_pop(unsigned s, unsigned cls) {
  return w.far ? network_pop(w.memory->network, 8 + s, 0, cls) : link_pop(&w.memory->node[s].to_gpu, cls);
}

/* Each GPU's and NSU's place pushes with this chance, if both classes have room. */
static void push_some(unsigned percent) {
  for (unsigned s = 0; s < 8; s++) {
    memory_node_t *n = &w.memory->node[s];
    if (random_below(100) < percent && gpu_can_push(s, 0) && gpu_can_push(s, 1)) gpu_push(s, gpu_request(s));
    if (random_below(100) < percent && link_can_push(&n->unit[0].from_nsu, 0) && link_can_push(&n->unit[0].from_nsu, 1))
      link_push(&n->unit[0].from_nsu, nsu_request(s));
  }
}

/* Each place takes a packet of each class with this chance. */
static void pop_some(unsigned percent) {
  for (unsigned s = 0; s < 8; s++) {
    memory_node_t *n = &w.memory->node[s];
    for (unsigned cls = 0; cls < 2; cls++) {
      if (random_below(100) < percent) receive_packet(gpu_pop(s, cls), 16 + s);
      if (random_below(100) < percent) receive_packet(link_pop(&n->unit[0].to_nsu, cls), s);
    }
  }
}

/* 512 lines of each stack hold words that their addresses say. */
static void fill_read_only(void) {
  for (unsigned s = 0; s < 8; s++)
    for (uint64_t a = stack_base(s) + READ_ONLY; a < stack_base(s) + READ_ONLY + 512 * 128; a += 4) {
      uint32_t word = word_at(a);
      memory_image_write(w.image, a, &word, 4);
    }
}

/* Each writer's word of each line is what that writer wrote last. */
static void check_written(void) {
  for (unsigned s = 0; s < 8; s++)
    for (unsigned line = 0; line < WRITTEN_LINES; line++)
      for (unsigned writer = 0; writer < 9; writer++) {
        uint32_t word;
        memory_image_read(w.image, stack_base(s) + WRITTEN + line * 128 + 4 * writer, &word, 4);
        assert_int_equal(word, w.last_written[s][writer][line]);
      }
}

/* Routers are golden models. */
static void make_memory(const memory_system_config_t *config) {
  trouble_t trouble = {0};
  w.memory =
      memory_system_new(config, w.image, w.pool, router_models(network_router_params(&config->network)), &trouble);
  if (!w.memory) fail_msg("%s", trouble.text);
}

/* A network whose routers have epochs is never idle. */
static bool is_drained(void) {
  if (network_held(w.memory->network)) return false;
  for (unsigned s = 0; s < 8; s++)
    if (!memory_node_idle(&w.memory->node[s])) return false;
  return true;
}

/* Traffic for so many ticks, pushed and popped with these chances
 * in percent, and then until all is over. Checks answers, memory
 * and that every kind of packet came; returns the last tick. */
static uint64_t run_traffic(const memory_system_config_t *config, unsigned push, unsigned pop, uint64_t ticks) {
  memset(&w, 0, sizeof w);
  w.image = memory_image_new();
  w.pool = packet_pool_new();
  make_memory(config);
  w.seed = push * 100 + pop;
  w.far = config->network.gpu_ports;
  fill_read_only();
  while (w.tick < ticks || !is_drained()) {
    if (w.tick > 20 * ticks) {
      static char text[1 << 16];
      memory_system_describe_waits(w.memory, text, sizeof text);
      fail_msg("no end: %.2000s", text);
    }
    if (w.tick < ticks) push_some(push);
    pop_some(pop);
    tick_world();
  }
  assert_null(memory_system_fault(w.memory));
  for (uint64_t id = 0; id < w.next_id; id++) assert_int_equal(expected[id].count, 0);
  assert_int_equal(packet_pool_live(w.pool), 0);
  check_written();
  static const unsigned kinds[] = {PKT_CMD,      PKT_RDF,   PKT_WTA,   PKT_WRITE, PKT_WRITE_ACK,
                                   PKT_OFLD_ACK, PKT_IFILL, PKT_INVAL, PKT_READ};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) assert_true(w.tally[kinds[i]] > 20);
  char text[8];
  assert_int_equal(memory_system_describe_waits(w.memory, text, sizeof text), 0);
  uint64_t end = w.tick;
  memory_system_free(w.memory);
  packet_pool_free(w.pool);
  memory_image_free(w.image);
  return end;
}

/* Chances in 100 that a place pushes and takes in a tick: few
 * packets, as many as go in, and then hardly any are taken. */
static void light_load(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  run_traffic(&config, 2, 100, 20000);
}

static void overload(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  run_traffic(&config, 100, 100, 8000);
}

static void overload_and_stalls(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  uint64_t end = run_traffic(&config, 100, 3, 8000);
  assert_int_equal(end, run_traffic(&config, 100, 3, 8000)); /* deterministic */
}

/* One packet or flit wherever a queue may be so small: slow, but nothing is stuck. */
static void smallest_buffers(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  config.network.depth = 1, config.network.vcs = 1, config.network.local_ports = 1, config.network.source_packets = 1;
  config.network.sink_flits = 16;
  config.node.gpu_link.tx_packets = config.node.nsu_port.tx_packets = 1;
  config.node.gpu_link.rx_flits = config.node.nsu_port.rx_flits = 64;
  config.node.stack.wait_packets = 1, config.node.stack.hold_packets = 2, config.node.stack.vault.queue = 1;
  run_traffic(&config, 100, 50, 6000);
}

/* The GPU on the network that stacks are on, in order, with its congestion managed. */
static void gpu_on_the_network(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  strcpy(config.network.topology, "tree");
  config.network.gpu_ports = 8, config.network.subnets = 2, config.network.local_ports = 1,
  config.network.flit_bytes = 32;
  assert_null(REFUSAL(memory_system_check_config, &config));
  run_traffic(&config, 2, 100, 20000);
  run_traffic(&config, 100, 100, 8000);
  config.network.policy = POLICY_CRIT_W, config.network.epoch = 500, config.network.width_delay = 20;
  run_traffic(&config, 100, 3, 8000);
  config.network.sink_flits = 31;
  assert_string_equal(REFUSAL(memory_system_check_config, &config),
                      "sink_flits must hold the largest packet to and from the GPU: at least 1024 bytes");
}

/* Idle stacks with so many units each, for single packets. */
static int make_world_of(unsigned units) {
  memory_system_config_t config = memory_system_default_config();
  config.units = units;
  memset(&w, 0, sizeof w);
  w.image = memory_image_new();
  w.pool = packet_pool_new();
  make_memory(&config);
  return 0;
}

/* Before and after tests of single packets. */
static int make_world(void **state) {
  (void)state;
  return make_world_of(1);
}

static int make_world_of_two(void **state) {
  (void)state;
  return make_world_of(2);
}

static int free_world(void **state) {
  (void)state;
  memory_system_free(w.memory);
  packet_pool_free(w.pool);
  memory_image_free(w.image);
  return 0;
}

/* A saturated stack link moves 20 GB/s: 128-byte reads
 * of one stack come back at one in nine ticks. */
static void read_bandwidth(void **state) {
  (void)state;
  memory_node_t *n = &w.memory->node[6];
  uint64_t pushed = 0, came = 0;
  while (w.tick < 40000) {
    if (link_can_push(&n->from_gpu, 0)) {
      packet_t *p = packet_new(w.pool, PKT_READ);
      p->src = GPU, p->dst = 6, p->hdr.addr = stack_base(6) + 128 * pushed++;
      link_push(&n->from_gpu, p);
    }
    tick_world();
    packet_t *p = link_pop(&n->to_gpu, 1);
    if (p && w.tick > 4000) came++;
    if (p) packet_free(w.pool, p);
  }
  /* 36,000 ticks at nine flits a line; a few lines are under way at either end */
  assert_in_range(came, 36000 / 9 - 8, 36000 / 9 + 2);
  assert_true(mem_stack_vault_stats(n->stack).row_hits > 8 * mem_stack_vault_stats(n->stack).row_misses);
}

/* Lines that a unit of stack 0 gets of the three others
 * in 36,000 ticks; a link carries one in nine. */
static uint64_t lines_of_others(unsigned unit_ports) {
  memory_system_config_t config = memory_system_default_config();
  strcpy(config.network.topology, "full:4");
  config.network.unit_ports = unit_ports, config.node.nsu_port.flits = 8;
  memset(&w, 0, sizeof w);
  w.image = memory_image_new(), w.pool = packet_pool_new();
  make_memory(&config);
  ni_bridge_t *unit = &w.memory->node[0].unit[0];
  uint64_t pushed = 0, came = 0;
  while (w.tick < 40000) {
    while (link_can_push(&unit->from_nsu, 0)) {
      packet_t *p = packet_new(w.pool, PKT_READ);
      p->src = 0, p->dst = 1 + pushed % 3, p->hdr.addr = stack_base(p->dst) + 128 * (pushed / 3);
      pushed++;
      link_push(&unit->from_nsu, p);
    }
    tick_world();
    for (packet_t *p; (p = ni_bridge_pop(unit, 1)); packet_free(w.pool, p)) came += w.tick > 4000;
  }
  assert_null(memory_system_fault(w.memory));
  memory_system_free(w.memory);
  packet_pool_free(w.pool);
  memory_image_free(w.image);
  return came;
}

static void ports_of_a_unit_add_up(void **state) {
  (void)state;
  assert_in_range(lines_of_others(1), 36000 / 9 * 0.95, 36000 / 9 + 2);
  assert_in_range(lines_of_others(2), 36000 / 9 * 2 * 0.85, 36000 / 9 * 2 + 4);
  assert_in_range(lines_of_others(4), 36000 / 9 * 3 * 0.85, 36000 / 9 * 3 + 6); /* as many as there are links */
}

/* At most 256 stacks, two classes, sinks that hold the largest packet. */
static void system_config_limits(void **state) {
  (void)state;
  memory_system_config_t config = memory_system_default_config();
  assert_null(REFUSAL(memory_system_check_config, &config));
  strcpy(config.network.topology, "mesh:16x16");
  assert_null(REFUSAL(memory_system_check_config, &config));
  strcpy(config.network.topology, "hypercube:9");
  assert_non_null(REFUSAL(memory_system_check_config, &config));
  config = memory_system_default_config();
  config.network.classes = 1;
  assert_non_null(REFUSAL(memory_system_check_config, &config));
  config = memory_system_default_config();
  config.network.sink_flits = 8;
  assert_non_null(REFUSAL(memory_system_check_config, &config));
}

/* ---- single packets ---- */

/* A packet for thread 0, of the first line of its stack. */
static packet_t *single_packet(unsigned type, unsigned src, unsigned dst) {
  packet_t *p = packet_new(w.pool, type);
  p->src = src, p->dst = dst, p->hdr.addr = stack_base(dst % 8);
  p->hdr.mask = 1, p->hdr.size = 2, p->hdr.aligned = 1;
  return p;
}

/* The next response, within 1000 cycles. */
static packet_t *wait_for_answer(link_t *link) {
  for (unsigned i = 0; i < 1000; i++, tick_world()) {
    packet_t *p = link_pop(link, 1);
    if (p) return p;
  }
  fail_msg("nothing came");
  return NULL;
}

/* Stack 6 acknowledges to the writer and tells its own GPU link, both in its own name. */
static void write_to_another_stack(void **state) {
  (void)state;
  link_push(&w.memory->node[2].unit[0].from_nsu, single_packet(PKT_WRITE, 2, 6));
  packet_t *ack = wait_for_answer(&w.memory->node[2].unit[0].to_nsu),
           *inval = wait_for_answer(&w.memory->node[6].to_gpu);
  assert_int_equal(ack->hdr.type, PKT_WRITE_ACK);
  assert_int_equal(ack->src, 6);
  assert_int_equal(inval->hdr.type, PKT_INVAL);
  assert_int_equal(inval->src, 6);
  assert_int_equal(inval->dst, GPU);
  assert_int_equal(inval->hdr.addr, stack_base(6));
  packet_free(w.pool, ack);
  packet_free(w.pool, inval);
}

/* Two near-data parts on each stack: what comes for one goes to it
 * alone, answers go back to who asked, from another stack, too. */
static void two_units(void **state) {
  (void)state;
  memory_node_t *n = w.memory->node;
  link_push(&n[2].unit[1].from_nsu, single_packet(PKT_WRITE, 2, 6));
  link_push(&n[2].unit[0].from_nsu, single_packet(PKT_IFETCH, 2, 6));
  packet_t *ack = wait_for_answer(&n[2].unit[1].to_nsu), *fill = wait_for_answer(&n[2].unit[0].to_nsu),
           *inval = wait_for_answer(&n[6].to_gpu);
  assert_true(ack->hdr.type == PKT_WRITE_ACK && fill->hdr.type == PKT_IFILL && inval->hdr.type == PKT_INVAL);
  packet_t *rdf = single_packet(PKT_RDF, GPU, 6);
  rdf->hdr.target = 3, rdf->target_unit = 1;
  link_push(&n[6].from_gpu, rdf);
  packet_t *response = wait_for_answer(&n[3].unit[1].to_nsu);
  assert_true(response->hdr.type == PKT_RDF_RESP && response->dst_unit == 1);
  packet_t *ended = single_packet(PKT_OFLD_ACK, 3, GPU);
  link_push(&n[3].unit[1].from_nsu, ended);
  assert_ptr_equal(wait_for_answer(&n[3].to_gpu), ended);
  assert_int_equal(ended->src_unit, 1);
  packet_t *const all[] = {ack, fill, inval, response, ended};
  for (unsigned i = 0; i < 5; i++) packet_free(w.pool, all[i]);
  assert_null(memory_system_fault(w.memory));
  packet_t *third = single_packet(PKT_CMD, GPU, 3);
  third->dst_unit = 2;
  link_push(&n[3].from_gpu, third);
  for (unsigned i = 0; i < 100; i++) tick_world();
  assert_string_equal(memory_system_fault(w.memory)->text,
                      "stack 3: no such part on the logic layer: CMD from GPU to 3, address 0x300000000");
}

/* A packet of another protocol: its envelope alone says
 * where it goes, its class and how many bytes it has. */
static void packets_of_their_own(void **state) {
  (void)state;
  memory_node_t *n = w.memory->node;
  packet_t *p = packet_new(w.pool, PACKET_OWN);
  p->src = 2, p->dst = 6, p->dst_unit = 1, p->cls = 1, p->bytes = 300;
  assert_int_equal(packet_flits(p), 19);
  link_push(&n[2].unit[0].from_nsu, p);
  assert_ptr_equal(wait_for_answer(&n[6].unit[1].to_nsu), p);
  assert_true(p->src == 2 && p->src_unit == 0 && p->dst_unit == 1);
  p->src = 6, p->dst = GPU, p->cls = 0, p->bytes = 17;
  link_push(&n[6].unit[1].from_nsu, p);
  for (unsigned i = 0; i < 200; i++) tick_world();
  assert_ptr_equal(link_pop(&n[6].to_gpu, 0), p);
  assert_int_equal(n[6].to_gpu.stats.bytes[PACKET_OWN], 17);
  packet_free(w.pool, p);
  assert_null(memory_system_fault(w.memory));
}

/* Both parts of a stack send to the GPU as much as they can: each has half of the link. */
static void units_take_turns(void **state) {
  (void)state;
  memory_node_t *n = w.memory->node;
  unsigned came[2] = {0};
  while (came[0] + came[1] < 400) {
    for (unsigned u = 0; u < 2; u++)
      if (link_can_push(&n[1].unit[u].from_nsu, 1))
        link_push(&n[1].unit[u].from_nsu, single_packet(PKT_CREDIT, 1, GPU));
    tick_world();
    packet_t *p = link_pop(&n[1].to_gpu, 1);
    if (!p) continue;
    came[p->src_unit]++;
    packet_free(w.pool, p);
  }
  assert_in_range(came[0], 198, 202);
}

/* Of eight stacks 7 is the last; 8 is an error of the
 * stack that was to send it there, whichever that is. */
static void no_ninth_stack(void **state) {
  (void)state;
  assert_null(memory_system_fault(w.memory));
  link_push(&w.memory->node[5].from_gpu, single_packet(PKT_CMD, GPU, 7));
  for (unsigned i = 0; i < 100; i++) tick_world();
  assert_null(memory_system_fault(w.memory));
  link_push(&w.memory->node[5].from_gpu, single_packet(PKT_CMD, GPU, 8));
  for (unsigned i = 0; i < 100; i++) tick_world();
  assert_string_equal(memory_system_fault(w.memory)->text,
                      "stack 5: no way to the stack: CMD from GPU to 8, address 0x0");
}

/* One packet in each of a stack's four links, none of them ticked. */
static void waits_name_each_link(void **state) {
  (void)state;
  char text[2000] = "before";
  assert_int_equal(memory_system_describe_waits(w.memory, text, sizeof text), 0);
  assert_string_equal(text, "");
  memory_node_t *n = &w.memory->node[4];
  link_push(&n->from_gpu, single_packet(PKT_IFETCH, GPU, 4));
  link_push(&n->to_gpu, single_packet(PKT_WRITE_ACK, 4, GPU));
  link_push(&n->unit[0].to_nsu, single_packet(PKT_IFETCH, 4, 4));
  link_push(&n->unit[0].from_nsu, single_packet(PKT_WRITE_ACK, 4, 4));
#define REST " packets wait to be sent, first "
  static const char whole[] = "link from GPU to stack 4 class 0: 1" REST "IFETCH of 1 flits, 128 credits\n"
                              "link to GPU from stack 4 class 1: 1" REST "WRITE_ACK of 1 flits, 128 credits\n"
                              "port to unit 0 of stack 4 class 0: 1" REST "IFETCH of 1 flits, 128 credits\n"
                              "port from unit 0 of stack 4 class 1: 1" REST "WRITE_ACK of 1 flits, 128 credits\n";
  assert_int_equal(memory_system_describe_waits(w.memory, text, sizeof text), sizeof whole - 1);
  assert_string_equal(text, whole);
  memset(text, '#', sizeof text);
  assert_int_equal(memory_system_describe_waits(w.memory, text, 10), sizeof whole - 1);
  assert_memory_equal(text, "link from\0#", 11);
}

/* A packet in any one of a node's four links: it is not idle. */
static void one_link_is_not_idle(void **state) {
  (void)state;
  memory_node_t *n = w.memory->node;
  link_push(&n[0].from_gpu, single_packet(PKT_IFETCH, GPU, 0));
  link_push(&n[1].to_gpu, single_packet(PKT_WRITE_ACK, 1, GPU));
  link_push(&n[2].unit[0].to_nsu, single_packet(PKT_IFETCH, 2, 2));
  link_push(&n[3].unit[0].from_nsu, single_packet(PKT_WRITE_ACK, 3, 3));
  for (unsigned i = 0; i < 8; i++) assert_int_equal(memory_node_idle(&n[i]), i >= 4);
}

/* The GPU's packets for stack 1 pile up behind its NSU, which
 * takes nothing: over the network from stack 3, up to there. */
static void waits_name_ports_of_the_network(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4000; i++) {
    if (link_can_push(&w.memory->node[3].from_gpu, 1))
      link_push(&w.memory->node[3].from_gpu, single_packet(PKT_RDF_RESP, GPU, 1));
    tick_world();
  }
  static char text[1 << 16];
  const size_t used = memory_system_describe_waits(w.memory, text, sizeof text);
  assert_int_equal(used, strlen(text));
  static const char *const says[] = {
      "stack 3: from GPU link class 1: RDF_RESP waits for network port 0 class 1 (full)\n",
      "stack 1: from network port 0 class 1: RDF_RESP waits for unit 0 class 1 (full)\n",
      "network sink 1.0 class 1: ", "network source 3.0 class 1: 4 packets\n"};
  for (unsigned i = 0; i < 4; i++)
    if (!strstr(text, says[i])) fail_msg("'%.3000s' should say '%s'", text, says[i]);
}

/* Words for stack 1, whose NSU takes nothing, from the last quadrant of stack
 * 3's vaults: they pile up behind port 3, as many as its queue holds. */
static void each_port_has_its_room(void **state) {
  (void)state;
  for (unsigned i = 0; i < 8000; i++) {
    link_t *from = &w.memory->node[3].from_gpu;
    if (link_can_push(from, 0)) {
      packet_t *p = single_packet(PKT_RDF, GPU, 3);
      p->hdr.target = 1;
      p->hdr.addr += (12 + i % 4) * 128;
      link_push(from, p);
    }
    tick_world();
  }
  static char text[1 << 16];
  memory_system_describe_waits(w.memory, text, sizeof text);
  static const char *const says[] = {
      "stack 3: from vaults' responses: RDF_RESP waits for network port 3 class 1 (full)\n",
      "network source 3.3 class 1: 4 packets\n"};
  for (unsigned i = 0; i < 2; i++)
    if (!strstr(text, says[i])) fail_msg("'%.3000s' should say '%s'", text, says[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(light_load),
      cmocka_unit_test(overload),
      cmocka_unit_test(overload_and_stalls),
      cmocka_unit_test(smallest_buffers),
      cmocka_unit_test(gpu_on_the_network),
      cmocka_unit_test_setup_teardown(read_bandwidth, make_world, free_world),
      cmocka_unit_test(ports_of_a_unit_add_up),
      cmocka_unit_test(system_config_limits),
#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, make_world, free_world)
      IN_WORLD(write_to_another_stack),
      IN_WORLD(no_ninth_stack),
      IN_WORLD(waits_name_each_link),
      IN_WORLD(one_link_is_not_idle),
      IN_WORLD(waits_name_ports_of_the_network),
      IN_WORLD(each_port_has_its_room),
      cmocka_unit_test_setup_teardown(two_units, make_world_of_two, free_world),
      cmocka_unit_test_setup_teardown(packets_of_their_own, make_world_of_two, free_world),
      cmocka_unit_test_setup_teardown(units_take_turns, make_world_of_two, free_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
