/* SPDX-License-Identifier: Apache-2.0
 *
 * The network against BookSim2's figures in one-flit mode, and its promises with packets:
 * none is lost, none overtaken, no class blocked by the other, senders have equal shares.
 * Then limits of the configuration, counts, the GPU's places, subnets and widths.
 *
 * The default network is a hypercube of 8 nodes with links of 4 ticks. Class 0 carries
 * requests, class 1 answers.
 */
#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "network.h"
#include "router_models.h"

enum { NODES = 8 };

/* A network of router models; one that cannot be made fails the test. */
static network_t *make_network(const network_config_t *c) {
  trouble_t trouble = {0};
  network_t *n = network_new(c, router_models(network_router_params(c)), &trouble);
  if (!n) fail_msg("%s", trouble.text);
  return n;
}

/* Mean latency in ticks, accepted load in flits a node and tick. */
typedef struct result {
  double latency, accepted;
} result_t;

/* As in the reference: 2 VCs of 8 flits, one class, one-cycle links, one port. */
static network_config_t reference_config(void) {
  network_config_t c = network_default_config();
  c.classes = 1, c.vcs = 2, c.depth = 8, c.flit_bytes = 16, c.link_latency = 1, c.local_ports = 1, c.unit_ports = 1;
  c.source_packets = 1, c.sink_flits = 8, c.ordered = false;
  return c;
}

typedef struct fifo {
  packet_t *head, *tail;
} fifo_t;

/* Packets that are generated and wait for room at their source. */
static void fifo_add(fifo_t *f, packet_t *p) {
  p->next = NULL;
  if (f->head) f->tail->next = p;
  else f->head = p;
  f->tail = p;
}

/* Uniform random traffic, a node to itself included;
 * latency from generation, source queue included. */
static result_t uniform_traffic(double load, uint64_t ticks) {
  network_config_t c = reference_config();
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  fifo_t queue[NODES] = {0};
  uint64_t seed = 1, latency = 0, measured = 0, accepted = 0, warm = ticks / 10;
  for (uint64_t t = 0; t < ticks; t++) {
    for (unsigned i = 0; i < NODES; i++) {
      if ((double)(test_random(&seed) >> 11) * 0x1p-53 < load) {
        packet_t *p = packet_new(pool, PKT_READ);
        p->src = i, p->dst = test_random(&seed) % NODES, p->born = t;
        fifo_add(&queue[i], p);
      }
      while (queue[i].head && network_can_push(n, i, 0, 0)) {
        packet_t *p = queue[i].head;
        queue[i].head = p->next;
        network_push(n, i, 0, p);
      }
    }
    network_tick(n, t);
    for (unsigned i = 0; i < NODES; i++) {
      for (packet_t *p; (p = network_pop(n, i, 0, 0)); packet_free(pool, p)) {
        accepted += t >= warm;
        if (p->born >= warm) latency += t - p->born, measured++;
      }
    }
  }
  network_free(n);
  packet_pool_free(pool);
  return (result_t){(double)latency / (double)measured, (double)accepted / NODES / (double)(ticks - warm)};
}

/* BookSim2's figures for 8 nodes: load, mean
 * latency in cycles, accepted load; within 2 %. */
static void reference_latency(void **state) {
  (void)state;
  static const double figures[][3] = {
      {0.01, 14.58, 0.0100}, {0.1, 14.61, 0.1003}, {0.3, 15.09, 0.3008}, {0.5, 16.39, 0.4998}};
  for (unsigned i = 0; i < 4; i++) {
    result_t r = uniform_traffic(figures[i][0], 30000);
    assert_close(r.latency, figures[i][1], 0.02);
    assert_close(r.accepted, figures[i][2], i ? 0.02 : 0.1); /* few packets at the lowest load */
  }
}

/* BookSim2: of full load the network accepts 0.637 flits a node and cycle; within 3 %. */
static void reference_saturation(void **state) {
  (void)state;
  assert_close(uniform_traffic(1.0, 20000).accepted, 0.637, 0.03);
}

/* One packet alone: 7 + 5 a further router with one-cycle
 * links; every flit behind the head one tick. */
