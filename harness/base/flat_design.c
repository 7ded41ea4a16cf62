/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a flat top module in Yosys' RTLIL twice. The text with processes gives connections to
 * constants, and cases. The text without processes gives wires, cells and connections. Constants
 * that are all x or all z look alike there, and count as no driver.
 */
#include "flat_design.h"

#include <stdlib.h>
#include <string.h>

/* A signal bit by bit, highest bit first: an index, or FLAT_NO_BIT for a constant. */
typedef struct {
  uint32_t *at;
  size_t count, room;
} signal_t;

static bool grow_array(void *array, size_t *room, size_t count, size_t size) {
  void **at = array;
  if (count < *room) return true;
  void *more = reallocarray(*at, *room ? 2 * *room : 1024, size);
  if (!more) return false;
  *at = more, *room = *room ? 2 * *room : 1024;
  return true;
}

const char *flat_next_line(const char *line) {
  const char *end = strchrnul(line, '\n');
  return *end ? end + 1 : end;
}

bool flat_begins(const char **at, const char *with) {
  const size_t n = strlen(with);
  if (strncmp(*at, with, n)) return false;
  *at += n;
  return true;
}

/* ---- wires */

size_t flat_name_length(const char *name) {
  return strcspn(name, " \n");
}

static int by_name(const void *a, const void *b) {
  const flat_wire_t *x = a, *y = b;
  const size_t n = flat_name_length(x->name), m = flat_name_length(y->name);
  const int order = memcmp(x->name, y->name, n < m ? n : m);
  return order ? order : (n > m) - (n < m);
}

/* The place of a wire's declaration: the last part of "outer.sv:3.2-3.9|inner.sv:1.8-1.9". */
const char *flat_place(const char *text) {
  const char *place = text;
  for (; *text && *text != '"' && *text != '\n'; text++)
    if (*text == '|') place = text + 1;
  return place;
}

const char *flat_place_text(const char *source, char *text, size_t size) {
  const char *place = flat_place(source);
  const size_t n = strcspn(place, "\"\n");
  const char *colon = memrchr(place, ':', n);
  unsigned line, column;
  if (colon && sscanf(colon, ":%u.%u", &line, &column) == 2)
    snprintf(text, size, "%.*s:%u:%u", (int)(colon - place), place, line, column);
  else snprintf(text, size, "%.*s", (int)n, place);
  return text;
}

void flat_print_place(FILE *to, const char *place) {
  fputs(flat_place_text(place, (char[FLAT_PLACE]){0}, FLAT_PLACE), to);
}

static bool add_wire(flat_t *d, const char *words, const char *place, uint16_t flags) {
  flat_wire_t w = {.place = place, .width = 1, .first = d->num_bits};
  for (; *words && *words != '\\' && *words != '$' && *words != '\n';
       words += strcspn(words, " \n"), words += *words == ' ') {
    const char *p = words;
    if (flat_begins(&p, "width ")) w.width = (uint32_t)strtoul(p, NULL, 10);
    if (flat_begins(&p, "input ") || flat_begins(&p, "inout ")) flags |= FLAT_INPUT;
  }
  w.name = words;
  uint16_t *bits = reallocarray(d->bits, (size_t)d->num_bits + w.width + 1, sizeof *bits);
  if (!bits) return false;
  d->bits = bits;
  if (!grow_array(&d->wires, &d->room, d->num_wires, sizeof w)) return false;
  for (uint32_t i = 0; i < w.width; i++) bits[w.first + i] = flags;
  d->num_bits += w.width;
  d->wires[d->num_wires++] = w;
  return true;
}

const flat_wire_t *flat_wire(const flat_t *d, const char *name) {
  const flat_wire_t key = {.name = name};
  return bsearch(&key, d->wires, d->num_wires, sizeof key, by_name);
}

