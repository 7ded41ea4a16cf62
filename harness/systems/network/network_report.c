/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of a network for people and as JSON. One policy at one rate is printed in full; more are a
 * table. JSON always has all points.
 *
 *   network_report_print   print_head, then print_point or print_table, then the speed
 *   network_report_json    keys of the run, then add_run: of one policy at the top, of several in a
 *                          list
 */
#include "network_report.h"
#include "number.h"
#include "plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_LINKS = 10, SHOWN_PATHS = 10 };

/* One word when all instances have the same engine. */
void network_engines_text(const engine_t *engine, unsigned instances, char *text, size_t size) {
  unsigned count[3] = {0};
  size_t used = 0;
  for (unsigned i = 0; i < instances; i++) count[engine[i]]++;
  for (unsigned e = 0; e < 3; e++) {
    if (count[e] == instances) snprintf(text, size, "%s", engine_name((engine_t)e));
    else if (count[e])
      used +=
          (size_t)snprintf(text + used, size - used, "%s%u %s", used ? ", " : "", count[e], engine_name((engine_t)e));
  }
}

unsigned network_stages(const router_params_t *p) {
  return 4 - !!p->Lookahead - !!p->Spec;
}

/* 0 when no time was measured. */
static double router_cycles_per_second(double router_cycles, double seconds) {
  return seconds > 0 ? router_cycles / seconds : 0;
}

/* ---- for people ---- */

void network_print_routers(const router_params_t *p, long vcs, const char *engines, FILE *out) {
  char fifos[32] = "";
  if (p->OutDepth) snprintf(fifos, sizeof fifos, ", output FIFOs of %ld", p->OutDepth);
  fprintf(out, "routers      %ld ports, %ld VCs of %ld flits of %ld bits%s, %u stages; %s\n", p->Ports, vcs, p->Depth,
          p->FlitBits, fifos, network_stages(p), engines);
}

/* The network and its traffic, which all runs share. */
static void print_head(const network_report_t *r, FILE *out) {
  const topology_t *t = r->topology;
  const traffic_config_t *c = r->traffic;
  const router_params_t *p = &r->run[0].params;
  char engines[64], packet[32];
  network_engines_text(r->engine, r->topology->routers, engines, sizeof engines);
  if (c->flits_least == c->flits_most)
    snprintf(packet, sizeof packet, "%u flit%s", c->flits_least, c->flits_least == 1 ? "" : "s");
  else snprintf(packet, sizeof packet, "%u to %u flits", c->flits_least, c->flits_most);
  fprintf(out, "network      %s: %u routers, %u terminals, %u links\n", r->name, t->routers, t->terminals,
          topology_links(t));
  network_print_routers(p, r->params->NumVCs, engines, out);
  fprintf(out, "traffic      %s: %s; packets of %s\n", traffic_pattern_name(c->pattern),
          traffic_pattern_text(c->pattern), packet);
  if (r->base_saturation)
    fprintf(out, "base accepts %.4f flits per terminal and cycle at full load\n", r->base_saturation);
}

/* Nothing for a group without packets. */
static void print_latency(FILE *out, const char *what, const histogram_t *h) {
  if (!h->packets) return;
  fprintf(out, "%-22s mean %9.2f  p50 %6" PRIu64 "  p99 %6" PRIu64 "  max %6" PRIu64 "  of %" PRIu64 " packets\n", what,
          histogram_mean(h), histogram_quantile(h, 0.5), histogram_quantile(h, 0.99), h->max, h->packets);
}

/* Most stalls first; equals in the order of the look. */
static int by_stalls(const void *a, const void *b) {
  const network_link_t *x = *(const network_link_t *const *)a, *y = *(const network_link_t *const *)b;
  if (x->stalls != y->stalls) return x->stalls < y->stalls ? 1 : -1;
  return x < y ? -1 : x > y;
}

