/* SPDX-License-Identifier: Apache-2.0
 *
 *   generics --> probe --ghdl--> values --> ghdl --synth --out=dump --> ghdl_gates.h --> Verilog
 */
#include "vhdl.h"

#include "ghdl_gates.h"
#include "vhdl_generics.h"
#include "vhdl_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool vhdl_is_file(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".vhd") == 0 || strcasecmp(dot, ".vhdl") == 0);
}

bool vhdl_is(const rtl_t *rtl) {
  char path[4096];
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);)
    if (vhdl_is_file(path)) return true;
  return false;
}

typedef struct {
  const char *name;
  bool found;
} wanted_t;

static void see_entity(void *context, vhdl_unit_t kind, const char *library, const char *name, unsigned line) {
  wanted_t *w = context;
  (void)library, (void)line;
  w->found |= kind == VHDL_ENTITY && strcasecmp(name, w->name) == 0;
}

bool vhdl_has_entity(const char *path, const char *name) {
  wanted_t w = {.name = name};
  return vhdl_is_file(path) && vhdl_scan(path, see_entity, &w) && w.found;
}

/* ---- ghdl */

static bool is_note(const char *line, size_t length) {
  static const char *const signs[] = {":note:", ":warning:"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (memmem(line, length, signs[i], strlen(signs[i]))) return true;
  return false;
}

/* A line that begins with FILE:LINE:COLUMN: */
static bool has_place(const char *line, size_t length) {
  const char *colon = memchr(line, ':', length);
  unsigned row, column;
  char after;
  return colon && colon > line && *line != ' ' && sscanf(colon, ":%u:%u%c", &row, &column, &after) == 3 && after == ':';
}

/* ghdl's first error, without its own name before it and without the column. */
static bool refuse(const vhdl_job_t *job, const char *said, trouble_t *trouble) {
  const char *best = NULL;
  for (const char *at = said; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    const size_t n = strcspn(at, "\n");
    if (!n || *at == ' ' || is_note(at, n)) continue;
    if (has_place(at, n)) {
      best = at;
      break;
    }
    if (!best) best = at;
  }
  if (!best) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "ghdl failed and said nothing");
  const size_t n = strcspn(best, "\n");
  if (!has_place(best, n)) {
    const char *own = memmem(best, n, ": ", 2);
    return trouble_set(trouble, TROUBLE_INPUT, "%s: ghdl: %.*s", job->order->top,
                       (int)(own ? best + n - own - 2 : (long)n), own ? own + 2 : best);
  }
  const char *colon = strchr(best, ':'), *text = strchr(strchr(colon + 1, ':') + 1, ':') + 1;
  char name[4096];
  snprintf(name, sizeof name, "%.*s", (int)(colon - best), best);
  const char *original = job->original(job->context, name);
  if (strncmp(text, "error:", 6) == 0) text += 6;
  text += strspn(text, " ");
  return trouble_set(trouble, TROUBLE_INPUT, "%s:%lu: %.*s", original ? original : name, strtoul(colon + 1, NULL, 10),
                     (int)(best + n - text), text);
}

/* Appends all files, each behind the library that it is in. */
static void add_files(const vhdl_job_t *job, words_t *command) {
  for (size_t i = 0; i < job->order->files.count; i++) {
    words_add(command, "--work=%s", job->order->libraries.at[i]);
    words_add(command, "%s", job->tool(job->context, job->order->files.at[i]));
  }
}

static const char *top_library(const vhdl_order_t *order) {
  for (size_t i = 0; i < order->files.count; i++)
    if (strcmp(order->files.at[i], order->top) == 0) return order->libraries.at[i];
  return "work";
}

enum { NAMED = 200 }; /* characters of a list in a message */

/* Appends a word; of a long list dots. */
static void add_word(char list[NAMED], const char *before, const char *word, const char *behind) {
  const size_t n = strlen(list);
  if (n + strlen(word) + 24 < NAMED) snprintf(list + n, NAMED - n, "%s%s%s", n ? before : "", word, behind);
  else if (n < 4 || strcmp(list + n - 4, " ...") != 0) snprintf(list + n, NAMED - n, " ...");
}

/* All that lack a value are named at once. */
static bool has_values(const vhdl_job_t *job, const vhdl_generics_t *g, trouble_t *trouble) {
  char names[NAMED] = "", sets[NAMED] = "";
  const vhdl_generic_t *first = NULL;
  bool several = false;
  long long value;
  for (unsigned i = 0; i < g->count; i++) {
    const vhdl_generic_t *one = &g->at[i];
    if (one->has_default || (vhdl_generics_given(job->params, one, &value) && one->kind != VHDL_OTHER)) continue;
    if (one->kind == VHDL_OTHER)
      return trouble_set(trouble, TROUBLE_INPUT,
                         "%s:%u: generic %s has no default, and its type %s is none of which a parameter is made",
                         job->order->top, one->line, one->name, one->mark);
    add_word(names, ", ", one->name, ""), add_word(sets, " --set ", one->name, "=VALUE");
    several |= first != NULL;
    if (!first) first = one;
  }
  return !first ||
         trouble_set(trouble, TROUBLE_INPUT, "%s:%u: generic%s %s no value; --set %s would be right", job->order->top,
                     first->line, several ? "s" : "", several ? strcat(names, " have") : strcat(names, " has"), sets);
}

