/* SPDX-License-Identifier: Apache-2.0
 *
 * Both kinds of offloading: SMs of stacks take candidates of transparent offloading
 * (offload_tom.h), and NSUs take blocks of everything else (offload_nsu.h).
 *
 *   a warp at a mark --decide--> tom takes it? --yes--> SM of a stack
 *                                  | no
 *                                NSU policy takes it? --yes--> NSU
 *                                  | no
 *                                the warp executes it
 *
 * Tom comes first, because a candidate may contain NSU blocks. A candidate that stays on the GPU
 * may still send its blocks to NSUs. Both policies have their own objects on the die and in each
 * SM, and see only their own events. This file notes which policy has a warp's block.
 */
#include <stdlib.h>

#include "describe.h"
#include "ldst.h"
#include "offload_policies.h"
#include "offload_tom.h"

typedef enum { NOBODY, SMS, NSUS } taker_t;

enum { KINDS = NSUS + 1 };

typedef struct {
  const offload_policy_t *nsus;
  void *to_sms, *to_nsus; /* what each policy's compiler found */
} both_module_t;

typedef struct both_sm both_sm_t;

typedef struct {
  const gpu_shared_t *sh;
  const offload_policy_t *policy[KINDS];
  void *die[KINDS];
  const int32_t *first[KINDS]; /* of each policy: the block at each instruction; NULL: none */
  /* [instructions]: the instruction's number if a policy has a block there, or -1 */
  int32_t *marks;
  both_sm_t *sm[GPU_MAX_SMS];
} both_die_t;

struct both_sm {
  both_die_t *die;
  void *sm[KINDS];
  bool busy[KINDS], *any_busy;
  uint8_t taker[GPU_MAX_WARPS]; /* taker_t of the block that the warp has reached, or is in */
  uint64_t kept;                /* warps in a block that an NSU could have had, one bit each */
};

/* The policy that has the warp's block. */
static const offload_policy_t *policy_of(const both_sm_t *s, unsigned warp) {
  return s->die->policy[s->taker[warp]];
}

/* That policy's object in the SM. */
static void *sm_of(const both_sm_t *s, unsigned warp) {
  return s->sm[s->taker[warp]];
}

/* The SM must call `step` if one of the two policies wants it. */
static void update_busy(const both_sm_t *s) {
  *s->any_busy = s->busy[SMS] || s->busy[NSUS];
}

/* ---- modules ---- */

/* Frees what `compile` made. */
static void discard(void *blocks) {
  both_module_t *m = blocks;
  if (m->to_sms) offload_tom.discard(m->to_sms);
  if (m->to_nsus) m->nsus->discard(m->to_nsus);
  free(m);
}

static void *compile(const ptx_module_t *module, const gpu_config_t *config) {
  both_module_t *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->nsus = offload_policies[config->offload_policy];
  m->to_sms = offload_tom.compile(module, config);
  m->to_nsus = m->nsus->compile(module, config);
  if (m->to_sms && m->to_nsus) return m;
  discard(m);
  return NULL;
}

/* ---- the die ---- */

static void die_free(void *die) {
  both_die_t *d = die;
  for (unsigned k = SMS; k < KINDS; k++)
    if (d->die[k]) d->policy[k]->free(d->die[k]);
  free(d->marks);
  free(d);
}

static void *die_new(const gpu_shared_t *sh) {
  both_die_t *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->sh = sh;
  d->policy[SMS] = &offload_tom, d->policy[NSUS] = offload_policies[sh->config->offload_policy];
  for (unsigned k = SMS; k < KINDS; k++) {
    if ((d->die[k] = d->policy[k]->new (sh))) continue;
    die_free(d);
    return NULL;
  }
  return d;
}

static int load(void *die, const ptx_module_t *module, const void *blocks, trouble_t *err) {
  both_die_t *d = die;
  const both_module_t *m = blocks;
  const void *const found[KINDS] = {[SMS] = m ? m->to_sms : NULL, [NSUS] = m ? m->to_nsus : NULL};
  for (unsigned k = SMS; k < KINDS; k++)
    if (d->policy[k]->load(d->die[k], module, found[k], err)) return -1;
  return 0;
}

static void forget(void *die, const void *blocks) {
  both_die_t *d = die;
  const both_module_t *m = blocks;
  const void *const found[KINDS] = {[SMS] = m->to_sms, [NSUS] = m->to_nsus};
  for (unsigned k = SMS; k < KINDS; k++)
    if (d->policy[k]->forget) d->policy[k]->forget(d->die[k], found[k]);
}

/* A mark is an instruction where one of the two policies has a block. Its number is the
 * instruction's, so `decide` finds both policies' blocks. */
