/* SPDX-License-Identifier: Apache-2.0 */
#include "liberty.h"

#include "liberty_scan.h"
#include "packed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies of statements, without groups that synthesis ignores */

static bool is_left_out(const liberty_statement_t *t) {
  static const char *const names[] = {"internal_power",
                                      "leakage_power",
                                      "pg_pin",
                                      "output_current_rise",
                                      "output_current_fall",
                                      "receiver_capacitance",
                                      "ccsn_first_stage",
                                      "ccsn_last_stage",
                                      "dc_current",
                                      "intrinsic_parasitic",
                                      "dynamic_current",
                                      "leakage_current",
                                      "test_cell",
                                      "normalized_driver_waveform"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (t->group && liberty_is(t, names[i])) return true;
  return false;
}

static void see_all(liberty_scan_t *s, FILE *to);

/* Copies a statement to its end, and a group with its statements. */
static void copy_statement(liberty_scan_t *s, const liberty_statement_t *t, FILE *to) {
  if (to && is_left_out(t)) to = NULL;
  if (to) fwrite(t->begin, 1, (size_t)(s->at - t->begin), to), fputs(t->group ? "\n" : ";\n", to);
  if (!t->group) return;
  see_all(s, to);
  if (to) fputs("}\n", to);
}

static void see_all(liberty_scan_t *s, FILE *to) {
  liberty_statement_t t;
  while (liberty_next(s, &t)) copy_statement(s, &t, to);
}

/* ---- cells */

enum { PIN = 64 };

typedef struct {
  unsigned outputs, functions;
  const char *unknown;                               /* the first thing that Yosys cannot read */
  char clock[PIN], enable[PIN], test[PIN], out[PIN]; /* of a clock gate */
  /* Kind of a clock gate: has a latch; the test pin acts before the latch, or after it. */
  bool latch, before, after;
  unsigned inputs;
  char input[PIN], function[PIN]; /* name of the last input; last function, without blanks and brackets */
} pins_t;

static void bare_pin_name(char to[PIN], const liberty_statement_t *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->length && n + 1 < PIN; i++)
    if (!strchr(" \t\"()", t->value[i])) to[n++] = t->value[i];
  to[n] = 0;
}

/* True if the function is the input itself or, with `inverted`, "!A" or "A'". */
static bool pin_passes(const pins_t *pins, bool inverted) {
  const size_t n = strlen(pins->input);
  if (pins->inputs != 1 || pins->outputs != 1 || !n) return false;
  if (!inverted) return strcmp(pins->function, pins->input) == 0;
  if (*pins->function == '!') return strcmp(pins->function + 1, pins->input) == 0;
  return strncmp(pins->function, pins->input, n) == 0 && strcmp(pins->function + n, "'") == 0;
}

static void note_unknown(pins_t *pins, const char *what) {
  if (!pins->unknown) pins->unknown = what;
}

static void see_role(const liberty_statement_t *t, const char *pin, pins_t *pins) {
  const struct {
    const char *name;
    char *pin;
  } roles[] = {{"clock_gate_clock_pin", pins->clock},
               {"clock_gate_enable_pin", pins->enable},
               {"clock_gate_test_pin", pins->test},
               {"clock_gate_out_pin", pins->out}};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (liberty_is(t, roles[i].name) && liberty_has(t, "true")) snprintf(roles[i].pin, PIN, "%s", pin);
}

static void see_pin(liberty_scan_t *s, FILE *to, const char *name, pins_t *pins) {
  liberty_statement_t t;
  bool output = false, function = false;
  while (liberty_next(s, &t)) {
    output |= liberty_is(&t, "direction") && liberty_has(&t, "output");
    function |= liberty_is(&t, "function");
    if (liberty_is(&t, "direction") && liberty_has(&t, "input")) pins->inputs++, snprintf(pins->input, PIN, "%s", name);
    if (liberty_is(&t, "function")) bare_pin_name(pins->function, &t);
    if (liberty_is(&t, "three_state")) note_unknown(pins, "it has three states");
    if (liberty_is(&t, "direction") && liberty_has(&t, "inout")) note_unknown(pins, "it has a pin of both directions");
    see_role(&t, name, pins);
    copy_statement(s, &t, to);
  }
  pins->outputs += output, pins->functions += output && function;
}

