/* SPDX-License-Identifier: Apache-2.0
 *
 * The switch is one table of sources and one of outputs. Each tick every source offers the
 * packet at its head to one output. Each output that has room takes one offer, round-robin over
 * the sources.
 *
 *    source         output
 *    FROM_GPU       TO_GPU        two classes each
 *    FROM_UNIT + 2u TO_UNIT + 2u
 *    FROM_NET + 2p  TO_NET + 2p
 *    FROM_VAULTS    TO_VAULT + v  lists of responses, one for each way out; vaults
 *
 * Responses are made from their requests in place. They wait in one list for each way out, in
 * the order in which their DRAM accesses ended.
 */
#include "mem_stack.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

enum { PORTS = 4, GPU_ID = PKT_GPU, UNITS = MEM_STACK_UNITS };
enum { /* sources: two classes each, then lists of responses (class 1) */
       FROM_GPU = 0,
       FROM_UNIT = 2,
       FROM_NET = FROM_UNIT + 2 * UNITS,
       FROM_VAULTS = FROM_NET + 2 * PORTS, /* to the GPU, to each unit, to each port of the network */
       SOURCES = FROM_VAULTS + 1 + UNITS + PORTS
};
enum { /* outputs: two classes each, then vaults */
       TO_GPU = 0,
       TO_UNIT = 2,
       TO_NET = TO_UNIT + 2 * UNITS,
       TO_VAULT = TO_NET + 2 * PORTS,
       OUTPUTS = TO_VAULT + STACK_VAULTS,
       NOWHERE = -1
};
enum { LIST_GPU, LIST_UNIT, LIST_NET = LIST_UNIT + UNITS, LISTS = LIST_NET + PORTS };
_Static_assert(SOURCES <= 64, "a bit for each source");

typedef struct packet_list {
  packet_t *head, *tail;
  unsigned count;
} packet_list_t;

typedef struct stack_vault {
  packet_list_t wait; /* clock crossing */
  unsigned held;      /* responses that its requests have caused or will cause */
} stack_vault_t;

typedef struct offer { /* where the packet at a source's head goes; packet NULL: not known yet */
  const packet_t *packet;
  int output;
  const char *fault;
} offer_t;

struct mem_stack {
  mem_stack_config_t config;
  mem_stack_ports_t ports;
  mem_stack_stats_t stats;
  unsigned net_ports, inside; /* ports of the network; packets in wait lists, vaults and response lists */
  bool far;                   /* the way to the GPU is the network */
  packet_list_t list[LISTS];
  unsigned lists;        /* bits: lists that hold a packet */
  uint8_t turn[OUTPUTS]; /* source that the output takes first */
  offer_t offer[SOURCES];
  stack_vault_t vault[STACK_VAULTS];
  uint64_t next[STACK_VAULTS]; /* tCK of each vault's next event */
  trouble_t fault;             /* the first */
  vault_t dram[STACK_VAULTS];
};

#define KEYS_OF mem_stack_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

static const config_key_t keys[] = {
#include "mem_stack_keys.def"
    {0},
};

mem_stack_config_t mem_stack_default_config(unsigned id) {
  mem_stack_config_t c = {.id = id, .vault = vault_default_config(), .wait_packets = 4, .hold_packets = 96};
  mem_stack_config_t *values = &c;
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "mem_stack_keys.def"
  return c;
}

bool mem_stack_check_config(const mem_stack_config_t *c, trouble_t *trouble) {
  if (!config_check(keys, c, trouble)) return false;
  if (c->id >= PACKET_MAX_STACKS) return trouble_set(trouble, TROUBLE_INPUT, "a stack's id must be 0 to 255");
  if (c->vault.banks != STACK_BANKS) return trouble_set(trouble, TROUBLE_INPUT, "a stack's vaults have 16 banks");
  if (c->row_lines & (c->row_lines - 1))
    return trouble_set(trouble, TROUBLE_INPUT, "vault.row_lines must be 1, 2, 4, 8, 16 or 32");
  if (c->wait_packets < 1) return trouble_set(trouble, TROUBLE_INPUT, "wait_packets must be at least 1");
  if (c->hold_packets < 2) return trouble_set(trouble, TROUBLE_INPUT, "hold_packets must be at least 2");
  return vault_check_config(&c->vault, trouble) && vault_check_timing(&c->vault.timing, trouble);
}