static int launch(void *die, const int32_t **first, trouble_t *err) {
  both_die_t *d = die;
  const uint32_t number = d->sh->run->simt.kernel->func->num_instrs;
  bool any = false;
  for (unsigned k = SMS; k < KINDS; k++) {
    if (d->policy[k]->launch(d->die[k], &d->first[k], err)) return -1;
    any |= d->first[k] != NULL;
  }
  free(d->marks);
  if (!(d->marks = malloc((number + 1) * sizeof *d->marks)))
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  for (uint32_t i = 0; i <= number; i++) {
    d->marks[i] = -1;
    for (unsigned k = SMS; k < KINDS; k++)
      if (d->first[k] && d->first[k][i] >= 0) d->marks[i] = (int32_t)i;
  }
  *first = any ? d->marks : NULL;
  return 0;
}

/* Candidates of both; any: one of them has some. */
static unsigned candidates(const void *die, bool *any) {
  const both_die_t *d = die;
  unsigned sum = 0;
  bool one;
  *any = false;
  for (unsigned k = SMS; k < KINDS; k++) {
    sum += d->policy[k]->candidates(d->die[k], &one);
    *any |= one;
  }
  return sum;
}

/* SMs' flags may change, because a policy's tick may send grants. */
static void tick(void *die) {
  both_die_t *d = die;
  for (unsigned k = SMS; k < KINDS; k++) d->policy[k]->tick(d->die[k]);
  for (unsigned s = 0; s < d->sh->config->num_sms; s++) update_busy(d->sm[s]);
}

static void tick_xbar(void *die) {
  offload_tom.tick_xbar(((both_die_t *)die)->die[SMS]);
}

static bool arrive(void *die, unsigned link, const packet_t *packet) {
  both_die_t *d = die;
  return d->policy[SMS]->arrive(d->die[SMS], link, packet) || d->policy[NSUS]->arrive(d->die[NSUS], link, packet);
}

static size_t describe(const void *die, unsigned link, char *text, size_t size) {
  const both_die_t *d = die;
  const size_t used = d->policy[SMS]->describe(d->die[SMS], link, text, size);
  return used +
         d->policy[NSUS]->describe(d->die[NSUS], link, describe_end(text, size, used), describe_room(size, used));
}

static gpu_credits_t credits(const void *die, unsigned link) {
  const both_die_t *d = die;
  return d->policy[NSUS]->credits(d->die[NSUS], link);
}

static uint64_t writes_to(const void *die, unsigned stack) {
  const both_die_t *d = die;
  return d->policy[NSUS]->writes_to(d->die[NSUS], stack);
}

/* Only NSUs use RDFs. */
static void hit(void *die, const packet_t *response) {
  const both_die_t *d = die;
  d->policy[NSUS]->hit(d->die[NSUS], response);
}

/* Epochs and blocks of the NSU policy, maps of tom. */
static gpu_log_t merged_log(const void *die) {
  const both_die_t *d = die;
  const gpu_log_t maps = d->policy[SMS]->log(d->die[SMS]);
  gpu_log_t log = d->policy[NSUS]->log(d->die[NSUS]);
  log.maps = maps.maps, log.map = maps.map;
  return log;
}

/* ---- in an SM ---- */

static void detach(void *self) {
  both_sm_t *s = self;
  for (unsigned k = SMS; k < KINDS; k++)
    if (s->sm[k]) s->die->policy[k]->detach(s->sm[k]);
  free(s);
}

/* Each policy gets its own busy flag. */
static void *attach(void *die, const offload_port_t *port) {
  both_sm_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->die = die;
  s->any_busy = port->busy;
  for (unsigned k = SMS; k < KINDS; k++) {
    offload_port_t own = *port;
    own.busy = &s->busy[k];
    if ((s->sm[k] = s->die->policy[k]->attach(s->die->die[k], &own))) continue;
    detach(s);
    return NULL;
  }
  return s->die->sm[port->id] = s;
}

/* Asks tom, then the NSU policy. While an analyzer watches a candidate, no block inside goes to
 * an NSU. */
static bool decide(void *self, unsigned warp, unsigned mark) {
  both_sm_t *s = self;
  const int32_t *const *first = s->die->first;
  s->taker[warp] = SMS;
  if (first[SMS] && first[SMS][mark] >= 0 && offload_tom.decide(s->sm[SMS], warp, (unsigned)first[SMS][mark]))
    return true;
  if (!first[NSUS] || first[NSUS][mark] < 0 || tom_warp_is_watched(s->sm[SMS], warp)) return false;
  s->taker[warp] = NSUS;
  const bool goes = policy_of(s, warp)->decide(s->sm[NSUS], warp, (unsigned)first[NSUS][mark]);
  s->kept = goes ? s->kept & ~(1ull << warp) : s->kept | 1ull << warp;
  return goes;
}

/* Tom orders accesses itself when a block begins. */
static bool overlaps(const void *self, unsigned warp, bool begin) {
  const both_sm_t *s = self;
  return begin && s->taker[warp] == SMS;
}