static void see_gate(const liberty_statement_t *t, pins_t *pins) {
  static const char *const kinds[] = {"latch_posedge", "latch_posedge_precontrol", "latch_posedge_postcontrol"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (liberty_has(t, kinds[i])) pins->latch = true, pins->before = i == 1, pins->after = i == 2;
}

/* Makes the module of a clock gate. A latch that is open while the clock is low takes the enable,
 * and the output is the clock while the latch has 1. False: another kind of gate. */
static bool make_gate(liberty_cell_t *c, const pins_t *p) {
  const bool test = *p->test, whole = p->latch && *p->clock && *p->enable && *p->out && p->outputs == 1 &&
                                      test == (p->before || p->after);
  if (!whole) return false;
  const char *head = "module %s (input %s, input %s%s%s, output %s);\n%s  assign %s = %s%s%s%s%s;\nendmodule\n";
  char *latch = NULL;
  bool ok = asprintf(&latch, "  reg lockstack_q;\n  always @* if (!%s) lockstack_q = %s%s%s;\n", p->clock, p->enable,
                     p->before ? " | " : "", p->before ? p->test : "") > 0;
  ok = ok && asprintf(&c->gate, head, c->name, p->clock, p->enable, test ? ", input " : "", p->test, p->out, latch,
                      p->out, p->clock, " & (lockstack_q", p->after ? " | " : "", p->after ? p->test : "", ")") > 0;
  ok = ok && asprintf(&c->open_gate, head, c->name, p->clock, p->enable, test ? ", input " : "", p->test, p->out, "",
                      p->out, p->clock, "", "", "", "") > 0;
  free(latch);
  return ok;
}

static const struct {
  const char *group, *what;
} barring[] = {{"bus", "it has a bus"},
               {"bundle", "it has a bundle"},
               {"statetable", "it has a statetable"},
               {"ff_bank", "it has an ff_bank"},
               {"latch_bank", "it has a latch_bank"}};

static void see_cell(liberty_scan_t *s, FILE *to, liberty_cell_t *c) {
  liberty_statement_t t;
  pins_t pins = {0};
  unsigned registers = 0;
  bool spared = false;
  c->area = -1;
  while (liberty_next(s, &t)) {
    char pin[PIN];
    if (liberty_is(&t, "area")) c->area = strtod(t.value, NULL);
    if (liberty_is(&t, "dont_use")) spared |= liberty_has(&t, "true");
    if (liberty_is(&t, "clock_gating_integrated_cell")) see_gate(&t, &pins);
    c->flipflop |= liberty_is(&t, "ff");
    registers += liberty_is(&t, "ff") || liberty_is(&t, "latch");
    for (size_t i = 0; i < sizeof barring / sizeof *barring; i++)
      if (liberty_is(&t, barring[i].group)) note_unknown(&pins, barring[i].what);
    if (!liberty_is(&t, "pin")) copy_statement(s, &t, to);
    else {
      fwrite(t.begin, 1, (size_t)(s->at - t.begin), to), fputs("\n", to);
      snprintf(pin, sizeof pin, "%.*s", (int)t.length, t.value);
      see_pin(s, to, pin, &pins);
      fputs("}\n", to);
    }
  }
  if (registers > 1) note_unknown(&pins, "it has several registers");
  if (!pins.outputs || pins.functions < pins.outputs) note_unknown(&pins, "an output has no function");
  make_gate(c, &pins);
  c->functions = pins.functions, c->unknown = pins.unknown, c->used = !pins.unknown && !spared;
  c->buffer = c->used && !registers && pin_passes(&pins, false),
  c->inverter = c->used && !registers && pin_passes(&pins, true);
}

static liberty_cell_t *find_cell(const liberty_t *l, const char *name) {
  for (liberty_cell_t *c = l->cells; c < l->cells + l->count; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static bool add_cell(liberty_t *l, liberty_scan_t *s, const liberty_statement_t *t) {
  liberty_cell_t c = {0}, *more;
  size_t size;
  FILE *to = open_memstream(&c.text, &size);
  if (!to) return s->bad = true, trouble_memory(s->trouble);
  snprintf(c.name, sizeof c.name, "%.*s", (int)t->length, t->value);
  snprintf(c.place, sizeof c.place, "%.560s:%u", s->file, t->line);
  see_cell(s, to, &c);
  if (fclose(to)) s->bad = true, trouble_memory(s->trouble);
  const liberty_cell_t *other = s->bad ? NULL : find_cell(l, c.name);
  if (other && strcmp(other->text, c.text))
    s->bad = true,
    trouble_set(s->trouble, TROUBLE_INPUT, "%s: cell %s is another one than at %s: one of each name would be right",
                c.place, c.name, other->place);
  more = s->bad || other ? NULL : realloc(l->cells, (l->count + 1) * sizeof *more);
  if (!more) {
    free(c.text), free(c.gate), free(c.open_gate);
    return !s->bad && (other || (s->bad = true, trouble_memory(s->trouble)));
  }
  l->cells = more, l->cells[l->count++] = c;
  return true;
}

/* ---- the library */

static bool add_text(char **all, size_t *size, const char *text) {
  const size_t n = strlen(text);
  char *more = realloc(*all, *size + n + 1);
  if (!more) return false;
  memcpy(more + *size, text, n + 1);
  *all = more, *size += n;
  return true;
}

/* Units must be the same in all files. */
static bool see_unit(liberty_t *l, liberty_scan_t *s, const liberty_statement_t *t) {
  static const char *const names[] = {"time_unit", "capacitive_load_unit"};
  char unit[200], wanted[96];
  size_t n = 0;
  if (!liberty_is(t, names[0]) && !liberty_is(t, names[1])) return true;
  for (size_t i = 0; i < t->length && n + 1 < 64; i++)
    if (!isspace((unsigned char)t->value[i]) && t->value[i] != '"')
      wanted[n++] = (char)tolower((unsigned char)t->value[i]);
  wanted[n] = 0;
  snprintf(unit, sizeof unit, "%s %s\n", t->name, wanted);
  const char *known = l->units ? strstr(l->units, t->name) : NULL;
  size_t size = l->units ? strlen(l->units) : 0;
  if (known && strncmp(known, unit, strlen(unit)))
    return liberty_wrong(s, t->line,
                         "its units of time or load are not those of the file before: the same would be right");
  return known || add_text(&l->units, &size, unit) || (s->bad = true, trouble_memory(s->trouble));
}

/* Adds a template; cells find templates by name. */
static bool add_template(liberty_t *l, liberty_scan_t *s, const liberty_statement_t *t, char *text) {
  char name[LIBERTY_NAME + 4];
  snprintf(name, sizeof name, "(%.*s)", (int)t->length, t->value);
  const char *known = l->templates ? strstr(l->templates, text) : NULL,
             *same = l->templates ? strstr(l->templates, name) : NULL;
  bool ok = known || !same ||
            liberty_wrong(s, t->line,
                          "this template is another one than in the file before: one of each name would be right");
  if (ok && !known)
    ok = add_text(&l->templates, &l->templates_size, text) || (s->bad = true, trouble_memory(s->trouble));
  return ok;
}

static bool see_template(liberty_t *l, liberty_scan_t *s, const liberty_statement_t *t) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return s->bad = true, trouble_memory(s->trouble);
  fprintf(to, "lu_table_template (%.*s) {\n", (int)t->length, t->value);
  see_all(s, to);
  fputs("}\n", to);
  const bool ok = fclose(to) == 0 && !s->bad && add_template(l, s, t, text);
  free(text);
  return ok;
}

/* Adds the type of a bus. */
static bool see_type(liberty_t *l, liberty_scan_t *s, const liberty_statement_t *t) {
  char *text = NULL;
  size_t size, before = l->types ? strlen(l->types) : 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return s->bad = true, trouble_memory(s->trouble);
  copy_statement(s, t, to);
  const bool ok =
      (fclose(to) == 0 && add_text(&l->types, &before, text)) || (s->bad = true, trouble_memory(s->trouble));
  free(text);
  return ok;
}

static bool see_library(liberty_t *l, liberty_scan_t *s) {
  const bool first = !l->head;
  liberty_statement_t t;
  FILE *to = first ? open_memstream(&l->head, &l->head_size) : NULL;
  if (first && !to) return trouble_memory(s->trouble);
  while (liberty_next(s, &t) && see_unit(l, s, &t)) {
    if (liberty_is(&t, "cell") && t.group) add_cell(l, s, &t);
    else if (liberty_is(&t, "lu_table_template") && t.group) see_template(l, s, &t);
    else if (liberty_is(&t, "type") && t.group) see_type(l, s, &t);
    else copy_statement(s, &t, t.group ? NULL : to);
  }
  if (to) fclose(to);
  return !s->bad;
}

static bool see_file(liberty_t *l, liberty_scan_t *s) {
  liberty_statement_t t;
  liberty_skip(s);
  if (!s->bad && (strncmp(s->at, "library", 7) || isalnum((unsigned char)s->at[7])))
    return liberty_wrong(s, s->line, "no Liberty file: it begins with 'library (NAME) {'");
  if (!liberty_next(s, &t) || !t.group)
    return s->bad ? false : liberty_wrong(s, s->line, "no Liberty file: it begins with 'library (NAME) {'");
  if (!see_library(l, s)) return false;
  liberty_skip(s);
  return !*s->at || liberty_wrong(s, s->line, "text behind the end of the library: one library a file would be right");
}

bool liberty_add(liberty_t *l, const char *path, const char *shown, trouble_t *trouble) {
  char *text = packed_read(path, shown, "Liberty file", trouble);
  liberty_scan_t s = {.file = shown, .at = text, .line = 1, .trouble = trouble};
  size_t size = l->paths ? strlen(l->paths) : 0;
  bool ok = text && see_file(l, &s);
  if (ok)
    ok = (add_text(&l->paths, &size, size ? " " : "") && add_text(&l->paths, &size, shown)) || trouble_memory(trouble);
  free(text);
  return ok;
}

bool liberty_end(liberty_t *l, trouble_t *trouble) {
  size_t size, flipflops = 0;
  FILE *to = open_memstream(&l->text, &size);
  if (!to) return trouble_memory(trouble);
  fprintf(to, "library (cells) {\n%s%s", l->head ? l->head : "", l->templates ? l->templates : "");
  for (liberty_cell_t *c = l->cells; c < l->cells + l->count; c++) {
    if (c->used) fprintf(to, "cell (%s) {\n%s}\n", c->name, c->text);
    l->used += c->used, flipflops += c->used && c->flipflop;
  }
  fputs("}\n", to);
  if (fclose(to)) return trouble_memory(trouble);
  if (!l->used)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s: none of %zu cells has a function: synthesis needs gates and flip-flops", l->paths,
                       l->count);
  return flipflops ||
         trouble_set(trouble, TROUBLE_INPUT, "%s: no cell is a flip-flop (group ff): synthesis needs one", l->paths);
}

void liberty_free(liberty_t *l) {
  for (size_t i = 0; i < l->count; i++) free(l->cells[i].text), free(l->cells[i].gate), free(l->cells[i].open_gate);
  free(l->cells), free(l->text), free(l->head), free(l->templates), free(l->types), free(l->units), free(l->paths);
  *l = (liberty_t){0};
}

const liberty_cell_t *liberty_any(const liberty_t *l, const char *cell) {
  return find_cell(l, cell);
}

const liberty_cell_t *liberty_driver(const liberty_t *l) {
  const liberty_cell_t *best = NULL;
  for (const liberty_cell_t *c = l->cells; c < l->cells + l->count; c++) {
    if (!c->buffer && !c->inverter) continue;
    const bool kind = !best || (c->buffer && !best->buffer), other = best && c->buffer != best->buffer;
    if (kind || (!other && c->area >= 0 && c->area < best->area)) best = c;
  }
  return best;
}

const liberty_cell_t *liberty_find(const liberty_t *l, const char *cell) {
  const liberty_cell_t *c = find_cell(l, cell);
  return c && c->used ? c : NULL;
}

bool liberty_explain(trouble_t *trouble, const char *said) {
  static const char *const telling[] = {"Mio_", "Error: "};
  const char *found = NULL;
  if (!strstr(trouble->text, "ABC output file")) return false;
  for (size_t i = 0; said && !found && i < sizeof telling / sizeof *telling; i++) found = strstr(said, telling[i]);
  trouble_set(
      trouble, trouble->kind,
      "abc cannot map onto these cells%s%.*s: an inverter, a buffer and gates of two inputs with timing would be right",
      found ? ": " : "", found ? (int)strcspn(found, ".\n") : 0, found ? found : "");
  return true;
}