/* The links that stalled most, at most SHOWN_LINKS. */
static void print_links(const network_report_t *report, const network_result_t *r, FILE *out) {
  const network_link_t **order = calloc(r->look.router_links + 1, sizeof *order);
  double cycles = (double)r->measured.measured;
  for (unsigned i = 0; order && i < r->look.router_links; i++) order[i] = &r->look.link[i];
  if (order) qsort(order, r->look.router_links, sizeof *order, by_stalls);
  for (unsigned i = 0; order && i < r->look.router_links && i < SHOWN_LINKS && order[i]->stalls; i++) {
    const network_link_t *l = order[i];
    char width[24] = "";
    if (l->width > 1) snprintf(width, sizeof width, "  width W/%u", l->width);
    if (!i) fprintf(out, "links by stalls        (share of cycles in which a flit could not go; flits a cycle)\n");
    fprintf(out, "  %6s -> %-8s %5.1f %%  %.3f%s%s\n", report->topology->name[l->router],
            report->topology->name[l->peer], 100 * (double)l->stalls / cycles, (double)l->flits / cycles,
            l->critical ? "  critical" : "", width);
  }
  free(order);
}

/* At most SHOWN_PATHS, the heaviest first. */
static void print_paths(const network_report_t *report, const network_result_t *r, FILE *out) {
  char text[512];
  for (unsigned i = 0; i < r->look.paths.paths && i < SHOWN_PATHS; i++)
    fprintf(out, "%s%s\n", i ? "  " : "critical paths, by stalls\n  ",
            critical_path_text(&r->look.paths, &r->look.paths.path[i], report->topology, text, sizeof text));
  if (r->look.paths.paths > SHOWN_PATHS) fprintf(out, "  and %u more\n", r->look.paths.paths - SHOWN_PATHS);
}

/* What lockstep compared, and how to replay the first difference. */
void network_print_compared(const network_compared_t *c, FILE *out) {
  char number[28];
  if (!c->routers && !c->divergences) return;
  if (!c->cycles) {
    fprintf(out, "lockstep               not compared: no router in lockstep had a cycle\n");
    return;
  }
  fprintf(out, "lockstep               %s router-cycles compared, %" PRIu64 " divergence%s\n",
          number_text(c->cycles, number), c->divergences, c->divergences == 1 ? "" : "s");
  if (*c->first) fprintf(out, "  %s\n", c->first);
  if (*c->replay) fprintf(out, "  lockstack replay %s\n", plain_word(c->replay, (char[PLAIN_WORD]){0}));
}

/* A run that was interrupted says so rather than "not stable". */
static const char *stability_text(const measure_result_t *m, const char *stable, const char *stopped,
                                  const char *unstable) {
  if (m->stable) return stable;
  return m->stopped ? stopped : unstable;
}

/* The long form: one rate of one policy. */
static void print_point(const network_report_t *report, const network_policy_run_t *run, FILE *out) {
  const network_result_t *r = &run->sweep.point[0].result;
  const measure_result_t *m = &r->measured;
  char a[28], b[28];
  fprintf(out, "policy       %s, offered %.4g flits per terminal and cycle%s\n", network_policy_name(run->policy),
          run->sweep.point[0].rate,
          stability_text(m, "", ": interrupted", ": NOT STABLE, latency is of the packets that came"));
  print_latency(out, "latency", &m->latency[MEASURE_ALL]);
  print_latency(out, "  not divergent", &m->latency[MEASURE_NONDIVERGENT]);
  print_latency(out, "  divergent", &m->latency[MEASURE_DIVERGENT]);
  print_latency(out, "  by critical pairs", &m->latency[MEASURE_CRITICAL]);
  if (m->latency[MEASURE_CRITICAL].packets) print_latency(out, "  by no critical pair", &m->latency[MEASURE_REST]);
  fprintf(out, "accepted               %.4f flits per terminal and cycle, %.2f routers on the way\n", m->accepted,
          m->hops);
  fprintf(out, "cycles                 %s, %s of them measured", number_text(m->cycles, a),
          number_text(m->measured, b));
  if (m->half_width < 1e9) fprintf(out, "; mean latency +- %.2f (95 %%)", m->half_width);
  fputc('\n', out);
  print_links(report, r, out);
  print_paths(report, r, out);
  network_print_compared(&r->compared, out);
}

