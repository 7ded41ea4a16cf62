/* SPDX-License-Identifier: Apache-2.0
 *
 * The network between cores: who is where, how long a way takes, what it may be made from, and its
 * promises: nothing lost or changed, nobody overtaken, requests that are not taken hold back
 * requests only.
 */
#include "mpu_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "router_models.h"
#include "unit_test.h"

/* Processors in x and y, cores of each in x and y. Between
 * cores links of 1 cycle, between processors of 8. */
static mpu_config_t config_of(unsigned cubes_x, unsigned cubes_y, unsigned cores_x, unsigned cores_y) {
  return (mpu_config_t){.cubes_x = cubes_x,
                        .cubes_y = cubes_y,
                        .cores_x = cores_x,
                        .cores_y = cores_y,
                        .net.vcs = 2,
                        .net.depth = 16,
                        .net.mesh_latency = 1,
                        .net.cube_latency = 8,
                        .net.cube_interval = 1};
}

/* It must not be refused. */
static mpu_net_t *make_net(const mpu_config_t *c) {
  trouble_t trouble = {0};
  mpu_net_t *n = mpu_net_new(c, router_models(mpu_net_router_params(c)), &trouble);
  if (!n) fail_msg("%s", trouble.text);
  return n;
}

/* A fault of the fabric fails the test, whatever the test looked at. */
static void close_net(mpu_net_t *n) {
  if (fabric_fault(mpu_net_fabric(n))) fail_msg("%s", fabric_fault(mpu_net_fabric(n))->text);
  mpu_net_free(n);
}

/* Cores are counted processor by processor, terminals row by row of the whole
 * mesh. By hand for 4 x 2 processors with 4 x 4 cores: a row has 16 terminals. */
static void each_core_has_a_terminal(void **state) {
  (void)state;
  mpu_config_t c = config_of(4, 2, 4, 4);
  bool taken[MPU_MAX_CORES] = {false};
  assert_int_equal(mpu_net_terminal(&c, 5), 1 + 16); /* second column, second row of the first processor */
  assert_int_equal(mpu_net_terminal(&c, 16), 4);     /* the processor to the right begins four routers on */
  assert_int_equal(mpu_net_terminal(&c, 64 + 16 + 3), 4 + 3 + 4 * 16);
  for (unsigned core = 0; core < MPU_MAX_CORES; core++) {
    assert_false(taken[mpu_net_terminal(&c, core)]);
    taken[mpu_net_terminal(&c, core)] = true;
  }
}

/* Cycles from the push to the arrival of one packet that has the network for itself. */
static uint64_t cycles_alone(mpu_net_t *n, uint64_t *now, unsigned from, unsigned to, unsigned cls, bool write) {
  mpu_packet_t p = {.source = (uint8_t)from, .dest = (uint8_t)to, .write = write, .addr = 4096 + from};
  uint64_t start = *now;
  mpu_net_push(n, from, cls, &p);
  for (; !mpu_net_front(n, to, cls); ++*now) mpu_net_tick(n, *now);
  assert_memory_equal(mpu_net_front(n, to, cls), &p, sizeof p);
  assert_true(mpu_net_arrived(n, to / 64) == UINT64_C(1) << to % 64);
  mpu_net_pop(n, to, cls);
  assert_true(!mpu_net_arrived(n, 0) && !mpu_net_arrived(n, 1));
  uint64_t took = *now - 1 - start;
  for (; !mpu_net_idle(n); ++*now) mpu_net_tick(n, *now);
  return took;
}

/* Five cycles a router more, one a flit more; a link's latency counts
 * instead of the one cycle. Time may jump while nothing is there. */
static void zero_load(void **state) {
  (void)state;
  mpu_config_t c = config_of(4, 2, 4, 4);
  mpu_net_t *n = make_net(&c);
  uint64_t now = 0;
  assert_true(mpu_net_idle(n));
  assert_int_equal(cycles_alone(n, &now, 9, 9, 0, false), 7);
  assert_int_equal(cycles_alone(n, &now, 9, 9, 0, true), 8);
  assert_int_equal(cycles_alone(n, &now, 9, 9, 1, true), 7);
  assert_int_equal(cycles_alone(n, &now, 9, 9, 1, false), 8);
  assert_int_equal(cycles_alone(n, &now, 0, 3, 0, false), 7 + 3 * 5);
  now += 1001;
  assert_int_equal(cycles_alone(n, &now, 0, 15, 1, false), 7 + 6 * 5 + 1);
  assert_int_equal(cycles_alone(n, &now, 3, 16, 0, false), 7 + 12); /* one link between processors */
  /* 15 + 7 links, 3 + 1 of them between processors */
  assert_int_equal(cycles_alone(n, &now, 127, 0, 0, false), 7 + 22 * 5 + 4 * 7);
  now += 1000000;
  assert_int_equal(cycles_alone(n, &now, 64, 15 + 32, 0, true), 7 + 12 * 5 + 3 * 7 + 1);
  close_net(n);
}

