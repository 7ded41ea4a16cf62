/* SPDX-License-Identifier: Apache-2.0 */
#include "l2.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "ptx.h"
#include "read_only.h"

enum { L2_ATOMIC_SM = 255 }; /* the SM of writes of atomics that no SM hears of */
_Static_assert((int)GPU_MAX_SMS <= (int)L2_ATOMIC_SM, "no SM has its number");

static int queue_init(l2_queue_t *q, unsigned size) {
  *q = (l2_queue_t){.slots = calloc(size, sizeof(l2_slot_t)), .size = size};
  return q->slots ? 0 : -1;
}

static bool full(const l2_queue_t *q) {
  return q->count == q->size;
}

static void push(l2_queue_t *q, packet_t *packet, uint64_t ready, unsigned out) {
  assert(!full(q));
  unsigned at = q->head + q->count++;
  q->slots[at >= q->size ? at - q->size : at] = (l2_slot_t){packet, ready, out};
}

static packet_t *front(const l2_queue_t *q, uint64_t now) {
  return q->count && q->slots[q->head].ready <= now ? q->slots[q->head].packet : NULL;
}

static packet_t *pop(l2_queue_t *q) {
  packet_t *p = q->slots[q->head].packet;
  q->head = q->head + 1 == q->size ? 0 : q->head + 1;
  q->count--;
  return p;
}

static void append(packet_t **head, packet_t **tail, packet_t *p) {
  p->next = NULL;
  if (*tail) (*tail)->next = p;
  else *head = p;
  *tail = p;
}

static packet_t *take(packet_t **head, packet_t **tail) {
  packet_t *p = *head;
  *head = p->next;
  if (!*head) *tail = NULL;
  return p;
}

int l2_init(l2_t *l2, unsigned id, const gpu_shared_t *sh, const offload_policy_t *policy, void *die) {
  const gpu_config_t *c = sh->config;
  *l2 = (l2_t){.id = id,
               .stack = id / c->l2.slices,
               .config = c,
               .pool = sh->pool,
               .xbar = sh->xbar,
               .nodes = sh->nodes,
               .stats = sh->stats,
               .fault = sh->fault,
               .policy = policy,
               .die = die,
               .pager = sh->pager,
               .page_written = sh->page_written,
               .read_only = sh->read_only};
  /* a queue of packets that stay for these latencies */
  const unsigned late = c->l2.latency + c->l2.memory_latency + c->link_queue;
  return cache_init(&l2->cache, c->l2.bytes / gpu_config_slices(c), c->l2.ways) || queue_init(&l2->reply, late) ||
                 queue_init(&l2->out[XBAR_REQUEST], late) || queue_init(&l2->out[XBAR_OFFLOAD], late) ||
                 queue_init(&l2->out[XBAR_RESPONSE], c->link_queue) ||
                 queue_init(&l2->in, c->l2.memory_latency + c->link_queue)
             ? -1
             : 0;
}