static void check_alone(unsigned flit_bytes) {
  for (unsigned latency = 1; latency <= 4; latency += 3) {
    network_config_t c = reference_config();
    c.flit_bytes = flit_bytes;
    c.link_latency = latency;
    c.classes = 2;
    c.depth = 16;                    /* covers the credits' way at latency 4 */
    c.sink_flits = 256 / flit_bytes; /* the largest packet's */
    network_t *n = make_network(&c);
    packet_pool_t *pool = packet_pool_new();
    uint64_t t = 0;
    for (unsigned src = 0; src < NODES; src++) {
      for (unsigned dst = 0; dst < NODES; dst++) {
        packet_t *p = packet_new(pool, dst % 2 ? PKT_CFILL : PKT_WRITE_ACK);
        unsigned flits = (packet_bytes(p) + flit_bytes - 1) / flit_bytes,
                 hops = (unsigned)__builtin_popcount(src ^ dst);
        p->src = src, p->dst = dst;
        uint64_t start = t;
        network_push(n, src, 0, p);
        for (; !network_peek(n, dst, 0, 1); t++) network_tick(n, t);
        assert_int_equal(t - 1 - start, 7 + (4 + latency) * hops + flits - 1);
        packet_free(pool, network_pop(n, dst, 0, 1));
        for (; !network_idle(n); t++) network_tick(n, t);
      }
    }
    assert_int_equal(network_stats(n, 0).delivered, 64);
    assert_int_equal(packet_pool_live(pool), 0);
    packet_pool_free(pool);
    network_free(n);
  }
}

/* The law holds whatever the flit's size, and so the number of a packet's flits. */
static void zero_load(void **state) {
  (void)state;
  for (unsigned bytes = 8; bytes <= 64; bytes *= 2) check_alone(bytes);
}

static const unsigned types[2][3] = {{PKT_WRITE, PKT_IFETCH, PKT_CFETCH}, {PKT_RDF_RESP, PKT_WRITE_ACK, PKT_CFILL}};

/* A random packet of a class. Its address decides at which port it enters or leaves. */
static packet_t *random_packet(packet_pool_t *pool, unsigned cls, unsigned nodes, uint64_t *seed) {
  packet_t *p = packet_new(pool, types[cls][test_random(seed) % 3]);
  p->dst = test_random(seed) % nodes;
  p->hdr.addr = test_random(seed) % 64 * 128;
  p->hdr.mask = test_random(seed) & 0xffffffff;
  p->hdr.lmask = 0xffffffff;
  p->hdr.size = 2;
  p->hdr.aligned = test_random(seed) % 2;
  return p;
}

/* Lines of 128 bytes go over 16 vaults. Four
 * neighbouring vaults make a quadrant, which has a port. */
static unsigned vault_port(const packet_t *p, unsigned ports) {
  return (unsigned)(p->hdr.addr / 128 % 16 / 4 % ports);
}

/* Random packets of both classes with sinks that stall: all
 * arrive, at the right port, in the order of their path. */
