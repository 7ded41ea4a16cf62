/* SPDX-License-Identifier: Apache-2.0
 *
 * Yosys' RTLIL, of which a flat top module is read, once with processes: connections to constants,
 * cases; once without: wires, cells, connections. Constants that are all x or all z look the same
 * there; they drive nothing here.
 */
#include "drivers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *place; /* in the text; they end at a blank, the place at '-', '|' or '"' */
  uint32_t first, width;
} wire_t;

enum {
  READ = 1,
  DRIVEN = 2,
  AGAIN = 4,
  TRI = 8,
  INPUT = 16,
  FIRST = 32,
  LIVE = 64,
  ASSIGNED = 128,
  TRI_AGAIN = 256,
  GIVEN = 512,
  PROCESS = 1024,
  SHARED = 2048,
  USED = 4096,
  CELL = 8192
};
/* FIRST: it has a first value; LIVE: outputs depend on it, where Yosys has not put a constant for
 * it; ASSIGNED: by what is no constant, or outside of processes. What is none of these two may be a
 * counter that loops of several processes share. GIVEN: outside of processes, by what is no z;
 * PROCESS: in one, after the beginning; SHARED: in several of them; USED: its value is, where a
 * counter's is only before loops are unrolled. Behind `proc` a register is no driver any more of a
 * net that has another name. CELL: a cell before `proc` makes it. */

typedef struct {
  wire_t *wires;
  size_t num_wires, room;
  uint16_t *bits;
  uint32_t num_bits;
  uint32_t *edges; /* pairs: the second is high-impedance where the first may be */
  size_t num_edges, edge_room;
  bool tri;
  /* of each bit: what it is connected to, twice, and 1 more
   * where it is the opposite; NO_BIT: it is made by logic */
  uint32_t *sources;
  char *clock;
  const char *word; /* one of those of which one has several assignments; NULL: none */
} design_t;

/* A signal, bit by bit, the highest first where it is
 * written so: an index, or NO_BIT for a constant. */
enum { PLACE = 4096, NO_BIT = UINT32_MAX, UNDEFINED = UINT32_MAX - 1 };
typedef struct {
  uint32_t *at;
  size_t count, room;
} signal_t;

static bool grow(void *array, size_t *room, size_t count, size_t size) {
  void **at = array;
  if (count < *room) return true;
  void *more = reallocarray(*at, *room ? 2 * *room : 1024, size);
  if (!more) return false;
  *at = more, *room = *room ? 2 * *room : 1024;
  return true;
}

static const char *next_line(const char *line) {
  const char *end = strchrnul(line, '\n');
  return *end ? end + 1 : end;
}

static bool begins(const char **at, const char *with) {
  const size_t n = strlen(with);
  if (strncmp(*at, with, n)) return false;
  *at += n;
  return true;
}

/* ---- wires */

static size_t name_length(const char *name) {
  return strcspn(name, " \n");
}

static int by_name(const void *a, const void *b) {
  const wire_t *x = a, *y = b;
  const size_t n = name_length(x->name), m = name_length(y->name);
  const int order = memcmp(x->name, y->name, n < m ? n : m);
  return order ? order : (n > m) - (n < m);
}

/* Where the wire is declared: of "outer.sv:3.2-3.9|inner.sv:1.8-1.9" the last. */
static const char *place_of(const char *text) {
  const char *place = text;
  for (; *text && *text != '"' && *text != '\n'; text++)
    if (*text == '|') place = text + 1;
  return place;
}

const char *drivers_place(const char *source, char *text, size_t size) {
  const char *place = place_of(source);
  const size_t n = strcspn(place, "\"\n");
  const char *colon = memrchr(place, ':', n);
  unsigned line, column;
  if (colon && sscanf(colon, ":%u.%u", &line, &column) == 2)
    snprintf(text, size, "%.*s:%u:%u", (int)(colon - place), place, line, column);
  else snprintf(text, size, "%.*s", (int)n, place);
  return text;
}

