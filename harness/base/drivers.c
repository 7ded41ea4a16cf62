/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports bits with several drivers, circles of names, and undriven nets, from the flags of each
 * bit.
 */
#include "drivers.h"
#include "flat_design.h"

#include <stdlib.h>
#include <string.h>

static int shown_length(const flat_wire_t *w) {
  return (int)flat_name_length(w->name) - 1;
}

static void print_conflict(const flat_t *d, FILE *to) {
  for (uint32_t i = 0; i < d->num_bits; i++) {
    const uint16_t bit = d->bits[i];
    const bool plain = bit & FLAT_DRIVEN, tri = bit & FLAT_TRI, input = bit & FLAT_INPUT,
               several = bit & FLAT_AGAIN || plain + tri + input > 1;
    if ((!(bit & (FLAT_LIVE | FLAT_ASSIGNED)) || !several) && (~bit & (FLAT_GIVEN | FLAT_PROCESS)) &&
        (~bit & (FLAT_SHARED | FLAT_USED)))
      continue;
    const flat_wire_t *w = flat_named(d, i);
    if (!w) continue;
    flat_print_place(to, w->place);
    fprintf(to, ": '%.*s", shown_length(w), w->name + 1);
    if (w->width > 1) fprintf(to, "[%u]", i - w->first);
    fputs("' has several drivers (assignments, always blocks, outputs of instances); one for each bit would be right",
          to);
    return;
  }
}

static void print_word(const flat_t *d, FILE *to) {
  const flat_wire_t *w = flat_wire(d, d->word);
  if (w) flat_print_place(to, w->place);
  fprintf(to,
          ": '%.*s', or another word that an assignment or an instance drives, has several drivers; one for each word "
          "would be right",
          (int)flat_name_length(d->word) - 1, d->word + 1);
}

/* Finds a bit that `proc` has left without a driver. Some Yosys (0.52) drop a cell that only passes
 * on its own output. */
static uint32_t find_dropped(const flat_t *d) {
  uint32_t i = 0;
  while (i < d->num_bits && (d->bits[i] & (FLAT_CELL | FLAT_READ | FLAT_DRIVEN | FLAT_TRI | FLAT_INPUT | FLAT_FIRST)) !=
                                (FLAT_CELL | FLAT_READ))
    i++;
  return i < d->num_bits ? i : FLAT_UNDEFINED;
}

/* A name in the bit's own circle, or else a net that gets the value. */
static const flat_wire_t *wire_of_ring(const flat_t *d, uint32_t ring) {
  const flat_wire_t *w = NULL;
  uint32_t bit = ring;
  for (uint32_t n = 0; !w && n < d->num_bits && bit < FLAT_UNDEFINED / 2; n++, bit = d->sources[bit] / 2)
    w = flat_named(d, bit);
  for (uint32_t k = 0; !w && k < d->num_bits; k++)
    if (d->sources[k] / 2 == ring) w = flat_named(d, k);
  return w;
}

/* Prints names that are connected in a circle. The next step of any tool makes them one net, and
 * the loop is gone. */
static void print_ring(const flat_t *d, FILE *to) {
  uint32_t *seen = calloc((size_t)d->num_bits + 1, sizeof *seen), ring = FLAT_UNDEFINED;
  for (uint32_t i = 0; seen && i < d->num_bits && ring == FLAT_UNDEFINED; i++) {
    uint32_t bit = i;
    for (; !seen[bit] && d->sources[bit] != FLAT_NO_BIT; bit = d->sources[bit] / 2) seen[bit] = i + 1;
    if (d->sources[bit] != FLAT_NO_BIT && seen[bit] == i + 1) ring = bit;
  }
  free(seen);
  if (ring == FLAT_UNDEFINED) ring = find_dropped(d);
  const flat_wire_t *w = ring < FLAT_UNDEFINED ? wire_of_ring(d, ring) : NULL;
  if (!w) return;
  flat_print_place(to, w->place);
  fprintf(to, ": combinational loop through '%.*s': a bit depends on itself; a register or a latch has to be in it",
          shown_length(w), w->name + 1);
}

