/* SPDX-License-Identifier: Apache-2.0
 *
 * RTLIL is read by the line. A cell has its type, its name and parameters, then a line for each
 * connection. A cut connects the cell to one of the two new wires, and the other wire to what
 * the cell had.
 */
#include "cut.h"
#include "nets.h"
#include "rng.h"
#include "wire_init.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Always false. */
static bool report_file(const char *path, trouble_t *trouble) {
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

/* --- the list */

/* "/tree/rtl/lib/x.sv:25.3-27.9" becomes "rtl/lib/x.sv:25". A merged cell has several places;
 * the first counts. */
static void source_line(const char *word, const char *root, char *source) {
  size_t n = strlen(root);
  if (strncmp(word, root, n) == 0 && word[n] == '/') word += n + 1;
  size_t name = strcspn(word, "|"); /* several, when cells were merged: the first */
  const char *colon = memrchr(word, ':', name);
  if (colon && colon[1] == '0') return; /* of no line */
  if (colon) name = (size_t)(colon - word) + 1 + strspn(colon + 1, "0123456789");
  snprintf(source, MUTANT_TEXT, "%.*s", (int)(name < MUTANT_TEXT ? name : MUTANT_TEXT - 1), word);
}

/* One option of the line. -src comes twice, the wire's and then the cell's: the last one counts. */
static void set_option(mutant_t *m, const char *name, const char *value, const char *root) {
  if (strcmp(name, "-mode") == 0) snprintf(m->mode, sizeof m->mode, "%.7s", value);
  else if (strcmp(name, "-module") == 0) snprintf(m->module, sizeof m->module, "%.63s", value);
  else if (strcmp(name, "-cell") == 0) snprintf(m->cell, MUTANT_TEXT, "%.255s", value);
  else if (strcmp(name, "-port") == 0) snprintf(m->port, sizeof m->port, "%.15s", value);
  else if (strcmp(name, "-portbit") == 0) m->bit = (int)strtol(value, NULL, 10);
  else if (strcmp(name, "-ctrlbit") == 0) m->fault.other = (unsigned)strtoul(value, NULL, 10);
  else if (strcmp(name, "-src") == 0) source_line(value, root, m->source); /* the wire's first, the cell's last */
}

/* False: a mode that is no fault of ours. */
static bool fault_kind(mutant_t *m) {
  static const char *const modes[] = {"inv", "const0", "const1", "cnot0", "cnot1"};
  for (unsigned i = 0; i < 5; i++)
    if (strcmp(m->mode, modes[i]) == 0) {
      m->fault.kind = (fault_kind_t)i;
      m->fault.bit = (unsigned)m->bit;
      return true;
    }
  return false;
}

/* Reads "mutate -ctrl NAME WIDTH NUMBER -mode inv -module X -cell Y -port A -portbit 0 [-ctrlbit
 * 1] -src ...". False: not a fault that may be drawn. */
static bool read_mutant(mutant_t *m, char *line, const char *root) {
  char *rest, *name, *value;
  memset(m, 0, sizeof *m);
  for (name = strtok_r(line, " \n", &rest); name; name = strtok_r(NULL, " \n", &rest)) {
    if (*name != '-') continue;
    if (!(value = strtok_r(NULL, " \n", &rest))) break;
    set_option(m, name, value, root);
  }
  return fault_kind(m) && *m->cell && strcmp(m->port, "CLK") != 0;
}

/* A line of the list that may be drawn. */
typedef struct {
  long at;
  uint32_t line;  /* of the source */
  uint64_t order; /* random */
} candidate_t;

typedef struct {
  FILE *file;
  const char *root;
  nets_t lines;
  candidate_t *all;
  unsigned count, room;
} candidates_t;

/* Reads all of the list, but keeps only where each line is: the list can have a million lines. */
static bool read_candidates(candidates_t *c, uint64_t seed) {
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  mutant_t m;
  for (long at = 0; ok && getline(&line, &room, c->file) > 0; at = ftell(c->file)) {
    if (!read_mutant(&m, line, c->root)) continue;
    if (c->count == c->room) {
      candidate_t *more = realloc(c->all, (c->room = c->room ? 2 * c->room : 4096) * sizeof *more);
      if (!(ok = more)) break;
      c->all = more;
    }
    uint32_t source = nets_add(&c->lines, m.source);
    c->all[c->count] = (candidate_t){at, source, rng_mix(seed ^ rng_mix(c->count + 1))};
    ok = source != NETS_NONE;
    c->count++;
  }
  free(line);
  return ok;
}

static int by_line(const void *a, const void *b) {
  const candidate_t *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* `line` is the round by now (put_in_order). */
static int by_round(const void *a, const void *b) {
  const candidate_t *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1; /* now the round */
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts into rounds, where a round has one fault of each source line. No line has many while
 * another has none. */
static void put_in_order(candidates_t *c) {
  qsort(c->all, c->count, sizeof *c->all, by_line);
  uint32_t line = NETS_NONE, round = 0;
  for (unsigned i = 0; i < c->count; i++) {
    round = c->all[i].line == line ? round + 1 : 0;
    line = c->all[i].line;
    c->all[i].line = round;
  }
  qsort(c->all, c->count, sizeof *c->all, by_round);
}

/* Reads the first `count` lines in the new order. */
static mutant_t *read_chosen(candidates_t *c, unsigned count) {
  char *line = NULL;
  size_t room = 0;
  mutant_t *mutants = calloc(count + 1, sizeof *mutants);
  for (unsigned i = 0; mutants && i < count; i++) {
    if (fseek(c->file, c->all[i].at, SEEK_SET) || getline(&line, &room, c->file) <= 0) break;
    read_mutant(&mutants[i], line, c->root);
    mutants[i].place = i;
  }
  free(line);
  return mutants;
}

mutant_t *cut_list(const char *path, const char *root, unsigned wanted, uint64_t seed, unsigned *count,
                   trouble_t *trouble) {
  candidates_t c = {.file = fopen(path, "r"), .root = root};
  mutant_t *mutants = NULL;
  if (c.file && read_candidates(&c, seed)) {
    put_in_order(&c);
    *count = c.count < wanted ? c.count : wanted;
    mutants = read_chosen(&c, *count);
  }
  if (!mutants) report_file(path, trouble);
  if (c.file) fclose(c.file);
  nets_free(&c.lines);
  free(c.all);
  return mutants;
}

/* --- the design */

typedef struct {
  FILE *file;
  char *text;
  size_t size;
} stream_t;

typedef struct {
  FILE *in, *out;
  stream_t wires, cells, ends; /* of the module: RTLIL wants a wire before what uses it */
  char *line;
  size_t room;
  mutant_t *mutants;
  unsigned count, first, last; /* mutants first..last-1 are of the cell at hand */
  char type[64];
  unsigned width_a, width_b, width_y, width_s, width; /* its parameters; 0: it has none of this name */
  unsigned cuts;
  wire_init_t init;
  bool lost; /* out of memory */
} work_t;

/* The order for the search by name in open_cell. */
static int by_cell(const void *a, const void *b) {
  const mutant_t *x = a, *y = b;
  int order = strcmp(x->cell, y->cell);
  if (!order) order = strcmp(x->port, y->port);
  if (!order) order = x->place < y->place ? -1 : 1;
  return order;
}

static int by_cut(const void *a, const void *b) {
  const mutant_t *x = a, *y = b;
  if (x->fault.cut != y->fault.cut) return x->fault.cut < y->fault.cut ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

/* Reads "  cell $mux \name" and finds the mutants of this cell, first..last-1 (binary search).
 * RTLIL has a backslash before names, and the list has none. */
static void open_cell(work_t *w) {
  char name[4096] = "";
  w->width_a = w->width_b = w->width_y = w->width_s = w->width = 0;
  w->first = w->last = 0;
  if (sscanf(w->line, " cell %63s %4095s", w->type, name) != 2) return;
  const char *plain = *name == '\\' ? name + 1 : name;
  unsigned low = 0;
  for (unsigned high = w->count; low < high;) {
    unsigned middle = (low + high) / 2;
    if (strcmp(w->mutants[middle].cell, plain) < 0) low = middle + 1;
    else high = middle;
  }
  w->first = w->last = low;
  while (w->last < w->count && strcmp(w->mutants[w->last].cell, plain) == 0) w->last++;
}

static void read_parameter(work_t *w) {
  char name[64];
  unsigned value;
  if (sscanf(w->line, " parameter \\%63s %u", name, &value) != 2) return;
  if (strcmp(name, "A_WIDTH") == 0) w->width_a = value;
  else if (strcmp(name, "B_WIDTH") == 0) w->width_b = value;
  else if (strcmp(name, "Y_WIDTH") == 0) w->width_y = value;
  else if (strcmp(name, "S_WIDTH") == 0) w->width_s = value;
  else if (strcmp(name, "WIDTH") == 0) w->width = value;
}

/* Width of a port from the cell's parameters, whose names depend on the kind of cell. 0:
 * unknown. */
static unsigned port_width(const work_t *w, const char *port) {
  if (strncmp(w->type, "$_", 2) == 0) return 1; /* a gate */
  if (strcmp(port, "S") == 0) return w->width_s ? w->width_s : 1;
  if (strcmp(w->type, "$pmux") == 0 && strcmp(port, "B") == 0) return w->width * w->width_s;
  if (strcmp(port, "A") == 0 && w->width_a) return w->width_a;
  if (strcmp(port, "B") == 0 && w->width_b) return w->width_b;
  if (strcmp(port, "Y") == 0 && w->width_y) return w->width_y;
  if (strchr("ABCDQXY", *port) && !port[1]) return w->width;
  static const char *const single[] = {"EN", "SRST", "ARST", "CI", "BI"};
  for (unsigned i = 0; i < sizeof single / sizeof *single; i++)
    if (strcmp(port, single[i]) == 0) return 1;
  return 0;
}

static bool is_output(const char *port) {
  return strcmp(port, "Y") == 0 || strcmp(port, "Q") == 0;
}

/* A register that drives the new wire begins with the same value. */
static void keep_init(work_t *w, const char *signal, unsigned width) {
  char *bits = malloc(width + 1);
  w->lost |= !bits;
  if (bits && wire_init_of(&w->init, signal, width, bits))
    fprintf(w->wires.file, "  attribute \\init %u'%s\n", width, bits);
  free(bits);
}

/* Reads "    connect \A what" and cuts the port when it has a mutant. False: the line stays as
 * it is. Numbers of ports only need to differ from the design's own, hence 1000000. */
static bool cut_port(work_t *w) {
  char port[16];
  int at = 0;
  unsigned i = w->first;
  if (sscanf(w->line, " connect \\%15s %n", port, &at) != 1 || !at) return false;
  while (i < w->last && strcmp(w->mutants[i].port, port)) i++;
  unsigned width = port_width(w, port);
  if (i == w->last || !width) return false;
  unsigned cut = ++w->cuts;
  w->line[strcspn(w->line, "\n")] = 0;
  if (strcmp(port, "Q") == 0) keep_init(w, w->line + at, width);
  fprintf(w->wires.file, "  wire width %u output %u \\lm_i_%u\n  wire width %u input %u \\lm_o_%u\n", width,
          1000000 + 2 * cut, cut, width, 1000001 + 2 * cut, cut);
  if (is_output(port)) {
    fprintf(w->ends.file, "  connect %s \\lm_o_%u\n", w->line + at, cut);
    fprintf(w->cells.file, "    connect \\%s \\lm_i_%u\n", port, cut);
  } else {
    fprintf(w->ends.file, "  connect \\lm_i_%u %s\n", cut, w->line + at);
    fprintf(w->cells.file, "    connect \\%s \\lm_o_%u\n", port, cut);
  }
  for (; i < w->last && strcmp(w->mutants[i].port, port) == 0; i++)
    if ((unsigned)w->mutants[i].bit < width) w->mutants[i].fault.cut = cut;
  return true;
}

/* RTLIL wants a wire before its use: wires, cells and connections are collected and written
 * here. */
static void end_module(work_t *w) {
  stream_t *all[] = {&w->wires, &w->cells, &w->ends};
  for (int i = 0; i < 3; i++) {
    fflush(all[i]->file);
    fwrite(all[i]->text, 1, all[i]->size, w->out);
  }
}

/* Removes a word, and the number behind it, from the options of a wire. */
static void drop_option(char *line, const char *word, bool number) {
  char *at = strstr(line, word), *end = at ? at + strlen(word) : NULL;
  if (!at || *end != ' ') return;
  if (number) end += 1 + strspn(end + 1, "-0123456789");
  memmove(at, end, strlen(end) + 1);
}

/* Bits of all wires count from the lowest, 0, on. The netlist names a port's bits, and those of
 * `input [0:7] d` or `input [8:1] d` would have the source's numbers. */
static void number_from_zero(char *line) {
  drop_option(line, " upto", false);
  drop_option(line, " offset", true);
}

/* Copies the file by the line; lines within the module go through the three streams. */
static void copy_design(work_t *w) {
  bool module = false, cell = false;
  while (getline(&w->line, &w->room, w->in) > 0) {
    w->lost |= !cell && !wire_init_read(&w->init, w->line);
    if (strncmp(w->line, "end", 3) == 0) end_module(w), module = false;
    else if (strncmp(w->line, "  cell ", 7) == 0) open_cell(w), cell = true;
    else if (strncmp(w->line, "  end", 5) == 0) cell = false;
    else if (cell && strncmp(w->line, "    parameter ", 14) == 0) read_parameter(w);
    else if (cell && w->first < w->last && strncmp(w->line, "    connect ", 12) == 0 && cut_port(w)) continue;
    else if (strncmp(w->line, "  wire ", 7) == 0) number_from_zero(w->line);
    fputs(w->line, module ? w->cells.file : w->out);
    if (strncmp(w->line, "module ", 7) == 0) module = true;
  }
}

static bool open_stream(stream_t *s) {
  return (s->file = open_memstream(&s->text, &s->size)) != NULL;
}

static void close_stream(stream_t *s) {
  if (s->file) fclose(s->file);
  free(s->text);
}

/* Drops mutants without a cut and sorts the rest by cut. Returns how many are left. */
static unsigned keep_cut(mutant_t *mutants, unsigned count) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (mutants[i].fault.cut) mutants[kept++] = mutants[i];
  qsort(mutants, kept, sizeof *mutants, by_cut);
  return kept;
}

bool cut_design(const char *from, const char *to, mutant_t *mutants, unsigned *count, trouble_t *trouble) {
  work_t w = {.in = fopen(from, "r"), .mutants = mutants, .count = *count};
  if (!w.in) return report_file(from, trouble);
  w.out = fopen(to, "w");
  bool ok = w.out && open_stream(&w.wires) && open_stream(&w.cells) && open_stream(&w.ends);
  if (ok) {
    qsort(mutants, *count, sizeof *mutants, by_cell);
    copy_design(&w);
    ok = !ferror(w.out) && !w.lost;
    *count = keep_cut(mutants, *count);
  }
  fclose(w.in);
  if (w.out && fclose(w.out)) ok = false;
  close_stream(&w.wires);
  close_stream(&w.cells);
  close_stream(&w.ends);
  free(w.line);
  wire_init_free(&w.init);
  return ok || report_file(to, trouble);
}