/* Two processors of 2 x 2 cores beside each other: a mesh of 4 x 2.
 * A link takes 3 cycles inside, 8 between them, instead of one. */
static void small_machine(void **state) {
  (void)state;
  mpu_config_t c = config_of(2, 1, 2, 2);
  c.net.mesh_latency = 3;
  mpu_net_t *n = make_net(&c);
  uint64_t now = 0, flits[2] = {0};
  const unsigned inside = 5 + 2, between = 5 + 7;
  assert_int_equal(cycles_alone(n, &now, 0, 1, 0, false), 7 + inside);
  assert_int_equal(cycles_alone(n, &now, 0, 2, 0, false), 7 + inside);
  assert_int_equal(cycles_alone(n, &now, 1, 4, 0, false), 7 + between);
  assert_int_equal(cycles_alone(n, &now, 4, 1, 0, false), 7 + between);
  assert_int_equal(cycles_alone(n, &now, 6, 3, 0, false), 7 + between);
  assert_int_equal(cycles_alone(n, &now, 7, 5, 0, false), 7 + inside);
  mpu_net_link_flits(n, flits);
  assert_true(flits[0] == 3 && flits[1] == 3);
  /* two flits over three links inside, one between */
  assert_int_equal(cycles_alone(n, &now, 2, 5, 1, false), 7 + 3 * inside + between + 1);
  flits[0] = flits[1] = 0;
  mpu_net_link_flits(n, flits);
  assert_true(flits[0] == 3 + 3 * 2 && flits[1] == 3 + 2);
  close_net(n);
}

/* A narrow link takes flits one after the other, each way for itself:
 * the first comes as much later as a flit takes more than a cycle. */
static void narrow_links(void **state) {
  (void)state;
  enum { PACKETS = 40 };
  for (unsigned interval = 1; interval <= 8; interval++) {
    mpu_config_t c = config_of(2, 1, 2, 2);
    c.net.cube_interval = interval;
    assert_null(REFUSAL(mpu_net_check, &c));
    mpu_net_t *n = make_net(&c);
    uint64_t now = 0;
    const unsigned between = 7 + 5 + 7 + (interval - 1);
    assert_int_equal(cycles_alone(n, &now, 1, 4, 0, false), between);
    /* the second flit has less to do in the router behind the link */
    const uint64_t two = cycles_alone(n, &now, 4, 1, 0, true);
    assert_true(two > between && two <= between + interval && (interval < 4 || two > between + 1));
    assert_int_equal(cycles_alone(n, &now, 0, 1, 0, true), 7 + 5 + 1);
    const uint64_t start = now;
    for (unsigned sent = 0, came = 0; came < PACKETS; now++) {
      const mpu_packet_t p = {.source = 1, .dest = 4, .write = true, .addr = 32 * sent};
      if (sent < PACKETS && mpu_net_can_push(n, 1, 0)) mpu_net_push(n, 1, 0, &p), sent++;
      for (const mpu_packet_t *q; (q = mpu_net_front(n, 4, 0)); mpu_net_pop(n, 4, 0))
        assert_int_equal(q->addr, 32 * came++);
      mpu_net_tick(n, now);
    }
    /* no faster than the link, and no slower than the link or a flit in two cycles */
    const uint64_t flits = 2 * PACKETS, took = now - start;
    if (took < flits * interval || took > flits * (interval > 2 ? interval : 2) + between + 12)
      fail_msg("%u: %llu cycles", interval, (unsigned long long)took);
    close_net(n);
  }
}

/* A link takes at most 8 cycles a flit. So narrow
 * a link goes with 16 flits a VC, and not with 64. */
static void too_narrow(void **state) {
  (void)state;
  mpu_config_t c = config_of(2, 1, 2, 2);
  c.net.cube_interval = 9;
  assert_non_null(
      strstr(REFUSAL(mpu_net_check, &c), "network.cube_interval: 9 is out of range; from 1 to 8 would be right"));
  c.net.cube_interval = 8, c.net.vcs = 2, c.net.depth = 64;
  assert_non_null(strstr(REFUSAL(mpu_net_check, &c), "too narrow for so many flits"));
  c.net.depth = 16;
  assert_null(REFUSAL(mpu_net_check, &c));
}