static void print_place(FILE *to, const char *place) {
  fputs(drivers_place(place, (char[PLACE]){0}, PLACE), to);
}

static bool add_wire(design_t *d, const char *words, const char *place, uint16_t flags) {
  wire_t w = {.place = place, .width = 1, .first = d->num_bits};
  for (; *words && *words != '\\' && *words != '$' && *words != '\n';
       words += strcspn(words, " \n"), words += *words == ' ') {
    const char *p = words;
    if (begins(&p, "width ")) w.width = (uint32_t)strtoul(p, NULL, 10);
    if (begins(&p, "input ") || begins(&p, "inout ")) flags |= INPUT;
  }
  w.name = words;
  uint16_t *bits = reallocarray(d->bits, (size_t)d->num_bits + w.width + 1, sizeof *bits);
  if (!bits) return false;
  d->bits = bits;
  if (!grow(&d->wires, &d->room, d->num_wires, sizeof w)) return false;
  for (uint32_t i = 0; i < w.width; i++) bits[w.first + i] = flags;
  d->num_bits += w.width;
  d->wires[d->num_wires++] = w;
  return true;
}

static const wire_t *named(const design_t *d, uint32_t bit) {
  for (size_t i = 0; i < d->num_wires; i++)
    if (bit - d->wires[i].first < d->wires[i].width) return *d->wires[i].name == '\\' ? &d->wires[i] : NULL;
  return NULL;
}

/* ---- signals */

static bool add_bit(signal_t *s, uint32_t bit) {
  if (!grow(&s->at, &s->room, s->count, sizeof *s->at)) return false;
  s->at[s->count++] = bit;
  return true;
}

/* "8'0101", "8'x", "12": one that is not defined in any bit is nobody's value. */
static const char *add_constant(signal_t *s, const char *p, bool *ok) {
  char *end;
  unsigned long width = strtoul(p, &end, 10);
  const bool bits = *end == '\'',
             undefined = bits && (end[1] == 'x' || end[1] == 'z') && !strchr("01xz", end[2] ? end[2] : ' ');
  if (!bits) width = 32;
  for (unsigned long i = 0; i < width; i++) *ok = *ok && add_bit(s, undefined ? UNDEFINED : NO_BIT);
  return p + strcspn(p, " \n");
}

/* "\name", "\name [3]", "\name [7:4]": the highest bit first. */
static const char *add_part(const design_t *d, signal_t *s, const char *p, bool *ok) {
  const wire_t key = {.name = p}, *w = bsearch(&key, d->wires, d->num_wires, sizeof *w, by_name);
  p += name_length(p);
  uint32_t high = w ? w->width - 1 : 0, low = 0;
  unsigned a, b;
  if (strncmp(p, " [", 2) == 0) {
    const int got = sscanf(p, " [%u:%u]", &a, &b);
    high = a, low = got == 2 ? b : a;
    p = strchrnul(p, ']');
    p += *p == ']';
  }
  for (uint32_t i = high + 1; w && high < w->width && i-- > low;) *ok = *ok && add_bit(s, w->first + i);
  return p;
}

static bool read_signal(const design_t *d, const char **at, signal_t *s) {
  const char *p = *at;
  bool ok = true;
  s->count = 0;
  const bool several = *p == '{';
  p += several;
  do {
    p += strspn(p, " ");
    if (*p == '\\' || *p == '$') p = add_part(d, s, p, &ok);
    else if (*p == '"') p = strchrnul(p + 1, '"') + 1; /* of parameters alone */
    else if (*p && *p != '}' && *p != '\n') p = add_constant(s, p, &ok);
  } while (several && *p && *p != '}' && *p != '\n' && ok);
  *at = p + (several && *p == '}');
  return ok;
}

static bool add_edge(design_t *d, uint32_t from, uint32_t to) {
  if (!grow(&d->edges, &d->edge_room, d->num_edges + 1, sizeof *d->edges)) return false;
  d->edges[d->num_edges++] = from, d->edges[d->num_edges++] = to;
  return true;
}