mem_stack_t *mem_stack_new(const mem_stack_config_t *config, const mem_stack_ports_t *ports) {
  assert(mem_stack_check_config(config, &(trouble_t){0}));
  mem_stack_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->config = *config;
  s->ports = *ports;
  s->net_ports = ports->network ? network_local_ports(ports->network) : 0;
  s->far = ports->network && network_reaches(ports->network, GPU_ID);
  for (unsigned v = 0; v < STACK_VAULTS; v++) {
    vault_init(&s->dram[v], &config->vault);
    s->next[v] = VAULT_NEVER;
  }
  return s;
}

void mem_stack_free(mem_stack_t *s) {
  free(s);
}

/* ---- lists ---- */

static void append_to_list(packet_list_t *l, packet_t *p) {
  p->next = NULL;
  if (l->tail) l->tail->next = p;
  else l->head = p;
  l->tail = p;
  l->count++;
}

/* The oldest; the list must not be empty. */
static packet_t *take_from_list(packet_list_t *l) {
  packet_t *p = l->head;
  l->head = p->next;
  if (!l->head) l->tail = NULL;
  l->count--;
  p->next = NULL;
  return p;
}

/* ---- errors ---- */

static const char *node_name(unsigned node, char text[16]) {
  snprintf(text, 16, node == GPU_ID ? "GPU" : "%u", node);
  return text;
}

/* A bad packet: counted, and the first one is the stack's fault. */
static void report_packet(mem_stack_t *s, const char *what, const packet_t *p) {
  s->stats.errors++;
  if (s->fault.kind) return;
  char from[16], to[16];
  trouble_set(&s->fault, TROUBLE_BROKEN, "stack %u: %s: %s from %s to %s, address 0x%llx", s->config.id, what,
              packet_type_name((unsigned)p->hdr.type), node_name(p->src, from), node_name(p->dst, to),
              (unsigned long long)p->hdr.addr);
}

/* What is wrong with a request for a vault; NULL: nothing. */
static const char *vault_request_fault(const mem_stack_t *s, const packet_t *p) {
  const pkt_hdr_t *h = &p->hdr;
  if (stack_of(h->addr) != s->config.id && !p->anywhere) return "request for an address of another stack";
  if (h->addr % PKT_LINE_BYTES) return "line address with low bits set";
  if (h->type != PKT_RDF && h->type != PKT_WRITE) return NULL;
  if (h->size > 2) return "size that is not 1, 2 or 4 bytes";
  for (unsigned i = 0; i < PKT_WARP_WIDTH && !h->aligned; i++)
    if (h->mask >> i & 1 && h->offs[i] + (1U << h->size) > PKT_LINE_BYTES) return "access beyond its line";
  return NULL;
}

/* ---- data ---- */

/* Byte of its line that a thread accesses. */
static unsigned offset_of(const pkt_hdr_t *h, unsigned thread) {
  return h->aligned ? thread << h->size : h->offs[thread];
}

/* 64-byte bursts of an access: one for each half of the line that it touches. */
static unsigned bursts_of(const pkt_hdr_t *h) {
  if (h->type != PKT_RDF && h->type != PKT_WRITE) return 2;
  unsigned halves = 0, half = PKT_LINE_BYTES / 2;
  for (uint32_t left = (uint32_t)h->mask; left; left &= left - 1) {
    unsigned at = offset_of(h, (unsigned)__builtin_ctz(left));
    halves |= 1U << at / half | 1U << (at + (1U << h->size) - 1) / half;
  }
  return halves == 3 ? 2 : 1;
}

