/* SPDX-License-Identifier: Apache-2.0
 *
 * An L2 slice. Its cycle (l2_tick): a reply leaves, an arrival comes in, a request is looked up.
 *
 *   request, line cached    answer after l2.latency
 *   request, line missing   MSHR; READ to memory; fill; waiters answered one a cycle
 *   atomic, line missing    MSHR with its bit in `atomic`: later requests queue behind the atomic,
 *                           and are replayed with it when the line has arrived
 *
 * A request that finds no room stays at the front of its crossbar queue.
 */
#include "l2.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "ptx.h"
#include "read_only.h"

enum { L2_ATOMIC_SM = 255 }; /* sender of writes of atomics that no SM hears of */
_Static_assert((int)GPU_MAX_SMS <= (int)L2_ATOMIC_SM, "no SM has its number");

static int queue_init(l2_queue_t *q, unsigned size) {
  *q = (l2_queue_t){.slots = calloc(size, sizeof(l2_slot_t)), .size = size};
  return q->slots ? 0 : -1;
}

static bool queue_is_full(const l2_queue_t *q) {
  return q->count == q->size;
}

static void queue_push(l2_queue_t *q, packet_t *packet, uint64_t ready, unsigned out) {
  assert(!queue_is_full(q));
  unsigned at = q->head + q->count++;
  q->slots[at >= q->size ? at - q->size : at] = (l2_slot_t){packet, ready, out};
}

/* Oldest packet that may leave; NULL: none. */
static packet_t *queue_front(const l2_queue_t *q, uint64_t now) {
  return q->count && q->slots[q->head].ready <= now ? q->slots[q->head].packet : NULL;
}

static packet_t *queue_pop(l2_queue_t *q) {
  packet_t *p = q->slots[q->head].packet;
  q->head = q->head + 1 == q->size ? 0 : q->head + 1;
  q->count--;
  return p;
}

/* Appends to a linked list of packets. */
static void list_append(packet_t **head, packet_t **tail, packet_t *p) {
  p->next = NULL;
  if (*tail) (*tail)->next = p;
  else *head = p;
  *tail = p;
}

/* Removes the head of a linked list. */
static packet_t *list_take(packet_t **head, packet_t **tail) {
  packet_t *p = *head;
  *head = p->next;
  if (!*head) *tail = NULL;
  return p;
}

/* Queues have room for all packets that their latency keeps inside. */
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
  /* entries of a queue: one packet a cycle for these latencies */
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

/* MSHR that a new request for the line may or must join, or -1. Dead fills take no new requests. */
static int find_mshr(const l2_t *l2, uint64_t line) {
  for (uint64_t m = l2->live | l2->atomic; m; m &= m - 1)
    if (l2->mshr_line[__builtin_ctzll(m)] == line) return __builtin_ctzll(m);
  return -1;
}

/* Marks a fill under way as dead. True: there was one. */
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

/* A packet says that the line was written in memory. */
static void invalidate(l2_t *l2, const packet_t *p) {
  l2_forget(l2, p->hdr.addr);
  l2->stats->invals++;
}

/* Sends a read or write to memory. */
static void send_to_memory(l2_t *l2, packet_t *p) {
  queue_push(&l2->out[XBAR_REQUEST], p, l2->now + l2->config->l2.latency / 2 + l2->config->l2.memory_latency, 0);
}

static void send_to_link(l2_t *l2, xbar_class_t cls, packet_t *p, unsigned delay) {
  queue_push(&l2->out[cls], p, l2->now + delay, 0);
}

bool l2_has_room(const l2_t *l2) {
  return !queue_is_full(&l2->out[XBAR_OFFLOAD]);
}

void l2_send(l2_t *l2, packet_t *p) {
  send_to_link(l2, XBAR_OFFLOAD, p, 1);
}