void l2_deinit(l2_t *l2) {
  cache_deinit(&l2->cache);
  free(l2->reply.slots);
  for (unsigned cls = 0; cls < XBAR_CLASSES; cls++) free(l2->out[cls].slots);
  free(l2->in.slots);
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* The MSHR that a new request for this line may or must join, or -1. */
static int find_mshr(const l2_t *l2, uint64_t line) {
  for (uint64_t m = l2->live | l2->atomic; m; m &= m - 1)
    if (l2->mshr_line[__builtin_ctzll(m)] == line) return __builtin_ctzll(m);
  return -1;
}

/* True: there was one, and it will not be kept. */
static bool kill_fill(l2_t *l2, uint64_t line) {
  const int i = find_mshr(l2, line);
  const uint64_t bit = i >= 0 ? l2->live & 1ull << i : 0;
  l2->live &= ~bit;
  return bit != 0;
}

void l2_forget(l2_t *l2, uint64_t line) {
  cache_invalidate(&l2->cache, line);
  l2->stats->l2_fills_killed += kill_fill(l2, line);
}

static void invalidate(l2_t *l2, const packet_t *p) {
  l2_forget(l2, p->hdr.addr);
  l2->stats->invals++;
}

/* Reads and writes of memory. */
static void to_memory(l2_t *l2, packet_t *p) {
  push(&l2->out[XBAR_REQUEST], p, l2->now + l2->config->l2.latency / 2 + l2->config->l2.memory_latency, 0);
}

static void to_link(l2_t *l2, xbar_class_t cls, packet_t *p, unsigned delay) {
  push(&l2->out[cls], p, l2->now + delay, 0);
}

bool l2_has_room(const l2_t *l2) {
  return !full(&l2->out[XBAR_OFFLOAD]);
}

void l2_send(l2_t *l2, packet_t *p) {
  to_link(l2, XBAR_OFFLOAD, p, 1);
}

static void to_sm(l2_t *l2, packet_t *p, unsigned delay) {
  p->hdr.dst = PKT_GPU;
  push(&l2->reply, p, l2->now + delay, nodes_port_to_sm(l2->nodes, l2->config, l2->id, (unsigned)p->hdr.sm));
}

static bool join(l2_t *l2, int i, packet_t *p) {
  l2_mshr_t *m = &l2->mshrs[i];
  if (m->count == l2->config->l2.merges) return false;
  append(&m->head, &m->tail, p);
  m->count++;
  l2->atomic |= (uint64_t)(p->hdr.type == PACKET_ATOM) << i;
  return true;
}

static bool miss(l2_t *l2, packet_t *p) {
  if ((unsigned)__builtin_popcountll(l2->used) == l2->config->l2.mshrs || full(&l2->out[XBAR_REQUEST])) return false;
  packet_t *r = packet_new(l2->pool, PKT_READ);
  if (!r) {
    trouble_fail(l2->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return false;
  }
  unsigned i = (unsigned)__builtin_ctzll(~l2->used);
  l2->mshrs[i] = (l2_mshr_t){.count = 0};
  l2->mshr_line[i] = p->hdr.addr;
  l2->used |= 1ull << i;
  l2->live |= 1ull << i;
  join(l2, (int)i, p);
  r->hdr.src = PKT_GPU, r->hdr.dst = l2->stack, r->hdr.addr = p->hdr.addr, r->tag = i;
  r->hdr.sm = p->hdr.sm, r->hdr.warp = p->hdr.warp;
  r->born = l2->now;
  to_memory(l2, r);
  return true;
}

static bool do_read(l2_t *l2, packet_t *p) {
  const cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) {
    if (full(&l2->reply)) return false;
    l2->stats->l2_hits++;
    gpu_packet_reply(p, PKT_READ_RESP, line->words);
    to_sm(l2, p, l2->config->l2.latency);
    return true;
  }
  int i = find_mshr(l2, p->hdr.addr);
  if (i >= 0) {
    if (!join(l2, i, p)) return false;
    l2->stats->l2_merges++;
    return true;
  }
  if (!miss(l2, p)) return false;
  l2->stats->l2_misses++;
  return true;
}

static bool do_rdf(l2_t *l2, packet_t *p) {
  const cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) {
    if (full(&l2->reply)) return false;
    l2->stats->rdf_l2_hits++;
    read_only_answer(l2->read_only, p, line->words);
    if (l2->policy->hit) l2->policy->hit(l2->die, p);
    unsigned out = l2->config->num_sms + (unsigned)p->hdr.target;
    push(&l2->reply, p, l2->now + l2->config->l2.latency, out);
    return true;
  }
  if (full(&l2->out[XBAR_OFFLOAD])) return false;
  l2->stats->rdf_memory++;
  to_link(l2, XBAR_OFFLOAD, p, l2->config->l2.latency / 2);
  return true;
}

static void write_line(cache_line_t *line, const packet_t *p) {
  unsigned bytes = 1u << p->hdr.size;
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.aligned ? i * bytes : p->hdr.offs[i];
    memcpy((uint8_t *)line->words + at, &p->data[0][i], bytes);
  }
}

static bool do_write(l2_t *l2, packet_t *p) {
  if (full(&l2->out[XBAR_REQUEST])) return false;
  cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) write_line(line, p);
  kill_fill(l2, p->hdr.addr);
  to_memory(l2, p);
  return true;
}

/* Every thread in turn; the packet keeps the old
 * values, w gets the words of the line that changed. */
static void apply(cache_line_t *line, packet_t *p, packet_t *w) {
  unsigned bytes = ptx_type_bytes((ptx_type_t)p->hdr.count);
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.offs[i];
    uint64_t old = 0, b = p->data[0][i] | (uint64_t)p->data[1][i] << 32,
             c = p->data[2][i] | (uint64_t)p->data[3][i] << 32;
    memcpy(&old, (uint8_t *)line->words + at, bytes);
    uint64_t now = atomic_apply((unsigned)p->hdr.seq, (unsigned)p->hdr.count, old, b, c);
    memcpy((uint8_t *)line->words + at, &now, bytes);
    p->data[0][i] = (uint32_t)old, p->data[1][i] = (uint32_t)(old >> 32);
    for (unsigned k = 0; k < (bytes + 3) / 4; k++) w->hdr.mask |= 1u << (at / 4 + k);
  }
  memcpy(w->data[0], line->words, sizeof line->words);
}