/* 12.3, or - without packets */
static const char *mean_text(const histogram_t *h, char *text, size_t size) {
  if (h->packets) snprintf(text, size, "%.2f", histogram_mean(h));
  else snprintf(text, size, "-");
  return text;
}

static void print_point_row(const network_point_t *p, FILE *out) {
  const measure_result_t *m = &p->result.measured;
  char all[24], nondiv[24], critical[24];
  fprintf(out, " %8.4g  %9s %7" PRIu64 " %7" PRIu64 "  %9s  %9s  %8.4f  %s\n", p->rate,
          mean_text(&m->latency[MEASURE_ALL], all, sizeof all), histogram_quantile(&m->latency[MEASURE_ALL], 0.5),
          histogram_quantile(&m->latency[MEASURE_ALL], 0.99),
          mean_text(&m->latency[MEASURE_NONDIVERGENT], nondiv, sizeof nondiv),
          mean_text(&m->latency[MEASURE_CRITICAL], critical, sizeof critical), m->accepted,
          stability_text(m, "stable", "interrupted", "not stable"));
}

/* The short form: a line for each point, a table for each policy of a sweep. Critical paths come
 * from the last point of the first policy with Crit. */
static void print_table(const network_report_t *report, FILE *out) {
  static const char head[] = "  offered       mean     p50     p99  not diver.   critical  accepted\n";
  for (unsigned i = 0; i < report->runs; i++) {
    const network_policy_run_t *run = &report->run[i];
    const network_sweep_t *s = &run->sweep;
    if (report->sweep || !i) fprintf(out, "%-11s%s", report->sweep ? network_policy_name(run->policy) : "policy", head);
    for (unsigned k = 0; k < s->points; k++) {
      fprintf(out, "%-10s", report->sweep ? "" : network_policy_name(run->policy));
      print_point_row(&s->point[k], out);
      if (s->point[k].result.compared.divergences) network_print_compared(&s->point[k].result.compared, out);
    }
    if (report->sweep && !s->stopped)
      fprintf(out, "           saturation %.4f (accepted at full load); stable up to %.4f\n", s->saturation,
              s->stable_rate);
  }
  const network_result_t *with = NULL;
  for (unsigned i = 0; i < report->runs && !with; i++)
    if (report->run[i].params.Crit && report->run[i].sweep.points)
      with = &report->run[i].sweep.point[report->run[i].sweep.points - 1].result;
  if (with) print_paths(report, with, out);
}

/* Costs of all runs, those of the searches included. */
static void sum_sweeps(const network_report_t *r, double *router_cycles, double *seconds, uint64_t *divergences) {
  *router_cycles = *seconds = 0;
  *divergences = 0;
  for (unsigned i = 0; i < r->runs; i++) {
    *router_cycles += (double)r->run[i].sweep.router_cycles;
    *seconds += r->run[i].sweep.cpu_seconds;
    *divergences += r->run[i].sweep.divergences;
  }
}

void network_report_print(const network_report_t *r, FILE *out) {
  double router_cycles, seconds;
  uint64_t divergences;
  char number[28];
  print_head(r, out);
  if (r->runs == 1 && !r->sweep && r->run[0].sweep.points) print_point(r, &r->run[0], out);
  else print_table(r, out);
  sum_sweeps(r, &router_cycles, &seconds, &divergences);
  if (seconds > 0.05)
    fprintf(out, "speed                  %s router-cycles a CPU second\n",
            number_text((uint64_t)router_cycles_per_second(router_cycles, seconds), number));
}

bool network_report_held(const network_report_t *r) {
  double router_cycles, seconds;
  uint64_t divergences;
  sum_sweeps(r, &router_cycles, &seconds, &divergences);
  return !divergences;
}

/* ---- JSON ---- */

static json_t *json_of_count(uint64_t n) {
  return json_integer((json_int_t)n);
}

