/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows come from the JSON, so that a kept result prints as a new one does.
 */
#include "mutate_report.h"

#include "basis.h"

#include <stdlib.h>
#include <string.h>

static const char *row_text(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value ? value : "-";
}

static int row_number(const json_t *object, const char *key) {
  return (int)json_integer_value(json_object_get(object, key));
}

/* The line of the source, "file:line", without blanks at its ends. "": it cannot be read. */
static void source_text(const char *tree, const char *source, char *line_text, size_t size) {
  char path[4096], *line = NULL;
  size_t room = 0;
  const char *colon = strrchr(source, ':');
  *line_text = 0;
  if (!colon) return;
  snprintf(path, sizeof path, "%s%s%.*s", *source == '/' ? "" : tree, *source == '/' ? "" : "/", (int)(colon - source),
           source);
  FILE *file = fopen(path, "r");
  ssize_t n = 0;
  for (long i = strtol(colon + 1, NULL, 10); file && i > 0 && n >= 0; i--) n = getline(&line, &room, file);
  if (file && line && n > 0)
    snprintf(line_text, size, "%.*s", (int)strcspn(line + strspn(line, " \t"), "\r\n"), line + strspn(line, " \t"));
  free(line);
  if (file) fclose(file);
}

static void print_mutant(FILE *out, const char *tree, const json_t *m) {
  char line[161], port[32];
  const char *status = row_text(m, "status");
  source_text(tree, row_text(m, "source"), line, sizeof line);
  snprintf(port, sizeof port, "%.15s[%d]", row_text(m, "port"), row_number(m, "bit"));
  fprintf(out, "  %6d  %-9s  %-6s  %-8s  %s%s%s", row_number(m, "id"), strcmp(status, "open") ? status : "not run",
          row_text(m, "mode"), port, row_text(m, "source"), *line ? "  " : "", line);
  if (json_object_get(m, "counterexample")) fprintf(out, "  [%d cycles]", row_number(m, "counterexample"));
  if (json_is_string(json_object_get(m, "reason"))) fprintf(out, "  [%s]", row_text(m, "reason"));
  fprintf(out, "\n");
}

/* A mutant that is neither killed nor equivalent. */
static bool is_hole(const json_t *m) {
  const char *status = row_text(m, "status");
  return strcmp(status, "killed") && strcmp(status, "equivalent");
}

static void print_holes(FILE *out, const char *tree, const json_t *block) {
  const json_t *m;
  size_t i;
  bool any = false;
  json_array_foreach(json_object_get(block, "mutants"), i, m) {
    if (!is_hole(m)) continue;
    if (!any) fprintf(out, "  %6s  %-9s  %-6s  %-8s  source\n", "mutant", "status", "mode", "port");
    any = true;
    print_mutant(out, tree, m);
  }
}

/* "fifo with Depth=8". */
static void print_subject(FILE *out, const char *name, const json_t *json) {
  const char *params = json_string_value(json_object_get(json, "with"));
  fprintf(out, "%s%s%s", name, params && *params ? " with " : "", params ? params : "");
}

/* The line of figures, of a block or of all. Equivalent and open mutants do not count in the
 * score. */
static void print_counts(FILE *out, const char *name, const json_t *json, int all) {
  print_subject(out, name, json);
  fprintf(out, ": %d mutants, %d killed, %d equivalent, %d survived, %d undecided", all, row_number(json, "killed"),
          row_number(json, "equivalent"), row_number(json, "survived"), row_number(json, "undecided"));
  const json_t *score = json_object_get(json, "score");
  int counted = all - row_number(json, "equivalent") - row_number(json, "open");
  if (row_number(json, "open")) fprintf(out, ", %d not looked at", row_number(json, "open"));
  if (json_is_true(json_object_get(json, "interrupted"))) fprintf(out, ", INTERRUPTED");
  else if (json_is_real(score))
    fprintf(out, ", score %.3f (%d of %d%s)", json_real_value(score), row_number(json, "killed"), counted,
            counted < BASIS_MUTANTS ? ", few" : "");
  fprintf(out, ", %.1f s\n", json_number_value(json_object_get(json, "seconds")));
}