/* RDF: each thread's bytes of the line, zero-extended, into the packet. */
static void gather_words(packet_t *p, const uint8_t *line) {
  memset(p->data[0], 0, sizeof p->data[0]);
  for (uint32_t left = (uint32_t)p->hdr.mask; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    memcpy(&p->data[0][i], line + offset_of(&p->hdr, i), 1U << p->hdr.size);
  }
}

/* WRITE: each thread's bytes of the packet into the line, ascending. */
static void scatter_words(const packet_t *p, uint8_t *line) {
  for (uint32_t left = (uint32_t)p->hdr.mask; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    memcpy(line + offset_of(&p->hdr, i), &p->data[0][i], 1U << p->hdr.size);
  }
}

/* ---- responses ---- */

/* Packets with which a vault answers a request, at most: an NSU's write is acknowledged and
 * invalidates. */
static unsigned num_responses(const packet_t *p) {
  return p->hdr.type == PKT_WRITE && p->src != GPU_ID && !p->quiet ? 2 : 1;
}

/* Into the list of its way out: the GPU link, a unit, or the vault's port of the network. */
static void queue_response(mem_stack_t *s, packet_t *p) {
  unsigned list = LIST_NET + (s->ports.network ? network_vault_port(s->ports.network, p) : 0);
  if (p->dst == GPU_ID && !s->far) list = LIST_GPU;
  else if (p->dst == s->config.id) list = LIST_UNIT + p->dst_unit % UNITS;
  s->stats.responses[p->hdr.type]++;
  s->inside++;
  s->lists |= 1U << list;
  append_to_list(&s->list[list], p);
}

/* An INVAL to the GPU for an NSU's write. */
static void queue_invalidation(mem_stack_t *s, const packet_t *write) {
  packet_t *p = packet_new(s->ports.pool, PKT_INVAL);
  if (!p) {
    report_packet(s, "out of memory for an invalidation", write);
    s->vault[stack_vault_of(write->hdr.addr)].held--;
    return;
  }
  p->hdr = write->hdr;
  p->born = write->born;
  p->hdr.type = PKT_INVAL;
  p->src = (uint16_t)s->config.id;
  p->dst = GPU_ID;
  queue_response(s, p);
}

/* Out of memory is a fault, but the write is acknowledged all the same. */
static void write_line(mem_stack_t *s, packet_t *p) {
  uint8_t *line = memory_image_line_to_write(s->ports.image, p->hdr.addr);
  if (line) scatter_words(p, line);
  else report_packet(s, "out of memory for a page", p);
  if (p->src != GPU_ID && !p->quiet) queue_invalidation(s, p);
}

/* The type of a vault request's response. */
static unsigned response_of(unsigned request) {
  switch (request) {
  case PKT_READ: return PKT_READ_RESP;
  case PKT_RDF: return PKT_RDF_RESP;
  case PKT_WRITE: return PKT_WRITE_ACK;
  case PKT_IFETCH: return PKT_IFILL;
  default: return PKT_CFILL;
  }
}

/* A request's DRAM access has ended: data move, and the request becomes its response. */
static void complete_access(mem_stack_t *s, packet_t *p) {
  pkt_hdr_t *h = &p->hdr;
  const uint8_t *line = memory_image_line(s->ports.image, h->addr);
  s->stats.served[h->type]++;
  s->inside--;
  if (h->type == PKT_WRITE) write_line(s, p);
  else if (h->type == PKT_RDF) gather_words(p, line);
  else memcpy(p->data[0], line, PKT_LINE_BYTES);
  p->dst = h->type == PKT_RDF ? (uint16_t)h->target : p->src;
  p->dst_unit = h->type == PKT_RDF ? p->target_unit : p->src_unit;
  p->src = (uint16_t)s->config.id;
  h->type = response_of((unsigned)h->type);
  queue_response(s, p);
}

/* ---- the DRAM's clock ---- */

/* A request enters its vault; the packet comes back as `user`. */
static void vault_feed(vault_t *v, unsigned row_lines, packet_t *p, uint64_t now) {
  stack_place_t at = stack_place(p->hdr.addr, row_lines);
  vault_request_t r = {.column = at.line,
                       .row = at.row,
                       .bank = (uint16_t)at.bank,
                       .bursts = (uint8_t)bursts_of(&p->hdr),
                       .write = p->hdr.type == PKT_WRITE,
                       .user = p};
  vault_push(v, &r, now);
}