static void print_fault(const flat_t *d, FILE *to) {
  const long before = ftell(to);
  print_conflict(d, to);
  if (ftell(to) == before && d->word) print_word(d, to);
  if (ftell(to) == before) print_ring(d, to);
}

static void print_undriven(const flat_t *d, FILE *to) {
  for (size_t k = 0; k < d->num_wires; k++) {
    const flat_wire_t *w = &d->wires[k];
    bool undriven = false;
    for (uint32_t i = w->first; i < w->first + w->width; i++)
      undriven = undriven || (d->bits[i] & (FLAT_READ | FLAT_DRIVEN | FLAT_TRI | FLAT_INPUT | FLAT_FIRST)) == FLAT_READ;
    if (!undriven || *w->name != '\\' || !*w->place) continue;
    flat_print_place(to, w->place);
    fprintf(to, " %.*s\n", shown_length(w), w->name + 1);
  }
}

/* Prints the first bit of each wire. */
static void print_shared(const flat_t *d, FILE *to) {
  for (size_t k = 0; k < d->num_wires; k++) {
    const flat_wire_t *w = &d->wires[k];
    uint32_t i = w->first;
    while (i < w->first + w->width && !(d->bits[i] & FLAT_TRI_AGAIN)) i++;
    if (i == w->first + w->width || *w->name != '\\' || !*w->place) continue;
    flat_print_place(to, w->place);
    fprintf(to, " %.*s\n", shown_length(w), w->name + 1);
  }
}

static void print_floating(const flat_t *d, FILE *to) {
  const flat_wire_t *found = NULL;
  for (size_t k = 0; !found && k < d->num_wires; k++) {
    const flat_wire_t *w = &d->wires[k];
    uint32_t i = w->first;
    while (i < w->first + w->width && !(d->bits[i] & FLAT_FLOATS)) i++;
    if (i < w->first + w->width && *w->name == '\\' && *w->place) found = w;
  }
  if (!found) return;
  flat_print_place(to, found->place);
  fprintf(to, ": '%.*s'", shown_length(found), found->name + 1);
}

static char *print_cases(const char *line) {
  char *text = NULL;
  const char *place = "";
  bool full = false, parallel = false;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  for (; *line && strncmp(line, "end", 3); line = flat_next_line(line)) {
    const char *at = line + strspn(line, " ");
    if (flat_begins(&at, "attribute \\src \"")) place = flat_place(at);
    else if (flat_begins(&at, "attribute \\full_case ")) full = true;
    else if (flat_begins(&at, "attribute \\parallel_case ")) parallel = true;
    else if (!flat_begins(&at, "attribute ")) {
      if ((full || parallel) && flat_begins(&at, "switch ")) {
        flat_print_place(to, place);
        fprintf(to, " %s%s%s\n", full ? "full_case" : "", full && parallel ? ", " : "",
                parallel ? "parallel_case" : "");
      }
      full = parallel = false;
    }
  }
  return fclose(to) ? free(text), NULL : text;
}

static char *printed(const flat_t *d, void (*print)(const flat_t *d, FILE *to)) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  print(d, to);
  return fclose(to) ? free(text), NULL : text;
}

bool drivers_read(drivers_t *drivers, const char *with_processes, const char *text) {
  flat_t d;
  *drivers = (drivers_t){0};
  const bool ok = flat_read(&d, with_processes, text);
  if (ok) drivers->conflict = printed(&d, print_fault), drivers->undriven = printed(&d, print_undriven);
  if (ok) drivers->shared = printed(&d, print_shared), drivers->cases = print_cases(flat_top(with_processes));
  if (ok) drivers->floating = printed(&d, print_floating);
  if (ok) drivers->clock = strdup(d.clock ? d.clock : "");
  flat_free(&d);
  return ok && drivers->conflict && drivers->undriven && drivers->shared && drivers->cases && drivers->clock &&
         drivers->floating;
}

void drivers_free(drivers_t *drivers) {
  free(drivers->conflict), free(drivers->undriven), free(drivers->shared), free(drivers->cases), free(drivers->clock);
  free(drivers->floating);
  *drivers = (drivers_t){0};
}