static void read_bits(design_t *d, const signal_t *s) {
  for (size_t i = 0; i < s->count; i++)
    if (s->at[i] < UNDEFINED) d->bits[s->at[i]] |= READ;
}

/* ---- drivers */

/* In the second pass: it is known which drivers may be high-impedance. */
static void drive(design_t *d, uint32_t bit, bool tri) {
  uint16_t *b = &d->bits[bit];
  if (*b & (tri ? TRI : DRIVEN)) *b |= tri ? TRI_AGAIN : AGAIN;
  *b |= tri ? TRI : DRIVEN;
}

static bool is_output(const char *type, const char *port) {
  static const char *const outputs[] = {"\\Y", "\\Q", "\\RD_DATA", "\\CO", "\\X"};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (strncmp(port, outputs[i], name_length(port)) == 0 && name_length(port) == strlen(outputs[i])) return true;
  return strncmp(port, "\\DATA ", 6) == 0 && strncmp(type, "$memrd", 6) == 0;
}

/* ---- clocks */

static void note_source(design_t *d, uint32_t to, uint32_t from, bool opposite) {
  if (to < UNDEFINED && from < UNDEFINED) d->sources[to] = 2 * from + opposite;
}

/* What is it of an input? Bits that feed themselves end, too. */
static const char *judge_edge(const design_t *d, uint32_t bit, bool rising) {
  for (uint32_t i = 0; i < d->num_bits && bit < UNDEFINED && d->sources[bit] != NO_BIT; i++) {
    rising ^= d->sources[bit] & 1;
    bit = d->sources[bit] / 2;
  }
  if (bit >= UNDEFINED || !(d->bits[bit] & INPUT)) return "the clock of this register is made by logic";
  return rising ? NULL : "this register waits for the falling edge of the clock";
}

static bool take_clock(design_t *d, const signal_t *s, bool rising, const char *place) {
  const char *why = s->count && !d->clock ? judge_edge(d, s->at[0], rising) : NULL;
  size_t size;
  FILE *to = why ? open_memstream(&d->clock, &size) : NULL;
  if (!why) return true;
  if (!to) return false;
  print_place(to, place);
  fprintf(to, ": %s", why);
  return fclose(to) == 0;
}

static bool is_data(const char *port) {
  return strncmp(port, "\\A ", 3) == 0 || strncmp(port, "\\B ", 3) == 0;
}

typedef struct {
  signal_t a, b;
  uint8_t *tri; /* of each bit, by the edges */
  bool settled; /* the second pass */
} pass_t;

static bool take_output(design_t *d, const char *type, const signal_t *s, pass_t *p) {
  const bool tri = strncmp(type, "$tribuf", 7) == 0 || strncmp(type, "$_TBUF_", 7) == 0;
  for (size_t i = 0; i < s->count; i++) {
    const uint32_t bit = s->at[i];
    if (bit >= UNDEFINED) continue;
    if (p->settled) drive(d, bit, tri);
    else if (tri && (d->tri = true) && !add_edge(d, NO_BIT, bit)) return false;
  }
  return true;
}

static bool is_zero(const char *value) {
  return *value == '0' || strncmp(value, "1'0", 3) == 0;
}