static void conservation_and_order(const char *topology, unsigned ports, unsigned units, unsigned vcs, bool ordered) {
  network_config_t c = network_default_config();
  snprintf(c.topology, sizeof c.topology, "%s", topology);
  c.local_ports = ports, c.unit_ports = units, c.vcs = vcs, c.ordered = ordered;
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  static uint32_t sent[2][16][16][4], seen[2][16][16][4];
  memset(sent, 0, sizeof sent);
  memset(seen, 0, sizeof seen);
  unsigned nodes = network_nodes(n);
  uint64_t seed = vcs, pushed = 0, popped = 0, overtaken = 0;
  for (uint64_t t = 0; t < 6000 || !network_idle(n); t++) {
    assert_true(t < 20000);
    for (unsigned i = 0; i < nodes; i++) {
      unsigned cls = (unsigned)(test_random(&seed) % 2), port = (unsigned)(test_random(&seed) % ports);
      packet_t *q = t < 6000 ? random_packet(pool, cls, nodes, &seed) : NULL;
      if (q) port = vault_port(q, cls ? ports : units);
      if (q && !network_can_push(n, i, port, cls)) {
        packet_free(pool, q);
      } else if (q) {
        q->src = i;
        /* between two nodes a port at one end says that at the other */
        q->tag = sent[cls][i][q->dst][vault_port(q, ports)]++;
        network_push(n, i, port, q);
        pushed++;
      }
      cls = (unsigned)(test_random(&seed) % 2), port = (unsigned)(test_random(&seed) % ports);
      packet_t *p = test_random(&seed) % 4 ? network_pop(n, i, port, cls) : NULL;
      if (!p) continue;
      assert_int_equal(p->dst, i);
      assert_int_equal(port, vault_port(p, cls ? units : ports));
      overtaken += p->tag != seen[cls][p->src][i][vault_port(p, ports)]++;
      packet_free(pool, p);
      popped++;
    }
    network_tick(n, t);
  }
  assert_int_equal(pushed, popped);
  assert_true(pushed > 1000);
  if (ordered) assert_int_equal(overtaken, 0);
  else if (vcs > 1) assert_true(overtaken > 0); /* the check can fire */
  assert_int_equal(network_held(n), 0);
  assert_int_equal(packet_pool_live(pool), 0);
  packet_pool_free(pool);
  network_free(n);
}

/* Each form of topology, with 1 to 4 ports and VCs. Without order and
 * with several VCs packets do overtake each other, so the check can fire. */
static void all_arrive_in_order(void **state) {
  (void)state;
  static const char *const topologies[] = {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",
                                           "mesh:4x2",    "full:5",      "tree:3x2"};
  for (unsigned i = 0; i < sizeof topologies / sizeof *topologies; i++)
    conservation_and_order(topologies[i], 1U << (i + 1) % 3, 1, 1 + (i + 1) % 4, true);
  conservation_and_order("hypercube:3", 4, 1, 2, true);
  conservation_and_order("hypercube:3", 1, 1, 2, false);
  conservation_and_order("full:4", 4, 4, 2, true);
  conservation_and_order("mesh:2x2", 4, 2, 2, true);
}

/* Requests that nobody takes fill the network up to the
 * sources; responses pass through it all the same. */
static void classes_do_not_block(void **state) {
  (void)state;
  network_config_t c = network_default_config();
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  uint64_t seed = 4, answered = 0, blocked = 0, requests = 0;
  for (uint64_t t = 0; t < 8000; t++) {
    for (unsigned i = 0; i < NODES; i++) {
      for (unsigned cls = 0; cls < 2; cls++) {
        if (!network_can_push(n, i, 0, cls)) {
          blocked += cls == 0;
          continue;
        }
        packet_t *p = random_packet(pool, cls, NODES, &seed);
        p->src = i;
        requests += cls == 0;
        network_push(n, i, 0, p);
      }
      for (packet_t *p; (p = network_pop(n, i, 0, 1)); packet_free(pool, p)) answered++;
    }
    network_tick(n, t);
  }
  assert_true(blocked > 8 * 4000);
  assert_true(answered > 8000);
  char text[1 << 15];
  size_t used = network_describe_waits(n, text, sizeof text);
  assert_int_equal(used, strlen(text));
  assert_non_null(strstr(text, "head at router "));
  for (uint64_t t = 8000; !network_idle(n); t++) { /* then they are taken, and all are there */
    assert_true(t < 12000);
    for (unsigned i = 0; i < NODES * 4; i++)
      for (unsigned cls = 0; cls < 2; cls++)
        for (packet_t *p; (p = network_pop(n, i / 4, i % 4, cls)); packet_free(pool, p)) requests -= cls == 0;
    network_tick(n, t);
  }
  assert_int_equal(requests, 0);
  assert_int_equal(packet_pool_live(pool), 0);
  assert_int_equal(network_describe_waits(n, text, sizeof text), 0);
  packet_pool_free(pool);
  network_free(n);
}

/* All others send to one node without pause: its sink
 * is busy always, and each sender gets its share. */
