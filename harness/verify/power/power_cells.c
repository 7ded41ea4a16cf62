/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Liberty by its statements (liberty_scan.h). Each see_ function reads one kind of group
 * and skips what it does not know. An error sets s->bad, which ends all loops.
 */
#include "power_cells.h"

#include "liberty_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX = 64 };

struct power_shape {
  char name[256];
  bool load_first;
  double first[INDEX], second[INDEX];
  unsigned num_first, num_second;
};

/* ---- numbers */

/* Reads the numbers of a value, such as "1, 2", "3, 4", whatever separates them. Keeps the first
 * `most`. Returns how many the value has. */
static unsigned read_numbers(const liberty_statement_t *t, double *to, unsigned most) {
  unsigned n = 0;
  for (const char *at = t->value, *end = t->value + t->length; at < end;) {
    char *after;
    const double value = strtod(at, &after);
    if (after == at || after > end) at++;
    else {
      if (n < most) to[n] = value;
      n++, at = after;
    }
  }
  return n;
}

/* "1ns", "1pf" or "0.5nW" as a factor to SI units. */
static double unit_of(const char *text, size_t length) {
  static const struct {
    char letter;
    double factor;
  } prefixes[] = {{'f', 1e-15}, {'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'k', 1e3}};
  char word[64], *end;
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
  double value = strtod(word, &end);
  end += strspn(end, " \t,\"");
  if (end == word) value = 1;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && strlen(end) > 1; i++)
    if ((*end | 32) == prefixes[i].letter) return value * prefixes[i].factor;
  return value;
}

static void copy_word(char *to, size_t size, const liberty_statement_t *t) {
  snprintf(to, size, "%.*s", (int)t->length, t->value);
}

/* ---- groups */

/* Reads a statement to its end. */
static void skip_group(liberty_scan_t *s, const liberty_statement_t *t) {
  liberty_statement_t inner;
  while (t->group && liberty_next(s, &inner)) skip_group(s, &inner);
}

static bool report_no_memory(liberty_scan_t *s) {
  s->bad = true;
  return trouble_memory(s->trouble);
}

static const power_shape_t *find_shape(const power_cells_t *c, const liberty_statement_t *t) {
  for (unsigned i = 0; i < c->num_shapes; i++)
    if (strlen(c->shapes[i].name) == t->length && strncmp(c->shapes[i].name, t->value, t->length) == 0)
      return &c->shapes[i];
  return NULL;
}

/* index_1, index_2 and variable_1 of a template or table. */
static void take_index(liberty_scan_t *s, power_shape_t *shape, const liberty_statement_t *t) {
  if (liberty_is(t, "index_1")) shape->num_first = read_numbers(t, shape->first, INDEX);
  else if (liberty_is(t, "index_2")) shape->num_second = read_numbers(t, shape->second, INDEX);
  else if (liberty_is(t, "variable_1"))
    shape->load_first = t->length > 5 && memmem(t->value, t->length, "capacitance", 11) != NULL;
  else skip_group(s, t);
  if (shape->num_first > INDEX || shape->num_second > INDEX)
    liberty_wrong(s, t->line, "an index of more than 64 values");
}

/* A template. Tables repeat only the indices that differ from it. */
static void see_shape(liberty_scan_t *s, power_cells_t *c, const liberty_statement_t *t) {
  liberty_statement_t inner;
  power_shape_t *more = realloc(c->shapes, (c->num_shapes + 1) * sizeof *more);
  if (!more) return (void)report_no_memory(s);
  c->shapes = more;
  power_shape_t *shape = &c->shapes[c->num_shapes++];
  *shape = (power_shape_t){.name = ""};
  copy_word(shape->name, sizeof shape->name, t);
  while (liberty_next(s, &inner)) take_index(s, shape, &inner);
}

/* NULL: no memory. */
static double *copy_scaled(const double *from, unsigned count, double unit) {
  double *to = malloc((count + 1) * sizeof *to);
  for (unsigned i = 0; to && i < count; i++) to[i] = from[i] * unit;
  return to;
}

/* Values are energies in the file's farads times its volts squared. Axes become seconds and
 * farads. */
static void see_table(liberty_scan_t *s, const power_cells_t *c, const liberty_statement_t *t, power_table_t *table) {
  static const power_shape_t scalar = {.name = "scalar"};
  const power_shape_t *known = find_shape(c, t);
  power_shape_t shape = known ? *known : scalar;
  double *values = NULL;
  unsigned count = 0;
  liberty_statement_t inner;
  while (liberty_next(s, &inner)) {
    if (!liberty_is(&inner, "values")) take_index(s, &shape, &inner);
    else if (values || (values = malloc(((size_t)INDEX * INDEX + 1) * sizeof *values)))
      count = read_numbers(&inner, values, INDEX * INDEX);
  }
  const unsigned rows = shape.num_first ? shape.num_first : 1, columns = shape.num_second ? shape.num_second : 1;
  const double energy = c->farad * c->volt_unit * c->volt_unit, load = c->farad, time = c->second;
  if (!s->bad && !values) report_no_memory(s);
  if (!s->bad && count == 1 && !known) shape.num_first = 0;
  if (!s->bad && count != rows * columns)
    liberty_wrong(s, t->line, "a table of power whose values are not as many as its indices say");
  if (!s->bad) {
    free(table->first), free(table->second), free(table->values);
    *table = (power_table_t){rows,
                             columns,
                             shape.load_first,
                             copy_scaled(shape.first, rows, shape.load_first ? load : time),
                             copy_scaled(shape.second, columns, shape.load_first ? time : load),
                             copy_scaled(values, rows * columns, energy)};
    if (!table->first || !table->second || !table->values) report_no_memory(s);
  }
  free(values);
}

static char *copy_statement(const liberty_statement_t *t) {
  return strndup(t->value, t->length);
}

/* Reads "A B", with blanks as they are. */
static void see_related(liberty_scan_t *s, power_arc_t *arc, const liberty_statement_t *t) {
  if (t->length >= sizeof arc->related) liberty_wrong(s, t->line, "a related_pin of more than 255 letters");
  else copy_word(arc->related, sizeof arc->related, t);
}

/* An internal_power group. `power` stands for both rise_power and fall_power. */
static void see_arc(liberty_scan_t *s, power_cells_t *c, power_cell_t *cell, const char *pin) {
  liberty_statement_t t;
  power_arc_t *more = realloc(cell->arcs, (cell->num_arcs + 1) * sizeof *more);
  if (!more) return (void)report_no_memory(s);
  cell->arcs = more;
  power_arc_t *arc = &cell->arcs[cell->num_arcs++];
  *arc = (power_arc_t){.when = NULL};
  snprintf(arc->pin, sizeof arc->pin, "%s", pin);
  c->any_energy = true;
  while (liberty_next(s, &t)) {
    if (liberty_is(&t, "related_pin")) see_related(s, arc, &t);
    else if (liberty_is(&t, "related_pg_pin")) copy_word(arc->supply, sizeof arc->supply, &t);
    else if (liberty_is(&t, "when")) free(arc->when), arc->when = copy_statement(&t);
    else if (liberty_is(&t, "rise_power") || liberty_is(&t, "fall_power"))
      see_table(s, c, &t, liberty_is(&t, "rise_power") ? &arc->rise : &arc->fall);
    else if (liberty_is(&t, "power")) {
      see_table(s, c, &t, &arc->rise);
      const power_table_t *r = &arc->rise;
      if (!s->bad)
        arc->fall = (power_table_t){r->rows,
                                    r->columns,
                                    r->load_first,
                                    copy_scaled(r->first, r->rows, 1),
                                    copy_scaled(r->second, r->columns, 1),
                                    copy_scaled(r->values, r->rows * r->columns, 1)};
    } else skip_group(s, &t);
  }
}

static void see_leak(liberty_scan_t *s, power_cells_t *c, power_cell_t *cell) {
  liberty_statement_t t;
  power_leak_t *more = realloc(cell->leaks, (cell->num_leaks + 1) * sizeof *more);
  if (!more) return (void)report_no_memory(s);
  cell->leaks = more;
  power_leak_t *leak = &cell->leaks[cell->num_leaks++];
  *leak = (power_leak_t){.when = NULL};
  c->any_leakage = true;
  while (liberty_next(s, &t)) {
    if (liberty_is(&t, "when")) free(leak->when), leak->when = copy_statement(&t);
    else if (liberty_is(&t, "value")) read_numbers(&t, &leak->watts, 1), leak->watts *= c->leak;
    else if (liberty_is(&t, "related_pg_pin")) copy_word(leak->supply, sizeof leak->supply, &t);
    else skip_group(s, &t);
  }
}

/* Takes `is`, which the cell frees. */
static void add_rule(liberty_scan_t *s, power_cell_t *cell, const char *pin, char *is) {
  power_rule_t *more = is ? realloc(cell->rules, (cell->num_rules + 1) * sizeof *more) : NULL;
  if (!more) return free(is), (void)report_no_memory(s);
  cell->rules = more;
  cell->rules[cell->num_rules] = (power_rule_t){.is = is};
  snprintf(cell->rules[cell->num_rules++].pin, POWER_PIN, "%s", pin);
}

/* "(IQ, IQN)" of a register: the second state is the opposite of the first. */
static void see_states(liberty_scan_t *s, power_cell_t *cell, const liberty_statement_t *t) {
  char names[2 * POWER_PIN], *first, *second, *opposite = NULL;
  copy_word(names, sizeof names, t);
  first = strtok(names, " ,\"\t"), second = first ? strtok(NULL, " ,\"\t") : NULL;
  if (second && asprintf(&opposite, "!%s", first) > 0) add_rule(s, cell, second, opposite);
}

static void see_pin(liberty_scan_t *s, power_cells_t *c, power_cell_t *cell, const char *pin) {
  liberty_statement_t t;
  while (liberty_next(s, &t))
    if (liberty_is(&t, "internal_power") && t.group) see_arc(s, c, cell, pin);
    else if (liberty_is(&t, "function")) add_rule(s, cell, pin, copy_statement(&t));
    else skip_group(s, &t);
}

/* The bus's own energy counts for each bit. Pins in the bus, "A[3:0]" or "A[2]", may have
 * others. */
static void see_bus(liberty_scan_t *s, power_cells_t *c, power_cell_t *cell, const char *name) {
  liberty_statement_t t;
  while (liberty_next(s, &t)) {
    char pin[POWER_PIN];
    copy_word(pin, sizeof pin, &t);
    char *range = strchr(pin, ':') ? strchr(pin, '[') : NULL;
    if (range) *range = 0;
    if (liberty_is(&t, "pin") && t.group) see_pin(s, c, cell, pin);
    else if (liberty_is(&t, "internal_power") && t.group) see_arc(s, c, cell, name);
    else skip_group(s, &t);
  }
}

static void see_supply(liberty_scan_t *s, power_cell_t *cell, const char *name) {
  liberty_statement_t t;
  const size_t n = strlen(cell->grounds);
  while (liberty_next(s, &t))
    if (liberty_is(&t, "pg_type") && memmem(t.value, t.length, "ground", 6))
      snprintf(cell->grounds + n, sizeof cell->grounds - n, "%s ", name);
    else skip_group(s, &t);
}

static bool is_ground(const power_cell_t *cell, const char *supply) {
  const size_t n = strlen(supply);
  for (const char *at = cell->grounds; n && (at = strstr(at, supply)); at++)
    if ((at == cell->grounds || at[-1] == ' ') && at[n] == ' ') return true;
  return false;
}

static void free_arc(power_arc_t *a) {
  free(a->when);
  free(a->rise.first), free(a->rise.second), free(a->rise.values);
  free(a->fall.first), free(a->fall.second), free(a->fall.values);
}

/* A library may state each energy for the supply and for the ground. Only one of them may count. */
static void drop_ground_arcs(power_cell_t *c) {
  unsigned kept = 0, others = 0;
  for (unsigned i = 0; i < c->num_arcs; i++) others += !is_ground(c, c->arcs[i].supply);
  for (unsigned i = 0; others && i < c->num_arcs; i++)
    if (is_ground(c, c->arcs[i].supply)) free_arc(&c->arcs[i]);
    else c->arcs[kept++] = c->arcs[i];
  if (others) c->num_arcs = kept;
}

static void drop_ground_leaks(power_cell_t *c) {
  unsigned kept = 0, others = 0;
  for (unsigned i = 0; i < c->num_leaks; i++) others += !is_ground(c, c->leaks[i].supply);
  for (unsigned i = 0; others && i < c->num_leaks; i++)
    if (is_ground(c, c->leaks[i].supply)) free(c->leaks[i].when);
    else c->leaks[kept++] = c->leaks[i];
  if (others) c->num_leaks = kept;
}

static void see_cell(liberty_scan_t *s, power_cells_t *c, const liberty_statement_t *t) {
  liberty_statement_t inner;
  power_cell_t *more = realloc(c->cells, (c->num_cells + 1) * sizeof *more);
  if (!more) return (void)report_no_memory(s);
  c->cells = more;
  power_cell_t *cell = &c->cells[c->num_cells++];
  *cell = (power_cell_t){.watts = -1};
  copy_word(cell->name, sizeof cell->name, t);
  while (liberty_next(s, &inner)) {
    char pin[POWER_PIN];
    copy_word(pin, sizeof pin, &inner);
    if (liberty_is(&inner, "pin") && inner.group) see_pin(s, c, cell, pin);
    else if (liberty_is(&inner, "bus") && inner.group) see_bus(s, c, cell, pin);
    else if (liberty_is(&inner, "pg_pin") && inner.group) see_supply(s, cell, pin);
    else if (liberty_is(&inner, "leakage_power") && inner.group) see_leak(s, c, cell);
    else if (liberty_is(&inner, "cell_leakage_power"))
      read_numbers(&inner, &cell->watts, 1), cell->watts *= c->leak, c->any_leakage = true;
    else {
      const bool states = liberty_is(&inner, "ff") || liberty_is(&inner, "latch");
      cell->sequential |= states || liberty_is(&inner, "statetable");
      if (states && inner.group) see_states(s, cell, &inner);
      skip_group(s, &inner);
    }
  }
  drop_ground_arcs(cell), drop_ground_leaks(cell);
}

/* The library's supply: that of its default conditions, else nom_voltage,
 * else of its first conditions, else the highest of its voltage_map. */
typedef struct {
  char wanted[256];
  double chosen, nominal, first, mapped;
} supply_t;

static void see_conditions(liberty_scan_t *s, supply_t *supply, const char *name) {
  liberty_statement_t t;
  double volt = 0;
  while (liberty_next(s, &t)) {
    if (liberty_is(&t, "voltage")) read_numbers(&t, &volt, 1);
    skip_group(s, &t);
  }
  if (!(supply->first > 0)) supply->first = volt;
  if (*supply->wanted && strcmp(name, supply->wanted) == 0) supply->chosen = volt;
}

/* The library's supply in volts. */
static double supply_volts(const supply_t *s, double unit) {
  const double by_rank[] = {s->chosen, s->nominal, s->first};
  for (unsigned i = 0; i < sizeof by_rank / sizeof *by_rank; i++)
    if (by_rank[i] > 0) return by_rank[i] * unit;
  return s->mapped * unit;
}

/* voltage_map(VDD, 1.1): keeps the highest. */
static void see_map(supply_t *s, const liberty_statement_t *t) {
  double volt = 0;
  const char *comma = memchr(t->value, ',', t->length);
  const liberty_statement_t behind = {.value = comma ? comma : t->value,
                                      .length = comma ? t->length - (size_t)(comma - t->value) : t->length};
  read_numbers(&behind, &volt, 1);
  if (volt > s->mapped) s->mapped = volt;
}

/* Units come before cells in a Liberty file. Defaults are ns, pF, nW and V. */
static void see_library(liberty_scan_t *s, power_cells_t *c) {
  liberty_statement_t t;
  supply_t supply = {.wanted = ""};
  const unsigned before = c->num_cells;
  c->second = 1e-9, c->farad = 1e-12, c->leak = 1e-9, c->volt_unit = 1;
  while (liberty_next(s, &t)) {
    char name[256];
    copy_word(name, sizeof name, &t);
    if (liberty_is(&t, "time_unit")) c->second = unit_of(t.value, t.length);
    else if (liberty_is(&t, "capacitive_load_unit")) c->farad = unit_of(t.value, t.length);
    else if (liberty_is(&t, "voltage_unit")) c->volt_unit = unit_of(t.value, t.length);
    else if (liberty_is(&t, "leakage_power_unit")) c->leak = unit_of(t.value, t.length);
    else if (liberty_is(&t, "nom_voltage")) read_numbers(&t, &supply.nominal, 1);
    else if (liberty_is(&t, "voltage_map")) see_map(&supply, &t);
    else if (liberty_is(&t, "default_operating_conditions")) snprintf(supply.wanted, sizeof supply.wanted, "%s", name);
    else if (liberty_is(&t, "operating_conditions") && t.group) see_conditions(s, &supply, name);
    else if ((liberty_is(&t, "power_lut_template") || liberty_is(&t, "lu_table_template")) && t.group)
      see_shape(s, c, &t);
    else if (liberty_is(&t, "cell") && t.group) see_cell(s, c, &t);
    else skip_group(s, &t);
  }
  c->volt = supply_volts(&supply, c->volt_unit);
  for (unsigned i = before; i < c->num_cells; i++) c->cells[i].volt = c->volt;
  if (!s->bad && c->num_cells > before && !(c->volt > 0))
    liberty_wrong(s, 1, "the library has no voltage: nom_voltage, operating_conditions or voltage_map would be right");
}

bool power_cells_add(power_cells_t *c, const char *text, const char *shown, trouble_t *trouble) {
  liberty_scan_t s = {.file = shown, .at = text, .line = 1, .trouble = trouble};
  liberty_statement_t t;
  c->num_shapes = 0;
  if (liberty_next(&s, &t) && t.group) see_library(&s, c);
  return !s.bad;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const power_cell_t *)a)->name, ((const power_cell_t *)b)->name);
}