static const char *take_cell(design_t *d, const char *line, const char *place, pass_t *p, bool *ok) {
  const char *type = line + strlen("  cell ");
  const bool mux = strncmp(type, "$mux ", 5) == 0,
             not = strncmp(type, "$not ", 5) == 0 || strncmp(type, "$logic_not ", 11) == 0;
  bool rising = true, clocked = true;
  signal_t inputs[2] = {{0}, {0}};
  unsigned num = 0;
  for (line = next_line(line); *line && strncmp(line, "  end", 5); line = next_line(line)) {
    const char *at = line, *port;
    if (begins(&at, "    parameter \\CLK_POLARITY ")) rising = !is_zero(at);
    else if (begins(&at, "    parameter \\CLK_ENABLE ")) clocked = !is_zero(at);
    if (!begins(&at, "    connect ")) continue;
    port = at;
    at += name_length(port), at += *at == ' ';
    signal_t *s = (mux || not ) && is_data(port) && num < 2 ? &inputs[num++] : &p->a;
    *ok = *ok && read_signal(d, &at, s);
    if (*ok && p->settled && clocked && strncmp(port, "\\CLK ", 5) == 0) *ok = take_clock(d, s, rising, place);
    if (!*ok) break;
    for (size_t i = 0; not &&num && is_output(type, port) && i < s->count && i < inputs[0].count; i++)
      note_source(d, s->at[s->count - 1 - i], inputs[0].at[inputs[0].count - 1 - i], true);
    if (!is_output(type, port)) read_bits(d, s);
    else *ok = take_output(d, type, s, p);
    /* \A and \B go before \Y */
    for (unsigned k = 0; *ok && !p->settled && mux && is_output(type, port) && k < num; k++)
      for (size_t i = 0; *ok && i < s->count && i < inputs[k].count; i++)
        if (s->at[i] < UNDEFINED && inputs[k].at[i] < UNDEFINED) *ok = add_edge(d, inputs[k].at[i], s->at[i]);
  }
  free(inputs[0].at), free(inputs[1].at);
  return line;
}

static bool take_connection(design_t *d, const char *at, pass_t *p) {
  if (!read_signal(d, &at, &p->a)) return false;
  at += *at == ' ';
  if (!read_signal(d, &at, &p->b)) return false;
  read_bits(d, &p->b);
  for (size_t i = 0; i < p->a.count && i < p->b.count; i++) {
    const uint32_t to = p->a.at[i], from = p->b.at[i];
    if (to >= UNDEFINED) continue;
    note_source(d, to, from, false);
    if (!p->settled && from < UNDEFINED && !add_edge(d, from, to)) return false;
    if (from < UNDEFINED) d->bits[to] |= ASSIGNED;
    if (p->settled) drive(d, to, from == UNDEFINED || (from != NO_BIT && p->tri[from]));
  }
  return true;
}

/* False as well: the text ends before the module does. */
static bool take_module(design_t *d, const char *line, pass_t *p) {
  const char *place = "";
  bool ok = true;
  for (; ok && *line && strncmp(line, "end", 3); line = next_line(line)) {
    const char *at = line;
    if (begins(&at, "  attribute \\src \"")) place = place_of(at);
    else if (begins(&at, "  cell ")) line = take_cell(d, line, place, p, &ok);
    else if (begins(&at, "  connect ")) ok = take_connection(d, at, p);
  }
  return ok && *line;
}

/* What may be high-impedance goes on through connections and multiplexers. */
static bool find_tri(const design_t *d, pass_t *p) {
  p->tri = calloc((size_t)d->num_bits + 1, 1);
  if (!p->tri) return false;
  for (bool more = d->tri; more;) {
    more = false;
    for (size_t i = 0; i < d->num_edges; i += 2)
      if (!p->tri[d->edges[i + 1]] && (d->edges[i] == NO_BIT || p->tri[d->edges[i]]))
        p->tri[d->edges[i + 1]] = 1, more = true;
  }
  return true;
}

static const char *top_module(const char *text) {
  bool top = false;
  for (const char *line = text; *line; line = next_line(line)) {
    const char *at = line;
    if (begins(&at, "attribute \\top ")) top = true;
    else if (begins(&at, "module ") && top) return next_line(line);
    else if (begins(&at, "end") && *at == '\n') top = false;
  }
  return NULL;
}

static bool read_wires(design_t *d, const char *line) {
  const char *place = "";
  uint16_t flags = 0;
  for (; *line && strncmp(line, "end", 3); line = next_line(line)) {
    const char *at = line;
    if (begins(&at, "  attribute \\src \"")) place = place_of(at);
    else if (begins(&at, "  attribute \\init ")) flags |= FIRST;
    else if (begins(&at, "  attribute \\lockstack_live ")) flags |= LIVE;
    else if (begins(&at, "  wire ")) {
      if (!add_wire(d, at, place, flags)) return false;
      place = "", flags = 0;
    } else if (!begins(&at, "  attribute ")) place = "", flags = 0;
  }
  qsort(d->wires, d->num_wires, sizeof *d->wires, by_name);
  return true;
}