static void check_shares(unsigned senders, const unsigned *from, unsigned classes, uint64_t ticks) {
  network_config_t c = network_default_config();
  c.local_ports = 1;
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  uint64_t came[2][NODES] = {0}, all = 0, flits = 0;
  for (uint64_t t = 0; t < ticks; t++) {
    for (unsigned i = 0; i < senders; i++) {
      for (unsigned cls = 0; cls < classes; cls++) {
        if (!network_can_push(n, from[i], 0, cls)) continue;
        packet_t *p = packet_new(pool, cls ? PKT_CFILL : PKT_WRITE);
        p->src = from[i], p->hdr.mask = 0xffffffff, p->hdr.size = 2, p->hdr.aligned = 1; /* 9 flits each */
        network_push(n, from[i], 0, p);
      }
    }
    network_tick(n, t);
    for (unsigned cls = 0; cls < classes; cls++)
      for (packet_t *p; (p = network_pop(n, 0, 0, cls)); packet_free(pool, p))
        came[cls][p->src]++, all++, flits += packet_flits(p);
  }
  assert_true((double)flits > 0.8 * (double)ticks); /* a VC alone pauses a tick or two between packets */
  for (unsigned i = 0; i < senders; i++)
    for (unsigned cls = 0; cls < classes; cls++)
      assert_close((double)came[cls][from[i]], (double)all / senders / classes, 0.04);
  network_free(n);
  packet_pool_free(pool);
}

/* Terminals of senders, classes, cycles: each
 * sender and class gets the same share within 4 %. */
static void senders_have_fair_shares(void **state) {
  (void)state;
  static const unsigned apart[] = {1, 2}, together[] = {2, 4}, one[] = {5}, two[] = {0, 4};
  check_shares(2, apart, 1, 20000);    /* two inputs, two VCs of one output */
  check_shares(2, together, 1, 20000); /* two inputs, one VC */
  check_shares(1, one, 2, 20000);      /* two VCs of one input */
  check_shares(2, two, 2, 20000);      /* two inputs, one VC a class */
  check_shares(2, apart, 2, 20000);    /* two inputs with two VCs each, all at once */
}

/* Each limit from both sides. */
static void network_config_limits(void **state) {
  (void)state;
  const network_config_t good = network_default_config();
  assert_null(REFUSAL(network_check_config, &good));
#define LIMIT(field, value, says)                                           \
  do {                                                                      \
    network_config_t c = good;                                              \
    const char *text = says;                                                \
    c.field = value;                                                        \
    if (text) assert_string_equal(REFUSAL(network_check_config, &c), text); \
    else assert_null(REFUSAL(network_check_config, &c));                    \
  } while (0)
  LIMIT(classes, 0, "classes must be 1 or 2");
  LIMIT(classes, 1, NULL);
  LIMIT(classes, 3, "classes must be 1 or 2");
  LIMIT(vcs, 0, "network.vcs: 0 is out of range; from 1 to 4 would be right");
  LIMIT(vcs, 4, NULL);
  LIMIT(vcs, 5, "network.vcs: 5 is out of range; from 1 to 4 would be right");
  LIMIT(depth, 0, "network.depth: 0 is out of range; from 1 to 64 would be right");
  LIMIT(depth, 1, NULL);
  LIMIT(depth, 64, NULL);
  LIMIT(depth, 65, "network.depth: 65 is out of range; from 1 to 64 would be right");
  LIMIT(flit_bytes, 4, "network.flit_bytes: 4 is out of range; from 8 to 64 would be right");
  LIMIT(flit_bytes, 24, "flit_bytes must be 8, 16, 32 or 64");
  LIMIT(flit_bytes, 128, "network.flit_bytes: 128 is out of range; from 8 to 64 would be right");
  LIMIT(flit_bytes, 64, NULL);
  LIMIT(flit_bytes, 8, NULL);
  LIMIT(link_latency, 0, "network.link_latency: 0 is out of range; from 1 to 60 would be right");
  LIMIT(link_latency, 60, NULL);
  LIMIT(link_latency, 61, "network.link_latency: 61 is out of range; from 1 to 60 would be right");
  LIMIT(local_ports, 0, "network.local_ports: 0 is out of range; from 1 to 4 would be right");
  LIMIT(local_ports, 3, "local_ports must be 1, 2 or 4");
  LIMIT(local_ports, 8, "network.local_ports: 8 is out of range; from 1 to 4 would be right");
  LIMIT(unit_ports, 0, "network.unit_ports: 0 is out of range; from 1 to 4 would be right");
  LIMIT(unit_ports, 3, "unit_ports must be 1, 2 or 4");
  LIMIT(unit_ports, 4, NULL);
  LIMIT(unit_ports, 8, "network.unit_ports: 8 is out of range; from 1 to 4 would be right");
  LIMIT(source_packets, 0, "source_packets must be at least 1");
  LIMIT(source_packets, 1, NULL);
  LIMIT(sink_flits, 0, "sink_flits must be 1 to 256");
  LIMIT(sink_flits, 256, NULL);
  LIMIT(sink_flits, 257, "sink_flits must be 1 to 256");
  network_config_t few = good;
  few.local_ports = 2, few.unit_ports = 4;
  assert_string_equal(REFUSAL(network_check_config, &few), "unit_ports must be at most local_ports");
}

