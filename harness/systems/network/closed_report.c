/* SPDX-License-Identifier: Apache-2.0
 *
 * Two views of the same runs: a table with a line for each policy, and JSON with each seed by
 * itself. Values of a policy are means over its seeds. A gain compares runs of one seed, so that
 * both had the same random numbers.
 */
#include "closed_report.h"

#include <inttypes.h>

#include "network_report.h"
#include "number.h"

static const char *const kinds[] = {"request", "answer"};

/* All zero for no values. */
static closed_spread_t spread_of(const double *value, unsigned count) {
  closed_spread_t s = {.count = count};
  for (unsigned i = 0; i < count; i++) {
    s.mean += value[i] / count;
    if (!i || value[i] < s.least) s.least = value[i];
    if (!i || value[i] > s.most) s.most = value[i];
  }
  return s;
}

closed_spread_t closed_gain(const closed_report_t *r, unsigned run) {
  const closed_policy_run_t *a = &r->run[0], *b = &r->run[run];
  double gain[CLOSED_MAX_SEEDS];
  unsigned count = 0;
  for (unsigned i = 0; i < a->results && i < b->results; i++)
    if (a->result[i].ipc > 0) gain[count++] = 100 * (b->result[i].ipc / a->result[i].ipc - 1);
  return spread_of(gain, count);
}

/* The mean over a policy's seeds; 0: no seed has run. */
static double mean_of(const closed_policy_run_t *run, double (*value)(const closed_result_t *result)) {
  double sum = 0;
  for (unsigned i = 0; i < run->results; i++) sum += value(&run->result[i]);
  return run->results ? sum / run->results : 0;
}

/* What mean_of takes: one value of a run. Latencies are in cycles, energy in nJ. */
static double result_ipc(const closed_result_t *r) {
  return r->ipc;
}
static double result_slowest_ipc(const closed_result_t *r) {
  return r->slowest_ipc;
}
static double result_load_latency(const closed_result_t *r) {
  return r->load_latency;
}
static double result_mean_width(const closed_result_t *r) {
  return r->mean_width;
}
static double result_energy(const closed_result_t *r) {
  return r->sent_nj + r->idle_nj;
}
static double mean_packet_latency(const closed_result_t *r, unsigned kind, unsigned divergent) {
  return histogram_mean(&r->latency[kind][divergent]);
}
static double one_access_request(const closed_result_t *r) {
  return mean_packet_latency(r, CLOSED_REQUEST, 0);
}
static double divergent_request(const closed_result_t *r) {
  return mean_packet_latency(r, CLOSED_REQUEST, 1);
}
static double one_access_answer(const closed_result_t *r) {
  return mean_packet_latency(r, CLOSED_ANSWER, 0);
}
static double divergent_answer(const closed_result_t *r) {
  return mean_packet_latency(r, CLOSED_ANSWER, 1);
}

/* ---- for people ---- */

/* The machine and the load, which all runs share. */
static void print_head(const closed_report_t *r, FILE *out) {
  const topology_t *t = r->topology;
  const closed_config_t *c = r->load;
  const router_params_t *p = &r->run[0].params;
  char engines[64];
  network_engines_text(r->engine, r->subnets * t->routers, engines, sizeof engines);
  fprintf(out, "network      %s: %u routers, %u terminals, %u links; %s\n", r->name, t->routers, t->terminals,
          topology_links(t),
          r->subnets > 1 ? "a subnet for requests and one for answers"
                         : "requests and answers are its two message classes");
  network_print_routers(p, p->NumVCs, engines, out);
  fprintf(out, "terminals    %u SMs of %u warps and a memory each; %.4g instructions an SM and cycle at most\n", c->sms,
          c->warps, c->issue);
  fprintf(
      out,
      "load         one of %.4g instructions accesses memory, which answers after %u cycles; %.4g %% stores, %.4g %% "
      "divergent, of 2 to %u accesses\n",
      c->instructions, c->memory_latency, 100 * c->stores, 100 * c->divergent, c->accesses);
}