static bool controls_failed(const json_t *block) {
  return row_number(json_object_get(block, "proof_controls"), "proved") > 0;
}

/* only: mutants that this probe alone sees, and no output. first: mutants that this probe sees
 * first. shared: mutants that the outputs see in the same run, but not before this probe. */
static void print_probes(FILE *out, const json_t *block) {
  const json_t *p;
  size_t i;
  if (json_array_size(json_object_get(block, "probes")))
    fprintf(out, "  %-28s  %5s  %5s  %6s  mean cycles before the outputs\n", "probe", "only", "first", "shared");
  json_array_foreach(json_object_get(block, "probes"), i, p) {
    fprintf(out, "  %-28s  %5d  %5d  %6d  ", row_text(p, "name"), row_number(p, "only"), row_number(p, "first"),
            row_number(p, "shared"));
    const json_t *mean = json_object_get(p, "mean_cycles_earlier");
    if (json_is_real(mean)) fprintf(out, "%.1f\n", json_real_value(mean));
    else fprintf(out, "-\n");
  }
}

/* What the proofs assume about the inputs. Every cycle of the stimulus was checked to keep it. */
static void print_environment(FILE *out, const json_t *block) {
  const json_t *label;
  size_t i;
  json_array_foreach(json_object_get(block, "environment"), i, label)
      fprintf(out, "%s%s", i ? ", " : "  assumed of the inputs: ", json_string_value(label));
  if (i) fprintf(out, "\n");
}

void mutate_report_block(FILE *out, const char *tree, const json_t *block, bool by_probe) {
  const json_t *control = json_object_get(block, "control");
  if (strcmp(row_text(control, "outcome"), "PASS") && strcmp(row_text(control, "outcome"), "INTERRUPTED")) {
    print_subject(out, row_text(block, "block"), block);
    fprintf(out, ": the control, without a fault, ends with %s: %s, ", row_text(control, "outcome"),
            row_text(control, "by"));
    if (json_object_get(control, "cycle")) fprintf(out, "cycle %d of ", row_number(control, "cycle"));
    fprintf(out, "profile %s; no mutant counts\n", row_text(control, "profile"));
    return;
  }
  print_holes(out, tree, block);
  if (controls_failed(block))
    fprintf(out, "%s: WRONG: %d mutants that the stimulus kills were proved equivalent; no proof counts\n",
            row_text(block, "block"), row_number(json_object_get(block, "proof_controls"), "proved"));
  if (by_probe) print_probes(out, block);
  print_environment(out, block);
  print_counts(out, row_text(block, "block"), block, (int)json_array_size(json_object_get(block, "mutants")));
}

void mutate_report_show(FILE *out, const char *tree, const json_t *block) {
  const json_t *m = json_array_get(json_object_get(block, "mutants"), 0), *line;
  size_t i;
  if (!m) return mutate_report_block(out, tree, block, false);
  fprintf(out, "  %6s  %-9s  %-6s  %-8s  source\n", "mutant", "status", "mode", "port");
  print_mutant(out, tree, m);
  if (strcmp(row_text(m, "status"), "killed") == 0)
    fprintf(out, "  %s by %s in cycle %d of profile %s\n", row_text(m, "outcome"), row_text(m, "by"),
            row_number(m, "cycle"), row_text(m, "profile"));
  if (json_array_size(json_object_get(m, "inputs")))
    fprintf(out, "  inputs by cycle, hexadecimal, those that are not 0:\n");
  json_array_foreach(json_object_get(m, "inputs"), i, line) fprintf(out, "  %s\n", json_string_value(line));
}

void mutate_report_total(FILE *out, const json_t *root) {
  print_counts(out, "all", root, row_number(root, "all"));
}

trouble_kind_t mutate_report_kind(const json_t *block) {
  const json_t *m;
  size_t i;
  if (json_is_true(json_object_get(block, "interrupted"))) return TROUBLE_ENVIRONMENT;
  if (strcmp(row_text(json_object_get(block, "control"), "outcome"), "PASS")) return TROUBLE_BROKEN;
  json_array_foreach(json_object_get(block, "mutants"), i, m) if (is_hole(m)) return TROUBLE_BROKEN;
  return controls_failed(block) ? TROUBLE_BROKEN : TROUBLE_NONE;
}