/* ---- with processes */

/* Constants that no process gives: of an assignment, of an instance's output. */
static bool take_given(design_t *d, const char *at, pass_t *p) {
  bool ok = read_signal(d, &at, &p->a);
  at += *at == ' ';
  ok = ok && read_signal(d, &at, &p->b);
  for (size_t i = 0; ok && i < p->b.count; i++)
    if (p->b.at[i] < UNDEFINED) d->bits[p->b.at[i]] |= USED;
  for (size_t i = 0; ok && i < p->a.count && i < p->b.count; i++) {
    if (p->a.at[i] >= UNDEFINED || p->b.at[i] == UNDEFINED) continue;
    d->bits[p->a.at[i]] |= p->b.at[i] == NO_BIT ? GIVEN | ASSIGNED : GIVEN;
  }
  return ok;
}

static bool take_used(design_t *d, const char *at, pass_t *p) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++)
    if (p->a.at[i] < UNDEFINED) d->bits[p->a.at[i]] |= USED;
  return ok;
}

/* "$0\x[7:0] \x": what it was, where the process does not say otherwise. */
static bool is_hold(const char *at) {
  const char *to = strchr(at, '\\'), *from = at + name_length(at) + 1;
  const size_t n = *from == '\\' ? name_length(from) : 0;
  return *at == '$' && to && n && from[n] == '\n' && strncmp(to, from, n) == 0 && to[n] == '[';
}

/* The number of the process that gives each bit its value: `owners`. */
static bool take_update(design_t *d, const char *at, pass_t *p, uint32_t *owners, uint32_t process) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++) {
    const uint32_t bit = p->a.at[i];
    if (bit >= UNDEFINED) continue;
    d->bits[bit] |= owners[bit] && owners[bit] != process ? PROCESS | SHARED : PROCESS;
    owners[bit] = process;
  }
  return ok;
}

/* Yosys' own process, of line 0, of all assignments and instances' outputs that drive words of
 * arrays. It keeps one value of each bit: an empty assignment stands for a whole one that another
 * one replaces, the first ones for what each signal was before. A call of a function has one of
 * line 0, too ("f$func$x.v:7$3.$result"), in which values follow one another. */
typedef struct {
  bool labelled, is; /* always_comb and such are of line 0, too */
  size_t assignments, signals;
  const char *first;
} merged_t;

static void take_merged(design_t *d, merged_t *m, const char *line) {
  static const char process[] = "  process ";
  const char *number = memrchr(line, '$', strcspn(line, "\n"));
  if (begins(&line, "  attribute \\always_")) m->labelled = true;
  else if (begins(&line, process))
    *m = (merged_t){.is = !m->labelled && number - line > 2 && strncmp(number - 2, ":0", 2) == 0};
  else if (begins(&line, "    assign { } { }")) m->assignments++;
  else if (begins(&line, "    sync ")) m->is = m->is && strncmp(line, "always\n", 7) == 0;
  else if (begins(&line, "      update "))
    m->is = m->is && !memmem(line, name_length(line), "$func$", 6), m->first = m->signals++ ? m->first : line;
  else if (begins(&line, "  end") && m->is && m->assignments > m->signals && !d->word) d->word = m->first;
}

static bool take_made(design_t *d, const char *at, pass_t *p) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++)
    if (p->a.at[i] < UNDEFINED) d->bits[p->a.at[i]] |= CELL;
  return ok;
}