json_t *network_latency_json(const histogram_t *h) {
  if (!h->packets) return json_null();
  return json_pack("{s:f, s:I, s:I, s:I, s:I}", "mean", histogram_mean(h), "p50",
                   (json_int_t)histogram_quantile(h, 0.5), "p99", (json_int_t)histogram_quantile(h, 0.99), "max",
                   (json_int_t)h->max, "packets", (json_int_t)h->packets);
}

/* A critical path as text and hop by hop. */
static json_t *path_json(const topology_t *t, const critical_paths_t *paths, const critical_path_t *path) {
  char text[512];
  json_t *hops = json_array();
  for (unsigned i = 0; i < path->count; i++) {
    const critical_pair_t *p = &paths->pair[path->first + i];
    char from[32], to[32];
    critical_end_text(t, p->router, p->in, from, sizeof from);
    critical_end_text(t, p->router, p->out, to, sizeof to);
    json_array_append_new(hops,
                          json_pack("{s:s, s:i, s:i, s:s, s:s, s:i}", "router", t->name[p->router], "in", (int)p->in,
                                    "out", (int)p->out, "from", from, "to", to, "place", (int)p->place));
  }
  return json_pack("{s:s, s:I, s:o}", "path", critical_path_text(paths, path, t, text, sizeof text), "stalls",
                   (json_int_t)path->weight, "hops", hops);
}

json_t *network_paths_json(const topology_t *t, const critical_paths_t *paths) {
  json_t *list = json_array();
  for (unsigned i = 0; i < paths->paths; i++) json_array_append_new(list, path_json(t, paths, &paths->path[i]));
  return list;
}

/* Rates are added by the caller, which knows the measured cycles. */
json_t *network_link_json(const topology_t *t, const network_link_t *l) {
  char to[32];
  critical_end_text(t, l->router, l->port, to, sizeof to);
  return json_pack("{s:s, s:s, s:i, s:b, s:I, s:I, s:b, s:i}", "from", t->name[l->router], "to", to, "port",
                   (int)l->port, "terminal", l->terminal, "flits", (json_int_t)l->flits, "stalls",
                   (json_int_t)l->stalls, "critical", l->critical, "width_divisor", (int)l->width);
}

/* All links with their rates in flits and stalls a cycle. */
static json_t *links_json(const network_report_t *report, const network_result_t *r) {
  json_t *list = json_array();
  double cycles = r->measured.measured ? (double)r->measured.measured : 1;
  for (unsigned i = 0; i < r->look.links; i++) {
    const network_link_t *l = &r->look.link[i];
    json_t *o = network_link_json(report->topology, l);
    json_object_set_new(o, "flit_rate", json_real((double)l->flits / cycles));
    json_object_set_new(o, "stall_rate", json_real((double)l->stalls / cycles));
    json_array_append_new(list, o);
  }
  return list;
}

void network_first_json(json_t *o, const network_compared_t *compared, void (*play)(json_t *first)) {
  if (!*compared->first) return;
  json_t *first = json_pack("{s:s, s:s}", "what", compared->first, "replay", compared->replay);
  if (play) play(first);
  json_object_set_new(o, "first_divergence", first);
}

