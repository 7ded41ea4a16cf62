/* SPDX-License-Identifier: Apache-2.0
 *
 * The top of a GPU: its parts, distribution of CTAs, ticks of the clocks, links, statistics. The
 * host's calls are in gpu_host.c.
 *
 * CTAs go round robin, one an SM and cycle, so the grid spreads over all SMs first.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_state.h"
#include "offload_policies.h"
#include "page_profile.h"
#include "pager.h"
#include "read_only.h"
#include "stack_address.h"
#include "tom_learn.h"

/* ---- Making ---------------------------------------------------------------------------------- */

/* Makes all parts. Learning comes before the policy, and the policy before pager and SMs,
 * because later parts keep pointers to earlier ones. -1: out of host memory. */
static int init_parts(gpu_t *g, const gpu_parts_t *parts) {
  const gpu_config_t *c = &g->config;
  const address_map_shape_t shape = {c->num_stacks, c->stack_bytes, c->seed, c->map.bit,
                                     g->homes.home ? &g->homes : NULL};
  if (!(g->slices = calloc(gpu_config_slices(c), sizeof *g->slices))) return -1;
  g->links = (l2_links_t){.slices = c->l2.slices, .slice = g->slices};
  g->shared = (gpu_shared_t){.config = c,
                             .memory = &g->memory,
                             .pool = g->pool,
                             .xbar = &g->xbar,
                             .nodes = c->nodes ? &g->nodes : NULL,
                             .pages = &g->pages,
                             .run = &g->run,
                             .flits = &g->flits,
                             .slices = g->slices,
                             .direct = g->direct,
                             .hears_atomics = g->policy->hears_atomics,
                             .stats = &g->stats,
                             .fault = &g->fault,
                             .text = &g->text,
                             .heap = &g->heap,
                             .textures = &g->textures};
  memcpy(g->shared.engine, parts->engine, sizeof g->shared.engine);
  for (unsigned k = 0; k < GPU_MAX_NSU_STACKS; k++) g->direct[k].size = sizeof(packet_t *);
  if (c->map.profile && !(g->shared.profile = page_profile_new(c->num_stacks))) return -1;
  if (c->nodes) nodes_parse(&g->nodes, c->sm.node_sms, c->num_stacks, c->num_sms, &(trouble_t){0});
  g->next_block = calloc(2 * (size_t)c->num_stacks, sizeof *g->next_block);
  if (!g->next_block) return -1;
  g->end_block = g->next_block + c->num_stacks;
  if (page_table_init(&g->pages, g->map, &shape) || xbar_init(&g->xbar, c)) return -1;
  if (g->policy->watch && (gpu_config_learns(c) || c->tom_watch) &&
      !(g->shared.learn = tom_learn_new(&g->shared, g->slices)))
    return -1;
  if (g->policy->new && !(g->die = g->policy->new (&g->shared))) return -1;
  g->modules = (gpu_modules_t){gpu_module_store(g), &g->pages, &g->textures, c->l1i.ideal, c->constant.ideal,
                               g->policy,           g->die,    NULL,         NULL};
  g->shared.page_written = pager_written;
  if (c->paging.demand && !(g->shared.pager = pager_new(&g->shared, g->slices, g->policy, g->die))) return -1;
  if (c->nsu.read_only_lines && !(g->shared.read_only = read_only_new(c, &g->stats))) return -1;
  g->sms = calloc(c->num_sms, sizeof *g->sms);
  if (!g->sms) return -1;
  for (unsigned s = 0; s < c->num_sms; s++)
    if (sm_init(&g->sms[s], s, &g->shared, g->policy, g->die)) return -1;
  for (unsigned k = 0; k < gpu_config_slices(c); k++)
    if (l2_init(&g->slices[k], k, &g->shared, g->policy, g->die)) return -1;
  return 0;
}

/* The first hardware block that needs an instance and has no engine; NULL: none. */
static const char *missing_engine(const gpu_config_t *c, const gpu_parts_t *parts) {
  static const struct {
    const char *block;
    bool must;
  } hardware[] = {
#define HARDWARE(stem, name, must) {#stem, must},
#include "gpu_hardware.def"
#undef HARDWARE
  };
  for (unsigned i = 0; i < GPU_HARDWARE; i++)
    if (hardware[i].must && gpu_config_instances(c, i) && !parts->engine[i]) return hardware[i].block;
  return NULL;
}