void power_cells_end(power_cells_t *c) {
  if (c->num_cells) qsort(c->cells, c->num_cells, sizeof *c->cells, by_name);
}

const power_cell_t *power_cells_find(const power_cells_t *c, const char *name) {
  unsigned low = 0, high = c->num_cells;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const int order = strcmp(name, c->cells[middle].name);
    if (!order) return &c->cells[middle];
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

void power_cells_free(power_cells_t *c) {
  for (power_cell_t *cell = c->cells; cell < c->cells + c->num_cells; cell++) {
    for (power_arc_t *a = cell->arcs; a < cell->arcs + cell->num_arcs; a++) free_arc(a);
    for (power_leak_t *l = cell->leaks; l < cell->leaks + cell->num_leaks; l++) free(l->when);
    for (power_rule_t *r = cell->rules; r < cell->rules + cell->num_rules; r++) free(r->is);
    free(cell->arcs), free(cell->leaks), free(cell->rules);
  }
  free(c->cells), free(c->shapes);
  *c = (power_cells_t){0};
}

/* ---- energy */

/* The interval of the axis that holds x, or the nearest one. *place is 0 to 1 within the
 * interval, and may lie outside for an x beyond the axis. */
static unsigned find_interval(const double *axis, unsigned count, double x, double *place) {
  unsigned i = 0;
  *place = 0;
  if (count < 2) return 0;
  while (i + 2 < count && x > axis[i + 1]) i++;
  if (axis[i + 1] > axis[i]) *place = (x - axis[i]) / (axis[i + 1] - axis[i]);
  return i;
}

double power_table_energy(const power_table_t *t, double transition, double load) {
  double p, q;
  if (!t->rows) return 0;
  const unsigned i = find_interval(t->first, t->rows, t->load_first ? load : transition, &p);
  const unsigned j = find_interval(t->second, t->columns, t->load_first ? transition : load, &q);
  const double *a = t->values + (size_t)i * t->columns + j, *b = t->rows > 1 ? a + t->columns : a;
  const unsigned right = t->columns > 1;
  return (1 - p) * ((1 - q) * a[0] + q * a[right]) + p * ((1 - q) * b[0] + q * b[right]);
}