/* Queues an answer for an SM. */
static void send_to_sm(l2_t *l2, packet_t *p, unsigned delay) {
  p->hdr.dst = PKT_GPU;
  queue_push(&l2->reply, p, l2->now + delay, nodes_port_to_sm(l2->nodes, l2->config, l2->id, (unsigned)p->hdr.sm));
}

/* A request waits at an MSHR. false: the MSHR is full. */
static bool join_mshr(l2_t *l2, int i, packet_t *p) {
  l2_mshr_t *m = &l2->mshrs[i];
  if (m->count == l2->config->l2.merges) return false;
  list_append(&m->head, &m->tail, p);
  m->count++;
  l2->atomic |= (uint64_t)(p->hdr.type == PACKET_ATOM) << i;
  return true;
}

/* Takes an MSHR and reads the line. false: no MSHR, no room, or no memory. */
static bool take_mshr(l2_t *l2, packet_t *p) {
  if ((unsigned)__builtin_popcountll(l2->used) == l2->config->l2.mshrs || queue_is_full(&l2->out[XBAR_REQUEST]))
    return false;
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
  join_mshr(l2, (int)i, p);
  r->hdr.src = PKT_GPU, r->hdr.dst = l2->stack, r->hdr.addr = p->hdr.addr, r->tag = i;
  r->hdr.sm = p->hdr.sm, r->hdr.warp = p->hdr.warp;
  r->born = l2->now;
  send_to_memory(l2, r);
  return true;
}

/* READ. false: try again. */
static bool do_read(l2_t *l2, packet_t *p) {
  const cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) {
    if (queue_is_full(&l2->reply)) return false;
    l2->stats->l2_hits++;
    gpu_packet_reply(p, PKT_READ_RESP, line->words);
    send_to_sm(l2, p, l2->config->l2.latency);
    return true;
  }
  int i = find_mshr(l2, p->hdr.addr);
  if (i >= 0) {
    if (!join_mshr(l2, i, p)) return false;
    l2->stats->l2_merges++;
    return true;
  }
  if (!take_mshr(l2, p)) return false;
  l2->stats->l2_misses++;
  return true;
}

/* RDF. A miss goes on to memory and allocates nothing. */
static bool do_rdf(l2_t *l2, packet_t *p) {
  const cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) {
    if (queue_is_full(&l2->reply)) return false;
    l2->stats->rdf_l2_hits++;
    read_only_answer(l2->read_only, p, line->words);
    if (l2->policy->hit) l2->policy->hit(l2->die, p);
    unsigned out = l2->config->num_sms + (unsigned)p->hdr.target;
    queue_push(&l2->reply, p, l2->now + l2->config->l2.latency, out);
    return true;
  }
  if (queue_is_full(&l2->out[XBAR_OFFLOAD])) return false;
  l2->stats->rdf_memory++;
  send_to_link(l2, XBAR_OFFLOAD, p, l2->config->l2.latency / 2);
  return true;
}

/* Writes a packet's bytes into a cached line. */
static void write_line(cache_line_t *line, const packet_t *p) {
  unsigned bytes = 1u << p->hdr.size;
  for (uint32_t m = (uint32_t)p->hdr.mask; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m), at = p->hdr.aligned ? i * bytes : p->hdr.offs[i];
    memcpy((uint8_t *)line->words + at, &p->data[0][i], bytes);
  }
}

/* WRITE. A fill under way may have older data, so it dies. */
static bool do_write(l2_t *l2, packet_t *p) {
  if (queue_is_full(&l2->out[XBAR_REQUEST])) return false;
  cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (line) write_line(line, p);
  kill_fill(l2, p->hdr.addr);
  send_to_memory(l2, p);
  return true;
}

/* Executes an atomic for each thread in turn. The packet keeps the old values; w gets the
 * changed words. */