/* How many stacks a topology has. A router has at most 16
 * ports, a network at most 1024 terminals and 256 stacks. */
static void topologies(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned ports, nodes; /* local ports; stacks */
    const char *says;      /* NULL: good */
  } cases[] = {
      {"hypercube:0", 4, 1, NULL},
      {"hypercube:4", 4, 16, NULL},
      {"hypercube:5", 4, 32, NULL},
      {"mesh:16x16", 4, 256, NULL},
      {"mesh:19x27", 1, 513, "the topology must have 1 to 256 terminals"},
      {"mesh:2x2", 4, 4, NULL},
      {"mesh:5x3", 4, 15, NULL},
      {"full:13", 4, 13, NULL},
      {"full:14", 4, 14, "router 0 has 17 ports, and there are 56 terminals; at most 16 and 1024"},
      {"full:16", 1, 16, NULL},
      {"tree:4x2", 4, 13, NULL},
      {"tree", 1, 16, NULL},
      {"tree", 4, 16, "router M0 has 36 ports, and there are 64 terminals; at most 16 and 1024"},
      {"ring:4", 4, 4, NULL},
      {"ring:8", 4, 8, NULL},
      {"torus:4x8", 4, 32, NULL},
      {"torus:8x8", 4, 64, "the network's routers: ways pass up to 2 datelines, so a class needs 3 VCs and has 2"},
      {"loop:4", 4, 0, "loop:4"},
      {"mesh:2", 4, 0, "mesh:2: a mesh is mesh:XxY, such as mesh:8x8"},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    network_config_t c = network_default_config();
    snprintf(c.topology, sizeof c.topology, "%s", cases[i].spec);
    c.local_ports = cases[i].ports;
    const char *wrong = REFUSAL(network_check_config, &c);
    if (cases[i].says ? !wrong || !strstr(wrong, cases[i].says) : wrong != NULL)
      fail_msg("%s: %s", cases[i].spec, wrong ? wrong : "taken");
    assert_int_equal(network_config_nodes(&c), cases[i].nodes);
  }
}

/* A packet of one flit from 1 to 6 crosses three links (001 to 110)
 * and stops at port 0: header 16 bytes, three times on links. */
