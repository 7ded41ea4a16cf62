/* SPDX-License-Identifier: Apache-2.0
 *
 * A report of what each part of a GPU waits for, printed when a run does not end.
 */
#include "gpu.h"

#include "describe.h"
#include "gpu_state.h"
#include "pager.h"

static unsigned count_ones(uint64_t x) {
  return (unsigned)__builtin_popcountll(x);
}

typedef struct {
  char *text;
  size_t size, used;
} report_t;

typedef size_t policy_text_t(const void *object, unsigned number, char *text, size_t size);

/* Appends a text of the policy. */
static void add_policy_text(report_t *r, policy_text_t *of, const void *object, unsigned number) {
  r->used += of(object, number, describe_end(r->text, r->size, r->used), describe_room(r->size, r->used));
}

/* A line for an SM with live warps, and lines for its warps in offload blocks. */
static void describe_sm(const sm_t *sm, report_t *r) {
  const warp_bank_t *w = &sm->sets.bank[0]; /* the GPU's SMs have no more */
  const bool offloads = sm->offload && sm->policy->describe_warp;
  if (!w->live) return;
  describe_add(
      r->text, r->size, &r->used,
      "SM %u: %u warps live, %u ready, %u wait for loads, %u for their accesses to end, %u for NSUs, %u at barriers, "
      "%u for instructions, %u for pages, %u for room; LSU queue %u, L1 MSHRs %u",
      sm->id, count_ones(w->live), count_ones(w->ready), count_ones(w->wait_data), count_ones(w->wait_memory),
      count_ones(w->wait_ack), count_ones(w->wait_barrier), count_ones(w->wait_fetch), count_ones(w->wait_page),
      count_ones(w->wait_room), sm->ldst.count, count_ones(sm->ldst.mshrs_used));
  if (offloads) add_policy_text(r, sm->policy->describe_sm, sm->offload, sm->id);
  describe_add(r->text, r->size, &r->used, "\n");
  for (uint64_t m = w->live; offloads && m; m &= m - 1)
    add_policy_text(r, sm->policy->describe_warp, sm->offload, (unsigned)__builtin_ctzll(m));
}

/* Lines for warps that go round without progress, if the watchdog looks. */
static void describe_loops(const sm_t *sm, report_t *r) {
  const simt_run_t *run = &sm->sh->run->simt;
  for (uint64_t m = sm->sets.bank[0].live; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(m);
    const sm_warp_t *w = &sm->warps[i];
    char thread[96];
    if (!simt_turns_spins(&w->turns, run->watch)) continue;
    simt_block_thread(&sm->ctas[w->cta].block, run, w->first_thread, thread, sizeof thread);
    describe_add(r->text, r->size, &r->used, "SM %u warp %u: of %s, goes round", sm->id, i, thread);
    r->used += (size_t)simt_spin_place(run, &w->turns, describe_end(r->text, r->size, r->used),
                                       describe_room(r->size, r->used));
    describe_add(r->text, r->size, &r->used, "\n");
  }
}

void gpu_watch(gpu_t *g, uint32_t look) {
  g->run.simt.watch = look;
}

void gpu_spins(const gpu_t *g, simt_spin_t *spin) {
  *spin = (simt_spin_t){.progress = g->stats.barriers + g->run.done_ctas + g->run.next_cta};
  for (unsigned s = 0; s < g->config.num_sms; s++) {
    const warp_bank_t *bank = &g->sms[s].sets.bank[0];
    for (uint64_t m = bank->live; m; m &= m - 1) {
      const sm_warp_t *w = &g->sms[s].warps[__builtin_ctzll(m)];
      simt_spin_note(spin, &g->run.simt, &g->sms[s].ctas[w->cta].block, w->first_thread, &w->turns,
                     bank->wait_barrier & m & -m);
    }
  }
}

size_t gpu_describe_waits(const gpu_t *g, char *text, size_t size) {
  report_t r = {text, size, 0};
  if (size) text[0] = 0;
  for (unsigned s = 0; s < g->config.num_sms; s++) describe_loops(&g->sms[s], &r);
  for (unsigned s = 0; s < g->config.num_sms; s++) describe_sm(&g->sms[s], &r);
  if (g->shared.pager && pager_waiting(g->shared.pager))
    describe_add(r.text, r.size, &r.used, "%u pages are on their way from the host\n", pager_waiting(g->shared.pager));
  if (g->xbar.in_flight)
    describe_add(r.text, r.size, &r.used, "crossbar: %u packets inside, %u of them not granted\n", g->xbar.in_flight,
                 g->xbar.waiting);
  for (unsigned k = 0; k < gpu_config_slices(&g->config); k++) {
    const l2_t *l2 = &g->slices[k];
    if (l2_busy(l2))
      describe_add(
          r.text, r.size, &r.used,
          "L2 slice %u: %u MSHRs wait for memory, %u replies, link out %u requests, %u of offloaded blocks and %u "
          "responses, link in %u\n",
          k, count_ones(l2->used), l2->reply.count, l2->out[XBAR_REQUEST].count, l2->out[XBAR_OFFLOAD].count,
          l2->out[XBAR_RESPONSE].count, l2->in.count);
  }
  for (unsigned k = 0; g->die && g->policy->describe && k < g->config.num_stacks; k++)
    add_policy_text(&r, g->policy->describe, g->die, k);
  return r.used;
}
