/* SPDX-License-Identifier: Apache-2.0
 *
 * Each set of generics is a module of its own: the widths of ports at other values are those of
 * further runs of ghdl (look.h: make).
 */
#include "new_vhdl.h"

#include "nearest.h"
#include "process.h"
#include "rtl_index.h"
#include "vhdl.h"
#include "vhdl_generics.h"
#include "vhdl_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, SECONDS = 120, LATE = 124 /* of timeout(1) */ };

#define SECONDS_TEXT "120"

typedef struct {
  const look_t *look;
  const char *entity;
  vhdl_order_t order;
  words_t lacking; /* components without an entity */
  unsigned made;   /* texts so far */
} work_t;

/* ---- vhdl.h: run, tool, original */

static bool run_ghdl(void *context, const words_t *command, char **out, trouble_t *trouble) {
  words_t timed = {0};
  int status;
  (void)context;
  words_add(&timed, "timeout"), words_add(&timed, SECONDS_TEXT), words_add_all(&timed, command);
  *out = process_answer(timed.at, &status);
  if (status && status != LATE) free(*out), *out = process_text(timed.at, &status);
  words_free(&timed);
  if (status != LATE) return *out ? status == 0 : trouble_memory(trouble);
  free(*out), *out = NULL;
  return trouble_set(trouble, TROUBLE_INPUT, "ghdl is not at its end after %d seconds", SECONDS);
}

static const char *same_name(void *context, const char *path) {
  (void)context;
  return path;
}

static const char *own_file(void *context, const char *name) {
  const work_t *w = context;
  return words_has(&w->order.files, name) ? name : NULL;
}

/* ---- look.h: make */

