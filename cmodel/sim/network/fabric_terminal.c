/* SPDX-License-Identifier: Apache-2.0
 *
 * Terminals: source queues, VC choice, injection; ejection, checks, credits.
 *
 *    fabric_send -> queue, by class -> record, VC -> flits, one a cycle -> injection wire
 *    receive <- tail <- check_flit <- ejection wire;    credits -> the router
 *
 * A terminal has one packet a class under way. It sends one flit a cycle, classes by turns. A
 * packet starts on the next normal VC of its class that has a credit, and as many VCs above it as
 * there are datelines on its way. With priority buffers a
 * packet that is not divergent takes its class's priority buffer if that has a credit, by the
 * rule that routers follow (rtl/router/README.md, "VC allocation").
 */
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "fabric_internal.h"

/* ---- making them ---- */

bool fabric_terminals_init(fabric_t *f) {
  const topology_t *t = f->config.topology;
  f->free_record = NO_RECORD;
  f->visiting = NO_TERMINAL;
  for (unsigned vc = 0; vc < f->vcs; vc++) {
    f->depth[vc] = (uint8_t)router_vc_depth(&f->config.router, vc);
    f->vc_class[vc] = (uint8_t)router_vc_class(&f->config.router, vc);
  }
  if (!(f->terminal = calloc(t->terminals, sizeof *f->terminal))) return false;
  for (unsigned i = 0; i < t->terminals; i++) {
    terminal_t *m = &f->terminal[i];
    m->router = t->terminal[i].router;
    m->port = t->terminal[i].port;
    for (unsigned c = 0; c < 2; c++) {
      m->record[c] = NO_RECORD;
      m->last[c] = (uint8_t)(c % f->classes * f->vcs_class + f->vcs_class - 1);
    }
    memcpy(m->credits, f->depth, sizeof m->credits);
  }
  return true;
}

void fabric_terminals_free(fabric_t *f) {
  for (unsigned i = 0; f->terminal && i < f->config.topology->terminals; i++)
    for (unsigned c = 0; c < 2; c++) free(f->terminal[i].queue[c].packet);
  free(f->terminal);
  free(f->record);
}

/* ---- ways ---- */

/* A packet's number of a destination in the route tables. */
static unsigned address_of(const fabric_t *f, const fabric_packet_t *p) {
  return routes_address(f->config.routes, p->source, p->dest);
}

/* Datelines on the way of a flow. */
static unsigned datelines_of(const fabric_t *f, unsigned source, unsigned dest) {
  const routes_t *routes = f->config.routes;
  if (!routes->datelines) return 0;
  return routes_datelines(routes, f->terminal[source].router, routes_address(routes, source, dest));
}

unsigned fabric_flow_vc(const fabric_t *f, unsigned source, unsigned dest, unsigned cls, unsigned path) {
  return cls * f->vcs_class + path % (f->vcs_class - datelines_of(f, source, dest));
}

/* ---- source queues ---- */

/* Twice the room, oldest packet first. */
static bool queue_grow(queue_t *q) {
  uint32_t room = q->room ? 2 * q->room : 4;
  fabric_packet_t *packet = malloc(room * sizeof *packet);
  if (!packet) return false;
  for (uint32_t i = 0; i < q->count; i++) packet[i] = q->packet[(q->first + i) & (q->room - 1)];
  free(q->packet);
  *q = (queue_t){packet, 0, q->count, room};
  return true;
}

/* A packet that cannot be sent is a fault of the caller. */
static bool check_packet(fabric_t *f, unsigned terminal, const fabric_packet_t *p) {
  const char *wrong = NULL;
  if (p->dest >= f->config.topology->terminals) wrong = "a packet's destination does not exist";
  else if (p->flits < 1 || p->flits > FABRIC_MAX_FLITS) wrong = "a packet should have 1 to 1023 flits";
  else if (p->cls >= f->classes) wrong = "a packet's class does not exist";
  else if (p->vc != FABRIC_ANY_VC && (p->vc >= f->vcs || f->vc_class[p->vc] != p->cls))
    wrong = "a packet's VC is not of its class";
  else if (p->vc != FABRIC_ANY_VC && p->vc % f->vcs_class + datelines_of(f, terminal, p->dest) >= f->vcs_class &&
           p->vc < (unsigned)f->config.router.NumVCs)
    wrong = "a packet's VC has too few above it for the datelines on its way";
  return !wrong || !trouble_fail(&f->fault, TROUBLE_BROKEN, "%s", wrong);
}

