/* SPDX-License-Identifier: Apache-2.0
 *
 * A packet carries its batch and its groups in its tag:
 *
 *   63            32 31             0
 *   | groups, a bit  | batch; 0: not |
 *   | each           | measured      |
 *
 * A batch is over when its last packet has come. A source queue of QUEUE_MOST packets takes no
 * more, so that an overloaded network does not fill the memory. For the network such a queue is as
 * good as an infinite one; the run counts as unstable.
 *
 *   warm_up -> measure_batches -> drain_measured -> await_deadlock
 *   batch 0    batches 1, 2, ..   batch 0           batch 0
 */
#include "measure.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 1 << 16, LEAST_BATCHES = 10, GROUP_SHIFT = 32, QUEUE_MOST = 4096 };

typedef struct batch {
  uint64_t waiting, packets, sum; /* packets generated and not received, received; their latencies */
} batch_t;

struct measure {
  measure_config_t config;
  traffic_t *traffic;
  fabric_t *fabric;
  measure_result_t *result;
  trouble_t *trouble;
  unsigned terminals, batch;  /* batch: of packets generated now; 0: not measured */
  uint64_t received, latency; /* packets of this period, of any batch, and their latencies */
  fabric_stats_t before;      /* at the begin of the measured cycles */
  uint64_t offered;           /* flits generated in them */
  bool full;                  /* a source queue had QUEUE_MOST packets and took no more */
  bool out_of_memory;
  batch_t batches[BATCHES];
};

/* ---- histograms ---- */

bool histogram_add(histogram_t *h, uint64_t latency) {
  if (latency >= h->room) {
    size_t room = h->room ? h->room : 256;
    while (room <= latency) room *= 2;
    uint64_t *count = realloc(h->count, room * sizeof *count);
    if (!count) return false;
    memset(count + h->room, 0, (room - h->room) * sizeof *count);
    h->count = count;
    h->room = room;
  }
  h->count[latency]++;
  h->packets++;
  h->sum += latency;
  if (latency > h->max) h->max = latency;
  return true;
}

double histogram_mean(const histogram_t *h) {
  return h->packets ? (double)h->sum / (double)h->packets : 0;
}

uint64_t histogram_quantile(const histogram_t *h, double q) {
  uint64_t seen = 0, need = (uint64_t)ceil(q * (double)h->packets);
  if (!need) need = 1;
  for (size_t latency = 0; latency < h->room; latency++) {
    seen += h->count[latency];
    if (seen >= need) return latency;
  }
  return 0;
}

void histogram_free(histogram_t *h) {
  free(h->count);
  *h = (histogram_t){0};
}

/* ---- packets ---- */

/* Called by traffic_cycle for each packet generated. Packets of batch 0 are sent and not measured.
 */
static void send_measured(void *context, const traffic_packet_t *packet) {
  measure_t *m = context;
  uint64_t groups = 1U << MEASURE_ALL | (packet->divergent ? 1U << MEASURE_DIVERGENT : 1U << MEASURE_NONDIVERGENT);
  bool critical = m->config.critical && m->config.critical(m->config.context, packet->source, packet->dest);
  groups |= 1U << (critical ? MEASURE_CRITICAL : MEASURE_REST);
  if (m->batch) m->offered += packet->flits;
  if (fabric_waiting(m->fabric, packet->source, packet->cls) >= QUEUE_MOST) {
    m->full = true;
    return;
  }
  if (m->batch) m->batches[m->batch].waiting++;
  fabric_send(m->fabric, packet->source,
              &(fabric_packet_t){.tag = groups << GROUP_SHIFT | m->batch,
                                 .born = fabric_now(m->fabric),
                                 .dest = packet->dest,
                                 .flits = packet->flits,
                                 .cls = packet->cls,
                                 .div = packet->divergent,
                                 .vc = FABRIC_ANY_VC});
}

void measure_receive(void *context, const fabric_packet_t *packet, uint64_t now) {
  measure_t *m = context;
  uint64_t latency = now - packet->born, groups = packet->tag >> GROUP_SHIFT;
  unsigned batch = (unsigned)packet->tag;
  m->received++;
  m->latency += latency;
  if (!batch) return;
  batch_t *b = &m->batches[batch];
  b->waiting--;
  b->packets++;
  b->sum += latency;
  for (unsigned g = 0; g < MEASURE_GROUPS; g++)
    if (groups >> g & 1 && !histogram_add(&m->result->latency[g], latency)) m->out_of_memory = true;
}