static bool take_processes(design_t *d, const char *line, pass_t *p) {
  merged_t merged = {0};
  uint32_t *owners = calloc((size_t)d->num_bits + 1, sizeof *owners), process = 0;
  bool ok = owners, begin = false;
  for (; ok && *line && strncmp(line, "end", 3); line = next_line(line)) {
    const char *at = line, *word = line + strspn(line, " ");
    take_merged(d, &merged, line);
    if (begins(&at, "  process ")) process++;
    else if (begins(&at, "  connect ")) ok = take_given(d, at, p);
    else if (begins(&at, "    connect "))
      ok = is_output("", at) ? take_made(d, at + name_length(at) + 1, p) : take_used(d, at + name_length(at) + 1, p);
    else if (begins(&word, "switch ")) ok = take_used(d, word, p);
    else if (begins(&word, "assign ") && !is_hold(word)) ok = read_signal(d, &word, &p->a) && take_used(d, word + 1, p);
    else if (begins(&at, "    sync ")) begin = strncmp(at, "init", 4) == 0;
    else if (begins(&at, "      update ") && !begin) ok = take_update(d, at, p, owners, process);
  }
  free(owners);
  return ok;
}

/* ---- what was found */

static int shown_length(const wire_t *w) {
  return (int)name_length(w->name) - 1;
}

static void print_conflict(const design_t *d, FILE *to) {
  for (uint32_t i = 0; i < d->num_bits; i++) {
    const uint16_t bit = d->bits[i];
    const bool plain = bit & DRIVEN, tri = bit & TRI, input = bit & INPUT,
               several = bit & AGAIN || plain + tri + input > 1;
    if ((!(bit & (LIVE | ASSIGNED)) || !several) && (~bit & (GIVEN | PROCESS)) && (~bit & (SHARED | USED))) continue;
    const wire_t *w = named(d, i);
    if (!w) continue;
    print_place(to, w->place);
    fprintf(to, ": '%.*s", shown_length(w), w->name + 1);
    if (w->width > 1) fprintf(to, "[%u]", i - w->first);
    fputs("' has several drivers (assignments, always blocks, outputs of instances); one for each bit would be right",
          to);
    return;
  }
}

static void print_word(const design_t *d, FILE *to) {
  const wire_t key = {.name = d->word}, *w = bsearch(&key, d->wires, d->num_wires, sizeof *w, by_name);
  if (w) print_place(to, w->place);
  fprintf(to,
          ": '%.*s', or another word that an assignment or an instance drives, has several drivers; one for each word "
          "would be right",
          (int)name_length(d->word) - 1, d->word + 1);
}

/* `proc` of some Yosys (0.52) finds that a cell only hands on its
 * own output, and drops the cell: nothing makes the bit any more. */
static uint32_t find_dropped(const design_t *d) {
  uint32_t i = 0;
  while (i < d->num_bits && (d->bits[i] & (CELL | READ | DRIVEN | TRI | INPUT | FIRST)) != (CELL | READ)) i++;
  return i < d->num_bits ? i : UNDEFINED;
}

/* One of the bit's own circle; else, as of a cell that
 * hands on its own output, one that gets the value. */
static const wire_t *name_of(const design_t *d, uint32_t ring) {
  const wire_t *w = NULL;
  uint32_t bit = ring;
  for (uint32_t n = 0; !w && n < d->num_bits && bit < UNDEFINED / 2; n++, bit = d->sources[bit] / 2) w = named(d, bit);
  for (uint32_t k = 0; !w && k < d->num_bits; k++)
    if (d->sources[k] / 2 == ring) w = named(d, k);
  return w;
}

/* Names that are connected in a circle: behind the next step
 * of any tool they are one net, and no loop any more. */
static void print_ring(const design_t *d, FILE *to) {
  uint32_t *seen = calloc((size_t)d->num_bits + 1, sizeof *seen), ring = UNDEFINED;
  for (uint32_t i = 0; seen && i < d->num_bits && ring == UNDEFINED; i++) {
    uint32_t bit = i;
    for (; !seen[bit] && d->sources[bit] != NO_BIT; bit = d->sources[bit] / 2) seen[bit] = i + 1;
    if (d->sources[bit] != NO_BIT && seen[bit] == i + 1) ring = bit;
  }
  free(seen);
  if (ring == UNDEFINED) ring = find_dropped(d);
  const wire_t *w = ring < UNDEFINED ? name_of(d, ring) : NULL;
  if (!w) return;
  print_place(to, w->place);
  fprintf(to, ": combinational loop through '%.*s': a bit depends on itself; a register or a latch has to be in it",
          shown_length(w), w->name + 1);
}

