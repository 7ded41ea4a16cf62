/* SPDX-License-Identifier: Apache-2.0
 *
 * Search for the highest stable rate. Runs find rates stable or unstable; the search halves the
 * interval between the highest stable and the lowest unstable one:
 *
 *   0        stable_rate           unstable_rate       1
 *   |------------|---------?-------------|-------------|
 *     stable              next_rate         unstable
 */
#include "network_sweep.h"

#include <stdlib.h>
#include <string.h>

/* The search ends when the interval is within this share of its upper end. */
static const double resolution = 0.01;

/* One run of the job at another rate; adds its costs to the sweep's. */
static outcome_t run_at_rate(const network_job_t *job, double rate, network_sweep_t *s, network_result_t *result,
                             trouble_t *trouble) {
  network_job_t at = *job;
  at.traffic.rate = rate;
  outcome_t outcome = network_run(&at, result, trouble);
  s->router_cycles += result->router_cycles;
  s->divergences += result->compared.divergences;
  s->cpu_seconds += result->measured.cpu_seconds;
  s->stopped = s->stopped || result->measured.stopped;
  memcpy(s->waits, result->measured.waits, sizeof s->waits);
  return outcome;
}

/* A run of the search. At full load it waits and measures for a fixed time, because what is
 * accepted settles slowly where congestion backs up. Below full load it only asks for stability,
 * which needs no exact latency. */
static outcome_t probe_rate(const network_job_t *job, double rate, network_sweep_t *s, bool *stable, double *accepted,
                            trouble_t *trouble) {
  enum { SETTLE = 10000, LEAST_CYCLES = 20000, FULL_CYCLES = 30000, PROBE_CYCLES = 40000 };
  network_job_t quick = *job;
  network_result_t result;
  measure_config_t *m = &quick.measure;
  m->precision = 0.02;
  m->cycles = 0;
  if (m->least < LEAST_CYCLES) m->least = LEAST_CYCLES;
  if (rate >= 1) {
    m->cycles = m->least > FULL_CYCLES ? m->least : FULL_CYCLES;
    if (m->warmup < SETTLE) m->warmup = SETTLE;
  }
  m->most_cycles = m->warmup + m->least + PROBE_CYCLES;
  outcome_t outcome = run_at_rate(&quick, rate, s, &result, trouble);
  *stable = result.measured.stable;
  *accepted = result.measured.accepted;
  const histogram_t *latency = &result.measured.latency[MEASURE_ALL];
  if (outcome == OUTCOME_PASS && rate < 1 && latency->packets && s->probes < NETWORK_PROBES)
    s->probe[s->probes++] =
        (network_probe_t){rate, histogram_mean(latency), *accepted, histogram_quantile(latency, 0.99), *stable};
  network_result_free(&result);
  return outcome;
}

/* Narrows the interval by a run's verdict. */
static void note_rate(network_sweep_t *s, double rate, bool stable) {
  if (stable && rate > s->stable_rate && (!s->unstable_rate || rate < s->unstable_rate)) s->stable_rate = rate;
  if (!stable && (!s->unstable_rate || rate < s->unstable_rate)) s->unstable_rate = rate;
  /* A run was stable above an unstable rate, by luck: the search looks again from 0. */
  if (s->unstable_rate && s->stable_rate >= s->unstable_rate) s->stable_rate = 0;
}

static double next_rate(const network_sweep_t *s) {
  double low = s->stable_rate, high = s->unstable_rate;
  /* Close to saturation is a good first guess from far away. */
  if (high > 1.2 * s->saturation && 0.99 * s->saturation > low) return 0.99 * s->saturation;
  if (high > 1.2 * s->saturation && 1.05 * s->saturation > low) return 1.05 * s->saturation;
  return (low + high) / 2;
}

/* Saturation by one run at full load, then the highest stable rate. */
static outcome_t find_saturation(const network_job_t *job, network_sweep_t *s, trouble_t *trouble) {
  bool stable;
  double accepted;
  outcome_t outcome = probe_rate(job, 1, s, &stable, &s->saturation, trouble);
  if (outcome == OUTCOME_PASS && !s->stopped) note_rate(s, 1, stable);
  while (outcome == OUTCOME_PASS && !s->stopped && s->unstable_rate &&
         s->unstable_rate - s->stable_rate > resolution * s->unstable_rate) {
    double rate = next_rate(s);
    outcome = probe_rate(job, rate, s, &stable, &accepted, trouble);
    if (!s->stopped) note_rate(s, rate, stable);
  }
  return outcome;
}

outcome_t network_sweep(const network_job_t *job, const double *rate, unsigned rates, bool search, network_sweep_t *s,
                        trouble_t *trouble) {
  *s = (network_sweep_t){.point = calloc(rates, sizeof *s->point)};
  outcome_t outcome = s->point ? OUTCOME_PASS : OUTCOME_INFRA;
  if (!s->point) trouble_memory(trouble);
  while (outcome == OUTCOME_PASS && s->points < rates && !s->stopped) {
    network_point_t *p = &s->point[s->points++];
    p->rate = rate[s->points - 1];
    outcome = run_at_rate(job, p->rate, s, &p->result, trouble);
    if (outcome == OUTCOME_PASS && !s->stopped) note_rate(s, p->rate, p->result.measured.stable);
  }
  return outcome == OUTCOME_PASS && search && !s->stopped ? find_saturation(job, s, trouble) : outcome;
}

void network_sweep_free(network_sweep_t *s) {
  for (unsigned i = 0; i < s->points; i++) network_result_free(&s->point[i].result);
  free(s->point);
  *s = (network_sweep_t){0};
}

outcome_t network_saturation(const network_job_t *job, network_sweep_t *s, trouble_t *trouble) {
  bool stable;
  *s = (network_sweep_t){0};
  return probe_rate(job, 1, s, &stable, &s->saturation, trouble);
}