static void one_packet_is_counted(void **state) {
  (void)state;
  network_config_t c = network_default_config();
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  packet_t *p = packet_new(pool, PKT_WRITE_ACK);
  p->src = 1, p->dst = 6;
  network_push(n, 1, 2, p);
  uint64_t t = 0;
  for (; !network_ready(n, 6); t++) {
    assert_true(t < 100);
    assert_null(network_peek(n, 6, 0, 1));
    network_tick(n, t);
  }
  assert_int_equal(network_ready(n, 6), 1U << 1); /* bit 2 * port + class */
  assert_ptr_equal(network_peek(n, 6, 0, 1), p);
  assert_null(network_peek(n, 6, 0, 0));
  network_stats_t s = network_stats(n, 0);
  assert_int_equal(s.packets[PKT_WRITE_ACK], 1);
  assert_int_equal(s.bytes[PKT_WRITE_ACK], 16);
  assert_int_equal(s.link_bytes[PKT_WRITE_ACK], 48);
  assert_int_equal(s.link_flits, 3);
  assert_int_equal(s.delivered, 0);
  char text[200];
  static const char waits[] = "network sink 6.0 class 1: 1 packets, WRITE_ACK waits to be taken\n";
  assert_int_equal(network_describe_waits(n, text, sizeof text), sizeof waits - 1);
  assert_string_equal(text, waits);
  assert_ptr_equal(network_pop(n, 6, 0, 1), p);
  assert_int_equal(network_ready(n, 6), 0);
  assert_null(network_pop(n, 6, 0, 1));
  assert_int_equal(network_stats(n, 0).delivered, 1);
  assert_int_equal(network_held(n), 0);
  packet_free(pool, p);
  packet_pool_free(pool);
  network_free(n);
}

/* A request leaves at its vault's quadrant (address bits 10 and 9
 * of 128-byte lines over 16 vaults): the bit of that port is up. */
static void requests_leave_at_their_quadrant(void **state) {
  (void)state;
  network_config_t c = network_default_config();
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  uint64_t t = 0;
  for (unsigned quadrant = 0; quadrant < 4; quadrant++) {
    packet_t *p = packet_new(pool, PKT_IFETCH);
    p->src = 0, p->dst = 3, p->hdr.addr = 128 * (4 * quadrant + 1);
    network_push(n, 0, 0, p);
    for (uint64_t end = t + 100; t < end; t++) network_tick(n, t);
    assert_int_equal(network_ready(n, 3), 1U << 2 * quadrant);
    assert_ptr_equal(network_pop(n, 3, quadrant, 0), p);
    assert_int_equal(network_ready(n, 3), 0);
    packet_free(pool, p);
  }
  packet_pool_free(pool);
  network_free(n);
}

/* A GPU's places come first in the topology and last in numbers:
 * each hears of its stack alone, and is heard by it. */
static void gpu_ports(void **state) {
  (void)state;
  network_config_t c = network_default_config();
  strcpy(c.topology, "tree");
  c.local_ports = 1, c.gpu_ports = 8;
  assert_null(REFUSAL(network_check_config, &c));
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  uint64_t t = 0;
  assert_true(network_nodes(n) == 16 && network_stacks(n) == 8);
  assert_true(network_reaches(n, 7) && !network_reaches(n, 8) && network_reaches(n, PKT_GPU));
  for (unsigned k = 0; k < 8; k++) {
    assert_true(network_node_at(n, k) == 8 + k && network_node_at(n, 8 + k) == k);
    for (unsigned back = 0; back < 2; back++) {
      const unsigned from = back ? k : 8 + k, to = back ? 8 + k : k;
      packet_t *p = packet_new(pool, back ? PKT_READ_RESP : PKT_READ);
      p->src = back ? (uint16_t)k : PKT_GPU, p->dst = back ? PKT_GPU : (uint16_t)k;
      network_push(n, from, 0, p);
      for (uint64_t end = t + 200; t < end; t++) network_tick(n, t);
      for (unsigned other = 0; other < 16; other++)
        assert_int_equal(network_ready(n, other), other == to ? 1U << back : 0);
      assert_ptr_equal(network_pop(n, to, 0, back), p);
      packet_free(pool, p);
    }
  }
  packet_pool_free(pool);
  network_free(n);
  c.gpu_ports = 0;
  n = make_network(&c);
  assert_true(network_stacks(n) == 16 && network_node_at(n, 3) == 3 && network_reaches(n, 15) &&
              !network_reaches(n, PKT_GPU));
  network_free(n);
  c.gpu_ports = 4;
  assert_string_equal(REFUSAL(network_check_config, &c),
                      "16 terminals, 4 of them the GPU's; half of them, and a stack at each other, would be right");
}

/* Links of two subnets, and how wide they were: with a
 * policy of widths some were narrow, without none. */
