/* SPDX-License-Identifier: Apache-2.0
 *
 * A closed loop on one or two fabrics. The fabric carries the load's tag unchanged; kind and
 * divergence of a packet are in the tag.
 *
 *              one subnet           two subnets
 *   requests   class 0 of it        class 0 of subnet 0
 *   answers    class 1 of it        class 0 of subnet 1
 */
#include "closed_run.h"

#include <stdlib.h>

#include "clock.h"
#include "router_engine.h"

enum { PROGRESS_CYCLES = 4096 };
static const double SENT_PJ = 2, IDLE_PJ = 1.5; /* a bit */

typedef struct subnet {
  struct run *run;
  fabric_t *fabric;
  link_widths_t widths;
} subnet_t;

typedef struct run {
  const closed_job_t *job;
  closed_result_t *result;
  engines_t *engines;
  closed_load_t *load;
  subnet_t subnet[CLOSED_SUBNETS];
  uint64_t now, flits[2]; /* flits of links by kind, as packets have passed them */
  uint64_t *before;       /* [terminals]: instructions when measuring began */
  bool measures, out_of_memory;
} run_t;

unsigned closed_packet_flits(const router_params_t *p, bool data) {
  const unsigned bits = 8 * (CLOSED_HEADER_BYTES + (data ? CLOSED_LINE_BYTES : 0)), flit = (unsigned)p->FlitBits;
  return (bits + flit - 1) / flit;
}

/* ---- packets ---- */

/* The subnet that carries packets of a kind. */
static subnet_t *subnet_of(run_t *run, unsigned kind) {
  return &run->subnet[kind % run->job->subnets];
}

static unsigned class_of(const run_t *run, unsigned kind) {
  return run->job->subnets > 1 ? 0 : kind;
}

/* The length follows from what the packet carries. */
static void send_on_subnet(void *context, const closed_packet_t *p) {
  run_t *run = context;
  fabric_t *f = subnet_of(run, p->kind)->fabric;
  fabric_send(f, p->source,
              &(fabric_packet_t){.tag = p->tag,
                                 .born = fabric_now(f),
                                 .dest = p->dest,
                                 .flits = (uint16_t)closed_packet_flits(&run->job->params, p->data),
                                 .cls = (uint8_t)class_of(run, p->kind),
                                 .div = p->divergent,
                                 .vc = FABRIC_ANY_VC});
}

static unsigned requests_waiting(void *context, unsigned terminal) {
  run_t *run = context;
  return (unsigned)fabric_waiting(subnet_of(run, CLOSED_REQUEST)->fabric, terminal, class_of(run, CLOSED_REQUEST));
}

/* Hops count routers, so a packet has crossed one link fewer. */
static void receive_from_subnet(void *context, const fabric_packet_t *p, uint64_t now) {
  const subnet_t *s = context;
  run_t *run = s->run;
  const unsigned kind = run->job->subnets > 1 ? (unsigned)(s - run->subnet) : p->cls;
  if (!closed_load_receive(run->load, p->tag, p->dest, now)) run->out_of_memory = true;
  if (!run->measures) return;
  run->result->link_flits[kind] += (uint64_t)p->flits * (p->hops - 1U);
  if (!histogram_add(&run->result->latency[kind][p->div], now - p->born)) run->out_of_memory = true;
}

/* ---- cycles ---- */

/* A subnet has packets in flight and moved one lately. */
static bool any_subnet_moves(const run_t *run) {
  for (unsigned n = 0; n < run->job->subnets; n++)
    if (fabric_in_flight(run->subnet[n].fabric) && !fabric_stuck(run->subnet[n].fabric, run->job->stuck)) return true;
  return false;
}

static bool packets_in_flight(const run_t *run) {
  for (unsigned n = 0; n < run->job->subnets; n++)
    if (fabric_in_flight(run->subnet[n].fabric)) return true;
  return false;
}

static outcome_t no_memory(trouble_t *trouble) {
  trouble_memory(trouble);
  return OUTCOME_INFRA;
}

/* Faults, lack of memory and deadlock; PASS: none. It is a deadlock when packets are in flight and
 * no subnet moves any. */
static outcome_t check_subnets(run_t *run, trouble_t *trouble) {
  for (unsigned n = 0; n < run->job->subnets; n++) {
    const trouble_t *fault = fabric_fault(run->subnet[n].fabric);
    if (!fault) continue;
    *trouble = *fault;
    return fault->kind == TROUBLE_BROKEN ? OUTCOME_DIVERGED : OUTCOME_INFRA;
  }
  if (run->out_of_memory) return no_memory(trouble);
  if (!packets_in_flight(run) || any_subnet_moves(run)) return OUTCOME_PASS;
  char *waits = run->result->waits;
  size_t used = 0;
  run->result->deadlock = true;
  for (unsigned n = 0; n < run->job->subnets && used + 1 < sizeof run->result->waits; n++)
    if (fabric_in_flight(run->subnet[n].fabric))
      used += fabric_describe_waits(run->subnet[n].fabric, waits + used, sizeof run->result->waits - used);
  trouble_set(trouble, TROUBLE_BROKEN,
              "stuck: nothing has moved for %llu cycles: ", (unsigned long long)run->job->stuck);
  return OUTCOME_STUCK;
}

