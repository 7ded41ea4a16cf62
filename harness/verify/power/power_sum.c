/* SPDX-License-Identifier: Apache-2.0
 *
 * For each cell: use_pin finds the toggles of its pins, then the cell's arcs and leaks give
 * energies. A condition that cannot be read counts as always true (sum->unread).
 */
#include "power_sum.h"

#include "power_memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PINS = 256 };

typedef struct {
  const loads_pin_t *pin;
  double rises, falls, share; /* of the run; of the time at 1 */
  uint32_t count;             /* index of its net's count */
  bool counted;
} use_t;

typedef struct {
  power_sum_t *sum;
  const toggles_t *toggles;
  double seconds; /* of the run */
  const power_cell_t *cell;
  use_t uses[MOST_PINS];
  unsigned num;
} state_t;

double power_watts(const power_watt_t *w) {
  return w->internal + w->switching + w->leakage;
}

/* Adds watts of each kind. */
static void add_watts(power_watt_t *to, const power_watt_t *w) {
  to->internal += w->internal, to->switching += w->switching, to->leakage += w->leakage;
}

/* ---- pins */

/* Toggles and share of a pin. A pin on a constant has its share only; a net without a count is
 * missing. */
static void use_pin(state_t *s, use_t *u, const loads_pin_t *pin) {
  bool value;
  *u = (use_t){.pin = pin, .share = -1};
  if (loads_is_tied(pin->net, &value)) u->share = value;
  if (!*pin->net || u->share >= 0) return;
  const toggles_net_t *net = toggles_find_either(s->toggles, pin->net);
  s->sum->missing += !net;
  if (!net) return;
  const toggles_count_t *c = &s->toggles->all[net->count];
  u->counted = true, u->count = net->count, u->rises = (double)c->rises, u->falls = (double)c->falls;
  u->share = s->toggles->cycles ? (double)c->high / (2 * (double)s->toggles->cycles) : 0;
}

static use_t *find_use(state_t *s, const char *pin, size_t length) {
  for (unsigned i = 0; i < s->num; i++)
    if (strlen(s->uses[i].pin->port) == length && strncmp(s->uses[i].pin->port, pin, length) == 0) return &s->uses[i];
  return NULL;
}

/* The share of an output whose function is `is`. Below 0: the cell has none, or its net was not
 * counted. */
static double share_of_output(state_t *s, const char *is, size_t length) {
  for (const power_rule_t *r = s->cell->rules; r < s->cell->rules + s->cell->num_rules; r++) {
    const use_t *u =
        strlen(r->is) == length && strncmp(r->is, is, length) == 0 ? find_use(s, r->pin, strlen(r->pin)) : NULL;
    if (u && u->share >= 0) return u->share;
  }
  return -1;
}

/* The share of a register's state "IQ", by an output that shows the state or its opposite. 0.5:
 * unknown. */
static double share_of_state(state_t *s, const char *name, size_t length) {
  const double share = share_of_output(s, name, length);
  if (share >= 0) return share;
  for (const power_rule_t *r = s->cell->rules; r < s->cell->rules + s->cell->num_rules; r++) {
    if (*r->is != '!' || strlen(r->is + 1) != length || strncmp(r->is + 1, name, length)) continue;
    const use_t *u = find_use(s, r->pin, strlen(r->pin));
    const double opposite = u && u->share >= 0 ? u->share : share_of_output(s, r->pin, strlen(r->pin));
    if (opposite >= 0) return 1 - opposite;
  }
  return 0.5;
}

static double share_of(void *context, const char *pin, size_t length) {
  state_t *s = context;
  const use_t *u = find_use(s, pin, length);
  return u && u->share >= 0 ? u->share : share_of_state(s, pin, length);
}

/* Share of time for which a condition holds; NULL holds always. */
static double condition_share(state_t *s, const char *when) {
  const double share = when ? power_when(when, s->cell->rules, s->cell->num_rules, share_of, s) : 1;
  s->sum->unread += share < 0;
  return share < 0 ? 1 : share;
}

/* ---- energy of a pin's transitions */

/* A port "A[3]" is the pin "A[3]", and a bit of the bus "A". */
static bool is_pin(const char *port, const char *name, size_t length) {
  return strncmp(port, name, length) == 0 && (!port[length] || port[length] == '[');
}

/* What an arc's related pins have in all, "A" or "A B" or a
 * bus: toggles, transitions. None of them here: 0 pins. */
typedef struct {
  double toggles, transitions;
  unsigned pins;
} related_t;