static void subnets_and_widths(void **state) {
  (void)state;
  for (unsigned policy = POLICY_BASE; policy < NUM_POLICIES; policy++) {
    network_config_t c = network_default_config();
    snprintf(c.topology, sizeof c.topology, "tree");
    c.subnets = 2, c.local_ports = 1, c.ordered = false, c.policy = policy, c.epoch = 200, c.width_delay = 20,
    c.flit_bytes = 32;
    network_t *n = make_network(&c);
    packet_pool_t *pool = packet_pool_new();
    uint64_t seed = 3, t = 0, came = 0, sum = 0, spent[2] = {0}, many[2] = {0};
    const unsigned nodes = network_nodes(n), links = network_links(n);
    /* two subnets, each with eight links of the tree, both ways */
    assert_true(nodes == 16 && links == 2 * 2 * 8);
    for (; t < 4000 || network_held(n); t++) {
      for (unsigned k = 0; k < nodes; k++)
        for (unsigned cls = 0; cls < 2; cls++) {
          packet_t *p = network_pop(n, k, 0, cls);
          if (p) {
            assert_true(p->dst == k && packet_class(p) == (int)cls);
            spent[p->divergent] += t - p->born, many[p->divergent]++, came++;
            packet_free(pool, p);
          }
          if (t >= 4000 || !network_can_push(n, k, 0, cls) || test_random(&seed) % 8) continue;
          p = packet_new(pool, cls ? PKT_READ_RESP : PKT_READ);
          p->src = (uint16_t)k, p->dst = (uint16_t)(test_random(&seed) % nodes), p->divergent = test_random(&seed) & 1,
          p->born = t;
          network_push(n, k, 0, p);
        }
      network_tick(n, t);
      if (network_fault(n)) fail_msg("%s", network_fault(n)->text);
    }
    const network_stats_t s = network_stats(n, t);
    const bool widths = policy == POLICY_CRIT_W || policy == POLICY_CRIT_TR_W;
    for (unsigned w = 0; w < LINK_WIDTHS; w++) sum += s.width_cycles[w];
    assert_true(sum == links * t && s.link_slots == sum && came == s.delivered && came > 1000);
    /* what was seen counts, also when it is asked a tick too early */
    const network_stats_t early = network_stats(n, t - 1);
    assert_true(early.link_slots >= early.width_slots && early.link_slots == sum);
    assert_true((s.width_slots < sum) == widths && (s.width_cycles[3] > 0) == widths && s.link_flits <= s.width_slots);
    const double one = (double)spent[0] / (double)many[0], several = (double)spent[1] / (double)many[1];
    /* a policy with tr lets packets that are not divergent go first */
    const bool first = policy == POLICY_CRIT_TR || policy == POLICY_CRIT_TR_W; /* those that are not divergent */
    if (first ? one > 0.97 * several : one < 0.97 * several)
      fail_msg("%s: %.1f cycles, divergent %.1f", network_policy_name(policy), one, several);
    packet_pool_free(pool);
    network_free(n);
  }
}

/* Silence does not move the epochs: what is sent behind it
 * takes as long as with all ticks. By the law of check_alone 7
 * + 3 * (4 + 4) ticks, and one until the packet can be seen. */
static void silence_leaves_epochs_alone(void **state) {
  (void)state;
  network_config_t c = network_default_config();
  c.policy = POLICY_CRIT, c.epoch = 50;
  network_t *n = make_network(&c);
  packet_pool_t *pool = packet_pool_new();
  assert_false(network_idle(n)); /* its epochs go on */
  c.policy = POLICY_DIST;
  network_t *dist = make_network(&c);
  assert_true(network_idle(dist));
  for (unsigned start = 1000; start <= 1130; start += 26) { /* ticks before it are left out */
    packet_t *p = packet_new(pool, PKT_WRITE_ACK);
    uint64_t t = start;
    p->src = 1, p->dst = 6;
    network_push(dist, 1, 0, p);
    for (; !network_ready(dist, 6); t++) network_tick(dist, t);
    assert_int_equal(t - start, 7 + 1 + 3 * 8);
    packet_free(pool, network_pop(dist, 6, 0, 1));
  }
  network_free(dist);
  network_free(n);
  packet_pool_free(pool);
}

