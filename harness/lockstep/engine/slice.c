/* SPDX-License-Identifier: Apache-2.0 */
#include "slice.h"

#include "clock.h"
#include "port_label.h"
#include "report.h"
#include "state_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 256, ROWS = 8, CYCLES = 64 };

static const size_t most_kept = (size_t)256 << 20; /* bytes of all states */

typedef struct {
  slice_t *slice;
  const dut_t *dut;
  const char *lines;
  const trace_t *trace;
  const dut_port_t *port;
  const unsigned char *wrong;
  void *dev;
  size_t size, first;    /* bytes of a state; the first cycle that is kept */
  size_t *offset;        /* of each state */
  bool *registers;       /* which states are registers; others follow from them */
  unsigned char *kept;   /* the states before each cycle from `first` on, and after the last one */
  unsigned char *target; /* bits that decide, of the state after a cycle */
  unsigned char *source; /* of the state before it */
  unsigned char *held;   /* bits of `target` that came through a cycle as they were */
  unsigned char *now, *got;
  uint64_t *in, *mask;
  void *out, *right;
  double deadline;
} walk_t;

void slice_free(slice_t *s) {
  for (size_t i = 0; i < s->count; i++) free(s->entries[i].first), free(s->entries[i].last);
  free(s->entries);
  memset(s, 0, sizeof *s);
}

/* ---- the recording */

static unsigned char *state_at(const walk_t *w, size_t cycle) {
  return w->kept + (cycle - w->first) * w->size;
}

static void put_inputs(walk_t *w, size_t cycle) {
  const uint64_t *in = w->trace->cycles[cycle].in;
  for (uint32_t i = 0; i < w->dut->in_size / 8; i++) w->in[i] = in ? in[i] & w->mask[i] : 0;
}

/* The outputs of a cycle, or with `edge` the state after it. */
static void ask_device(walk_t *w, const unsigned char *state, bool edge) {
  w->dut->state_set(w->dev, state);
  w->dut->set_inputs(w->dev, w->in);
  w->dut->eval(w->dev);
  if (!edge) memset(w->out, 0, w->dut->out_size), w->dut->get_outputs(w->dev, w->out);
  w->dut->step(w->dev); /* a state is set behind an edge */
  if (edge) w->dut->state_get(w->dev, w->got);
}

static bool play_recording(walk_t *w) {
  const trace_t *t = w->trace;
  w->dut->reset(w->dev, NULL);
  for (size_t i = 0; i <= t->count; i++) {
    if (i >= w->first) w->dut->state_get(w->dev, state_at(w, i));
    if (i == t->count) break;
    if (t->cycles[i].reset) {
      w->dut->reset(w->dev, t->cycles[i].in);
      continue;
    }
    put_inputs(w, i);
    w->dut->set_inputs(w->dev, w->in);
    w->dut->eval(w->dev);
    w->dut->step(w->dev);
    if (i % 1024 == 0 && clock_seconds() > w->deadline) return false;
  }
  return true;
}

/* True if the registers are all that a cycle depends on. Ports of parts follow from them. */
static bool is_whole(walk_t *w, size_t cycle) {
  if (w->trace->cycles[cycle].reset) return true;
  put_inputs(w, cycle);
  ask_device(w, state_at(w, cycle), true);
  for (unsigned i = 0; i < w->dut->num_states; i++)
    if (w->registers[i] &&
        memcmp(w->got + w->offset[i], state_at(w, cycle + 1) + w->offset[i], w->offset[i + 1] - w->offset[i]))
      return false;
  return true;
}

/* ---- what is found */

static slice_entry_t *new_entry(slice_t *s) {
  if (s->count == s->room) {
    const size_t room = s->room ? 2 * s->room : 16;
    slice_entry_t *more = realloc(s->entries, room * sizeof *more);
    if (!more) return NULL;
    s->entries = more, s->room = room;
  }
  return memset(&s->entries[s->count++], 0, sizeof(slice_entry_t));
}

/* The entry of this name that begins in this cycle or in the next one; NULL: none. */
static slice_entry_t *entry_before(slice_t *s, const char *name, bool input, uint64_t cycle) {
  for (size_t i = 0; i < s->count; i++)
    if (s->entries[i].from - cycle <= 1 && s->entries[i].input == input && !strcmp(s->entries[i].name, name))
      return &s->entries[i];
  return NULL;
}