const flat_wire_t *flat_named(const flat_t *d, uint32_t bit) {
  for (size_t i = 0; i < d->num_wires; i++)
    if (bit - d->wires[i].first < d->wires[i].width) return *d->wires[i].name == '\\' ? &d->wires[i] : NULL;
  return NULL;
}

/* ---- signals */

static bool add_bit(signal_t *s, uint32_t bit) {
  if (!grow_array(&s->at, &s->room, s->count, sizeof *s->at)) return false;
  s->at[s->count++] = bit;
  return true;
}

/* Parses "8'0101", "8'x" or "12". A constant without any defined bit is no driver. */
static const char *add_constant(signal_t *s, const char *p, bool *ok) {
  char *end;
  unsigned long width = strtoul(p, &end, 10);
  const bool bits = *end == '\'',
             undefined = bits && (end[1] == 'x' || end[1] == 'z') && !strchr("01xz", end[2] ? end[2] : ' ');
  if (!bits) width = 32;
  for (unsigned long i = 0; i < width; i++) *ok = *ok && add_bit(s, undefined ? FLAT_UNDEFINED : FLAT_NO_BIT);
  return p + strcspn(p, " \n");
}

/* Parses "\name", "\name [3]" or "\name [7:4]", highest bit first. */
static const char *add_part(const flat_t *d, signal_t *s, const char *p, bool *ok) {
  const flat_wire_t key = {.name = p}, *w = bsearch(&key, d->wires, d->num_wires, sizeof *w, by_name);
  p += flat_name_length(p);
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

static bool read_signal(const flat_t *d, const char **at, signal_t *s) {
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

static bool add_edge(flat_t *d, uint32_t from, uint32_t to) {
  if (!grow_array(&d->edges, &d->edge_room, d->num_edges + 1, sizeof *d->edges)) return false;
  d->edges[d->num_edges++] = from, d->edges[d->num_edges++] = to;
  return true;
}

static void read_bits(flat_t *d, const signal_t *s) {
  for (size_t i = 0; i < s->count; i++)
    if (s->at[i] < FLAT_UNDEFINED) d->bits[s->at[i]] |= FLAT_READ;
}

/* ---- drivers */

/* Marks a driver of the bit. In the second pass it is known which drivers may be high-impedance. */
static void drive_bit(flat_t *d, uint32_t bit, bool tri) {
  uint16_t *b = &d->bits[bit];
  if (*b & (tri ? FLAT_TRI : FLAT_DRIVEN)) *b |= tri ? FLAT_TRI_AGAIN : FLAT_AGAIN;
  *b |= tri ? FLAT_TRI : FLAT_DRIVEN;
}

static bool is_output(const char *type, const char *port) {
  static const char *const outputs[] = {"\\Y", "\\Q", "\\RD_DATA", "\\CO", "\\X"};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (strncmp(port, outputs[i], flat_name_length(port)) == 0 && flat_name_length(port) == strlen(outputs[i]))
      return true;
  return strncmp(port, "\\DATA ", 6) == 0 && strncmp(type, "$memrd", 6) == 0;
}

/* ---- clocks */

static void note_source(flat_t *d, uint32_t to, uint32_t from, bool opposite) {
  if (to < FLAT_UNDEFINED && from < FLAT_UNDEFINED) d->sources[to] = 2 * from + opposite;
}

/* Says what is wrong with a clock edge: follows the bit back to an input. Bits that feed themselves
 * end the search. */
static const char *judge_edge(const flat_t *d, uint32_t bit, bool rising) {
  for (uint32_t i = 0; i < d->num_bits && bit < FLAT_UNDEFINED && d->sources[bit] != FLAT_NO_BIT; i++) {
    rising ^= d->sources[bit] & 1;
    bit = d->sources[bit] / 2;
  }
  if (bit >= FLAT_UNDEFINED || !(d->bits[bit] & FLAT_INPUT)) return "the clock of this register is made by logic";
  return rising ? NULL : "this register waits for the falling edge of the clock";
}

static bool take_clock(flat_t *d, const signal_t *s, bool rising, const char *place) {
  const char *why = s->count && !d->clock ? judge_edge(d, s->at[0], rising) : NULL;
  size_t size;
  FILE *to = why ? open_memstream(&d->clock, &size) : NULL;
  if (!why) return true;
  if (!to) return false;
  flat_print_place(to, place);
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

static bool take_output(flat_t *d, const char *type, const signal_t *s, pass_t *p) {
  const bool tri = strncmp(type, "$tribuf", 7) == 0 || strncmp(type, "$_TBUF_", 7) == 0;
  for (size_t i = 0; i < s->count; i++) {
    const uint32_t bit = s->at[i];
    if (bit >= FLAT_UNDEFINED) continue;
    if (p->settled) drive_bit(d, bit, tri);
    if (p->settled && tri) d->bits[bit] |= FLAT_FLOATS;
    else if (tri && (d->tri = true) && !add_edge(d, FLAT_NO_BIT, bit)) return false;
  }
  return true;
}

static bool is_zero(const char *value) {
  return *value == '0' || strncmp(value, "1'0", 3) == 0;
}

static const char *take_cell(flat_t *d, const char *line, const char *place, pass_t *p, bool *ok) {
  const char *type = line + strlen("  cell ");
  const bool mux = strncmp(type, "$mux ", 5) == 0,
             not = strncmp(type, "$not ", 5) == 0 || strncmp(type, "$logic_not ", 11) == 0;
  bool rising = true, clocked = true;
  signal_t inputs[2] = {{0}, {0}};
  unsigned num = 0;
  for (line = flat_next_line(line); *line && strncmp(line, "  end", 5); line = flat_next_line(line)) {
    const char *at = line, *port;
    if (flat_begins(&at, "    parameter \\CLK_POLARITY ")) rising = !is_zero(at);
    else if (flat_begins(&at, "    parameter \\CLK_ENABLE ")) clocked = !is_zero(at);
    if (!flat_begins(&at, "    connect ")) continue;
    port = at;
    at += flat_name_length(port), at += *at == ' ';
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
        if (s->at[i] < FLAT_UNDEFINED && inputs[k].at[i] < FLAT_UNDEFINED) *ok = add_edge(d, inputs[k].at[i], s->at[i]);
  }
  free(inputs[0].at), free(inputs[1].at);
  return line;
}

static bool take_connection(flat_t *d, const char *at, pass_t *p) {
  if (!read_signal(d, &at, &p->a)) return false;
  at += *at == ' ';
  if (!read_signal(d, &at, &p->b)) return false;
  read_bits(d, &p->b);
  for (size_t i = 0; i < p->a.count && i < p->b.count; i++) {
    const uint32_t to = p->a.at[i], from = p->b.at[i];
    if (to >= FLAT_UNDEFINED) continue;
    note_source(d, to, from, false);
    if (!p->settled && from < FLAT_UNDEFINED && !add_edge(d, from, to)) return false;
    if (from < FLAT_UNDEFINED) d->bits[to] |= FLAT_ASSIGNED;
    const bool floats = p->settled && from < FLAT_UNDEFINED && p->tri[from];
    if (p->settled) drive_bit(d, to, from == FLAT_UNDEFINED || floats);
    if (floats) d->bits[to] |= FLAT_FLOATS;
  }
  return true;
}

/* False also if the text ends before the module does. */
static bool take_module(flat_t *d, const char *line, pass_t *p) {
  const char *place = "";
  bool ok = true;
  for (; ok && *line && strncmp(line, "end", 3); line = flat_next_line(line)) {
    const char *at = line;
    if (flat_begins(&at, "  attribute \\src \"")) place = flat_place(at);
    else if (flat_begins(&at, "  cell ")) line = take_cell(d, line, place, p, &ok);
    else if (flat_begins(&at, "  connect ")) ok = take_connection(d, at, p);
  }
  return ok && *line;
}

/* Spreads "may be high-impedance" through connections and multiplexers, until nothing changes. */
static bool find_tri(const flat_t *d, pass_t *p) {
  p->tri = calloc((size_t)d->num_bits + 1, 1);
  if (!p->tri) return false;
  for (bool more = d->tri; more;) {
    more = false;
    for (size_t i = 0; i < d->num_edges; i += 2)
      if (!p->tri[d->edges[i + 1]] && (d->edges[i] == FLAT_NO_BIT || p->tri[d->edges[i]]))
        p->tri[d->edges[i + 1]] = 1, more = true;
  }
  return true;
}

const char *flat_top(const char *text) {
  bool top = false;
  for (const char *line = text; *line; line = flat_next_line(line)) {
    const char *at = line;
    if (flat_begins(&at, "attribute \\top ")) top = true;
    else if (flat_begins(&at, "module ") && top) return flat_next_line(line);
    else if (flat_begins(&at, "end") && *at == '\n') top = false;
  }
  return NULL;
}

static bool read_wires(flat_t *d, const char *line) {
  const char *place = "";
  uint16_t flags = 0;
  for (; *line && strncmp(line, "end", 3); line = flat_next_line(line)) {
    const char *at = line;
    if (flat_begins(&at, "  attribute \\src \"")) place = flat_place(at);
    else if (flat_begins(&at, "  attribute \\init ")) flags |= FLAT_FIRST;
    else if (flat_begins(&at, "  attribute \\lockstack_live ")) flags |= FLAT_LIVE;
    else if (flat_begins(&at, "  wire ")) {
      if (!add_wire(d, at, place, flags)) return false;
      place = "", flags = 0;
    } else if (!flat_begins(&at, "  attribute ")) place = "", flags = 0;
  }
  qsort(d->wires, d->num_wires, sizeof *d->wires, by_name);
  return true;
}

/* ---- with processes */

/* Constants that no process gives: from an assignment, or an instance's output. */
static bool take_given(flat_t *d, const char *at, pass_t *p) {
  bool ok = read_signal(d, &at, &p->a);
  at += *at == ' ';
  ok = ok && read_signal(d, &at, &p->b);
  for (size_t i = 0; ok && i < p->b.count; i++)
    if (p->b.at[i] < FLAT_UNDEFINED) d->bits[p->b.at[i]] |= FLAT_USED;
  for (size_t i = 0; ok && i < p->a.count && i < p->b.count; i++) {
    if (p->a.at[i] >= FLAT_UNDEFINED || p->b.at[i] == FLAT_UNDEFINED) continue;
    d->bits[p->a.at[i]] |= p->b.at[i] == FLAT_NO_BIT ? FLAT_GIVEN | FLAT_ASSIGNED : FLAT_GIVEN;
  }
  return ok;
}

static bool take_used(flat_t *d, const char *at, pass_t *p) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++)
    if (p->a.at[i] < FLAT_UNDEFINED) d->bits[p->a.at[i]] |= FLAT_USED;
  return ok;
}

/* True for "$0\x[7:0] \x": the process keeps the old value. */
static bool is_hold(const char *at) {
  const char *to = strchr(at, '\\'), *from = at + flat_name_length(at) + 1;
  const size_t n = *from == '\\' ? flat_name_length(from) : 0;
  return *at == '$' && to && n && from[n] == '\n' && strncmp(to, from, n) == 0 && to[n] == '[';
}

/* Records in `owners` which process gives each bit its value. */
static bool take_update(flat_t *d, const char *at, pass_t *p, uint32_t *owners, uint32_t process) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++) {
    const uint32_t bit = p->a.at[i];
    if (bit >= FLAT_UNDEFINED) continue;
    d->bits[bit] |= owners[bit] && owners[bit] != process ? FLAT_PROCESS | FLAT_SHARED : FLAT_PROCESS;
    owners[bit] = process;
  }
  return ok;
}