/* Refuses bad combinations before anything is made. */
gpu_t *gpu_new_of(const gpu_config_t *config, const gpu_parts_t *parts, const gpu_memory_t *memory, packet_pool_t *pool,
                  trouble_t *err) {
  trouble_t bad = {0};
  if (!gpu_config_check(config, &bad)) {
    trouble_fail(err, bad.kind, "GPU configuration: %s", bad.text);
    return NULL;
  }
  const char *missing = missing_engine(config, parts);
  if (missing) {
    trouble_fail(err, TROUBLE_INPUT, "offload policy %s needs an instance of %s", parts->policy->name, missing);
    return NULL;
  }
  if (config->paging.demand && parts->map->line) {
    trouble_fail(
        err, TROUBLE_INPUT,
        "map %s takes pages apart, so they cannot come from the host at their first access; paging=false would be "
        "right",
        parts->map->name);
    return NULL;
  }
  gpu_t *g = calloc(1, sizeof *g);
  if (g) g->config = *config, g->memory = *memory, g->pool = pool, g->map = parts->map, g->policy = parts->policy;
  const bool homes = g && strcmp(config->map.homes, "none") != 0;
  if (homes && !page_homes_read(&g->homes, config->map.homes, config->num_stacks, err)) {
    gpu_free(g);
    return NULL;
  }
  if (!g || init_parts(g, parts)) {
    trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the GPU model");
    gpu_free(g);
    return NULL;
  }
  return g;
}

/* For a bad configuration any parts do: gpu_new_of refuses the configuration. */
gpu_parts_t gpu_parts_of(const gpu_config_t *config) {
  /* indices of the arrays below */
  const bool good = config->map.mode < GPU_MAPS && config->offload_policy < GPU_OFFLOAD_POLICIES;
  const offload_policy_t *to_sms = gpu_config_to_nsus(config) ? &offload_both : &offload_tom;
  return (gpu_parts_t){
      .map = address_maps[good ? config->map.mode : 0],
      .policy = good && gpu_config_to_sms(config) ? to_sms : offload_policies[good ? config->offload_policy : 0]};
}

gpu_t *gpu_new(const gpu_config_t *config, const gpu_memory_t *memory, packet_pool_t *pool, trouble_t *err) {
  const gpu_parts_t parts = gpu_parts_of(config);
  return gpu_new_of(config, &parts, memory, pool, err);
}