/* Runs to cycle `end`; checks every PROGRESS_CYCLES cycles. A stop by the caller is no failure. */
static outcome_t run_until(run_t *run, uint64_t end, trouble_t *trouble) {
  const closed_job_t *job = run->job;
  const closed_port_t port = {send_on_subnet, requests_waiting, run};
  outcome_t outcome = OUTCOME_PASS;
  while (run->now < end && !run->result->stopped && outcome == OUTCOME_PASS) {
    if (!closed_load_cycle(run->load, run->now, &port)) run->out_of_memory = true;
    for (unsigned n = 0; n < job->subnets; n++) {
      fabric_cycle(run->subnet[n].fabric);
      link_widths_look(&run->subnet[n].widths);
    }
    run->now++;
    if (run->now % PROGRESS_CYCLES && run->now < end) continue;
    outcome = check_subnets(run, trouble);
    run->result->stopped = job->progress && !job->progress(job->progress_context, run->now);
  }
  return outcome;
}

/* Clears what the fabrics count and notes what the load has counted so far. */
static void begin_measuring(run_t *run) {
  for (unsigned n = 0; n < run->job->subnets; n++) {
    link_widths_clear(&run->subnet[n].widths);
    fabric_clear_stats(run->subnet[n].fabric);
  }
  run->result->load = closed_load_stats(run->load);
  for (unsigned t = 0; t < run->job->topology->terminals; t++) run->before[t] = closed_load_instructions(run->load, t);
  run->measures = true;
}

/* *before becomes the difference. */
static void subtract_load_stats(closed_stats_t *before, closed_stats_t after) {
  const closed_stats_t b = *before;
  *before = (closed_stats_t){.instructions = after.instructions - b.instructions,
                             .loads = after.loads - b.loads,
                             .load_cycles = after.load_cycles - b.load_cycles,
                             .accesses = after.accesses - b.accesses,
                             .own_accesses = after.own_accesses - b.own_accesses,
                             .full_turns = after.full_turns - b.full_turns,
                             .idle_slots = after.idle_slots - b.idle_slots};
}

/* A link sends at most one flit per slot; the slots of a narrower link are fewer. A slot without a
 * flit costs IDLE_PJ a bit. */
static void take_energy(run_t *run) {
  closed_result_t *r = run->result;
  const double slots = link_widths_slots(r->width_cycles);
  uint64_t cycles = 0, flits = 0;
  for (unsigned w = 0; w < LINK_WIDTHS; w++) cycles += r->width_cycles[w];
  for (unsigned n = 0; n < run->job->subnets; n++)
    for (unsigned i = 0; i < r->subnet[n].router_links; i++) flits += r->subnet[n].link[i].flits;
  const double bits = (double)run->job->params.FlitBits, idle = slots > (double)flits ? slots - (double)flits : 0;
  r->mean_width = cycles ? slots / (double)cycles : 1;
  r->sent_nj = (double)flits * bits * SENT_PJ / 1000;
  r->idle_nj = idle * bits * IDLE_PJ / 1000;
}

/* What was measured, also when the run ended early. */
static void take_results(run_t *run) {
  const closed_job_t *job = run->job;
  closed_result_t *r = run->result;
  for (unsigned n = 0; n < job->subnets; n++) {
    link_widths_count(&run->subnet[n].widths);
    for (unsigned w = 0; w < LINK_WIDTHS; w++) r->width_cycles[w] += run->subnet[n].widths.cycles[w];
  }
  subtract_load_stats(&r->load, closed_load_stats(run->load));
  r->measured = run->now > job->warmup ? run->now - job->warmup : 0;
  r->ipc =
      r->measured ? (double)r->load.instructions / (double)r->measured / (job->topology->terminals * job->load.sms) : 0;
  for (unsigned t = 0; t < job->topology->terminals; t++) {
    const uint64_t instructions = closed_load_instructions(run->load, t) - run->before[t];
    r->terminal_ipc[t] = r->measured ? (double)instructions / (double)r->measured / job->load.sms : 0;
    if (!t || r->terminal_ipc[t] < r->slowest_ipc) r->slowest_ipc = r->terminal_ipc[t];
  }
  r->load_latency = r->load.loads ? (double)r->load.load_cycles / (double)r->load.loads : 0;
  for (unsigned n = 0; n < job->subnets; n++)
    if (!network_look(&r->subnet[n], run->subnet[n].fabric, job->topology, &job->params)) run->out_of_memory = true;
  if (!run->out_of_memory) take_energy(run);
}