/* Yosys makes one process, at line 0, of all assignments and instances' outputs that drive words of
 * arrays. The process keeps one value of each bit. An empty assignment stands for a complete one
 * that another replaces; the first assignments hold the old values. A function call also has a
 * process at line 0 ("f$func$x.v:7$3.$result"), in which values follow one another. */
typedef struct {
  bool labelled, is; /* always_comb and others are at line 0, too */
  size_t assignments, signals;
  const char *first;
} merged_t;

static void take_merged(flat_t *d, merged_t *m, const char *line) {
  static const char process[] = "  process ";
  const char *number = memrchr(line, '$', strcspn(line, "\n"));
  if (flat_begins(&line, "  attribute \\always_")) m->labelled = true;
  else if (flat_begins(&line, process))
    *m = (merged_t){.is = !m->labelled && number - line > 2 && strncmp(number - 2, ":0", 2) == 0};
  else if (flat_begins(&line, "    assign { } { }")) m->assignments++;
  else if (flat_begins(&line, "    sync ")) m->is = m->is && strncmp(line, "always\n", 7) == 0;
  else if (flat_begins(&line, "      update "))
    m->is = m->is && !memmem(line, flat_name_length(line), "$func$", 6), m->first = m->signals++ ? m->first : line;
  else if (flat_begins(&line, "  end") && m->is && m->assignments > m->signals && !d->word) d->word = m->first;
}