void gpu_free(gpu_t *g) {
  if (!g) return;
  gpu_unload_all(g);
  for (unsigned s = 0; g->sms && s < g->config.num_sms; s++) sm_deinit(&g->sms[s]);
  for (unsigned k = 0; g->slices && k < gpu_config_slices(&g->config); k++) l2_deinit(&g->slices[k]);
  free(g->next_block);
  free(g->slices);
  free(g->sms);
  pager_free(g->shared.pager);
  read_only_free(g->shared.read_only);
  page_profile_free(g->shared.profile);
  tom_learn_free(g->shared.learn);
  if (g->die) g->policy->free(g->die);
  page_table_deinit(&g->pages);
  page_homes_free(&g->homes);
  xbar_deinit(&g->xbar);
  for (unsigned k = 0; k < GPU_MAX_NSU_STACKS; k++) ring_deinit(&g->direct[k]);
  free(g->text.bytes);
  device_heap_free(&g->heap);
  texture_table_free(&g->textures);
  free(g);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* No slice has a packet or a miss. */
static bool slices_quiet(const gpu_t *g) {
  for (unsigned k = 0; k < gpu_config_slices(&g->config); k++)
    if (l2_busy(&g->slices[k])) return false;
  return true;
}

/* The launch is over: all CTAs, and all writes. */
static bool launch_is_over(const gpu_t *g) {
  return g->run.done_ctas == g->run.simt.num_blocks && !g->xbar.in_flight && slices_quiet(g);
}

bool gpu_running(const gpu_t *g) {
  return g->running && !g->fault.kind;
}

const trouble_t *gpu_fault(const gpu_t *g) {
  return g->fault.kind ? &g->fault : NULL;
}

/* No access of an SM, and no write of an atomic. */
static bool nothing_under_way(const gpu_t *g) {
  for (unsigned s = 0; s < g->config.num_sms; s++)
    if (!sm_quiet(&g->sms[s])) return false;
  return slices_quiet(g);
}

/* Learning stops the SMs while data move. */
static void tick_learning(gpu_t *g) {
  tom_learn_tick(g->shared.learn, g->stats.core_cycles, tom_learn_stops(g->shared.learn) && nothing_under_way(g));
  g->run.stopped = tom_learn_stops(g->shared.learn);
}

/* True if no SM has room for a CTA. */
static bool sms_are_full(const gpu_t *g) {
  return g->run.next_cta - g->run.done_ctas == (uint64_t)g->config.num_sms * g->run.ctas_per_sm;
}

/* Gives each SM with room a CTA of its node's range. */
static void distribute_cta_ranges(gpu_t *g) {
  if (sms_are_full(g)) return;
  for (unsigned s = 0; s < g->config.num_sms; s++) {
    const unsigned k = g->nodes.of_sm[s];
    if (g->next_block[k] == g->end_block[k] || !sm_has_room(&g->sms[s])) continue;
    sm_add_cta(&g->sms[s], g->next_block[k]++);
    g->run.next_cta++;
  }
}

/* Gives each SM with room the next CTA, one a cycle. While learning, CTAs start only as wanted. */
static void distribute_ctas(gpu_t *g) {
  gpu_run_t *r = &g->run;
  unsigned n = g->config.num_sms;
  if (sms_are_full(g) && !g->shared.learn) {
    g->next_sm = (g->next_sm + 1) % n;
    return;
  }
  for (unsigned i = 0; i < n && r->next_cta < r->simt.num_blocks; i++) {
    unsigned s = (g->next_sm + i) % n;
    if (g->shared.learn && !tom_learn_wants_cta(g->shared.learn)) {
      g->next_sm = s; /* continue here: this SM got no CTA in this round */
      return;
    }
    if (sm_has_room(&g->sms[s])) sm_add_cta(&g->sms[s], r->next_cta++);
  }
  g->next_sm = (g->next_sm + 1) % n;
}

/* Parts that decide come before the SMs, so that SMs see decisions of the same cycle. */
void gpu_tick_core(gpu_t *g) {
  if (g->fault.kind) return;
  g->stats.core_cycles++;
  if (g->shared.learn) tick_learning(g);
  if (g->running && g->run.next_cta < g->run.simt.num_blocks)
    (g->config.sm.cta_order == GPU_CTAS_RANGES ? distribute_cta_ranges : distribute_ctas)(g);
  if (g->die) g->policy->tick(g->die);
  if (g->shared.pager && pager_tick(g->shared.pager, g->stats.core_cycles))
    for (unsigned s = 0; s < g->config.num_sms; s++) sm_pages_came(&g->sms[s]);
  for (unsigned s = 0; s < g->config.num_sms; s++) sm_tick(&g->sms[s]);
}

/* A kernel ends when nothing is left of it anywhere. */
void gpu_tick_l2(gpu_t *g) {
  if (g->fault.kind) return;
  for (unsigned k = 0; k < gpu_config_slices(&g->config); k++) l2_tick(&g->slices[k]);
  if (g->running && g->run.done_ctas == g->run.simt.num_blocks && launch_is_over(g) &&
      (!g->shared.learn || tom_learn_quiet(g->shared.learn)))
    g->running = false;
}

void gpu_tick_xbar(gpu_t *g) {
  if (g->fault.kind) return;
  g->stats.xbar_cycles++;
  if (g->die && g->policy->tick_xbar) g->policy->tick_xbar(g->die);
  xbar_tick(&g->xbar);
}

/* Requests for host memory leave over the host's link (host_link.h). */
const packet_t *gpu_front(const gpu_t *g, unsigned link, unsigned cls) {
  const packet_t *p = l2_links_front(&g->links, link, cls);
  return p && g->shared.learn && tom_learn_at_host(g->shared.learn, p) ? NULL : p;
}

packet_t *gpu_pop(gpu_t *g, unsigned link, unsigned cls) {
  packet_t *p = l2_links_pop(&g->links, link, cls);
  p->src = PKT_GPU, p->dst = (uint16_t)p->hdr.dst;
  g->stats.sent_packets[p->hdr.type & 15]++;
  g->stats.sent_bytes[p->hdr.type & 15] += packet_bytes(p);
  g->flits.sent[link] += packet_flits(p);
  return p;
}

bool gpu_can_push(const gpu_t *g, unsigned link) {
  return l2_links_can_push(&g->links, link);
}

void gpu_push(gpu_t *g, unsigned link, packet_t *p) {
  g->stats.got_packets[p->hdr.type & 15]++;
  g->stats.got_bytes[p->hdr.type & 15] += packet_bytes(p);
  g->flits.got[link] += packet_flits(p);
  l2_links_push(&g->links, link, p);
}

/* Crossbar port of a node's way to the network. */
static unsigned network_port(const gpu_t *g, unsigned node) {
  return g->config.num_sms + g->config.num_stacks + node;
}

const packet_t *gpu_node_front(const gpu_t *g, unsigned node, unsigned cls) {
  return xbar_front(&g->xbar, network_port(g, node), cls);
}

packet_t *gpu_node_pop(gpu_t *g, unsigned node, unsigned cls) {
  packet_t *p = xbar_pop(&g->xbar, network_port(g, node), cls);
  p->src = (uint16_t)node;
  p->dst = cls == XBAR_REQUEST ? (uint16_t)stack_of(p->hdr.addr) : g->nodes.of_sm[p->hdr.sm];
  g->stats.net_bytes += packet_bytes(p);
  return p;
}

bool gpu_node_can_push(const gpu_t *g, unsigned node, unsigned cls) {
  return xbar_can_send(&g->xbar, network_port(g, node), cls);
}

void gpu_node_push(gpu_t *g, unsigned node, packet_t *p) {
  const unsigned cls = (unsigned)packet_class(p);
  xbar_send(&g->xbar, network_port(g, node), cls, cls == XBAR_REQUEST ? g->config.num_sms + node : (unsigned)p->hdr.sm,
            p);
}

packet_t *gpu_direct_pop(gpu_t *g, unsigned stack) {
  packet_t *const *front = ring_front(&g->direct[stack]), *p = front ? *front : NULL;
  if (p) ring_drop(&g->direct[stack]);
  return p;
}

/* A packet that bypasses the links goes to policy and SM at once. */
void gpu_direct_push(gpu_t *g, unsigned stack, packet_t *p) {
  g->policy->arrive(g->die, stack, p);
  sm_receive(&g->sms[p->hdr.sm], p);
}

double gpu_progress(const gpu_t *g) {
  return g->run.simt.num_blocks ? (double)g->run.done_ctas / (double)g->run.simt.num_blocks : 1;
}

gpu_credits_t gpu_credits(const gpu_t *g, unsigned stack) {
  return g->die && g->policy->credits ? g->policy->credits(g->die, stack) : (gpu_credits_t){0};
}

gpu_log_t gpu_log(const gpu_t *g) {
  return g->die && g->policy->log ? g->policy->log(g->die) : (gpu_log_t){0};
}

unsigned gpu_pages(const gpu_t *g, const gpu_page_t **rows) {
  *rows = NULL;
  return g->shared.profile ? page_profile_rows(g->shared.profile, rows) : 0;
}

/* Adds sums that other parts keep. */
gpu_stats_t gpu_stats(const gpu_t *g) {
  gpu_stats_t s = g->stats;
  if (g->shared.learn) {
    const tom_learn_result_t r = tom_learn_result(g->shared.learn);
    s.learn_instances = r.learnt.instances, s.learn_accesses = r.learnt.accesses;
    s.learn_bit = r.bit, s.learn_ranges = r.ranges;
    s.watched_instances = r.sum.instances, s.watched_accesses = r.sum.accesses;
    s.watched_own = r.sum.map[0].same;
    s.watched_best = tom_watch_same(&r.sum, tom_watch_best(&r.sum));
    s.watched_learnt = r.chosen ? tom_watch_same(&r.sum, r.bit) : 0;
  }
  for (unsigned k = 0; k < g->config.num_stacks; k++)
    s.link_flits_sent += g->flits.sent[k], s.link_flits_got += g->flits.got[k];
  for (unsigned t = 0; t < 16 && !g->config.networked; t++) s.link_bytes += s.sent_bytes[t] + s.got_bytes[t];
  s.outside_bytes = g->config.nodes ? 0 : s.link_bytes;
  s.xbar_up_bytes = g->xbar.up_bytes;
  s.xbar_down_bytes = g->xbar.down_bytes;
  /* bytes over the network cross the crossbar twice */
  if (g->config.nodes) s.node_bytes = s.xbar_up_bytes + s.xbar_down_bytes - 2 * s.net_bytes;
  return s;
}