/* Warm-up, measured cycles, results. */
static outcome_t run_and_measure(run_t *run, trouble_t *trouble) {
  const double start = clock_own();
  outcome_t outcome = run_until(run, run->job->warmup, trouble);
  begin_measuring(run);
  if (outcome == OUTCOME_PASS) outcome = run_until(run, run->job->warmup + run->job->cycles, trouble);
  take_results(run);
  run->result->cycles = run->now;
  run->result->router_cycles = run->now * run->job->topology->routers * run->job->subnets;
  run->result->cpu_seconds = clock_own() - start;
  return outcome == OUTCOME_PASS ? check_subnets(run, trouble) : outcome;
}

/* ---- making it ---- */

/* The engines of subnet n are those from n * routers on. */
static outcome_t open_subnets(run_t *run, trouble_t *trouble) {
  const closed_job_t *job = run->job;
  for (unsigned n = 0; n < job->subnets; n++) {
    subnet_t *s = &run->subnet[n];
    s->run = run;
    s->fabric = fabric_new(&(fabric_config_t){.topology = job->topology,
                                              .routes = job->routes,
                                              .router = job->params,
                                              .engine = engines_table(run->engines) + n * job->topology->routers,
                                              .receive = receive_from_subnet,
                                              .context = s,
                                              .instance = n * job->topology->routers},
                           trouble);
    if (!s->fabric) return OUTCOME_INFRA;
    if (!link_widths_init(&s->widths, s->fabric, job->topology, &job->params)) return no_memory(trouble);
  }
  return OUTCOME_PASS;
}

static void close_subnets(run_t *run) {
  for (unsigned n = 0; n < CLOSED_SUBNETS; n++) {
    fabric_free(run->subnet[n].fabric);
    link_widths_free(&run->subnet[n].widths);
  }
}

/* What is made is freed in the reverse order, whatever happens in between. */
static outcome_t run_engines(run_t *run, trouble_t *trouble) {
  const closed_job_t *job = run->job;
  run->result->terminal_ipc = calloc(job->topology->terminals, sizeof *run->result->terminal_ipc);
  run->before = calloc(job->topology->terminals, sizeof *run->before);
  run->load = closed_load_new(&job->load, job->topology->terminals);
  const bool all = run->result->terminal_ipc && run->before && run->load;
  outcome_t outcome = all ? open_subnets(run, trouble) : no_memory(trouble);
  if (outcome == OUTCOME_PASS) {
    outcome = run_and_measure(run, trouble);
    network_look_engines(run->engines, job->topology, job->subnets, &job->capture, &run->result->compared);
  }
  close_subnets(run);
  free(run->before);
  closed_load_free(run->load);
  return outcome;
}

/* Message classes must fit the number of subnets. */
static bool check_closed_job(const closed_job_t *job, trouble_t *trouble) {
  if (!closed_config_check(&job->load, trouble)) return false;
  if (job->params.Classes != (job->subnets > 1 ? 1 : 2))
    return trouble_set(trouble, TROUBLE_INPUT, "one subnet has two message classes, two subnets have one each");
  return router_params_check(&job->params, trouble);
}

outcome_t closed_run(const closed_job_t *job, closed_result_t *result, trouble_t *trouble) {
  *result = (closed_result_t){0};
  if (!check_closed_job(job, trouble)) return OUTCOME_BAD_INPUT;
  run_t run = {.job = job, .result = result};
  engines_config_t config = {.places = job->places,
                             .rtl = job->rtl,
                             .engine = job->engine,
                             .count = job->subnets * job->topology->routers,
                             .seed = job->capture.seed};
  outcome_t outcome = OUTCOME_PASS;
  if (!router_engine_config(&config, &job->params, trouble) || !engines_open(&run.engines, &config, trouble))
    outcome = outcome_of(trouble);
  if (outcome == OUTCOME_PASS) outcome = run_engines(&run, trouble);
  engines_close(run.engines);
  return outcome;
}

void closed_result_free(closed_result_t *r) {
  for (unsigned kind = 0; kind < 2; kind++)
    for (unsigned divergent = 0; divergent < 2; divergent++) histogram_free(&r->latency[kind][divergent]);
  for (unsigned n = 0; n < CLOSED_SUBNETS; n++) network_look_free(&r->subnet[n]);
  free(r->terminal_ipc);
  *r = (closed_result_t){0};
}