/* ---- time ---- */

/* Runs the network for one batch. False: the run is over, by a fault, a deadlock, lack of memory or
 * the caller's progress function. */
static bool run_batch(measure_t *m) {
  for (uint64_t c = 0; c < m->config.batch; c++) {
    traffic_cycle(m->traffic, send_measured, m);
    fabric_cycle(m->fabric);
  }
  const trouble_t *fault = fabric_fault(m->fabric);
  if (fault) return *m->trouble = *fault, false;
  if (m->out_of_memory) return trouble_memory(m->trouble);
  if (fabric_stuck(m->fabric, m->config.stuck)) {
    fabric_describe_waits(m->fabric, m->result->waits, sizeof m->result->waits);
    m->result->deadlock = true;
    return trouble_set(m->trouble, TROUBLE_BROKEN,
                       "stuck: nothing has moved for %llu cycles: ", (unsigned long long)m->config.stuck);
  }
  m->result->stopped = m->config.progress && !m->config.progress(m->config.context, fabric_now(m->fabric));
  return !m->result->stopped;
}

/* The warm-up's measure of "the same as in the batch before". */
static bool within_5_percent(double a, double b) {
  return fabs(a - b) <= 0.05 * fmax(a, b);
}

static bool at_cycle_limit(const measure_t *m) {
  return fabric_now(m->fabric) >= m->config.most_cycles;
}

static uint64_t packets_unreceived(fabric_stats_t s) {
  return s.sent - s.received;
}

/* More packets wait than a burst explains: the network does not accept what is offered. */
static bool queues_overflow(const measure_t *m) {
  return (double)packets_unreceived(fabric_stats(m->fabric)) > m->terminals * m->config.latency_limit;
}

/* Packets pile up, if slowly: more than 0.5 % of those sent. Less than 16 a terminal may be a
 * burst. */
static bool piles_up(const measure_t *m, fabric_stats_t after) {
  double more = (double)packets_unreceived(after) - (double)packets_unreceived(m->before),
         sent = (double)(after.sent - m->before.sent);
  return more > 0.005 * sent && more > 16.0 * m->terminals;
}

/* Runs until latency and throughput settle, the sources overflow or the cycles are used up. */
static bool warm_up(measure_t *m) {
  double latency = -1, throughput = -1;
  for (unsigned n = 1;; n++) {
    m->received = m->latency = 0;
    if (!run_batch(m)) return false;
    double l = m->received ? (double)m->latency / (double)m->received : 0, t = (double)m->received;
    bool settled = n >= 3 && fabric_now(m->fabric) >= m->config.warmup && within_5_percent(l, latency) &&
                   within_5_percent(t, throughput);
    if (settled || at_cycle_limit(m) || (n >= 3 && fabric_now(m->fabric) >= m->config.warmup && queues_overflow(m)))
      return true;
    latency = l;
    throughput = t;
  }
}

/* Half of the 95 % confidence interval of the mean latency, by batch means. Only batches count
 * whose packets have all come; *whole is their number. HUGE_VAL: fewer than two. */
static double half_width(const measure_t *m, unsigned batches, unsigned *whole) {
  double sum = 0, squares = 0;
  unsigned n = 0;
  for (unsigned b = 1; b <= batches; b++) {
    const batch_t *x = &m->batches[b];
    if (x->waiting || !x->packets) continue;
    double mean = (double)x->sum / (double)x->packets;
    sum += mean;
    squares += mean * mean;
    n++;
  }
  *whole = n;
  if (n < 2) return HUGE_VAL;
  double mean = sum / n, variance = (squares - n * mean * mean) / (n - 1);
  return 1.96 * sqrt(fmax(variance, 0) / n);
}

/* Ends the measured cycles: the cycles asked for, else the precision asked for, else a limit. */
static bool measured_enough(measure_t *m) {
  unsigned whole;
  m->result->half_width = half_width(m, m->batch, &whole);
  uint64_t measured = (uint64_t)m->batch * m->config.batch;
  if (m->batch == BATCHES - 1) return true;
  if (m->config.cycles) return measured >= m->config.cycles;
  if (at_cycle_limit(m) || (m->batch >= LEAST_BATCHES && queues_overflow(m))) return true;
  return whole >= LEAST_BATCHES && measured >= m->config.least &&
         m->result->half_width <= m->config.precision * histogram_mean(&m->result->latency[MEASURE_ALL]);
}