/* Policies that a configuration cannot carry,
 * with what is said; at the end two that it can. */
static void policies_are_checked(void **state) {
  (void)state;
  static const struct {
    unsigned policy, vcs, depth, epoch, subnets, classes;
    bool ordered;
    const char *what;
  } cases[] = {
      {POLICY_CRIT_TR, 2, 16, 100000, 1, 2, true,
       "a policy with tr lets packets overtake each other; network.order=guard"},
      {POLICY_CRIT_TR, 2, 2, 100000, 1, 2, false, "a VC would be left with none"},
      {POLICY_CRIT_W, 2, 16, 2500, 1, 2, true, "an epoch of 2500 cycles ends before links have changed their width"},
      {POLICY_DOUBLE, 4, 16, 100000, 1, 2, true, "input VCs a router"},
      {NUM_POLICIES, 2, 16, 100000, 1, 2, true, "network.policy: '7' is not base, crit, "},
      {POLICY_BASE, 2, 16, 100000, 3, 2, true, "network.subnets: 3 is out of range; from 1 to 2 would be right"},
      {POLICY_BASE, 2, 16, 100000, 2, 1, true, "subnets must be 1, or 2 with two classes"},
      {POLICY_CRIT_W, 2, 16, 2501, 2, 2, true, NULL},
      {POLICY_CRIT_TR_W, 2, 16, 100000, 2, 2, false, NULL},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    network_config_t c = network_default_config();
    c.policy = cases[i].policy, c.vcs = cases[i].vcs, c.depth = cases[i].depth, c.epoch = cases[i].epoch,
    c.ordered = cases[i].ordered;
    c.subnets = cases[i].subnets, c.classes = cases[i].classes;
    const char *wrong = REFUSAL(network_check_config, &c);
    if (cases[i].what ? !wrong || !strstr(wrong, cases[i].what) : wrong != NULL)
      fail_msg("case %u: %s", i, wrong ? wrong : "taken");
  }
}

/* source_packets packets fit in a source queue: with one class,
 * which both kinds share, and with two, a class each. */
static void sources_have_an_end(void **state) {
  (void)state;
  for (unsigned classes = 1; classes <= 2; classes++) {
    network_config_t c = network_default_config();
    c.classes = classes, c.source_packets = 3;
    network_t *n = make_network(&c);
    packet_pool_t *pool = packet_pool_new();
    for (unsigned i = 0; i < 3; i++) {
      packet_t *p = packet_new(pool, PKT_WRITE_ACK);
      p->src = 2, p->dst = 5;
      assert_true(network_can_push(n, 2, 1, 1));
      network_push(n, 2, 1, p);
    }
    assert_false(network_can_push(n, 2, 1, 1));
    assert_int_equal(network_can_push(n, 2, 1, 0), classes == 2);
    assert_true(network_can_push(n, 2, 0, 1) && network_can_push(n, 3, 1, 1));
    char text[200];
    network_describe_waits(n, text, sizeof text);
    assert_string_equal(text, classes == 2 ? "network source 2.1 class 1: 3 packets\n"
                                           : "network source 2.1 class 0: 3 packets\n");
    packet_pool_free(pool);
    network_free(n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_latency),
      cmocka_unit_test(reference_saturation),
      cmocka_unit_test(zero_load),
      cmocka_unit_test(all_arrive_in_order),
      cmocka_unit_test(classes_do_not_block),
      cmocka_unit_test(senders_have_fair_shares),
      cmocka_unit_test(network_config_limits),
      cmocka_unit_test(topologies),
      cmocka_unit_test(one_packet_is_counted),
      cmocka_unit_test(requests_leave_at_their_quadrant),
      cmocka_unit_test(gpu_ports),
      cmocka_unit_test(sources_have_an_end),
      cmocka_unit_test(subnets_and_widths),
      cmocka_unit_test(silence_leaves_epochs_alone),
      cmocka_unit_test(policies_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
