/* SPDX-License-Identifier: Apache-2.0
 *
 * Automatic points. Each watched port has POINTS entries in the list of counts, in the order of the
 * enum:
 *
 *   seen     high                            held    high while its partner is low
 *   again    high in two cycles in a row     taken   high together with its partner
 *   later    high again after a low cycle
 *
 * Of a port that qualifies with a ! alone, low counts as high: !empty.seen.
 */
#include "cover_auto.h"

#include "dut_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points of one port, in this order. HELD and TAKEN exist only with a partner. */
enum { SEEN, AGAIN, LATER, HELD, TAKEN, POINTS };
/* State bits of one port: seen at all, high in the last cycle, high in any cycle. */
enum { ANY = 1, HIGH = 2, WAS_HIGH = 4 };

/* The 1-bit port whose name is the first n characters of `name` and then `end`; NULL: none. */
static const dut_port_t *find_bit_port(const dut_t *dut, const char *name, size_t n, const char *end) {
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (strncmp(p->name, name, n) == 0 && strcmp(p->name + n, end) == 0 && p->width == 1) return p;
  }
  return NULL;
}

/* Adds a port. The partner of X_valid is X_ready or else X_take, in the opposite direction. */
static void add_valid_port(cover_auto_t *a, const dut_t *dut, const dut_port_t *port) {
  cover_valid_t *v = &a->valids[a->num_valids++];
  size_t n = strlen(port->name);
  *v = (cover_valid_t){port->offset, UINT32_MAX, port->dir == DUT_IN, false, false, port->name};
  v->low = dut_qualifies(dut, port) == DUT_INVERTED;
  if (n < 6 || strcmp(port->name + n - 6, "_valid")) return;
  const dut_port_t *partner = find_bit_port(dut, port->name, n - 5, "ready");
  if (!partner) partner = find_bit_port(dut, port->name, n - 5, "take");
  if (!partner || (partner->dir == DUT_IN) == v->in) return;
  v->partner = partner->offset;
  v->partner_in = partner->dir == DUT_IN;
}

bool cover_auto_open(cover_auto_t *a, const dut_t *dut) {
  *a = (cover_auto_t){.valids = calloc(dut->num_ports + 1, sizeof *a->valids), .state = calloc(dut->num_ports + 1, 1)};
  if (!a->valids || !a->state) return false;
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->shape == DUT_SCALAR && p->width == 1 && !p->valid && (p->dir == DUT_PROBE || dut_qualifies(dut, p)))
      add_valid_port(a, dut, p);
  }
  a->num_points = a->num_valids * POINTS;
  return true;
}

void cover_auto_close(cover_auto_t *a) {
  free(a->valids);
  free(a->state);
}

void cover_auto_reset(cover_auto_t *a) {
  memset(a->state, 0, a->num_valids);
}

/* The value of a 1-bit port, a uint64_t in its struct. */
static bool bit_value(const void *in, const void *out, bool is_in, uint32_t offset) {
  return *(const uint64_t *)((const char *)(is_in ? in : out) + offset);
}

void cover_auto_cycle(cover_auto_t *a, const void *in, const void *out, uint32_t *counts) {
  for (unsigned i = 0; i < a->num_valids; i++, counts += POINTS) {
    const cover_valid_t *v = &a->valids[i];
    const bool now = bit_value(in, out, v->in, v->offset) != v->low;
    const uint8_t was = a->state[i];
    if (now) {
      counts[SEEN]++;
      counts[AGAIN] += !!(was & HIGH);
      counts[LATER] += (was & WAS_HIGH) && !(was & HIGH);
      if (v->partner != UINT32_MAX) counts[bit_value(in, out, v->partner_in, v->partner) ? TAKEN : HELD]++;
    }
    a->state[i] = (uint8_t)(ANY | (now ? HIGH | WAS_HIGH : was & WAS_HIGH));
  }
}

/* HELD and TAKEN of a port without a partner are no points. */
static bool applies(const cover_auto_t *a, unsigned point) {
  return point % POINTS < HELD || a->valids[point / POINTS].partner != UINT32_MAX;
}

const char *cover_auto_name(const cover_auto_t *a, unsigned point, char *buf, size_t size) {
  static const char *const names[] = {"seen", "again", "later", "held", "taken"};
  snprintf(buf, size, "%s%s.%s", a->valids[point / POINTS].low ? "!" : "", a->valids[point / POINTS].name,
           names[point % POINTS]);
  return applies(a, point) ? buf : NULL;
}

const char *cover_auto_text(const cover_auto_t *a, unsigned point) {
  static const char *const texts[] = {"it is high", "high in two cycles in a row", "high again after a low cycle",
                                      "high while its partner is low", "high together with its partner"};
  static const char *const lows[] = {"it is low", "low in two cycles in a row", "low again after a high cycle",
                                     "low while its partner is low", "low while its partner is high"};
  if (a->valids[point / POINTS].low) return lows[point % POINTS];
  return texts[point % POINTS];
}