/* One line of the table. The first policy, the base of all gains, has none of its own. */
static void print_gain_row(const closed_report_t *r, unsigned run, FILE *out) {
  const closed_policy_run_t *p = &r->run[run];
  const closed_spread_t gain = closed_gain(r, run);
  const double base = mean_of(&r->run[0], result_energy);
  char text[40] = "";
  if (run && gain.count > 1) snprintf(text, sizeof text, "%+7.2f (%+.2f..%+.2f)", gain.mean, gain.least, gain.most);
  else if (run && gain.count) snprintf(text, sizeof text, "%+7.2f", gain.mean);
  fprintf(out, "%-10s %7.4f %7.4f  %-24s %8.1f  %7.1f %7.1f  %7.1f %7.1f  %6.3f  %6.2f\n",
          network_policy_name(p->policy), mean_of(p, result_ipc), mean_of(p, result_slowest_ipc), text,
          mean_of(p, result_load_latency), mean_of(p, one_access_request), mean_of(p, divergent_request),
          mean_of(p, one_access_answer), mean_of(p, divergent_answer), mean_of(p, result_mean_width),
          base > 0 ? mean_of(p, result_energy) / base : 0);
}

void closed_report_print(const closed_report_t *r, FILE *out) {
  double router_cycles = 0, seconds = 0;
  char number[28];
  print_head(r, out);
  fprintf(out,
          "policy       IPC slowest  gain, %% (least..most)       load  request: one, many  answer: one, many   width  "
          "energy\n");
  for (unsigned i = 0; i < r->runs; i++) {
    print_gain_row(r, i, out);
    for (unsigned k = 0; k < r->run[i].results; k++) {
      const closed_result_t *result = &r->run[i].result[k];
      router_cycles += (double)result->router_cycles, seconds += result->cpu_seconds;
      if (result->stopped) fprintf(out, "  seed %" PRIu64 ": interrupted\n", r->load->seed + k);
      network_print_compared(&result->compared, out);
    }
  }
  fprintf(
      out,
      "IPC: instructions an SM and cycle of the network, slowest: of the SMs of the terminal that has the fewest; "
      "load, request, answer: mean\n"
      "cycles, of packets by how many accesses their instruction has; width: of links between routers, in time, of W; "
      "energy: of these links, of the\n"
      "first policy's\n");
  if (seconds > 0.05)
    fprintf(out, "speed        %s router-cycles a CPU second\n",
            number_text((uint64_t)(router_cycles / seconds), number));
}

bool closed_report_held(const closed_report_t *r) {
  for (unsigned i = 0; i < r->runs; i++)
    for (unsigned k = 0; k < r->run[i].results; k++)
      if (r->run[i].result[k].compared.divergences) return false;
  return true;
}

/* ---- JSON ---- */

static json_t *json_of_count(uint64_t n) {
  return json_integer((json_int_t)n);
}

/* By kind, and by how many accesses the packet's instruction has. */
static json_t *packets_json(const closed_result_t *r) {
  json_t *o = json_object();
  for (unsigned kind = 0; kind < 2; kind++)
    json_object_set_new(o, kinds[kind],
                        json_pack("{s:o, s:o, s:I}", "one", network_latency_json(&r->latency[kind][0]), "many",
                                  network_latency_json(&r->latency[kind][1]), "link_flits",
                                  (json_int_t)r->link_flits[kind]));
  return o;
}

/* All links of all subnets; each says which subnet it is of. */
static json_t *links_json(const closed_report_t *report, const closed_result_t *r) {
  json_t *list = json_array();
  for (unsigned n = 0; n < report->subnets; n++)
    for (unsigned i = 0; i < r->subnet[n].links; i++) {
      json_t *o = network_link_json(report->topology, &r->subnet[n].link[i]);
      json_object_set_new(o, "subnet", json_integer(n));
      json_array_append_new(list, o);
    }
  return list;
}