/* Cuts a wide value at its first digit that is not 0, and behind DIGITS digits. */
static void shorten(char *value) {
  enum { DIGITS = 20, WIDE = 12 };
  const size_t zeros = strlen(value) > WIDE ? strspn(value + 2, "0_") : 0;
  if (zeros) memmove(value + 2, value + 2 + zeros, strlen(value + 2 + zeros) + 1);
  if (!value[2]) strcpy(value + 2, "0");
  if (strlen(value) > DIGITS + 5) strcpy(value + 2 + DIGITS, "...");
}

static void state_value(const walk_t *w, unsigned state, uint32_t element, size_t cycle, char text[VALUE]) {
  const dut_state_t *s = &w->dut->states[state];
  const size_t bytes = state_storage(s->width), digits = (s->width + 3) / 4;
  const unsigned char *at = state_at(w, cycle) + w->offset[state] + element * bytes;
  size_t n = (size_t)snprintf(text, VALUE, "0x");
  for (size_t i = digits; i-- > 0 && n + 4 < VALUE;)
    n += (size_t)snprintf(text + n, VALUE - n, "%x", at[i / 2] >> i % 2 * 4 & 15);
  shorten(text);
}

static void note_register(walk_t *w, unsigned state, uint32_t element, size_t cycle) {
  const dut_state_t *s = &w->dut->states[state];
  char name[SLICE_NAME], value[VALUE];
  snprintf(name, sizeof name, s->elements > 1 ? "%.140s[%u]" : "%.140s", s->name, element);
  state_value(w, state, element, cycle, value);
  slice_entry_t *e = entry_before(w->slice, name, false, cycle);
  if (e) {
    e->from = cycle;
    free(e->first), e->first = strdup(value);
    return;
  }
  if (!(e = new_entry(w->slice))) return;
  strcpy(e->name, name);
  if (w->lines) state_lines(w->lines, s->name, e->where, sizeof e->where);
  e->from = e->to = cycle;
  e->first = strdup(value), e->last = strdup(value);
}

static void note_input(walk_t *w, const dut_port_t *port, size_t cycle) {
  char name[PORT_NAME], text[4096], value[VALUE];
  port_label(port, name);
  snprintf(value, sizeof value, "%.200s", report_value(port, w->in, text, sizeof text));
  shorten(value);
  slice_entry_t *e = entry_before(w->slice, name, true, cycle);
  if (e && e->first && !strcmp(e->first, value)) {
    e->from = cycle;
    return;
  }
  if (!(e = new_entry(w->slice))) return;
  snprintf(e->name, sizeof e->name, "%.150s", name);
  e->input = true;
  e->zero = !value[strspn(value, "0x_")];
  e->from = e->to = cycle;
  e->first = strdup(value), e->last = strdup(value);
}

/* ---- one cycle back */

static bool differs(const unsigned char *a, const unsigned char *b, const unsigned char *bits, size_t size) {
  for (size_t i = 0; i < size; i++)
    if ((a[i] ^ b[i]) & bits[i]) return true;
  return false;
}

/* True if what is asked for changes in this cycle: bits of the output, or with `edge` those of
 * `target`. `right`: without a change. */
static bool is_decided(walk_t *w, const unsigned char *state, size_t cycle, bool edge) {
  ask_device(w, state, edge);
  if (edge) return differs(w->got, state_at(w, cycle + 1), w->target, w->size);
  const size_t at = w->port->offset;
  return differs((unsigned char *)w->out + at, (unsigned char *)w->right + at, w->wrong + at, w->port->size);
}

static void invert(unsigned char *bytes, uint32_t width) {
  for (uint32_t b = 0; b < width; b++) bytes[b / 8] ^= (unsigned char)(1u << b % 8);
}

/* Inverts one element of a register, bit by bit. Of a long memory a row is inverted as a whole
 * first. */
static void try_element(walk_t *w, unsigned state, uint32_t element, size_t cycle, bool edge) {
  const dut_state_t *s = &w->dut->states[state];
  const size_t at = w->offset[state] + element * state_storage(s->width);
  bool any = false;
  if (s->elements > ROWS) {
    invert(w->now + at, s->width);
    any = is_decided(w, w->now, cycle, edge);
    invert(w->now + at, s->width);
    if (!any) return;
  }
  any = false;
  for (uint32_t b = 0; b < s->width; b++) {
    const unsigned char bit = (unsigned char)(1u << b % 8);
    w->now[at + b / 8] ^= bit;
    if (is_decided(w, w->now, cycle, edge)) w->source[at + b / 8] |= bit, any = true;
    w->now[at + b / 8] ^= bit;
  }
  if (any) note_register(w, state, element, cycle);
}