static void print_fault(const design_t *d, FILE *to) {
  const long before = ftell(to);
  print_conflict(d, to);
  if (ftell(to) == before && d->word) print_word(d, to);
  if (ftell(to) == before) print_ring(d, to);
}

static void print_undriven(const design_t *d, FILE *to) {
  for (size_t k = 0; k < d->num_wires; k++) {
    const wire_t *w = &d->wires[k];
    bool undriven = false;
    for (uint32_t i = w->first; i < w->first + w->width; i++)
      undriven = undriven || (d->bits[i] & (READ | DRIVEN | TRI | INPUT | FIRST)) == READ;
    if (!undriven || *w->name != '\\' || !*w->place) continue;
    print_place(to, w->place);
    fprintf(to, " %.*s\n", shown_length(w), w->name + 1);
  }
}

/* The first bit of each wire. */
static void print_shared(const design_t *d, FILE *to) {
  for (size_t k = 0; k < d->num_wires; k++) {
    const wire_t *w = &d->wires[k];
    uint32_t i = w->first;
    while (i < w->first + w->width && !(d->bits[i] & TRI_AGAIN)) i++;
    if (i == w->first + w->width || *w->name != '\\' || !*w->place) continue;
    print_place(to, w->place);
    fprintf(to, " %.*s\n", shown_length(w), w->name + 1);
  }
}

static char *print_cases(const char *line) {
  char *text = NULL;
  const char *place = "";
  bool full = false, parallel = false;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  for (; *line && strncmp(line, "end", 3); line = next_line(line)) {
    const char *at = line + strspn(line, " ");
    if (begins(&at, "attribute \\src \"")) place = place_of(at);
    else if (begins(&at, "attribute \\full_case ")) full = true;
    else if (begins(&at, "attribute \\parallel_case ")) parallel = true;
    else if (!begins(&at, "attribute ")) {
      if ((full || parallel) && begins(&at, "switch ")) {
        print_place(to, place);
        fprintf(to, " %s%s%s\n", full ? "full_case" : "", full && parallel ? ", " : "",
                parallel ? "parallel_case" : "");
      }
      full = parallel = false;
    }
  }
  return fclose(to) ? free(text), NULL : text;
}

static char *printed(const design_t *d, void (*print)(const design_t *d, FILE *to)) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  print(d, to);
  return fclose(to) ? free(text), NULL : text;
}

bool drivers_read(drivers_t *drivers, const char *with_processes, const char *text) {
  design_t d = {0};
  pass_t p = {0};
  const char *module = top_module(text), *before = top_module(with_processes);
  *drivers = (drivers_t){0};
  bool ok =
      module && before && read_wires(&d, module) && (d.sources = malloc(((size_t)d.num_bits + 1) * sizeof *d.sources));
  if (ok) memset(d.sources, 0xff, (size_t)d.num_bits * sizeof *d.sources);
  ok = ok && take_processes(&d, before, &p) && take_module(&d, module, &p) && find_tri(&d, &p);
  p.settled = true;
  ok = ok && take_module(&d, module, &p);
  if (ok) drivers->conflict = printed(&d, print_fault), drivers->undriven = printed(&d, print_undriven);
  if (ok) drivers->shared = printed(&d, print_shared), drivers->cases = print_cases(before);
  if (ok) drivers->clock = d.clock ? d.clock : strdup("");
  free(d.sources), free(d.wires), free(d.bits), free(d.edges), free(p.a.at), free(p.b.at), free(p.tri);
  return ok && drivers->conflict && drivers->undriven && drivers->shared && drivers->cases && drivers->clock;
}

void drivers_free(drivers_t *drivers) {
  free(drivers->conflict), free(drivers->undriven), free(drivers->shared), free(drivers->cases), free(drivers->clock);
  *drivers = (drivers_t){0};
}