/* A ring of eight: shortest ways all round it can wait for each other. */
static const char ring[] =
    "routers: [A, B, C, D, E, F, G, H]\nlinks:\n  - {a: A, b: B}\n  - {a: B, b: C}\n  - {a: C, b: D}\n"
    "  - {a: D, b: E}\n"
    "  - {a: E, b: F}\n  - {a: F, b: G}\n  - {a: G, b: H}\n  - {a: H, b: A}\nterminals:\n  - {router: A}\n"
    "  - {router: B}\n"
    "  - {router: C}\n  - {router: D}\n  - {router: E}\n  - {router: F}\n  - {router: G}\n  - {router: H}\n";

/* What a network may be made from: a link's latency is at most 60, a topology
 * of one's own has a terminal for each core, and its routes no cycle. */
static void networks_are_checked(void **state) {
  (void)state;
  char path[] = "/tmp/ring_XXXXXX";
  const int fd = mkstemp(path);
  FILE *out = fdopen(fd, "w");
  assert_true(fd >= 0 && out && fputs(ring, out) >= 0 && !fclose(out));
  const struct {
    const char *topology;
    unsigned mesh_latency, cube_latency, depth;
    const char *wrong; /* NULL: nothing */
  } row[] = {{"", 1, 60, 16, NULL},
             {"mesh", 60, 1, 16, NULL},
             {"", 1, 61, 16, "network.cube_latency: 61 is out of range; from 1 to 60 would be right"},
             {"mesh:2x4", 1, 8, 16, NULL},
             {"hypercube:3", 1, 8, 16, NULL},
             {"full:8", 1, 8, 16, NULL},
             {"full:8", 1, 8, 0, "network.depth: 0 is out of range"},
             {"hypercube:2", 1, 8, 16, "hypercube:2 has 4 terminals, and there are 8 cores; as many would be right"},
             {"mesh:2x9", 1, 8, 16, "mesh:2x9 has 18 terminals, and there are 8 cores; as many would be right"},
             {path, 1, 8, 16, "routes can deadlock"}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    mpu_config_t c = config_of(2, 1, 2, 2);
    snprintf(c.net.topology, sizeof c.net.topology, "%s", row[i].topology);
    c.net.mesh_latency = row[i].mesh_latency, c.net.cube_latency = row[i].cube_latency, c.net.depth = row[i].depth;
    const char *wrong = REFUSAL(mpu_net_check, &c);
    if (!wrong != !row[i].wrong || (wrong && !strstr(wrong, row[i].wrong)))
      fail_msg("row %u: %s", i, wrong ? wrong : "nothing is wrong");
  }
  remove(path);
}

/* How many packets were sent and seen, by sender, receiver and class. */
typedef struct traffic {
  uint32_t sent[MPU_MAX_CORES][MPU_MAX_CORES][2], seen[MPU_MAX_CORES][MPU_MAX_CORES][2];
  uint64_t packets, came;
} traffic_t;

/* Word i of a packet follows from its sender, receiver, class and number. */
static uint32_t word_of_packet(unsigned from, unsigned to, unsigned cls, uint32_t number, unsigned i) {
  uint64_t x = (uint64_t)number << 32 | from << 20 | to << 12 | cls << 8 | i;
  return (uint32_t)(test_random(&x) >> 16);
}

/* Packets of a pair and class are numbered; the address carries the number. */
static void send_packet(mpu_net_t *n, traffic_t *t, unsigned from, unsigned to, unsigned cls, bool write) {
  uint32_t number = t->sent[from][to][cls]++;
  mpu_packet_t p = {.source = (uint8_t)from, .dest = (uint8_t)to, .write = write, .addr = number};
  for (unsigned i = 0; i < 8; i++) p.data[i] = word_of_packet(from, to, cls, number, i);
  mpu_net_push(n, from, cls, &p);
  t->packets++;
}

/* The packet at the receiver is the next of its pair and class, and its words are right. */
static void take_packet(mpu_net_t *n, traffic_t *t, unsigned to, unsigned cls) {
  const mpu_packet_t *p = mpu_net_front(n, to, cls);
  assert_int_equal(p->dest, to);
  assert_int_equal(p->addr, t->seen[p->source][to][cls]++);
  for (unsigned i = 0; i < 8; i++) assert_int_equal(p->data[i], word_of_packet(p->source, to, cls, p->addr, i));
  mpu_net_pop(n, to, cls);
  t->came++;
}

/* Random packets for some thousand cycles, cores that do
 * not always take their requests; then everything comes. */
