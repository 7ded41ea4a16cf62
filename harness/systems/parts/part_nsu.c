/* SPDX-License-Identifier: Apache-2.0
 *
 * NSUs, each at the logic layer of a memory stack: an instance of the block nsu behind its packet
 * port (nsu_node).
 */
#include "part_nsu.h"

#include <stdlib.h>

#include "describe.h"
#include "gpu_config.h"
#include "nsu_node.h"
#include "part.h"
#include "part_gpu_families.h"
#include "protocols.h"
#include "read_only.h"

#include "nsu_ports.h" /* last: the router's parameters have fields of the names that it defines */

enum { PORT };

static const char *const moves[] = {"step", "unit", NULL}, *const times[] = {"real", "zero", NULL},
                         *const rules[] = {"paper", "traffic", NULL};

#define KEYS_OF part_nsu_values_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

static const config_key_t keys[] = {
#include "part_nsu_ratio.def"
#include "part_nsu_score.def"
#include "part_nsu.def"
#undef KEYS_IN
#define KEYS_IN gpu.
#include "gpu_nsu_keys.def"
    {0},
};

#define COUNTERS_OF nsu_node_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "part_nsu_counters.def"
    {0},
};

typedef struct {
  packet_port_t *port;
  nsu_node_t *node;
} place_t;

typedef struct {
  place_t *place; /* [count] */
} state_t;

static const place_t *nsu_place(const part_t *p, unsigned k) {
  return &((const state_t *)p->state)->place[k];
}

/* ---- clock ---- */

static packet_t *take_for_nsu(void *ctx, unsigned cls) {
  return channel_take(&((place_t *)ctx)->port->from[cls]);
}

/* False: the channel of the packet's class is full. */
static bool give_from_nsu(void *ctx, packet_t *packet) {
  channel_t *out = &((place_t *)ctx)->port->to[packet_class(packet)];
  if (!channel_has_room(out)) return false;
  channel_put(out, packet);
  return true;
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  (void)clock, (void)cycle;
  nsu_node_cycle(((place_t *)self)->node);
}

/* An NSU without packets and warps sleeps until its stack puts a packet into its channel. */
static bool idle(const void *self) {
  const place_t *p = self;
  return channel_is_empty(&p->port->from[0]) && channel_is_empty(&p->port->from[1]) && nsu_node_idle(p->node);
}

static const shell_kind_t shell = {.name = "nsu", .clocks = 1, .tick = tick, .idle = idle};

/* ---- making them ---- */

static void defaults(void *of) {
  part_nsu_values_t *values = of;
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "part_nsu.def"
  values->gpu = gpu_nsu_config_default();
  part_gpu_ratio_defaults(values);
  part_gpu_score_defaults(values);
}

/* Lanes must divide a warp of 32 evenly. */
static bool check(const void *values, trouble_t *trouble) {
  const part_nsu_values_t *v = values;
  if (v->lanes & (v->lanes - 1)) return trouble_set(trouble, TROUBLE_INPUT, "nsu.lanes must be a power of two");
  return part_gpu_check_ratio(v, trouble);
}

/* The stack's end of the port: port_flits a NSU cycle, or one flit a cycle of the logic layer for
 * 0. */
static void set_bridge(const part_t *p, const packet_port_t *port) {
  const part_nsu_values_t *v = p->values;
  if (port->bridge)
    ni_bridge_set(port->bridge, v->port_flits ? v->port_flits * port->period : 1, v->port_flits ? p->period[0] : 1,
                  v->merge_beats, port->pool);
}

static bool make(part_t *p, trouble_t *trouble) {
  const part_nsu_values_t *values = p->values;
  state_t *s = p->state;
  if (!(s->place = calloc(p->count, sizeof *s->place))) return trouble_memory(trouble);
  for (unsigned k = 0; k < p->count; k++) {
    place_t *place = &s->place[k];
    place->port = part_peer(p, PORT, k);
    set_bridge(p, place->port);
    place->node = nsu_node_new(p->engine[0][k], k, place->port->stack, values->credit_batch, place->port->pool,
                               &(nsu_peer_t){place, take_for_nsu, give_from_nsu});
    if (!place->node) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory, or an NSU could not be made");
    shell_part_t *part = shell_add(&shell, place, p->period);
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) place->port->from[cls].reader = part;
  }
  return true;
}