static bool do_atomic(l2_t *l2, packet_t *p) {
  cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (!line) {
    int i = find_mshr(l2, p->hdr.addr);
    return i >= 0 ? join(l2, i, p) : miss(l2, p);
  }
  if (full(&l2->reply) || full(&l2->out[XBAR_REQUEST])) return false;
  packet_t *w = packet_new(l2->pool, PKT_WRITE);
  if (!w) {
    trouble_fail(l2->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return false;
  }
  apply(line, p, w);
  w->hdr.src = PKT_GPU, w->hdr.dst = l2->stack, w->hdr.addr = p->hdr.addr, w->hdr.sm = L2_ATOMIC_SM;
  w->hdr.size = 2, w->hdr.aligned = 1, w->hdr.lmask = w->hdr.mask;
  if (l2->policy->hears_atomics) w->hdr.sm = p->hdr.sm, w->hdr.warp = p->hdr.warp;
  else l2->writes++;
  to_memory(l2, w);
  p->hdr.type = PACKET_ATOM_RESP;
  to_sm(l2, p, l2->config->l2.latency);
  return true;
}

static bool do_request(l2_t *l2, packet_t *p) {
  if (p->hdr.type == PKT_WTA || p->hdr.type == PKT_CMD || p->hdr.type == PACKET_OWN) {
    if (full(&l2->out[XBAR_OFFLOAD])) return false;
    to_link(l2, XBAR_OFFLOAD, p, 1);
    return true;
  }
  int i = l2->atomic ? find_mshr(l2, p->hdr.addr) : -1;
  if (i >= 0 && l2->atomic >> i & 1) return join(l2, i, p);
  switch (p->hdr.type) {
  case PKT_READ: return do_read(l2, p);
  case PKT_RDF: return do_rdf(l2, p);
  case PKT_WRITE: return do_write(l2, p);
  case PACKET_ATOM: return do_atomic(l2, p);
  case PACKET_FORGET: invalidate(l2, p), packet_free(l2->pool, p); return true;
  default:
    trouble_fail(l2->fault, TROUBLE_BROKEN, "L2 slice %u got a %s packet", l2->id,
                 packet_type_name((unsigned)p->hdr.type));
    return false;
  }
}

static bool replay(l2_t *l2) {
  packet_t *p = take(&l2->replay_head, &l2->replay_tail);
  if (do_request(l2, p)) return true;
  p->next = l2->replay_head; /* back to the front */
  l2->replay_head = p;
  if (!l2->replay_tail) l2->replay_tail = p;
  return false;
}

static bool step_class(l2_t *l2, xbar_class_t cls) {
  if (cls == XBAR_REQUEST && l2->replay_head) return replay(l2);
  unsigned port = l2->config->num_sms + l2->id;
  packet_t *p = xbar_front(l2->xbar, port, cls);
  if (!p || !do_request(l2, p)) return false;
  xbar_pop(l2->xbar, port, cls);
  return true;
}

static xbar_class_t other(xbar_class_t cls) {
  return cls == XBAR_REQUEST ? XBAR_OFFLOAD : XBAR_REQUEST;
}

/* One, of the class whose turn it is if it can go on, else of the other. */
static void step_request(l2_t *l2) {
  xbar_class_t cls = l2->next_in;
  bool done = step_class(l2, cls);
  if (!done) {
    cls = other(cls);
    done = step_class(l2, cls);
  }
  if (done) l2->next_in = other(cls);
}

/* ---- Arrivals -------------------------------------------------------------------------------- */

static void fill(l2_t *l2, packet_t *p) {
  uint64_t bit = 1ull << (p->tag & 63);
  l2_mshr_t *m = &l2->mshrs[p->tag & 63];
  if (p->tag > 63 || !(l2->used & bit) || l2->mshr_line[p->tag] != p->hdr.addr) {
    trouble_fail(l2->fault, TROUBLE_BROKEN, "L2 slice %u got a READ_RESP it did not ask for", l2->id);
    return;
  }
  if (l2->live & bit) cache_fill(&l2->cache, p->hdr.addr, p->data[0]);
  l2->used &= ~bit, l2->live &= ~bit, l2->atomic &= ~bit;
  bool behind = false;
  while (m->head) {
    packet_t *w = take(&m->head, &m->tail);
    behind |= w->hdr.type == PACKET_ATOM;
    if (behind) append(&l2->replay_head, &l2->replay_tail, w);
    else {
      gpu_packet_reply(w, PKT_READ_RESP, p->data[0]);
      append(&l2->fill_head, &l2->fill_tail, w);
    }
  }
}

/* What engines in the stack send: the policy's, and of an SM. True: it goes on there. */
static bool for_policy(l2_t *l2, const packet_t *p) {
  if (l2->die && l2->policy->arrive(l2->die, l2->id, p)) return p->hdr.type != PKT_CREDIT;
  trouble_fail(l2->fault, TROUBLE_BROKEN, "link %u brought a %s packet to the GPU", l2->id,
               packet_type_name((unsigned)p->hdr.type));
  return false;
}

static void step_arrival(l2_t *l2) {
  packet_t *p = front(&l2->in, l2->now);
  if (!p || l2->fill_head || full(&l2->reply)) return;
  pop(&l2->in);
  switch (p->hdr.type) {
  case PKT_READ_RESP: fill(l2, p); break;
  case PKT_WRITE_ACK:
    if (p->hdr.sm == L2_ATOMIC_SM) l2->writes--;
    else if (l2->pager && p->hdr.sm == PAGER_SM) l2->page_written(l2->pager, p->hdr.addr);
    else {
      to_sm(l2, p, 1);
      return;
    }
    break;
  default:
    if (p->hdr.type == PKT_INVAL) invalidate(l2, p);
    if (!for_policy(l2, p)) break;
    to_sm(l2, p, 1);
    return;
  }
  packet_free(l2->pool, p);
}

/* ---- Tick ------------------------------------------------------------------------------------ */

/* To an NSU: what it has itself need not go. */
static void to_nsu(l2_t *l2, packet_t *p) {
  const int bytes = p->kept ? read_only_leave(l2->read_only, p) : 0;
  if (bytes && l2->policy->resized) l2->policy->resized(l2->die, p, bytes);
  to_link(l2, XBAR_RESPONSE, p, 0);
}

static void step_reply(l2_t *l2) {
  unsigned port = l2->config->num_sms + l2->id;
  if (l2->fill_head && !full(&l2->reply)) to_sm(l2, take(&l2->fill_head, &l2->fill_tail), l2->config->l2.latency / 2);
  if (front(&l2->reply, l2->now) && xbar_can_send(l2->xbar, port, XBAR_RESPONSE)) {
    unsigned out = l2->reply.slots[l2->reply.head].out;
    xbar_send(l2->xbar, port, XBAR_RESPONSE, out, pop(&l2->reply));
  }
  if (!full(&l2->out[XBAR_RESPONSE]) && xbar_front(l2->xbar, port, XBAR_RESPONSE))
    to_nsu(l2, xbar_pop(l2->xbar, port, XBAR_RESPONSE));
}

void l2_tick(l2_t *l2) {
  l2->now++;
  step_reply(l2);
  if (l2->in.count) step_arrival(l2);
  step_request(l2);
}

bool l2_busy(const l2_t *l2) {
  for (unsigned cls = 0; cls < XBAR_CLASSES; cls++)
    if (l2->out[cls].count) return true;
  return l2->used || l2->reply.count || l2->in.count || l2->fill_head || l2->replay_head || l2->writes;
}

/* Of the link's two classes, requests are those of the crossbar and offloaded blocks'. */
static xbar_class_t next_out(const l2_t *l2, unsigned cls) {
  if (cls) return XBAR_RESPONSE;
  return front(&l2->out[l2->next_out], l2->now) ? l2->next_out : other(l2->next_out);
}

const packet_t *l2_link_front(const l2_t *l2, unsigned cls) {
  return front(&l2->out[next_out(l2, cls)], l2->now);
}

packet_t *l2_link_pop(l2_t *l2, unsigned cls) {
  const xbar_class_t from = next_out(l2, cls);
  if (from != XBAR_RESPONSE) l2->next_out = other(from);
  return pop(&l2->out[from]);
}
bool l2_link_can_push(const l2_t *l2) {
  return !full(&l2->in);
}
void l2_link_push(l2_t *l2, packet_t *packet) {
  push(&l2->in, packet, l2->now + l2->config->l2.memory_latency, 0);
}