void fabric_send(fabric_t *f, unsigned terminal, const fabric_packet_t *packet) {
  if (!check_packet(f, terminal, packet)) return;
  queue_t *q = &f->terminal[terminal].queue[packet->cls];
  if (q->count == q->room && !queue_grow(q)) {
    trouble_fail(&f->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return;
  }
  fabric_packet_t *p = &q->packet[(q->first + q->count++) & (q->room - 1)];
  *p = *packet;
  p->source = (uint16_t)terminal;
  f->terminal[terminal].packets++;
  f->stats.sent++;
  if (terminal != f->visiting) numbers_add(&f->sending[f->now & 1], terminal);
}

uint64_t fabric_waiting(const fabric_t *f, unsigned terminal, unsigned cls) {
  const terminal_t *t = &f->terminal[terminal];
  return t->queue[cls].count + (t->record[cls] != NO_RECORD);
}

/* ---- records of packets on their way ---- */

/* The number of a free record; NO_RECORD: out of memory, or too many. */
static uint32_t record_new(fabric_t *f) {
  if (f->free_record == NO_RECORD) {
    uint32_t more = f->records ? f->records : 64;
    record_t *grown = f->records + more <= MAX_RECORDS ? realloc(f->record, (f->records + more) * sizeof *grown) : NULL;
    if (!grown) return NO_RECORD;
    f->record = grown;
    memset(grown + f->records, 0, more * sizeof *grown);
    for (uint32_t i = f->records + more; i-- > f->records; f->free_record = i) grown[i].next_free = f->free_record;
    f->records += more;
  }
  uint32_t number = f->free_record;
  f->free_record = f->record[number].next_free;
  return number;
}

static void record_drop(fabric_t *f, uint32_t number) {
  f->record[number].used = false;
  f->record[number].next_free = f->free_record;
  f->free_record = number;
}

/* ---- injection ---- */

/* The VC that a packet starts on; FABRIC_ANY_VC: none has a credit now. */
static unsigned choose_vc(const fabric_t *f, const terminal_t *t, const fabric_packet_t *p) {
  if (p->vc != FABRIC_ANY_VC) return t->credits[p->vc] ? p->vc : FABRIC_ANY_VC;
  unsigned priority = (unsigned)f->config.router.NumVCs + p->cls, first = p->cls * f->vcs_class, last = t->last[p->cls];
  if (f->config.router.Tr && !p->div && t->credits[priority]) return priority;
  const unsigned vcs = f->vcs_class - datelines_of(f, p->source, p->dest);
  for (unsigned i = 0; i < vcs; i++) {
    last = last + 1 >= first + vcs ? first : last + 1;
    if (t->credits[last]) return last;
  }
  return FABRIC_ANY_VC;
}

/* Takes a class's first packet from the queue. False: no VC has a credit. */
static bool begin_packet(fabric_t *f, terminal_t *t, unsigned cls) {
  queue_t *q = &t->queue[cls];
  fabric_packet_t *p = &q->packet[q->first & (q->room - 1)];
  unsigned vc = choose_vc(f, t, p);
  if (vc == FABRIC_ANY_VC) return false;
  uint32_t number = record_new(f);
  if (number == NO_RECORD) {
    trouble_fail(&f->fault, TROUBLE_ENVIRONMENT, "out of memory");
    return false;
  }
  f->record[number] = (record_t){.packet = *p, .router = t->router, .port = t->port, .vc = (uint8_t)vc, .used = true};
  q->first = (q->first + 1) & (q->room - 1);
  q->count--;
  if (vc < (unsigned)f->config.router.NumVCs) t->last[cls] = (uint8_t)vc;
  t->record[cls] = number;
  t->sent[cls] = 0;
  t->vc[cls] = (uint8_t)vc;
  f->in_flight++;
  return true;
}

/* Word `word` of a flit, a function of record and index, which lie above the header. */
static uint64_t payload_word(uint64_t above, unsigned word) {
  return (above >> INDEX_LSB) * UINT64_C(0x9e3779b97f4a7c15) + word;
}

/* The next flit of the packet under way, on the injection wire of the next cycle. */
static void send_flit(fabric_t *f, terminal_t *t, unsigned cls) {
  uint64_t flit[MAX_FLIT_WORDS];
  uint32_t number = t->record[cls];
  const fabric_packet_t *p = &f->record[number].packet;
  unsigned index = t->sent[cls]++;
  bool tail = t->sent[cls] == p->flits;
  uint64_t above = (uint64_t)number << RECORD_LSB | (uint64_t)index << INDEX_LSB;
  flit[0] = above | FLIT_AT(head, index == 0) | FLIT_AT(tail, tail) | FLIT_AT(div, p->div) | FLIT_AT(vc, t->vc[cls]) |
            FLIT_AT(dest, address_of(f, p)) | FLIT_AT(user, (number + index) & 63);
  if (f->config.router.Lookahead) flit[0] |= FLIT_AT(route, routes_port(f->config.routes, t->router, address_of(f, p)));
  for (unsigned w = 1; w < f->at.flit_words; w++) flit[w] = payload_word(above, w);
  t->credits[t->vc[cls]]--;
  if (tail) t->record[cls] = NO_RECORD, t->packets--;
  fabric_put_flit(f, f->now + 1, t->router, t->port, flit);
  f->stats.sent_flits++;
}

/* The class could send a flit in a cycle that brings nothing new. */
static bool can_send(const fabric_t *f, const terminal_t *t, unsigned cls) {
  const queue_t *q = &t->queue[cls];
  if (t->record[cls] != NO_RECORD) return t->credits[t->vc[cls]];
  return q->count && choose_vc(f, t, &q->packet[q->first & (q->room - 1)]) != FABRIC_ANY_VC;
}

/* False: the class has no flit that can go. */
static bool inject_flit(fabric_t *f, terminal_t *t, unsigned cls) {
  if (t->record[cls] == NO_RECORD && (!t->queue[cls].count || !begin_packet(f, t, cls))) return false;
  if (!t->credits[t->vc[cls]]) return false;
  send_flit(f, t, cls);
  t->turn = (uint8_t)(cls + 1 == f->classes ? 0 : cls + 1);
  return true;
}

/* ---- ejection ---- */

/* What is wrong with a flit that has arrived; NULL: nothing. */
static const char *check_flit(const fabric_t *f, const record_t *r, unsigned terminal, const uint64_t *flit,
                              unsigned vc) {
  uint64_t above = *flit >> INDEX_LSB << INDEX_LSB;
  unsigned index = (unsigned)(*flit >> INDEX_LSB & ((1U << INDEX_BITS) - 1));
  if (r->packet.dest != terminal) return "it is another terminal's";
  if (vc >= f->vcs || f->vc_class[vc] != r->packet.cls) return "its VC is not of its class";
  if (index != r->next) return "it is not the flit that should come next";
  if (FLIT_GET(*flit, head) != (index == 0) || FLIT_GET(*flit, tail) != (index + 1U == r->packet.flits))
    return "its head or tail flag is wrong";
  if (FLIT_GET(*flit, user) != ((fabric_record_of(*flit) + index) & 63)) return "its payload has changed";
  for (unsigned w = 1; w < f->at.flit_words; w++)
    if (flit[w] != payload_word(above, w)) return "its payload has changed";
  if (index && vc != r->packet.vc) return "its VC is not its packet's";
  if (f->config.router.KeepVC && vc != r->vc + datelines_of(f, r->packet.source, r->packet.dest))
    return "its packet has changed its VC";
  return NULL;
}

/* The tail has come. */
static void complete_packet(fabric_t *f, uint32_t number) {
  fabric_packet_t packet = f->record[number].packet;
  record_drop(f, number);
  f->in_flight--;
  f->stats.received++;
  f->stats.last_move = f->now;
  if (f->config.receive) f->config.receive(f->config.context, &packet, f->now);
}

/* A credit may go back as long as the router then holds no more of them than there is room in
 * the sink. */
static void update_due(const fabric_t *f, terminal_t *t, unsigned vc) {
  unsigned depth = f->depth[vc], out = depth - t->owed[vc], room = f->config.sink_flits - t->stored[vc];
  bool due = t->owed[vc] && (!f->config.sink_flits || out < room);
  t->due = (t->due & ~(1U << vc)) | (uint32_t)due << vc;
}

/* A flit is in the sink: its credit is owed. */
static void store_flit(const fabric_t *f, terminal_t *t, unsigned vc) {
  t->owed[vc]++;
  if (f->config.sink_flits) t->stored[vc]++;
  update_due(f, t, vc);
}

/* The flit on the ejection wire; the wire is empty then. */
static void eject_flit(fabric_t *f, unsigned terminal, uint64_t *flit) {
  uint32_t number = fabric_record_of(*flit);
  unsigned vc = (unsigned)FLIT_GET(*flit, vc);
  record_t *r = number < f->records && f->record[number].used ? &f->record[number] : NULL;
  const char *wrong = r ? check_flit(f, r, terminal, flit, vc) : "it belongs to no packet";
  if (wrong)
    trouble_fail(&f->fault, TROUBLE_BROKEN, "cycle %llu: terminal %u received a wrong flit: %s",
                 (unsigned long long)f->now, terminal, wrong);
  bool tail = FLIT_GET(*flit, tail);
  if (r && !r->next) r->packet.vc = (uint8_t)vc, r->packet.hops = (uint8_t)FLIT_GET(*flit, hops);
  *flit = 0;
  f->stats.received_flits++;
  if (vc < f->vcs) store_flit(f, &f->terminal[terminal], vc);
  if (!r) return;
  r->next++;
  if (tail) complete_packet(f, number);
}

void fabric_release(fabric_t *f, unsigned terminal, unsigned vc, unsigned flits) {
  terminal_t *t = &f->terminal[terminal];
  t->stored[vc] = (uint16_t)(t->stored[vc] - flits);
  update_due(f, t, vc);
  if (terminal != f->visiting) numbers_add(&f->sending[f->now & 1], terminal);
}

/* One credit a cycle, of the lowest VC that is due. */
static void send_credit(fabric_t *f, terminal_t *t) {
  unsigned vc = (unsigned)__builtin_ctz(t->due);
  t->owed[vc]--;
  update_due(f, t, vc);
  fabric_put_credit(f, f->now, t->router, t->port, vc);
}

/* ---- a cycle ---- */

/* One flit of the class whose turn it is, or of the other. True: another could go in the next
 * cycle. */
static bool send_packets(fabric_t *f, terminal_t *t) {
  bool more = false;
  for (unsigned i = 0, cls = t->turn; i < f->classes; i++, cls = cls + 1 == f->classes ? 0 : cls + 1)
    if (inject_flit(f, t, cls)) break;
  for (unsigned cls = 0; t->packets && cls < f->classes; cls++) more |= can_send(f, t, cls);
  return more;
}

/* Credit and flit that have come, then what goes; a terminal with more to do acts in the next
 * cycle. */
static void terminal_cycle(fabric_t *f, unsigned terminal) {
  terminal_t *t = &f->terminal[terminal];
  uint8_t *credit = &f->credit[f->now & 1][terminal];
  uint64_t *flit = f->eject[f->now & 1] + (size_t)terminal * f->at.flit_words;
  if (*credit) t->credits[*credit - 1]++;
  *credit = 0;
  if (*flit) eject_flit(f, terminal, flit);
  if (t->due) send_credit(f, t);
  bool more = t->due;
  if (t->packets) more |= send_packets(f, t);
  if (more) numbers_add(&f->sending[(f->now + 1) & 1], terminal);
}

void fabric_terminals_cycle(fabric_t *f) {
  numbers_t *sending = &f->sending[f->now & 1];
  while (sending->used) {
    f->visiting = numbers_take(sending, f->config.backwards);
    terminal_cycle(f, f->visiting);
  }
  f->visiting = NO_TERMINAL;
}