/* Rates of the measured cycles, draining left out. */
static void take_throughput(measure_t *m) {
  measure_result_t *r = m->result;
  fabric_stats_t after = fabric_stats(m->fabric);
  uint64_t flits = after.received_flits - m->before.received_flits;
  r->measured = fabric_now(m->fabric) - r->warmup;
  double cycles = (double)r->measured * m->terminals;
  r->accepted = cycles > 0 ? (double)flits / cycles : 0;
  r->offered = cycles > 0 ? (double)m->offered / cycles : 0;
  r->hops = flits ? (double)(after.hops - m->before.hops) / (double)flits : 0;
  r->stable = !m->full && !piles_up(m, after);
}

static bool measure_batches(measure_t *m) {
  fabric_clear_stats(m->fabric);
  m->before = fabric_stats(m->fabric);
  m->result->warmup = fabric_now(m->fabric);
  if (m->config.warm) m->config.warm(m->config.context);
  bool going = true;
  do {
    m->batch++;
    going = run_batch(m);
  } while (going && !measured_enough(m));
  take_throughput(m);
  if (m->config.done) m->config.done(m->config.context);
  return going;
}

static uint64_t still_waiting(const measure_t *m, unsigned batches) {
  uint64_t n = 0;
  for (unsigned b = 1; b <= batches; b++) n += m->batches[b].waiting;
  return n;
}

/* Goes on with unmeasured traffic until all measured packets have come. The time for that is
 * limited: packets that take longer are a sign of instability. */
static bool drain_measured(measure_t *m) {
  unsigned whole, batches = m->batch, most = 20 + (unsigned)(m->config.latency_limit * 4 / (double)m->config.batch);
  m->batch = 0;
  for (unsigned n = 0; still_waiting(m, batches) && n < most && !queues_overflow(m); n++)
    if (!run_batch(m)) return false;
  m->result->half_width = half_width(m, batches, &whole);
  m->result->stable = m->result->stable && !m->full && !still_waiting(m, batches) && !queues_overflow(m) &&
                      histogram_mean(&m->result->latency[MEASURE_ALL]) <= m->config.latency_limit;
  return true;
}

/* An overloaded run may end before the watchdog of a deadlock barks. If nothing moves now, run on
 * until it does. */
static bool await_deadlock(measure_t *m) {
  m->batch = 0;
  while (fabric_stuck(m->fabric, m->config.batch))
    if (!run_batch(m)) return false;
  return true;
}

bool measure_run(measure_t *m, fabric_t *fabric, measure_result_t *result, trouble_t *trouble) {
  *result = (measure_result_t){0};
  *trouble = (trouble_t){0};
  m->trouble = trouble;
  m->fabric = fabric;
  m->result = result;
  const double start = clock_own();
  bool whole = warm_up(m) && measure_batches(m) && drain_measured(m) && await_deadlock(m);
  result->cpu_seconds = clock_own() - start;
  result->cycles = fabric_now(fabric);
  result->stable = result->stable && whole;
  return !trouble->kind;
}

measure_t *measure_new(const measure_config_t *config, traffic_t *traffic, unsigned terminals) {
  measure_t *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->config = *config;
  m->traffic = traffic;
  m->terminals = terminals;
  if (!m->config.batch) m->config.batch = m->config.cycles && m->config.cycles < 1000 ? m->config.cycles : 1000;
  if (!m->config.most_cycles) m->config.most_cycles = m->config.warmup + m->config.least + 1000000;
  if (!m->config.stuck) m->config.stuck = 20000;
  if (m->config.precision <= 0) m->config.precision = 0.005;
  if (m->config.latency_limit <= 0) m->config.latency_limit = 500;
  return m;
}

void measure_free(measure_t *m) {
  free(m);
}

void measure_result_free(measure_result_t *r) {
  for (unsigned g = 0; g < MEASURE_GROUPS; g++) histogram_free(&r->latency[g]);
}