static related_t related_of(const state_t *s, const power_arc_t *arc) {
  related_t all = {0};
  size_t n;
  for (const char *at = arc->related; *at; at += n + (at[n] == ' ')) {
    n = strcspn(at, " ");
    for (const use_t *u = s->uses; n && u < s->uses + s->num; u++)
      if (is_pin(u->pin->port, at, n))
        all.toggles += u->rises + u->falls, all.transitions += (u->pin->rise + u->pin->fall) / 2, all.pins++;
  }
  return all;
}

/* Joules of all the pin's transitions, if this arc alone caused them. */
static double arc_energy(state_t *s, const power_arc_t *arc, const use_t *u) {
  const related_t from = related_of(s, arc);
  double rise = u->pin->rise, fall = u->pin->fall;
  if (from.pins) rise = fall = from.transitions / from.pins;
  return u->rises * power_table_energy(&arc->rise, rise, u->pin->load) +
         u->falls * power_table_energy(&arc->fall, fall, u->pin->load);
}

static bool is_arc_of(const power_arc_t *arc, const use_t *u, const char *supply) {
  return is_pin(u->pin->port, arc->pin, strlen(arc->pin)) && strcmp(arc->supply, supply) == 0;
}

/* An arc without a condition has the rest that its related pin's conditional arcs leave. */
static double share_of_arc(state_t *s, const power_arc_t *arc) {
  double rest = 1;
  if (arc->when) return condition_share(s, arc->when);
  for (const power_arc_t *a = s->cell->arcs; a < s->cell->arcs + s->cell->num_arcs; a++)
    if (a->when && strcmp(a->pin, arc->pin) == 0 && strcmp(a->supply, arc->supply) == 0 &&
        strcmp(a->related, arc->related) == 0)
      rest -= condition_share(s, a->when);
  return rest > 0 ? rest : 0;
}

/* How much of the output's toggles this arc explains. */
static double arc_weight(state_t *s, const power_arc_t *arc) {
  const related_t from = related_of(s, arc);
  return (from.pins ? from.toggles : 1) * share_of_arc(s, arc);
}

/* The weighted mean of the arcs' energies, for one supply. */
static double output_energy(state_t *s, const use_t *u, const char *supply) {
  double energy = 0, weights = 0, plain = 0;
  unsigned count = 0;
  for (const power_arc_t *a = s->cell->arcs; a < s->cell->arcs + s->cell->num_arcs; a++) {
    if (!is_arc_of(a, u, supply)) continue;
    const double w = arc_weight(s, a), e = arc_energy(s, a, u);
    energy += w * e, weights += w, plain += e, count++;
  }
  if (weights > 0) return energy / weights;
  return count ? plain / count : 0;
}

/* Arcs with conditions first; then those without share what is left. */
static double input_energy(state_t *s, const use_t *u, const char *supply) {
  double energy = 0, rest = 1;
  for (bool otherwise = false;; otherwise = true) {
    for (const power_arc_t *a = s->cell->arcs; a < s->cell->arcs + s->cell->num_arcs; a++) {
      if (!is_arc_of(a, u, supply) || (a->when == NULL) != otherwise) continue;
      const double share = otherwise ? rest : condition_share(s, a->when);
      energy += share * arc_energy(s, a, u);
      if (!otherwise) rest = rest > share ? rest - share : 0;
    }
    if (otherwise) return energy;
  }
}

/* The sum over the supplies that the pin's arcs name. */
static double internal_energy(state_t *s, const use_t *u) {
  double energy = 0;
  for (const power_arc_t *a = s->cell->arcs; a < s->cell->arcs + s->cell->num_arcs; a++) {
    const power_arc_t *first = s->cell->arcs;
    if (!is_arc_of(a, u, a->supply)) continue;
    while (!is_arc_of(first, u, a->supply)) first++;
    if (first == a) energy += u->pin->output ? output_energy(s, u, a->supply) : input_energy(s, u, a->supply);
  }
  return energy;
}

/* ---- leakage */

/* Watts of one supply. A leak without a condition counts for the rest of the time. If the supply
 * has no such leak, the cell's own figure does. */
static double leakage_of(state_t *s, const char *supply) {
  const power_cell_t *c = s->cell;
  double watts = 0, rest = 1, otherwise = c->watts;
  for (const power_leak_t *l = c->leaks; l < c->leaks + c->num_leaks; l++) {
    if (strcmp(l->supply, supply)) continue;
    const double share = l->when ? condition_share(s, l->when) : 0;
    if (!l->when) otherwise = l->watts;
    watts += share * l->watts, rest -= share;
  }
  return watts + (otherwise > 0 && rest > 1e-9 ? rest * otherwise : 0);
}