static void kept(void *self, unsigned warp) {
  both_sm_t *s = self;
  s->kept &= ~(1ull << warp);
  s->die->policy[NSUS]->kept(s->sm[NSUS], warp);
}

static uint64_t needs(const void *self, unsigned warp) {
  return policy_of(self, warp)->needs(sm_of(self, warp), warp);
}

/* A candidate that tom does not take may go to an NSU. */
static offload_look_t look(void *self, unsigned warp) {
  both_sm_t *s = self;
  const offload_look_t look = policy_of(s, warp)->look(sm_of(s, warp), warp);
  update_busy(s);
  if (look != OFFLOAD_STAY) return look;
  if (s->taker[warp] == SMS) return OFFLOAD_AGAIN;
  s->kept |= 1ull << warp;
  return look;
}

static bool begin(void *self, unsigned warp) {
  const both_sm_t *s = self;
  const bool begun = policy_of(s, warp)->begin(sm_of(s, warp), warp);
  update_busy(s);
  return begun;
}

static offload_what_t what(const void *self, unsigned warp, const simt_op_t *op) {
  return policy_of(self, warp)->what(sm_of(self, warp), warp, op);
}

static bool access(void *self, unsigned warp, const simt_op_t *op, uint32_t mask, const coalesce_t *lines) {
  const both_sm_t *s = self;
  const bool done = policy_of(s, warp)->access(sm_of(s, warp), warp, op, mask, lines);
  update_busy(s);
  return done;
}

/* Both policies watch, each its own candidates. */
static void watch(void *self, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr) {
  const both_sm_t *s = self;
  for (unsigned k = SMS; k < KINDS; k++) s->die->policy[k]->watch(s->sm[k], warp, mask, vaddr, paddr);
}

/* Only NSU blocks have accesses in the load/store unit. */
static bool emit(void *self, ldst_access_t *a) {
  const both_sm_t *s = self;
  const bool last = s->die->policy[NSUS]->emit(s->sm[NSUS], a);
  update_busy(s);
  return last;
}

/* Also for an NSU block that the warp executes itself, so that `kept` reports its end. */
static bool ends(const void *self, unsigned warp, uint32_t pc) {
  const both_sm_t *s = self;
  const bool inside = s->taker[warp] == NSUS || s->kept >> warp & 1;
  return inside && s->die->policy[NSUS]->ends(s->sm[NSUS], warp, pc);
}

static void end(void *self, unsigned warp) {
  const both_sm_t *s = self;
  policy_of(s, warp)->end(sm_of(s, warp), warp);
  update_busy(s);
}

static bool packet(void *self, packet_t *packet) {
  const both_sm_t *s = self;
  const bool taken =
      s->die->policy[SMS]->packet(s->sm[SMS], packet) || s->die->policy[NSUS]->packet(s->sm[NSUS], packet);
  update_busy(s);
  return taken;
}

static void step(void *self) {
  const both_sm_t *s = self;
  for (unsigned k = SMS; k < KINDS; k++)
    if (s->busy[k]) s->die->policy[k]->step(s->sm[k]);
  update_busy(s);
}

static size_t describe_sm(const void *self, unsigned id, char *text, size_t size) {
  const both_sm_t *s = self;
  const size_t used = s->die->policy[SMS]->describe_sm(s->sm[SMS], id, text, size);
  return used +
         s->die->policy[NSUS]->describe_sm(s->sm[NSUS], id, describe_end(text, size, used), describe_room(size, used));
}

static size_t describe_warp(const void *self, unsigned warp, char *text, size_t size) {
  const both_sm_t *s = self;
  const size_t used = s->die->policy[SMS]->describe_warp(s->sm[SMS], warp, text, size);
  return used + s->die->policy[NSUS]->describe_warp(s->sm[NSUS], warp, describe_end(text, size, used),
                                                    describe_room(size, used));
}

const offload_policy_t offload_both = {.name = "both",
                                       .compile = compile,
                                       .discard = discard,
                                       .overlaps = overlaps,
                                       .hears_atomics = true,
                                       .new = die_new,
                                       .free = die_free,
                                       .load = load,
                                       .forget = forget,
                                       .launch = launch,
                                       .candidates = candidates,
                                       .tick = tick,
                                       .tick_xbar = tick_xbar,
                                       .arrive = arrive,
                                       .describe = describe,
                                       .credits = credits,
                                       .writes_to = writes_to,
                                       .hit = hit,
                                       .log = merged_log,
                                       .attach = attach,
                                       .detach = detach,
                                       .decide = decide,
                                       .kept = kept,
                                       .needs = needs,
                                       .look = look,
                                       .begin = begin,
                                       .what = what,
                                       .access = access,
                                       .watch = watch,
                                       .emit = emit,
                                       .ends = ends,
                                       .end = end,
                                       .packet = packet,
                                       .step = step,
                                       .describe_sm = describe_sm,
                                       .describe_warp = describe_warp};