/* One tCK of a vault: what has ended, then one request from its wait list. */
static void vault_tick(mem_stack_t *s, unsigned i, uint64_t now) {
  vault_t *v = &s->dram[i];
  packet_list_t *wait = &s->vault[i].wait;
  vault_done_t done;
  vault_advance(v, now);
  while (vault_pop(v, now, &done)) complete_access(s, done.user);
  if (wait->head && vault_can_push(v)) vault_feed(v, s->config.row_lines, take_from_list(wait), now);
  bool feed = wait->head && vault_can_push(v);
  if (feed) s->next[i] = now + 1;
  else s->next[i] = vault_idle(v) ? VAULT_NEVER : vault_next_event(v);
}

void mem_stack_tick_dram(mem_stack_t *s, uint64_t now) {
  if (!s->inside) return;
  for (unsigned i = 0; i < STACK_VAULTS; i++)
    if (s->next[i] <= now) vault_tick(s, i, now);
}

/* ---- the switch ---- */

/* The packet at a source's head; NULL: none. */
static packet_t *peek_source(const mem_stack_t *s, unsigned source) {
  if (source >= FROM_VAULTS) return s->list[source - FROM_VAULTS].head;
  if (source >= FROM_NET) {
    unsigned port = (source - FROM_NET) / 2;
    return port < s->net_ports ? network_peek(s->ports.network, s->config.id, port, source % 2) : NULL;
  }
  const unsigned unit = (source - FROM_UNIT) / 2;
  if (source >= FROM_UNIT) return unit < s->ports.units ? link_peek(&s->ports.unit[unit].from_nsu, source % 2) : NULL;
  return link_peek(s->ports.from_gpu, source % 2);
}

/* The packet gets its unit's number here, as a unit does not know which one it is. */
static packet_t *pop_unit(const mem_stack_t *s, unsigned unit, unsigned cls) {
  packet_t *p = link_pop(&s->ports.unit[unit].from_nsu, cls);
  if (p) p->src_unit = (uint8_t)unit;
  return p;
}

/* A response that leaves makes room in its vault. */
static packet_t *pop_from_source(mem_stack_t *s, unsigned source) {
  s->offer[source].packet = NULL;
  if (source >= FROM_VAULTS) {
    packet_list_t *l = &s->list[source - FROM_VAULTS];
    packet_t *p = take_from_list(l);
    if (!l->head) s->lists &= ~(1U << (source - FROM_VAULTS));
    s->vault[stack_vault_of(p->hdr.addr)].held--;
    s->inside--;
    return p;
  }
  if (source >= FROM_NET) return network_pop(s->ports.network, s->config.id, (source - FROM_NET) / 2, source % 2);
  return source >= FROM_UNIT ? pop_unit(s, (source - FROM_UNIT) / 2, source % 2)
                             : link_pop(s->ports.from_gpu, source % 2);
}

/* Sources that may have a packet, a bit each: a quick way not to look at all of them. */
static uint64_t candidate_sources(const mem_stack_t *s) {
  uint64_t set = (uint64_t)s->lists << FROM_VAULTS;
  if (s->ports.network) set |= (uint64_t)network_ready(s->ports.network, s->config.id) << FROM_NET;
  if (!link_idle(s->ports.from_gpu)) set |= UINT64_C(3) << FROM_GPU;
  for (unsigned u = 0; u < s->ports.units; u++)
    if (!link_idle(&s->ports.unit[u].from_nsu)) set |= UINT64_C(3) << (FROM_UNIT + 2 * u);
  return set;
}

/* The port of the network by which a packet leaves the stack. Each list of responses has its
 * own. */
static unsigned net_port(const mem_stack_t *s, unsigned source, const packet_t *p) {
  if (source >= FROM_VAULTS + LIST_NET) return source - FROM_VAULTS - LIST_NET;
  return network_unit_port(s->ports.network, p);
}