static void try_input(walk_t *w, const dut_port_t *port, size_t cycle, bool edge) {
  unsigned char *at = (unsigned char *)w->in + port->offset;
  bool any = false;
  for (uint32_t b = 0; b < port->width && !any; b++) {
    const unsigned char bit = (unsigned char)(1u << b % 8);
    at[b / 8] ^= bit;
    any = is_decided(w, w->now, cycle, edge);
    at[b / 8] ^= bit;
  }
  if (any) note_input(w, port, cycle);
}

/* Finds all that decides in this cycle. False: the time is over. */
static bool try_all(walk_t *w, size_t cycle, bool edge) {
  put_inputs(w, cycle);
  memcpy(w->now, state_at(w, cycle), w->size);
  for (unsigned i = 0; i < w->dut->num_states; i++)
    for (uint32_t e = 0; w->registers[i] && e < w->dut->states[i].elements; e++) {
      if (clock_seconds() > w->deadline) return false;
      try_element(w, i, e, cycle, edge);
    }
  for (unsigned i = 0; i < w->dut->num_ports; i++)
    if (w->dut->ports[i].dir == DUT_IN) try_input(w, &w->dut->ports[i], cycle, edge);
  return true;
}

/* Moves the bits of `target` that this cycle leaves as they were to `held`: those of elements that
 * keep their value, and would keep another one. */
static void hold(walk_t *w, size_t cycle) {
  const unsigned char *before = state_at(w, cycle), *after = state_at(w, cycle + 1);
  memset(w->held, 0, w->size);
  put_inputs(w, cycle);
  memcpy(w->now, before, w->size);
  for (unsigned i = 0; i < w->dut->num_states; i++)
    for (uint32_t e = 0; e < w->dut->states[i].elements; e++) {
      const size_t bytes = state_storage(w->dut->states[i].width), at = w->offset[i] + e * bytes;
      bool any = false;
      for (size_t k = at; k < at + bytes; k++) any |= w->target[k] != 0;
      if (!any || differs(before + at, after + at, w->target + at, bytes)) continue;
      for (size_t k = at; k < at + bytes; k++) w->now[k] ^= w->target[k];
      ask_device(w, w->now, true);
      bool kept = true;
      for (size_t k = at; k < at + bytes; k++) kept &= ((w->got[k] ^ after[k]) & w->target[k]) == w->target[k];
      for (size_t k = at; k < at + bytes; k++) {
        w->now[k] ^= w->target[k];
        if (kept) w->held[k] = w->target[k], w->target[k] = 0;
      }
      if (kept) note_register(w, i, e, cycle);
    }
}

static bool is_empty(const unsigned char *bits, size_t size) {
  size_t i = 0;
  while (i < size && !bits[i]) i++;
  return i == size;
}

/* From the state after `cycle` to the one before. False: there is nothing more to follow. */
static bool step_back(walk_t *w, size_t cycle, bool last) {
  if (w->trace->cycles[cycle].reset) return w->slice->reset = true, false;
  memset(w->source, 0, w->size);
  if (last) memset(w->held, 0, w->size);
  else hold(w, cycle);
  if (!is_empty(w->target, w->size) && !try_all(w, cycle, true)) return w->slice->cut = true, false;
  for (size_t i = 0; i < w->size; i++) w->target[i] = w->source[i] | w->held[i];
  w->slice->cycle = cycle;
  return !is_empty(w->target, w->size);
}

static void walk_back(walk_t *w) {
  const size_t last = w->trace->count - 1;
  if (!is_whole(w, last) || (last && !is_whole(w, last - 1))) {
    w->slice->why = "the RTL has state that is in no register";
    return;
  }
  put_inputs(w, last);
  ask_device(w, state_at(w, last), false);
  memcpy(w->right, w->out, w->dut->out_size);
  memset(w->source, 0, w->size);
  w->slice->cycle = last;
  if (!try_all(w, last, false)) {
    w->slice->cut = true;
    return;
  }
  memcpy(w->target, w->source, w->size);
  if (is_empty(w->target, w->size)) return;
  size_t at = last;
  while (at > w->first && step_back(w, at - 1, at == last)) at--;
  if (at == w->first && !w->slice->cut) w->first ? (w->slice->cut = true) : (w->slice->reset = true);
}

/* ---- all of it */

/* A port of a part is a register if a line says so. */
static bool *find_registers(const walk_t *w) {
  char where[SLICE_NAME];
  bool *are = calloc(w->dut->num_states + 1, sizeof *are);
  for (unsigned i = 0; are && i < w->dut->num_states; i++)
    are[i] = !w->lines || state_lines(w->lines, w->dut->states[i].name, where, sizeof where);
  return are;
}

