/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules that only a whole composition can break: how many there are of each part, that each port is
 * linked as often as it must, that each clock exists.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "composition.h"
#include "one_line.h"
#include "part.h"

static bool wrong_at(const composition_t *c, composition_place_t at, trouble_t *trouble, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Bad input at a place of the file; always false. */
static bool wrong_at(const composition_t *c, composition_place_t at, trouble_t *trouble, const char *format, ...) {
  char what[TROUBLE_TEXT];
  va_list values;
  va_start(values, format);
  line_vprintf(what, sizeof what, format, values);
  va_end(values);
  return trouble_set(trouble, TROUBLE_INPUT, "%s:%u:%u: %s", c->path, at.line, at.column, what);
}

/* ---- counts ---- */

/* c->parts: there is no such part. */
static unsigned find_part(const composition_t *c, const char *name) {
  unsigned i = 0;
  while (i < c->parts && strcmp(c->part[i].name, name)) i++;
  return i;
}

unsigned composition_number(const composition_t *c, unsigned part) {
  const part_kind_t *kind = c->part[part].kind;
  return kind->number ? kind->number(c, part) : c->part[part].count;
}

/* A count is a number, or the number of another part. depth ends a circle of parts that count each
 * other. */
static bool settle_count(composition_t *c, unsigned part, unsigned depth, trouble_t *trouble) {
  composition_part_t *p = &c->part[part];
  if (*p->counted >= '0' && *p->counted <= '9') {
    p->count = (unsigned)atoi(p->counted);
    return true;
  }
  const unsigned other = find_part(c, p->counted);
  if (other == c->parts) return wrong_at(c, p->place, trouble, "%s: count: no part '%s'", p->name, p->counted);
  if (depth == c->parts)
    return wrong_at(c, p->place, trouble,
                    "%s: count: parts count each other in a circle; a number in one of them would be right", p->name);
  if (!c->part[other].count && !settle_count(c, other, depth + 1, trouble)) return false;
  p->count = composition_number(c, other);
  return true;
}

static bool settle_counts(composition_t *c, trouble_t *trouble) {
  for (unsigned i = 0; i < c->parts; i++) c->part[i].count = 0;
  for (unsigned i = 0; i < c->parts; i++)
    if (!c->part[i].count && !settle_count(c, i, 0, trouble)) return false;
  return true;
}

/* ---- links ---- */

static const part_port_t *port_of(const composition_t *c, const composition_end_t *end) {
  return &c->part[end->part].kind->port[end->port];
}

/* All connections of a port; 0: as many as the other end has. */
static unsigned port_capacity(const composition_t *c, unsigned part, unsigned port) {
  const part_kind_t *kind = c->part[part].kind;
  if (!kind->port[port].many) return c->part[part].count;
  return kind->number ? kind->number(c, part) : 0;
}

/* Connections of one end of a link; 0: as many as the other end has. */
static unsigned connections_wanted(const composition_t *c, const composition_end_t *end) {
  return end->first >= 0 ? (unsigned)(end->last - end->first + 1) : port_capacity(c, end->part, end->port);
}

/* Turns "all of them" into a range, and checks that the range exists and has `size` connections. */
static bool settle_end(composition_t *c, composition_link_t *link, composition_end_t *end, unsigned size,
                       trouble_t *trouble) {
  const unsigned all = port_capacity(c, end->part, end->port), have = connections_wanted(c, end);
  const char *part = c->part[end->part].name, *port = port_of(c, end)->name;
  if (all && end->last >= (int)all)
    return wrong_at(c, link->place, trouble, "%s.%s[%d] is not there: %s.%s has %u connections", part, port, end->last,
                    part, port, all);
  if (have && have != size) {
    const composition_end_t *other = end == &link->user ? &link->offer : &link->user;
    return wrong_at(
        c, link->place, trouble,
        "%s.%s has %u connections here, %s.%s %u; ranges such as %s.%s[0-%u], or another count, would be right",
        c->part[other->part].name, port_of(c, other)->name, size, part, port, have,
        have > size ? part : c->part[other->part].name, have > size ? port : port_of(c, other)->name,
        (have > size ? size : have) - 1);
  }
  if (end->first < 0) end->first = 0, end->last = (int)size - 1;
  return true;
}

/* The user's end says how many connections a link has, else the end that offers. */
static bool settle_link(composition_t *c, composition_link_t *link, trouble_t *trouble) {
  unsigned size = connections_wanted(c, &link->user);
  if (!size) size = connections_wanted(c, &link->offer);
  if (!size || size > COMPOSITION_INSTANCES)
    return wrong_at(c, link->place, trouble, "how many connections? a range at one of the ends would be right");
  return settle_end(c, link, &link->user, size, trouble) && settle_end(c, link, &link->offer, size, trouble);
}

/* The link's end at this port. NULL: the link is of other ports. */
static const composition_end_t *end_at_port(const composition_link_t *link, unsigned part, unsigned port, bool offers) {
  const composition_end_t *end = offers ? &link->offer : &link->user;
  return end->part == part && end->port == port ? end : NULL;
}

unsigned composition_connections(const composition_t *c, unsigned part, unsigned port) {
  unsigned sum = 0;
  for (unsigned i = 0; i < c->links; i++) {
    const composition_end_t *end = end_at_port(&c->link[i], part, port, c->part[part].kind->port[port].offers);
    if (end) sum += (unsigned)(end->last - end->first + 1);
  }
  return sum;
}

/* One link a connection, unless the port is shared. Each connection needs a link, unless the port
 * is optional and not `many`. */
static bool check_port(const composition_t *c, unsigned part, unsigned port, trouble_t *trouble) {
  const part_port_t *p = &c->part[part].kind->port[port];
  const char *name = c->part[part].name;
  bool linked[COMPOSITION_INSTANCES] = {false};
  const unsigned fixed = port_capacity(c, part, port), all = fixed ? fixed : composition_connections(c, part, port);
  for (unsigned i = 0; i < c->links; i++) {
    const composition_end_t *end = end_at_port(&c->link[i], part, port, p->offers);
    for (int k = end ? end->first : 0; end && k <= end->last; k++) {
      if (linked[k] && !p->shared)
        return wrong_at(c, c->link[i].place, trouble, "%s.%s[%d] is already linked above; a port has one link", name,
                        p->name, k);
      linked[k] = true;
    }
  }
  if (!p->optional && !all)
    return wrong_at(c, c->part[part].place, trouble,
                    "%s.%s is not linked; a line such as '- %s.%s - PART.PORT' in links would be right", name, p->name,
                    name, p->name);
  for (unsigned k = 0; k < all && (!p->optional || p->many); k++)
    if (!linked[k]) return wrong_at(c, c->part[part].place, trouble, "%s.%s[%u] is not linked", name, p->name, k);
  return true;
}

/* Links first, then ports: a port is checked against all its links. */
static bool settle_links(composition_t *c, trouble_t *trouble) {
  for (unsigned i = 0; i < c->links; i++)
    if (!settle_link(c, &c->link[i], trouble)) return false;
  for (unsigned i = 0; i < c->parts; i++)
    for (unsigned port = 0; c->part[i].kind->port[port].name; port++)
      if (!check_port(c, i, port, trouble)) return false;
  return true;
}

/* Does this end (NULL: no) include the connection? */
static bool end_covers(const composition_end_t *end, unsigned connection) {
  return end && (int)connection >= end->first && (int)connection <= end->last;
}

bool composition_peer(const composition_t *c, unsigned part, unsigned port, unsigned connection, unsigned *peer,
                      unsigned *peer_port, unsigned *peer_connection) {
  const bool offers = c->part[part].kind->port[port].offers;
  for (unsigned i = 0; i < c->links; i++) {
    const composition_end_t *end = end_at_port(&c->link[i], part, port, offers),
                            *other = offers ? &c->link[i].user : &c->link[i].offer;
    if (!end_covers(end, connection)) continue;
    *peer = other->part, *peer_port = other->port;
    *peer_connection = (unsigned)(other->first + (int)connection - end->first);
    return true;
  }
  return false;
}

unsigned composition_sharers(const composition_t *c, unsigned part, unsigned port, unsigned connection) {
  unsigned sum = 0;
  for (unsigned i = 0; i < c->links; i++) sum += end_covers(end_at_port(&c->link[i], part, port, true), connection);
  return sum;
}

unsigned composition_which(const composition_t *c, unsigned part, unsigned port, unsigned connection) {
  unsigned which = 0;
  for (unsigned i = 0; i < c->links; i++) {
    const composition_end_t *user = end_at_port(&c->link[i], part, port, false), *offer = &c->link[i].offer;
    if (!end_covers(user, connection)) continue;
    const unsigned there = (unsigned)(offer->first + (int)connection - user->first);
    for (unsigned k = 0; k < i; k++)
      which += end_covers(end_at_port(&c->link[k], offer->part, offer->port, true), there);
    break;
  }
  return which;
}

/* ---- clocks ---- */

/* The frequency of a part's clock. */
double composition_mhz(const composition_t *c, unsigned part, unsigned clock) {
  const composition_domain_t *d = &c->domain[composition_domain(c, c->part[part].clock[clock])];
  return 1000.0 * (double)d->den / (double)d->num;
}

/* The number of the clock that this one is `like`. */
static unsigned followed_clock(const part_kind_t *kind, unsigned clock) {
  unsigned k = 0;
  while (strcmp(kind->clock[k].name, kind->clock[clock].like) != 0) k++;
  return k;
}

bool composition_clock_follows(const composition_t *c, unsigned part, unsigned clock) {
  const composition_part_t *p = &c->part[part];
  const part_clock_t *own = &p->kind->clock[clock];
  return own->like && composition_domain(c, own->name) == COMPOSITION_DOMAINS &&
         !strcmp(p->clock[clock], p->clock[followed_clock(p->kind, clock)]);
}

/* Clocks that the composition does not mention take the domain of the clock that they are `like`.
 */
static void settle_clocks(composition_t *c) {
  for (unsigned i = 0; i < c->parts; i++) {
    composition_part_t *p = &c->part[i];
    for (unsigned k = 0; p->kind->clock[k].name; k++) {
      const part_clock_t *own = &p->kind->clock[k];
      if (own->like && !strcmp(p->clock[k], own->name) && composition_domain(c, own->name) == COMPOSITION_DOMAINS)
        memcpy(p->clock[k], p->clock[followed_clock(p->kind, k)], sizeof p->clock[k]);
    }
  }
}

/* The domain exists, and has the frequency that the model is written for. */
static bool check_clock(const composition_t *c, unsigned part, unsigned clock, bool *used, trouble_t *trouble) {
  const composition_part_t *p = &c->part[part];
  const part_clock_t *own = &p->kind->clock[clock];
  const unsigned domain = composition_domain(c, p->clock[clock]);
  if (domain == COMPOSITION_DOMAINS)
    return wrong_at(c, p->place, trouble, "%s has no clock: clocks: {%s: %g MHz} would be right", p->name,
                    p->clock[clock], own->only_mhz > 0 ? own->only_mhz : 1000);
  used[domain] = true;
  if (own->only_mhz > 0 && composition_mhz(c, part, clock) != own->only_mhz)
    return wrong_at(c, c->domain[domain].place, trouble, "%s: %s: %s was written for %g MHz alone", p->clock[clock],
                    c->domain[domain].text, p->name, own->only_mhz);
  return true;
}

/* All clocks, no domain without a use, and one tick for all of them. */
static bool check_clocks(const composition_t *c, trouble_t *trouble) {
  bool used[COMPOSITION_DOMAINS] = {false};
  for (unsigned i = 0; i < c->parts; i++)
    for (unsigned k = 0; c->part[i].kind->clock[k].name; k++)
      if (!check_clock(c, i, k, used, trouble)) return false;
  for (unsigned d = 0; d < c->domains; d++)
    if (!used[d]) return wrong_at(c, c->domain[d].place, trouble, "no part has the clock '%s'", c->domain[d].name);
  clocks_t clocks = {0};
  for (unsigned d = 0; d < c->domains; d++) {
    clocks_add(&clocks, c->domain[d].num, c->domain[d].den);
    if (!clocks_ticks_per_ns(&clocks))
      return wrong_at(c, c->domain[d].place, trouble,
                      "%s: %s has no tick in common with the clocks above; a rounder number would be right",
                      c->domain[d].name, c->domain[d].text);
  }
  return true;
}

/* ---- all of it ---- */

/* Exactly one part runs kernels. */
static bool check_host(const composition_t *c, trouble_t *trouble) {
  unsigned hosts = 0;
  composition_place_t at = {1, 1}; /* of the last one */
  for (unsigned i = 0; i < c->parts; i++) {
    if (!c->part[i].kind->host) continue;
    hosts += c->part[i].count;
    at = c->part[i].place;
  }
  if (hosts == 1) return true;
  char names[100] = "";
  size_t used = 0;
  for (const part_kind_t *const *k = part_kinds; *k; k++)
    if ((*k)->host) used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? " or " : "", (*k)->name);
  return wrong_at(c, at, trouble, "%u parts take kernels; one part %s would be right", hosts, names);
}

/* Bad input at the part's place in the file, also where the wrong value came from elsewhere. */
static bool wrong_part(const composition_t *c, unsigned part, const trouble_t *wrong, trouble_t *trouble) {
  wrong_at(c, c->part[part].place, trouble, "%s: %s", c->part[part].name, wrong->text);
  trouble->kind = wrong->kind;
  return false;
}

bool composition_settle(composition_t *c, trouble_t *trouble) {
  trouble_t wrong = {0};
  for (unsigned i = 0; i < c->parts; i++) {
    const part_kind_t *kind = c->part[i].kind;
    if (kind->check && !kind->check(composition_kind_values(c, kind), &wrong)) return wrong_part(c, i, &wrong, trouble);
  }
  if (!settle_counts(c, trouble) || !settle_links(c, trouble)) return false;
  settle_clocks(c);
  if (!check_clocks(c, trouble) || !check_host(c, trouble)) return false;
  for (unsigned i = 0; i < c->parts; i++)
    if (c->part[i].kind->settle && !c->part[i].kind->settle(c, i, &wrong)) return wrong_part(c, i, &wrong, trouble);
  return true;
}