static void apply_atomic(cache_line_t *line, packet_t *p, packet_t *w) {
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

/* Atomic. Its result is written through by a packet of its own. */
static bool do_atomic(l2_t *l2, packet_t *p) {
  cache_line_t *line = cache_find(&l2->cache, p->hdr.addr);
  if (!line) {
    int i = find_mshr(l2, p->hdr.addr);
    return i >= 0 ? join_mshr(l2, i, p) : take_mshr(l2, p);
  }
  if (queue_is_full(&l2->reply) || queue_is_full(&l2->out[XBAR_REQUEST])) return false;
  packet_t *w = packet_new(l2->pool, PKT_WRITE);
  if (!w) {
    trouble_fail(l2->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return false;
  }
  apply_atomic(line, p, w);
  w->hdr.src = PKT_GPU, w->hdr.dst = l2->stack, w->hdr.addr = p->hdr.addr, w->hdr.sm = L2_ATOMIC_SM;
  w->hdr.size = 2, w->hdr.aligned = 1, w->hdr.lmask = w->hdr.mask;
  if (l2->policy->hears_atomics) w->hdr.sm = p->hdr.sm, w->hdr.warp = p->hdr.warp;
  else l2->writes++;
  send_to_memory(l2, w);
  p->hdr.type = PACKET_ATOM_RESP;
  send_to_sm(l2, p, l2->config->l2.latency);
  return true;
}

/* Executes or queues a request. false: no room, try again. */
static bool do_request(l2_t *l2, packet_t *p) {
  if (p->hdr.type == PKT_WTA || p->hdr.type == PKT_CMD || p->hdr.type == PACKET_OWN) {
    if (queue_is_full(&l2->out[XBAR_OFFLOAD])) return false;
    send_to_link(l2, XBAR_OFFLOAD, p, 1);
    return true;
  }
  int i = l2->atomic ? find_mshr(l2, p->hdr.addr) : -1;
  if (i >= 0 && l2->atomic >> i & 1) return join_mshr(l2, i, p);
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

/* Requests that queued behind an atomic go on in their order. */
static bool replay_request(l2_t *l2) {
  packet_t *p = list_take(&l2->replay_head, &l2->replay_tail);
  if (do_request(l2, p)) return true;
  p->next = l2->replay_head; /* back to the front */
  l2->replay_head = p;
  if (!l2->replay_tail) l2->replay_tail = p;
  return false;
}

/* A request of a class, replayed ones first. */
static bool step_class(l2_t *l2, xbar_class_t cls) {
  if (cls == XBAR_REQUEST && l2->replay_head) return replay_request(l2);
  unsigned port = l2->config->num_sms + l2->id;
  packet_t *p = xbar_front(l2->xbar, port, cls);
  if (!p || !do_request(l2, p)) return false;
  xbar_pop(l2->xbar, port, cls);
  return true;
}

static xbar_class_t other_class(xbar_class_t cls) {
  return cls == XBAR_REQUEST ? XBAR_OFFLOAD : XBAR_REQUEST;
}

/* One request a cycle, of the class in turn, or of the other if that one cannot go on. */
static void step_request(l2_t *l2) {
  xbar_class_t cls = l2->next_in;
  bool done = step_class(l2, cls);
  if (!done) {
    cls = other_class(cls);
    done = step_class(l2, cls);
  }
  if (done) l2->next_in = other_class(cls);
}

/* ---- Arrivals -------------------------------------------------------------------------------- */

/* A line has arrived. Readers before the first atomic get its data; the rest is replayed. */
static void fill_line(l2_t *l2, packet_t *p) {
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
    packet_t *w = list_take(&m->head, &m->tail);
    behind |= w->hdr.type == PACKET_ATOM;
    if (behind) list_append(&l2->replay_head, &l2->replay_tail, w);
    else {
      gpu_packet_reply(w, PKT_READ_RESP, p->data[0]);
      list_append(&l2->fill_head, &l2->fill_tail, w);
    }
  }
}

/* Packets of engines in the stack. True: the packet also goes to an SM. */
static bool for_policy(l2_t *l2, const packet_t *p) {
  if (l2->die && l2->policy->arrive(l2->die, l2->id, p)) return p->hdr.type != PKT_CREDIT;
  trouble_fail(l2->fault, TROUBLE_BROKEN, "link %u brought a %s packet to the GPU", l2->id,
               packet_type_name((unsigned)p->hdr.type));
  return false;
}

/* One arrival a cycle, while no fill is being answered. */
static void step_arrival(l2_t *l2) {
  packet_t *p = queue_front(&l2->in, l2->now);
  if (!p || l2->fill_head || queue_is_full(&l2->reply)) return;
  queue_pop(&l2->in);
  switch (p->hdr.type) {
  case PKT_READ_RESP: fill_line(l2, p); break;
  case PKT_WRITE_ACK:
    if (p->hdr.sm == L2_ATOMIC_SM) l2->writes--;
    else if (l2->pager && p->hdr.sm == PAGER_SM) l2->page_written(l2->pager, p->hdr.addr);
    else {
      send_to_sm(l2, p, 1);
      return;
    }
    break;
  default:
    if (p->hdr.type == PKT_INVAL) invalidate(l2, p);
    if (!for_policy(l2, p)) break;
    send_to_sm(l2, p, 1);
    return;
  }
  packet_free(l2->pool, p);
}

/* ---- Tick ------------------------------------------------------------------------------------ */

/* Sends a response to an NSU. Data that the NSU has are left out (read_only.h). */
static void send_to_nsu(l2_t *l2, packet_t *p) {
  const int bytes = p->kept ? read_only_leave(l2->read_only, p) : 0;
  if (bytes && l2->policy->resized) l2->policy->resized(l2->die, p, bytes);
  send_to_link(l2, XBAR_RESPONSE, p, 0);
}

/* One of each a cycle: a reader of an arrived line joins the replies, a reply enters the crossbar,
 * a response for an NSU leaves the crossbar for the link. */
static void step_reply(l2_t *l2) {
  unsigned port = l2->config->num_sms + l2->id;
  if (l2->fill_head && !queue_is_full(&l2->reply))
    send_to_sm(l2, list_take(&l2->fill_head, &l2->fill_tail), l2->config->l2.latency / 2);
  if (queue_front(&l2->reply, l2->now) && xbar_can_send(l2->xbar, port, XBAR_RESPONSE)) {
    unsigned out = l2->reply.slots[l2->reply.head].out;
    xbar_send(l2->xbar, port, XBAR_RESPONSE, out, queue_pop(&l2->reply));
  }
  if (!queue_is_full(&l2->out[XBAR_RESPONSE]) && xbar_front(l2->xbar, port, XBAR_RESPONSE))
    send_to_nsu(l2, xbar_pop(l2->xbar, port, XBAR_RESPONSE));
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

/* Queue that leaves next in a class of the link. Class 0 alternates between requests and
 * offloading. */
static xbar_class_t next_out(const l2_t *l2, unsigned cls) {
  if (cls) return XBAR_RESPONSE;
  return queue_front(&l2->out[l2->next_out], l2->now) ? l2->next_out : other_class(l2->next_out);
}

const packet_t *l2_link_front(const l2_t *l2, unsigned cls) {
  return queue_front(&l2->out[next_out(l2, cls)], l2->now);
}

packet_t *l2_link_pop(l2_t *l2, unsigned cls) {
  const xbar_class_t from = next_out(l2, cls);
  if (from != XBAR_RESPONSE) l2->next_out = other_class(from);
  return queue_pop(&l2->out[from]);
}
bool l2_link_can_push(const l2_t *l2) {
  return !queue_is_full(&l2->in);
}
void l2_link_push(l2_t *l2, packet_t *packet) {
  queue_push(&l2->in, packet, l2->now + l2->config->l2.memory_latency, 0);
}