/* Where a packet goes next; NOWHERE: *fault says why. */
static int output_of(const mem_stack_t *s, unsigned source, const packet_t *p, const char **fault) {
  unsigned type = (unsigned)p->hdr.type, dst = p->dst;
  int cls = packet_class(p);
  *fault = cls < 0 ? "unknown packet type" : NULL;
  if (cls < 0) return NOWHERE;
  if (dst == GPU_ID && !s->far) return TO_GPU + cls;
  if (dst != s->config.id) {
    bool reachable = s->ports.network && network_reaches(s->ports.network, dst);
    if (!reachable) *fault = "no way to the stack";
    const unsigned port = reachable ? net_port(s, source, p) : 0;
    return reachable ? TO_NET + 2 * (int)port + cls : NOWHERE;
  }
  switch (type) {
  case PKT_READ:
  case PKT_RDF:
  case PKT_WRITE:
  case PKT_IFETCH:
  case PKT_CFETCH:
    *fault = vault_request_fault(s, p);
    return *fault ? NOWHERE : TO_VAULT + (int)stack_vault_of(p->hdr.addr);
  case PACKET_OWN:
  case PKT_READ_RESP:
  case PKT_CMD:
  case PKT_WTA:
  case PKT_RDF_RESP:
  case PKT_WRITE_ACK:
  case PKT_IFILL:
  case PKT_CFILL:
    if (p->dst_unit >= s->ports.units) *fault = "no such part on the logic layer";
    return *fault ? NOWHERE : TO_UNIT + 2 * p->dst_unit + cls;
  default: *fault = "packet type that no stack receives"; return NOWHERE;
  }
}

/* A vault needs room to wait and room for all responses of the request. */
static bool output_has_room(const mem_stack_t *s, int output, const packet_t *p) {
  if (output >= TO_VAULT) {
    const stack_vault_t *v = &s->vault[output - TO_VAULT];
    return v->wait.count < s->config.wait_packets && v->held + num_responses(p) <= s->config.hold_packets;
  }
  unsigned cls = (unsigned)output % 2;
  if (output >= TO_NET) return network_can_push(s->ports.network, s->config.id, (unsigned)(output - TO_NET) / 2, cls);
  return link_can_push(output >= TO_UNIT ? &s->ports.unit[(output - TO_UNIT) / 2].to_nsu : s->ports.to_gpu, cls);
}

static void push_to_output(mem_stack_t *s, int output, packet_t *p) {
  if (output >= TO_VAULT) {
    stack_vault_t *v = &s->vault[output - TO_VAULT];
    v->held += num_responses(p);
    s->inside++;
    append_to_list(&v->wait, p);
    s->next[output - TO_VAULT] = 0; /* at the next tick */
  } else if (output >= TO_NET) {
    network_push(s->ports.network, s->config.id, (unsigned)(output - TO_NET) / 2, p);
  } else {
    link_push(output >= TO_UNIT ? &s->ports.unit[(output - TO_UNIT) / 2].to_nsu : s->ports.to_gpu, p);
  }
}

/* A packet that can go nowhere. */
static void drop_packet(mem_stack_t *s, unsigned source, const char *fault) {
  packet_t *p = pop_from_source(s, source);
  report_packet(s, fault, p);
  packet_free(s->ports.pool, p);
}

/* from: sources whose packet has an output with room. Returns how many. */
static unsigned collect_offers(mem_stack_t *s, uint8_t *from) {
  unsigned offers = 0;
  for (uint64_t left = candidate_sources(s); left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    const packet_t *p = peek_source(s, i);
    offer_t *o = &s->offer[i];
    if (!p) continue;
    if (o->packet != p) {
      o->packet = p;
      o->output = output_of(s, i, p, &o->fault);
    }
    if (o->output == NOWHERE) drop_packet(s, i, o->fault);
    else if (output_has_room(s, o->output, p)) from[offers++] = (uint8_t)i;
  }
  return offers;
}