static void destroy(part_t *p) {
  state_t *s = p->state;
  for (unsigned k = 0; s->place && k < p->count; k++) nsu_node_free(s->place[k].node);
  free(s->place);
}

/* One instance for each NSU. */
static unsigned count_nsus(const composition_t *c, unsigned part) {
  return c->part[part].count;
}

static bool engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const part_nsu_values_t *values = composition_kind_values_const(c, &part_nsu);
  (void)trouble;
  snprintf(engines->params, sizeof engines->params, "Lanes=%u", values->lanes);
  engines->block = "nsu";
  engines->constant = "stack_id";
  engines->in_size = sizeof(nsu_in_t);
  engines->out_size = sizeof(nsu_out_t);
  return true;
}

static uint64_t nsu_instructions(const part_t *p, unsigned k) {
  return nsu_node_stats(nsu_place(p, k)->node).instructions;
}

static const part_family_t families[] = {
    {.block = "nsu", .count = count_nsus, .engines = engines, .work = "instructions", .worked = nsu_instructions}, {0}};

/* ---- looking at them ---- */

/* A broken rule of the port, or the lowest bit of the NSU's error output. */
static bool check_rules(const part_t *p, trouble_t *trouble) {
  for (unsigned k = 0; k < p->count; k++) {
    const char *broken = nsu_node_error(nsu_place(p, k)->node);
    const uint64_t errors = nsu_node_errors(nsu_place(p, k)->node);
    if (!broken && !errors) continue;
    return trouble_set(trouble, TROUBLE_BROKEN, "%s[%u]: %s", p->composition->part[p->index].name, k,
                       broken ? broken : pkt_err_name((unsigned)__builtin_ctzll(errors)));
  }
  return true;
}

/* An NSU has no text of its own: only that it is not idle. */
static size_t describe_waits(const part_t *p, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < p->count; k++)
    if (!nsu_node_idle(nsu_place(p, k)->node))
      describe_add(text, size, &used, "%s%u: not idle\n", p->composition->part[p->index].name, k);
  return used;
}

static void count_bridge(const ni_bridge_t *b, nsu_node_stats_t *sum) {
  sum->responses_merged += b->merged;
  sum->read_only_hits += b->lines.hits, sum->read_only_fills += b->lines.fills;
}

/* Sums over all NSUs, then what the clock and the sizes alone say. */
static void count(const part_t *p, uint64_t *counts) {
  nsu_node_stats_t *sum = (nsu_node_stats_t *)counts;
  for (unsigned k = 0; k < p->count; k++) {
    const nsu_node_stats_t one = nsu_node_stats(nsu_place(p, k)->node);
    counters_add(counters, counts, (const uint64_t *)&one);
    if (nsu_place(p, k)->port->bridge) count_bridge(nsu_place(p, k)->port->bridge, sum);
  }
  sum->clock_cycles = p->count * (shell_now / p->period[0]);
  sum->warp_slots = NumWarps * sum->clock_cycles;
  sum->icache_room = p->count * (ICacheBytes / PKT_LINE_BYTES);
}

const part_kind_t part_nsu = {.name = "nsu",
                              .text = "near-data SIMD units",
                              .port = {[PORT] = {"port", "packets"}},
                              .clock = {{"nsu"}},
                              .keys = keys,
                              .values_size = sizeof(part_nsu_values_t),
                              .defaults = defaults,
                              .check = check,
                              .family = families,
                              .size = sizeof(state_t),
                              .make = make,
                              .destroy = destroy,
                              .check_rules = check_rules,
                              .describe_waits = describe_waits,
                              .counters = counters,
                              .count = count};