static void random_traffic(const mpu_config_t *c, uint64_t seed, uint64_t cycles) {
  static traffic_t t;
  mpu_net_t *n = make_net(c);
  unsigned cores = mpu_config_cores(c);
  memset(&t, 0, sizeof t);
  for (uint64_t now = 0; now < cycles || !mpu_net_idle(n) || t.came < t.packets; now++) {
    assert_true(now < cycles + 100000);
    for (unsigned core = 0; core < cores; core++) {
      uint64_t dice = test_random(&seed);
      for (unsigned cls = 0; cls < 2; cls++)
        while (mpu_net_front(n, core, cls) && (cls || now >= cycles || dice & 8)) {
          take_packet(n, &t, core, cls);
          assert_int_equal(mpu_net_arrived(n, core / 64) >> core % 64 & 1,
                           mpu_net_front(n, core, 0) || mpu_net_front(n, core, 1));
        }
      unsigned cls = dice >> 4 & 1;
      if (now < cycles && !(dice & 7) && mpu_net_can_push(n, core, cls))
        send_packet(n, &t, core, (unsigned)(dice >> 8) % cores, cls, dice >> 5 & 1);
    }
    mpu_net_tick(n, now);
  }
  assert_true(t.packets >= 20);
  assert_true(!mpu_net_arrived(n, 0) && !mpu_net_arrived(n, 1));
  close_net(n);
}

/* Machines of 1 to 128 cores: wide and narrow links, the smallest
 * and the largest buffers, the shortest and the longest links. */
static void all_arrive_in_order(void **state) {
  (void)state;
  static const unsigned shapes[][4] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 2, 2},
                                       {1, 2, 4, 1}, {4, 2, 4, 4}, {8, 1, 2, 8}};
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    mpu_config_t c = config_of(shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3]);
    random_traffic(&c, i, mpu_config_cores(&c) > 16 ? 1000 : 5000);
    c.net.cube_interval = 2;
    random_traffic(&c, i + 50, mpu_config_cores(&c) > 16 ? 1000 : 5000);
    c.net.vcs = 1, c.net.depth = 1, c.net.mesh_latency = 3, c.net.cube_latency = 60;
    random_traffic(&c, i + 100, mpu_config_cores(&c) > 16 ? 500 : 5000);
    c.net.vcs = 4, c.net.depth = 64;
    random_traffic(&c, i + 200, 500);
  }
}

/* Core 3 takes no requests: they fill its sink, the way to it and the
 * queues of those who ask it, and no more; answers, also its own, pass. */
static void requests_push_back(void **state) {
  (void)state;
  static traffic_t t;
  mpu_config_t c = config_of(1, 1, 2, 2);
  mpu_net_t *n = make_net(&c);
  char text[4096];
  uint64_t now = 0;
  memset(&t, 0, sizeof t);
  for (; now < 3000; now++) {
    for (unsigned core = 0; core < 3; core++)
      if (mpu_net_can_push(n, core, 0)) send_packet(n, &t, core, 3, 0, true);
    mpu_net_tick(n, now);
  }
  uint64_t stuck = t.packets;
  for (unsigned core = 0; core < 3; core++) assert_false(mpu_net_can_push(n, core, 0));
  /* the watchdog sees it, and the text names both ends */
  assert_true(fabric_stuck(mpu_net_fabric(n), 1000));
  assert_true(mpu_net_describe_waits(n, text, sizeof text) < sizeof text);
  assert_non_null(strstr(text, "requests of core 0 wait to enter"));
  assert_non_null(strstr(text, "requests wait to be taken by core 3"));
  for (; t.came < 600; now++) {
    assert_true(now < 10000);
    for (unsigned core = 0; core < 4; core++) {
      if (mpu_net_can_push(n, core, 1)) send_packet(n, &t, core, 3 - core, 1, false);
      while (mpu_net_front(n, core, 1)) take_packet(n, &t, core, 1);
    }
    mpu_net_tick(n, now);
  }
  for (; t.came < t.packets; now++) {
    assert_true(now < 20000);
    for (unsigned i = 0; i < 8; i++)
      if (mpu_net_front(n, i % 4, i / 4)) take_packet(n, &t, i % 4, i / 4);
    mpu_net_tick(n, now);
  }
  for (unsigned from = 0; from < 3; from++) assert_int_equal(t.seen[from][3][0], t.sent[from][3][0]);
  assert_true(stuck > 3 * 4 && stuck < 200);
  close_net(n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_core_has_a_terminal),
                                     cmocka_unit_test(zero_load),
                                     cmocka_unit_test(small_machine),
                                     cmocka_unit_test(narrow_links),
                                     cmocka_unit_test(too_narrow),
                                     cmocka_unit_test(networks_are_checked),
                                     cmocka_unit_test(all_arrive_in_order),
                                     cmocka_unit_test(requests_push_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