void mem_stack_tick(mem_stack_t *s, uint64_t now) {
  (void)now;
  uint8_t from[SOURCES], winner[OUTPUTS];
  unsigned offers = collect_offers(s, from);
  for (unsigned k = 0; k < offers; k++) winner[s->offer[from[k]].output] = SOURCES;
  for (unsigned k = 0; k < offers; k++) {
    int output = s->offer[from[k]].output;
    unsigned best = winner[output], turn = s->turn[output];
    if (best == SOURCES || (from[k] + SOURCES - turn) % SOURCES < (best + SOURCES - turn) % SOURCES)
      winner[output] = from[k];
  }
  for (unsigned k = 0; k < offers; k++) {
    int output = s->offer[from[k]].output;
    if (winner[output] != from[k]) continue;
    s->turn[output] = (uint8_t)((from[k] + 1U) % SOURCES);
    push_to_output(s, output, pop_from_source(s, from[k]));
  }
}

/* ---- looking at it ---- */

bool mem_stack_idle(const mem_stack_t *s) {
  if (s->inside) return false;
  for (uint64_t left = candidate_sources(s); left; left &= left - 1)
    if (peek_source(s, (unsigned)__builtin_ctzll(left))) return false;
  return true;
}

unsigned mem_stack_held(const mem_stack_t *s) {
  return s->inside;
}

const mem_stack_stats_t *mem_stack_stats(const mem_stack_t *s) {
  return &s->stats;
}

vault_stats_t mem_stack_vault_stats(const mem_stack_t *s) {
  vault_stats_t sum = {0};
  for (unsigned i = 0; i < STACK_VAULTS; i++) vault_stats_add(&sum, &s->dram[i].stats);
  return sum;
}

const trouble_t *mem_stack_fault(const mem_stack_t *s) {
  return s->fault.kind ? &s->fault : NULL;
}

/* Names for mem_stack_describe_waits. */
static void output_name(char *name, size_t size, int output) {
  if (output >= TO_VAULT) snprintf(name, size, "vault %d", output - TO_VAULT);
  else if (output >= TO_NET) snprintf(name, size, "network port %d class %d", (output - TO_NET) / 2, output % 2);
  else if (output >= TO_UNIT) snprintf(name, size, "unit %d class %d", (output - TO_UNIT) / 2, output % 2);
  else snprintf(name, size, "GPU link class %d", output % 2);
}

static void source_name(char *name, size_t size, unsigned source) {
  if (source >= FROM_VAULTS) snprintf(name, size, "vaults' responses");
  else if (source >= FROM_NET) snprintf(name, size, "network port %u class %u", (source - FROM_NET) / 2, source % 2);
  else if (source >= FROM_UNIT) snprintf(name, size, "unit %u class %u", (source - FROM_UNIT) / 2, source % 2);
  else snprintf(name, size, "GPU link class %u", source % 2);
}

size_t mem_stack_describe_waits(const mem_stack_t *s, char *text, size_t size) {
  size_t used = 0;
  char from[48], to[48];
  const char *fault;
  if (size) *text = 0;
  for (unsigned i = 0; i < SOURCES; i++) {
    const packet_t *p = peek_source(s, i);
    if (!p) continue;
    int output = output_of(s, i, p, &fault);
    source_name(from, sizeof from, i);
    if (output == NOWHERE) snprintf(to, sizeof to, "nothing: %s", fault);
    else output_name(to, sizeof to, output);
    describe_add(text, size, &used, "stack %u: from %s: %s waits for %s (%s)\n", s->config.id, from,
                 packet_type_name((unsigned)p->hdr.type), to,
                 output != NOWHERE && output_has_room(s, output, p) ? "has room" : "full");
  }
  for (unsigned i = 0; i < STACK_VAULTS; i++) {
    const stack_vault_t *v = &s->vault[i];
    if (v->held)
      describe_add(text, size, &used, "stack %u vault %u: %u wait to enter, %u queued, %u responses owed\n",
                   s->config.id, i, v->wait.count, vault_queued(&s->dram[i]), v->held);
  }
  return used;
}