/* Adds the keys of one point to o. */
static void add_point(json_t *o, const network_report_t *report, const network_point_t *p,
                      void (*play)(json_t *first)) {
  const measure_result_t *m = &p->result.measured;
  json_object_set_new(o, "rate", json_real(p->rate));
  json_object_set_new(o, "latency", network_latency_json(&m->latency[MEASURE_ALL]));
  json_object_set_new(o, "latency_nondivergent", network_latency_json(&m->latency[MEASURE_NONDIVERGENT]));
  json_object_set_new(o, "latency_divergent", network_latency_json(&m->latency[MEASURE_DIVERGENT]));
  json_object_set_new(o, "latency_critical", network_latency_json(&m->latency[MEASURE_CRITICAL]));
  json_object_set_new(o, "latency_noncritical",
                      p->result.asked ? network_latency_json(&m->latency[MEASURE_REST]) : json_null());
  json_object_set_new(o, "half_width", m->half_width < 1e9 ? json_real(m->half_width) : json_null());
  json_object_set_new(o, "offered", json_real(m->offered));
  json_object_set_new(o, "accepted", json_real(m->accepted));
  json_object_set_new(o, "routers_passed", json_real(m->hops));
  json_object_set_new(o, "stable", json_boolean(m->stable));
  json_object_set_new(o, "interrupted", json_boolean(m->stopped));
  json_object_set_new(o, "critical_pairs_asked", json_of_count(p->result.asked));
  json_object_set_new(o, "critical_paths", network_paths_json(report->topology, &p->result.look.paths));
  json_object_set_new(o, "cycles", json_of_count(m->cycles));
  json_object_set_new(o, "warmup_cycles", json_of_count(m->warmup));
  json_object_set_new(o, "measured_cycles", json_of_count(m->measured));
  json_object_set_new(o, "router_cycles_per_cpu_second",
                      json_real(router_cycles_per_second((double)p->result.router_cycles, m->cpu_seconds)));
  json_object_set_new(o, "cycles_compared", json_of_count(p->result.compared.cycles));
  json_object_set_new(o, "divergences", json_of_count(p->result.compared.divergences));
  network_first_json(o, &p->result.compared, play);
  json_object_set_new(o, "links", links_json(report, &p->result));
}

/* Adds the keys of one policy to o: of its one point, or points and saturation. */
static void add_run(json_t *o, const network_report_t *report, const network_policy_run_t *run,
                    void (*play)(json_t *first)) {
  const network_sweep_t *s = &run->sweep;
  json_object_set_new(o, "policy", json_string(network_policy_name(run->policy)));
  if (!report->sweep) {
    json_object_set_new(o, "saturation", json_null());
    if (s->points) add_point(o, report, &s->point[0], play);
    return;
  }
  json_t *points = json_array();
  for (unsigned i = 0; i < s->points; i++) {
    json_t *p = json_object();
    add_point(p, report, &s->point[i], play);
    json_array_append_new(points, p);
  }
  json_object_set_new(o, "saturation", s->stopped ? json_null() : json_real(s->saturation));
  json_object_set_new(o, "stable_rate", s->stopped ? json_null() : json_real(s->stable_rate));
  json_object_set_new(o, "router_cycles_per_cpu_second",
                      json_real(router_cycles_per_second((double)s->router_cycles, s->cpu_seconds)));
  json_object_set_new(o, "divergences", json_of_count(s->divergences));
  json_object_set_new(o, "points", points);
}

void network_report_json(json_t *root, const network_report_t *r, void (*play)(json_t *first)) {
  const traffic_config_t *c = r->traffic;
  char engines[64], params[1024];
  network_engines_text(r->engine, r->topology->routers, engines, sizeof engines);
  router_params_text(&r->run[0].params, params, sizeof params);
  json_object_set_new(root, "topology", json_string(r->name));
  json_object_set_new(root, "routers", json_of_count(r->topology->routers));
  json_object_set_new(root, "terminals", json_of_count(r->topology->terminals));
  json_object_set_new(root, "pattern", json_string(traffic_pattern_name(c->pattern)));
  json_object_set_new(root, "packet", json_pack("[i, i]", (int)c->flits_least, (int)c->flits_most));
  json_object_set_new(root, "divergent", json_real(c->divergent));
  json_object_set_new(root, "seed", json_of_count(c->seed));
  json_object_set_new(root, "engine", json_string(engines));
  json_object_set_new(root, "params", json_string(params));
  if (r->base_saturation) json_object_set_new(root, "base_saturation", json_real(r->base_saturation));
  if (!r->compare) {
    add_run(root, r, &r->run[0], play);
    return;
  }
  json_t *list = json_array();
  for (unsigned i = 0; i < r->runs; i++) {
    json_t *o = json_object();
    add_run(o, r, &r->run[i], play);
    json_array_append_new(list, o);
  }
  json_object_set_new(root, "policies", list);
}