/* The sum over the supplies; without any leak, the cell's own figure. */
static double cell_leakage(state_t *s) {
  const power_cell_t *c = s->cell;
  double watts = 0;
  for (const power_leak_t *l = c->leaks; l < c->leaks + c->num_leaks; l++) {
    const power_leak_t *first = c->leaks;
    while (strcmp(first->supply, l->supply)) first++;
    if (first == l) watts += leakage_of(s, l->supply);
  }
  if (c->num_leaks) return watts;
  return c->watts > 0 ? c->watts : 0;
}

/* ---- cells */

static power_watt_t sum_cell(state_t *s, const loads_t *loads, const loads_instance_t *instance) {
  power_watt_t watt = {0};
  s->num = 0;
  for (unsigned i = 0; i < instance->pins && s->num < MOST_PINS; i++)
    use_pin(s, &s->uses[s->num++], &loads->pins[instance->first + i]);
  for (unsigned i = 0; i < s->num; i++) {
    const use_t *u = &s->uses[i];
    const double toggles = u->rises + u->falls, inner = internal_energy(s, u);
    const double outer = u->pin->output ? u->pin->load * s->cell->volt * s->cell->volt / 2 * toggles : 0;
    watt.internal += inner / s->seconds, watt.switching += outer / s->seconds;
    if (u->pin->output && s->toggles->cycles) s->sum->switched += u->pin->load * toggles / (double)s->toggles->cycles;
    if (u->counted) s->sum->joule[u->count] += inner + outer;
  }
  watt.leakage = cell_leakage(s);
  return watt;
}

/* The part "i_rx" of instance "i_rx/_12_". NULL: no memory. */
static power_part_t *part_of(power_sum_t *sum, const char *instance) {
  const char *slash = strchr(instance, '/');
  const size_t n = slash ? (size_t)(slash - instance) : 0;
  for (unsigned i = sum->num_parts; i-- > 0;)
    if (strlen(sum->parts[i].name) == n && strncmp(sum->parts[i].name, instance, n) == 0) return &sum->parts[i];
  power_part_t *more = realloc(sum->parts, (sum->num_parts + 1) * sizeof *more);
  char *name = more ? strndup(instance, n) : NULL;
  if (more) sum->parts = more;
  if (!name) return NULL;
  sum->parts[sum->num_parts] = (power_part_t){.name = name};
  return &sum->parts[sum->num_parts++];
}

bool power_sum(power_sum_t *sum, const loads_t *loads, const power_cells_t *cells, const toggles_t *toggles,
               double period) {
  *sum = (power_sum_t){.joule = calloc(toggles->num_counts + 1, sizeof *sum->joule)};
  state_t s = {.sum = sum, .toggles = toggles, .seconds = (double)toggles->cycles * period};
  if (!sum->joule) return false;
  for (const loads_instance_t *i = loads->instances; toggles->cycles && i < loads->instances + loads->num_instances;
       i++) {
    if (power_is_memory(i)) continue;
    power_part_t *part = part_of(sum, i->name);
    s.cell = power_cells_find(cells, i->cell);
    sum->cells++, sum->unknown += !s.cell;
    if (!part) return false;
    if (!s.cell) continue;
    const power_watt_t watt = sum_cell(&s, loads, i);
    add_watts(&sum->all, &watt), add_watts(s.cell->sequential ? &sum->sequential : &sum->combinational, &watt),
        add_watts(&part->watt, &watt);
    part->cells++;
  }
  for (uint32_t i = 0; i < toggles->num_counts; i++) {
    const double count = (double)toggles->all[i].rises + (double)toggles->all[i].falls;
    sum->joule[i] = count > 0 ? sum->joule[i] / count : 0;
  }
  return true;
}

double power_window(const power_sum_t *sum, const toggles_t *toggles, unsigned window, double period) {
  const toggles_window_t *w = &toggles->windows[window];
  double joules = 0;
  for (uint32_t i = 0; w->toggles && i < toggles->num_counts; i++) joules += sum->joule[i] * w->toggles[i];
  return w->cycles ? joules / ((double)w->cycles * period) : 0;
}

void power_sum_free(power_sum_t *sum) {
  for (unsigned i = 0; i < sum->num_parts; i++) free((char *)(uintptr_t)sum->parts[i].name);
  free(sum->parts), free(sum->joule);
  *sum = (power_sum_t){0};
}