/* ghdl names a generic whose value its type does not have, in small letters and without a place. */
static bool bad_value(const vhdl_job_t *job, const vhdl_generics_t *g, const char *said, trouble_t *trouble) {
  static const char sign[] = "override for generic \"";
  const char *name = said ? strstr(said, sign) : NULL;
  long long value = 0;
  if (!name) return false;
  name += sizeof sign - 1;
  for (unsigned i = 0; i < g->count; i++) {
    const vhdl_generic_t *one = &g->at[i];
    const size_t n = strlen(one->name);
    if (strncasecmp(name, one->name, n) != 0 || name[n] != '"') continue;
    vhdl_generics_given(job->params, one, &value);
    trouble_set(trouble, TROUBLE_INPUT, "%s:%u: %s = %lld is no value of generic %s (%s)", job->order->top, one->line,
                one->name, value, one->name, one->mark);
    return true;
  }
  return false;
}

/* Reads what ghdl makes of the entity, or of the probe: the file `more`. */
static bool synthesise(const vhdl_job_t *job, const vhdl_generics_t *generics, const words_t *options, const char *more,
                       ghdl_gates_t *g, trouble_t *trouble) {
  words_t command = {0};
  char *said = NULL;
  words_split(&command, "ghdl --synth --std=08 -frelaxed -fsynopsys --out=dump", " ");
  words_add_all(&command, options);
  add_files(job, &command);
  words_add(&command, "--work=%s", top_library(job->order));
  if (*more) words_add(&command, "%s", more);
  words_add(&command, "-e"), words_add(&command, "%s", *more ? VHDL_PROBE : job->entity);
  bool ok = job->run(job->context, &command, &said, trouble);
  if (!ok && said) {
    *trouble = (trouble_t){0};
    if (!bad_value(job, generics, said, trouble)) refuse(job, said, trouble);
  }
  if (ok) ok = ghdl_read(said, g, trouble);
  words_free(&command);
  free(said);
  return ok;
}

/* ---- generics */

/* Without those of `vectors`: their length is not known yet. */
static void add_options(const vhdl_job_t *job, const vhdl_generics_t *g, bool vectors, words_t *options) {
  char text[VHDL_NAME + VHDL_BITS + 8];
  long long value;
  for (unsigned i = 0; i < g->count; i++) {
    if (!vhdl_generics_given(job->params, &g->at[i], &value) || (!vectors && g->at[i].kind == VHDL_VECTOR)) continue;
    vhdl_generics_option(&g->at[i], value, text, sizeof text);
    if (*text) words_add(options, "%s", text);
  }
}

static bool needs_probe(const vhdl_generics_t *g) {
  for (unsigned i = 0; i < g->count; i++)
    if (g->at[i].kind != VHDL_OTHER) return true;
  return false;
}

static bool write_probe(const vhdl_job_t *job, const vhdl_generics_t *g, trouble_t *trouble) {
  FILE *file = fopen(job->probe, "we");
  if (file) vhdl_generics_probe(g, file);
  return (file && fclose(file) == 0) ||
         trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", job->probe, strerror(errno));
}

static bool find_values(const vhdl_job_t *job, vhdl_generics_t *g, trouble_t *trouble) {
  words_t options = {0};
  ghdl_gates_t probe = {0};
  long long value;
  if (!needs_probe(g)) return true;
  add_options(job, g, false, &options);
  bool ok = write_probe(job, g, trouble) && synthesise(job, g, &options, job->probe, &probe, trouble) &&
            ghdl_names(&probe, trouble) &&
            (vhdl_generics_values(g, &probe) ||
             trouble_set(trouble, TROUBLE_ENVIRONMENT, "ghdl's netlist of the generics could not be read"));
  ghdl_free(&probe), words_free(&options);
  for (unsigned i = 0; ok && i < g->count; i++)
    if (g->at[i].kind == VHDL_VECTOR && vhdl_generics_given(job->params, &g->at[i], &value)) {
      char text[VHDL_NAME + VHDL_BITS + 8];
      vhdl_generics_option(&g->at[i], value, text, sizeof text);
      if (*text) snprintf(g->at[i].bits, sizeof g->at[i].bits, "%s", strchr(text, '=') + 1);
    }
  return ok;
}

/* ---- all of it */

static char *write_text(const vhdl_job_t *job, const vhdl_generics_t *generics, ghdl_gates_t *g, trouble_t *trouble) {
  char *text = NULL, *parameters = NULL;
  size_t size;
  FILE *to = open_memstream(&parameters, &size);
  if (!to) return trouble_memory(trouble), NULL;
  vhdl_generics_parameters(generics, to);
  fclose(to);
  const ghdl_how_t how = {.top = job->entity, .parameters = parameters, .file = job->original, .context = job->context};
  bool ok = (to = open_memstream(&text, &size)) || trouble_memory(trouble);
  ok = ok && ghdl_names(g, trouble) && ghdl_verilog(g, &how, to, trouble);
  if (to) fclose(to);
  free(parameters);
  if (!ok) free(text), text = NULL;
  return text;
}

char *vhdl_verilog(const vhdl_job_t *job, trouble_t *trouble) {
  vhdl_generics_t *generics = calloc(1, sizeof *generics);
  words_t options = {0};
  ghdl_gates_t g = {0};
  char *text = NULL;
  if (!generics) return trouble_memory(trouble), NULL;
  if (vhdl_generics_read(job->order->top, job->entity, generics, trouble) && has_values(job, generics, trouble) &&
      find_values(job, generics, trouble)) {
    add_options(job, generics, true, &options);
    if (synthesise(job, generics, &options, "", &g, trouble)) text = write_text(job, generics, &g, trouble);
  }
  ghdl_free(&g), words_free(&options), vhdl_generics_free(generics);
  free(generics);
  return text;
}