static bool open_walk(walk_t *w) {
  const dut_t *dut = w->dut;
  const size_t most = most_kept / (dut->state_size + 1), n = w->trace->count + 1;
  w->size = dut->state_size;
  w->first = n > most ? n - most : 0;
  w->offset = state_offsets(dut);
  w->registers = find_registers(w);
  w->kept = calloc(n - w->first, w->size + 1);
  w->target = calloc(5, w->size + 8);
  w->in = calloc(2, dut->in_size + 8);
  w->out = calloc(2, dut->out_size + 8);
  if (!w->offset || !w->registers || !w->kept || !w->target || !w->in || !w->out) return false;
  w->source = w->target + w->size + 8, w->held = w->source + w->size + 8;
  w->now = w->held + w->size + 8, w->got = w->now + w->size + 8;
  w->mask = (uint64_t *)((char *)w->in + dut->in_size + 8);
  w->right = (char *)w->out + dut->out_size + 8;
  dut_input_mask(dut, w->mask);
  return (w->dev = dut->create()) != NULL;
}

static void close_walk(walk_t *w) {
  if (w->dev) w->dut->destroy(w->dev);
  free(w->registers), free(w->offset), free(w->kept), free(w->target), free(w->in), free(w->out);
}

void slice_find(slice_t *slice, const dut_t *dut, const char *lines, const trace_t *trace, const dut_port_t *port,
                const void *wrong, double seconds) {
  walk_t w = {.slice = slice,
              .dut = dut,
              .lines = lines,
              .trace = trace,
              .port = port,
              .wrong = wrong,
              .deadline = clock_seconds() + seconds};
  memset(slice, 0, sizeof *slice);
  if (!dut->state_set) slice->why = "the device shows no registers";
  else if (!trace->count || !open_walk(&w)) slice->why = "out of memory";
  else if (!play_recording(&w)) slice->why = "the recording is too long";
  else walk_back(&w);
  close_walk(&w);
}

/* ---- what a person reads */

static const char *cycles_of(const slice_entry_t *e, char text[CYCLES]) {
  if (e->from == e->to) snprintf(text, CYCLES, "cycle %" PRIu64, e->from);
  else snprintf(text, CYCLES, "cycles %" PRIu64 "-%" PRIu64, e->from, e->to);
  return text;
}

/* The widths of the columns of names and cycles. */
static void widths_of(const slice_t *s, int width[2]) {
  char cycles[CYCLES];
  width[0] = width[1] = 0;
  for (size_t i = 0; i < s->count; i++) {
    const int n = (int)strlen(s->entries[i].name), m = (int)strlen(cycles_of(&s->entries[i], cycles));
    if (n > width[0]) width[0] = n;
    if (m > width[1]) width[1] = m;
  }
}

static void print_entry(FILE *out, const slice_entry_t *e, const int width[2]) {
  char cycles[CYCLES], value[2 * VALUE];
  const char *first = e->first ? e->first : "?", *last = e->last ? e->last : "?";
  if (strcmp(first, last)) snprintf(value, sizeof value, "%s to %s", first, last);
  else snprintf(value, sizeof value, "%s", first);
  fprintf(out, "    %-8s %-*s  %-*s  %s", e->input ? "input" : "register", width[0], e->name, width[1],
          cycles_of(e, cycles), value);
  if (*e->where) fprintf(out, "  %s", e->where);
  fprintf(out, "\n");
}

/* Prints entries of one kind, up to `room`; returns how many there are besides. */
static size_t print_kind(FILE *out, const slice_t *s, bool input, bool zero, size_t *room) {
  size_t more = 0;
  int width[2];
  widths_of(s, width);
  for (size_t i = 0; i < s->count; i++) {
    const slice_entry_t *e = &s->entries[i];
    if (e->input != input || e->zero != zero) continue;
    if (*room) print_entry(out, e, width), --*room;
    else more++;
  }
  return more;
}

void slice_print(FILE *out, const slice_t *s) {
  size_t registers = SLICE_SHOWN, inputs = SLICE_SHOWN;
  if (s->why) {
    fprintf(out, "    not followed through registers: %s\n", s->why);
    return;
  }
  if (!s->count && !s->cut) {
    fprintf(out, "    no single bit of a register or an input changes the wrong bits in that cycle\n");
    return;
  }
  size_t more = print_kind(out, s, false, false, &registers);
  more += print_kind(out, s, true, false, &inputs);
  more += print_kind(out, s, true, true, &inputs);
  if (more) fprintf(out, "    and %zu more\n", more);
  if (s->reset) fprintf(out, "    and what a reset has set\n");
  if (s->cut) fprintf(out, "    followed back to cycle %" PRIu64 "\n", s->cycle);
}