static bool take_made(flat_t *d, const char *at, pass_t *p) {
  const bool ok = read_signal(d, &at, &p->a);
  for (size_t i = 0; ok && i < p->a.count; i++)
    if (p->a.at[i] < FLAT_UNDEFINED) d->bits[p->a.at[i]] |= FLAT_CELL;
  return ok;
}

static bool take_processes(flat_t *d, const char *line, pass_t *p) {
  merged_t merged = {0};
  uint32_t *owners = calloc((size_t)d->num_bits + 1, sizeof *owners), process = 0;
  bool ok = owners, begin = false;
  for (; ok && *line && strncmp(line, "end", 3); line = flat_next_line(line)) {
    const char *at = line, *word = line + strspn(line, " ");
    take_merged(d, &merged, line);
    if (flat_begins(&at, "  process ")) process++;
    else if (flat_begins(&at, "  connect ")) ok = take_given(d, at, p);
    else if (flat_begins(&at, "    connect "))
      ok = is_output("", at) ? take_made(d, at + flat_name_length(at) + 1, p)
                             : take_used(d, at + flat_name_length(at) + 1, p);
    else if (flat_begins(&word, "switch ")) ok = take_used(d, word, p);
    else if (flat_begins(&word, "assign ") && !is_hold(word))
      ok = read_signal(d, &word, &p->a) && take_used(d, word + 1, p);
    else if (flat_begins(&at, "    sync ")) begin = strncmp(at, "init", 4) == 0;
    else if (flat_begins(&at, "      update ") && !begin) ok = take_update(d, at, p, owners, process);
  }
  free(owners);
  return ok;
}

bool flat_read(flat_t *d, const char *with_processes, const char *text) {
  pass_t p = {0};
  const char *module = flat_top(text), *before = flat_top(with_processes);
  *d = (flat_t){0};
  bool ok = module && before && read_wires(d, module) &&
            (d->sources = malloc(((size_t)d->num_bits + 1) * sizeof *d->sources));
  if (ok) memset(d->sources, 0xff, (size_t)d->num_bits * sizeof *d->sources);
  ok = ok && take_processes(d, before, &p) && take_module(d, module, &p) && find_tri(d, &p);
  p.settled = true;
  ok = ok && take_module(d, module, &p);
  free(p.a.at), free(p.b.at), free(p.tri);
  return ok;
}

void flat_free(flat_t *d) {
  free(d->sources), free(d->wires), free(d->bits), free(d->edges), free(d->clock);
  *d = (flat_t){0};
}