/* One run. Its gain is null where the first policy has no run of this seed. */
static json_t *seed_json(const closed_report_t *report, unsigned run, unsigned seed, void (*play)(json_t *first)) {
  const closed_result_t *r = &report->run[run].result[seed];
  const double base = seed < report->run[0].results ? report->run[0].result[seed].ipc : 0;
  json_t *o = json_object(), *widths = json_array(), *paths = json_array(), *terminals = json_array();
  json_object_set_new(o, "seed", json_of_count(report->load->seed + seed));
  json_object_set_new(o, "ipc", json_real(r->ipc));
  for (unsigned t = 0; r->terminal_ipc && t < report->topology->terminals; t++)
    json_array_append_new(terminals, json_real(r->terminal_ipc[t]));
  json_object_set_new(o, "terminal_ipc", terminals);
  json_object_set_new(o, "gain", base > 0 ? json_real(100 * (r->ipc / base - 1)) : json_null());
  json_object_set_new(o, "instructions", json_of_count(r->load.instructions));
  json_object_set_new(o, "loads", json_of_count(r->load.loads));
  json_object_set_new(o, "load_latency", json_real(r->load_latency));
  json_object_set_new(o, "accesses", json_of_count(r->load.accesses));
  json_object_set_new(o, "own_accesses", json_of_count(r->load.own_accesses));
  json_object_set_new(o, "idle_slots", json_of_count(r->load.idle_slots));
  json_object_set_new(o, "full_turns", json_of_count(r->load.full_turns));
  json_object_set_new(o, "packets", packets_json(r));
  for (unsigned w = 0; w < LINK_WIDTHS; w++) json_array_append_new(widths, json_of_count(r->width_cycles[w]));
  json_object_set_new(o, "width_cycles", widths);
  json_object_set_new(o, "mean_width", json_real(r->mean_width));
  json_object_set_new(o, "energy", json_pack("{s:f, s:f}", "sent_nj", r->sent_nj, "idle_nj", r->idle_nj));
  json_object_set_new(o, "measured_cycles", json_of_count(r->measured));
  json_object_set_new(o, "cycles", json_of_count(r->cycles));
  json_object_set_new(o, "interrupted", json_boolean(r->stopped));
  json_object_set_new(o, "router_cycles_per_cpu_second",
                      json_real(r->cpu_seconds > 0 ? (double)r->router_cycles / r->cpu_seconds : 0));
  json_object_set_new(o, "cycles_compared", json_of_count(r->compared.cycles));
  json_object_set_new(o, "divergences", json_of_count(r->compared.divergences));
  network_first_json(o, &r->compared, play);
  for (unsigned n = 0; n < report->subnets; n++)
    json_array_append_new(paths, network_paths_json(report->topology, &r->subnet[n].paths));
  json_object_set_new(o, "critical_paths", paths);
  json_object_set_new(o, "links", links_json(report, r));
  return o;
}

/* One policy with all its seeds. */
static json_t *policy_json(const closed_report_t *r, unsigned run, void (*play)(json_t *first)) {
  const closed_policy_run_t *p = &r->run[run];
  const closed_spread_t gain = closed_gain(r, run);
  char params[1024];
  json_t *o = json_object(), *seeds = json_array();
  router_params_text(&p->params, params, sizeof params);
  json_object_set_new(o, "policy", json_string(network_policy_name(p->policy)));
  json_object_set_new(o, "params", json_string(params));
  json_object_set_new(o, "ipc", json_real(mean_of(p, result_ipc)));
  json_object_set_new(o, "gain",
                      gain.count
                          ? json_pack("{s:f, s:f, s:f}", "mean", gain.mean, "least", gain.least, "most", gain.most)
                          : json_null());
  for (unsigned k = 0; k < p->results; k++) json_array_append_new(seeds, seed_json(r, run, k, play));
  json_object_set_new(o, "seeds", seeds);
  return o;
}

void closed_report_json(json_t *root, const closed_report_t *r, void (*play)(json_t *first)) {
  const closed_config_t *c = r->load;
  char engines[64];
  json_t *list = json_array();
  network_engines_text(r->engine, r->subnets * r->topology->routers, engines, sizeof engines);
  json_object_set_new(root, "topology", json_string(r->name));
  json_object_set_new(root, "routers", json_of_count(r->topology->routers));
  json_object_set_new(root, "terminals", json_of_count(r->topology->terminals));
  json_object_set_new(root, "subnets", json_of_count(r->subnets));
  json_object_set_new(root, "engine", json_string(engines));
  json_object_set_new(root, "load",
                      json_pack("{s:i, s:i, s:f, s:f, s:f, s:i, s:f, s:i, s:i}", "sms", (int)c->sms, "warps",
                                (int)c->warps, "issue", c->issue, "instructions", c->instructions, "divergent",
                                c->divergent, "accesses", (int)c->accesses, "stores", c->stores, "memory_latency",
                                (int)c->memory_latency, "queue", (int)c->queue));
  for (unsigned i = 0; i < r->runs; i++) json_array_append_new(list, policy_json(r, i, play));
  json_object_set_new(root, "policies", list);
}