static bool write_text(const char *path, const char *text, trouble_t *trouble) {
  FILE *file = fopen(path, "we");
  bool ok = file && fputs(text, file) >= 0;
  if (file && fclose(file)) ok = false;
  return ok || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static bool make(void *context, const char *params, rtl_t *made, trouble_t *trouble) {
  work_t *w = context;
  char path[PATH], probe[PATH];
  snprintf(path, sizeof path, "%.4000s/vhdl_%u.v", w->look->work, w->made++);
  snprintf(probe, sizeof probe, "%.4000s/vhdl_probe.vhd", w->look->work);
  const vhdl_job_t job = {.order = &w->order,
                          .entity = w->entity,
                          .params = params,
                          .probe = probe,
                          .run = run_ghdl,
                          .tool = same_name,
                          .original = own_file,
                          .context = w};
  char *text = vhdl_verilog(&job, trouble);
  memset(made, 0, sizeof *made);
  made->bare = w->look->rtl->bare;
  const bool ok = text && rtl_add(made->files, path) && write_text(path, text, trouble);
  free(text);
  return ok;
}

/* ---- the entity */

static void see_entity(void *context, vhdl_unit_t kind, const char *library, const char *name, unsigned line) {
  (void)library, (void)line;
  if (kind == VHDL_ENTITY) words_add_new(context, name);
}

/* ", there are a and b; did you mean a?" */
static bool no_entity(const char *path, const char *name, trouble_t *trouble) {
  char text[TROUBLE_TEXT / 2] = "";
  words_t entities = {0};
  nearest_t near;
  size_t n = 0;
  vhdl_scan(path, see_entity, &entities);
  nearest_start(&near, name);
  for (size_t i = 0; i < entities.count; i++) {
    nearest_try(&near, entities.at[i]);
    if (i < 4 && n < sizeof text)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%.60s", i ? ", " : "; there are ", entities.at[i]);
  }
  trouble_set(trouble, TROUBLE_INPUT, "%s: has no entity %s%s%s", path, name, text, nearest_text(&near));
  words_free(&entities);
  return false;
}

/* Only VHDL, and a file with the entity. */
static bool judge_files(const rtl_t *rtl, const module_t *m, trouble_t *trouble) {
  char path[PATH];
  for (const char *at = rtl->files; rtl_next(&at, path, sizeof path);)
    if (!vhdl_is_file(path))
      return trouble_set(trouble, TROUBLE_INPUT,
                         "%s: is Verilog, and other files of the block are VHDL: a block is in one of the two", path);
  if (!process_there("ghdl")) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s", VHDL_MISSING);
  return vhdl_has_entity(m->file, m->name) || no_entity(m->file, m->name, trouble);
}

static void add_left(const work_t *w, module_t *m) {
  static vhdl_generics_t generics;
  trouble_t none;
  if (!vhdl_generics_read(w->order.top, w->entity, &generics, &none)) return;
  for (unsigned i = 0; i < generics.count && m->num_left < MODULE_PARAMS; i++) {
    if (generics.at[i].kind != VHDL_OTHER) continue;
    module_left_t *left = &m->left[m->num_left++];
    snprintf(left->name, sizeof left->name, "%.100s", generics.at[i].name);
    snprintf(left->why, sizeof left->why, "of type %.50s", generics.at[i].mark);
  }
  vhdl_generics_free(&generics);
}

static bool take_order(const work_t *w, rtl_t *rtl, trouble_t *trouble) {
  *rtl->files = 0;
  for (size_t i = 0; i < w->order.files.count; i++)
    if (!rtl_add(rtl->files, w->order.files.at[i]))
      return trouble_set(trouble, TROUBLE_INPUT, "%s: too many files", w->order.top);
  return true;
}

/* The order, also with files of the project around. */
static bool find_order(work_t *w, const rtl_t *rtl, const module_t *m, bool find, trouble_t *trouble) {
  char top[PATH], root[PATH];
  rtl_index_t index = {0};
  vhdl_order_free(&w->order);
  if (!find) return vhdl_order(rtl, NULL, m->name, &w->order, trouble);
  if (!realpath(m->file, top)) snprintf(top, sizeof top, "%s", m->file);
  rtl_index_root(top, root);
  rtl_index_lists(&index, root);
  const vhdl_around_t around = {root, &index.vhdl, &w->lacking};
  const bool ok = vhdl_order(rtl, &around, m->name, &w->order, trouble);
  rtl_index_close(&index);
  return ok;
}

/* Is it a component without an entity, which has not been looked for? */
static bool lacks_entity(work_t *w, const trouble_t *trouble) {
  static const char lacks[] = "no file that is read has an entity ";
  char name[VHDL_WORD];
  const char *at = trouble->kind == TROUBLE_INPUT ? strstr(trouble->text, lacks) : NULL;
  if (!at) return false;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(at + strlen(lacks), "; "), at + strlen(lacks));
  return words_add_new(&w->lacking, name);
}

/* The netlist, with what only one file of the project around has, which is printed to `found`. */
static bool find_and_make(work_t *w, const rtl_t *rtl, const module_t *m, rtl_t *made, FILE *found,
                          trouble_t *trouble) {
  bool ok;
  do ok = find_order(w, rtl, m, found, trouble) && make(w, w->look->params, made, trouble);
  while (!ok && found && lacks_entity(w, trouble));
  for (size_t i = 0; ok && i < w->order.found.count; i++) {
    const char *unit = w->order.found.at[i];
    const int n = (int)strcspn(unit, " ");
    fprintf(found, "found: %.*s in %s\n", n, unit, unit + n + 1);
  }
  return ok;
}

bool new_vhdl_look(const look_t *look, rtl_t *rtl, module_t *m, look_pins_t *pins, FILE *found, trouble_t *trouble) {
  work_t w = {.look = look, .entity = m->name};
  rtl_t *made = malloc(sizeof *made);
  look_t as_made = *look;
  if (!made) return trouble_memory(trouble);
  as_made.rtl = made, as_made.make = make, as_made.context = &w;
  bool ok = judge_files(rtl, m, trouble) && find_and_make(&w, rtl, m, made, found, trouble) &&
            look_at(&as_made, m, pins, trouble) && take_order(&w, rtl, trouble);
  if (ok) add_left(&w, m);
  vhdl_order_free(&w.order);
  words_free(&w.lacking);
  free(made);
  return ok;
}
