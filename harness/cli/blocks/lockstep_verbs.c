/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs about a block share. lists.def, which the build makes of blocks.cmake, says what
 * is special about a block: CYCLES, MEASURE, ALSO.
 */
#include "lockstep_verbs.h"

#include "against_report.h"
#include "block_content.h"
#include "compared.h"
#include "compared_json.h"
#include "inside_json.h"
#include "judged.h"
#include "names.h"
#include "number.h"
#include "packed.h"
#include "plain.h"
#include "utf8.h"
#include "window_json.h"

#include <ctype.h>
#include <math.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The tree's root without slashes at its end, as paths in results have it. */
places_t verbs_places(void) {
  char *root = (char *)cli_data("");
  size_t n = strlen(root);
  while (n > 1 && root[n - 1] == '/') root[--n] = 0;
  return (places_t){root, cli_objects()};
}

error_t verbs_param(const struct argp_state *state, const char *text, char *params, size_t size) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1] || strchr(text, ','))
    return cli_usage(state, "--set: '%s' should be PARAM=VALUE", text);
  for (const char *p = params; *p; p += strcspn(p, ","), p += *p == ',')
    if (cli_set_once(state, text, &p, 1)) return EINVAL;
  size_t n = strlen(params);
  if (n + strlen(text) + 2 > size) return cli_usage(state, "--set: too many parameters");
  snprintf(params + n, size - n, "%s%s", n ? "," : "", text);
  return 0;
}

error_t verbs_device(const struct argp_state *state, const char *option, const char *text, const char **kind) {
  *kind = block_kind(text);
  return *kind ? 0
               : cli_usage(state, "%s: '%s' should be " BLOCK_KINDS "%s", option, text, names_nearest("devices", text));
}

error_t verbs_dut(const struct argp_state *state, const char *text, const char **kind) {
  return verbs_device(state, "--dut", text, kind);
}

error_t verbs_clock(const struct argp_state *state, const char *option, const char *text, double *period) {
  char *end;
  *period = strtod(text, &end);
  const bool is = end != text && !*end && strspn(text, "0123456789.eE+-") == strlen(text) &&
                  isdigit((unsigned char)end[-1]) && *period >= 1e-6 && *period <= 1e9;
  return is && *period > 0 ? 0 : cli_usage(state, "%s %s: a period above 0 would be right, as 2.5", option, text);
}

error_t verbs_cells(const struct argp_state *state, const char *name, char cells[RTL_LIST]) {
  char path[PLAIN_PATH];
  trouble_t trouble;
  if (!cells_find(cli_data("."), name, path, &trouble))
    return cli_usage(state, "%s%s", trouble.text, names_nearest("cells", name));
  if (*cells) return cli_usage(state, "--cells and --liberty: one of both would be right");
  snprintf(cells, RTL_LIST, "%s", name);
  return 0;
}

error_t verbs_file(const struct argp_state *state, const char *option, const char *file, char path[PATH_MAX]) {
  trouble_t trouble;
  if (!packed_there(file, &trouble)) return cli_usage(state, "%s: %s", option, trouble.text);
  return realpath(file, path) ? 0 : cli_usage(state, "%s: %s: %s", option, file, strerror(errno));
}

error_t verbs_liberty(const struct argp_state *state, const char *file, char cells[RTL_LIST]) {
  char path[PATH_MAX];
  if (cells_is_name(cells)) return cli_usage(state, "--cells and --liberty: one of both would be right");
  if (verbs_file(state, "--liberty", file, path)) return EINVAL;
  if (rtl_has(cells, path)) return cli_usage(state, "--liberty: %s: is given twice", file);
  return rtl_add(cells, path) ? 0 : cli_usage(state, "--liberty: %s: too many files, or too long a name", file);
}

/* A line of lists.def: a block, and a text about it. Tables end in zeros. */
typedef struct {
  const char *block, *text;
} said_t;

/* The text about a block, or "". */
static const char *said_of(const said_t *all, const char *block) {
  while (all->block && strcmp(all->block, block)) all++;
  return all->block ? all->text : "";
}

uint64_t verbs_cycles(const char *block, uint64_t usual) {
  static const said_t all[] = {
#define CYCLES(...) {__VA_ARGS__},
#include "lists.def"
      {0},
  };
  uint64_t cycles = strtoull(said_of(all, block), NULL, 10);
  return cycles > usual ? cycles : usual;
}

const char *verbs_listed(const block_t *block) {
  return *block->folder ? "" : block->name;
}

const char *verbs_stimulus(const block_t *block) {
  return *block->stim ? basename(block->stim) : "the default one: write an X_stim.c";
}

const char *verbs_measured(const char *block) {
  static const said_t all[] = {
#define MEASURE(...) {__VA_ARGS__},
#include "lists.def"
      {0},
  };
  return said_of(all, block);
}

const also_t *verbs_also(const char *block, unsigned run) {
  static const also_t all[] = {
#define ALSO(...) {__VA_ARGS__},
#include "lists.def"
      {0},
  };
  for (const also_t *a = all; a->block; a++)
    if (!strcmp(a->block, block) && !run--) return a;
  return NULL;
}

bool verbs_fingerprint(const char *name, fingerprint_of_t of, char text[FINGERPRINT_TEXT], trouble_t *trouble) {
  const places_t places = verbs_places();
  bool measured = of == FINGERPRINT_COVER || of == FINGERPRINT_MUTATE;
  block_t block;
  return block_find(&block, &places, name, measured ? verbs_measured(name) : NULL, trouble) &&
         block_fingerprint(&block, &places, of, text, trouble);
}

/* The checksum before the measurement; "": it was not wanted, or could not be made. */
static char first_sources[FINGERPRINT_TEXT];

void verbs_sources_first(const char *name, fingerprint_of_t of) {
  trouble_t trouble;
  if (!judged_wanted() || !verbs_fingerprint(name, of, first_sources, &trouble)) *first_sources = 0;
}

void verbs_sources(json_t *root, const char *name, fingerprint_of_t of) {
  char text[FINGERPRINT_TEXT];
  trouble_t trouble;
  if (!*first_sources || !verbs_fingerprint(name, of, text, &trouble)) return;
  if (strcmp(text, first_sources) == 0) json_object_set_new(root, "sources", json_string(text));
}

void verbs_other_rtl(json_t *root, const char *folder) {
  char text[BUILD_PATH];
  if (!folder) return;
  snprintf(text, sizeof text, "%s", folder);
  json_object_set_new(root, "rtl", json_string(utf8_clean(text)));
}

void verbs_judged(const char *name, const char *rtl, const char *kind) {
  const places_t places = verbs_places();
  trouble_t trouble;
  block_t block;
  if (!judged_wanted()) return;
  if (!block_find(&block, &places, name, NULL, &trouble) || (rtl && !block_instead(&block, rtl, &trouble)))
    return judged_unknown();
  judged_file(block.ports);
  block_judged(&block, &places, kind, name);
}

bool verbs_is_folder(const char *name) {
  struct stat info;
  return stat(name, &info) == 0 && S_ISDIR(info.st_mode);
}

cli_exit_t verbs_exit(outcome_t outcome) {
  switch (outcome) {
  case OUTCOME_PASS: return EXIT_HELD;
  case OUTCOME_BAD_INPUT: return EXIT_BAD;
  case OUTCOME_INFRA:
  case OUTCOME_INTERRUPTED: return EXIT_ENV;
  default: return EXIT_BROKEN;
  }
}

bool verbs_result(outcome_t outcome) {
  return outcome < OUTCOME_BAD_INPUT || outcome == OUTCOME_INTERRUPTED;
}

const char *verbs_commit(char *buf, size_t size) {
  json_t *provenance = cli_provenance();
  const char *commit = json_string_value(json_object_get(provenance, "commit"));
  snprintf(buf, size, "%s%s", commit ? commit : "unknown",
           json_is_true(json_object_get(provenance, "dirty")) ? "+" : "");
  json_decref(provenance);
  return buf;
}

/* For files that are made only sometimes. */
static json_t *path_or_null(const char *path) {
  return *path ? json_string(path) : json_null();
}

/* A failure: its cycle, the port that differs or the text of an assertion, and where it was
 * found. */
static json_t *failure_json(const check_result_t *r, const failure_t *f) {
  json_t *json = json_pack("{s:I}", "cycle", (json_int_t)f->cycle);
  if (f->port >= 0) json_object_set_new(json, "port", json_string(r->dut->ports[f->port].name));
  else json_object_set_new(json, "text", json_string(f->text));
  failure_where_json(json, r, f);
  if (f->undefined) json_object_set_new(json, "undefined", json_integer(f->undefined));
  return json;
}

json_t *verbs_cells_json(const char *choice) {
  cells_t cells;
  trouble_t trouble;
  return cells_choose(&cells, cli_data("."), choice, &trouble) ? json_string(cells.name) : json_string(choice);
}

void verbs_summary(FILE *out, const check_t *check, const check_result_t *r) {
  char cycles[28], rate[28], probes[28], warned[WARNINGS_SUM], number[28], sum[AGAINST_SUM];
  /* else the cycles before a failure are not all in the tally */
  const bool whole = r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_NOT_COMPARED;
  warnings_print(out, &r->warnings);
  compared_print(out, &r->tally, r->outcome, verbs_stimulus(check->block), basename(check->block->ports));
  against_print(out, r->against);
  fprintf(out, "%s %s: %s cycles in lockstep%s", outcome_name(r->outcome), check->block->name,
          number_text(r->cycles, cycles), against_sum(r->against, sum));
  if (whole && r->tally.cycles < r->cycles)
    fprintf(out, ", %s of them in reset", number_text(r->cycles - r->tally.cycles, number));
  if (whole && tally_compared(&r->tally) < r->tally.cycles)
    fprintf(out, ", %s compared", number_text(tally_compared(&r->tally), number));
  if (!check->vectors) fprintf(out, ", %u profile%s", r->num_profiles, r->num_profiles == 1 ? "" : "s");
  fprintf(out, ", %s probe values compared%s, %s cycles/s, seed %" PRIu64 "%s\n",
          number_text(r->probes_compared, probes), warnings_sum(&r->warnings, warned),
          number_text((uint64_t)((double)r->cycles / (r->seconds > 1e-9 ? r->seconds : 1e-9)), rate), check->seed,
          check->defaults && r->outcome == OUTCOME_PASS && r->dut->num_params ? ", other parameters: --sample N" : "");
  if (r->outcome == OUTCOME_PASS && check->guided)
    fprintf(out, "  guided     %u of %u coverage points hit\n", r->hit, r->points);
  if (*r->wave && (r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_NOT_COMPARED))
    fprintf(out, "  waveform   gtkwave %s\n", plain_word(r->save, (char[PLAIN_WORD]){0}));
}

void verbs_json(json_t *root, const check_t *check, const check_result_t *r) {
  const block_t *b = check->block;
  json_object_set_new(root, "block", json_string(block_subject(b)));
  json_object_set_new(root, "dut", json_string(check->kind));
  if (check->against) json_object_set_new(root, "against", json_string(check->against));
  if (check_has_gates(check)) json_object_set_new(root, "cells", verbs_cells_json(b->cells));
  json_object_set_new(root, "params", json_string(b->params));
  json_object_set_new(root, "outcome", json_string(outcome_name(r->outcome)));
  against_json(root, r->against);
  json_object_set_new(root, "cycles", json_integer((json_int_t)r->cycles));
  json_object_set_new(root, "probes_compared", json_integer((json_int_t)r->probes_compared));
  json_object_set_new(root, "cycles_per_second", json_real(r->seconds > 0 ? (double)r->cycles / r->seconds : 0));
  json_object_set_new(root, "replay", path_or_null(r->replay));
  json_object_set_new(root, "wave", path_or_null(r->wave));
  if (r->dut) json_object_set_new(root, "ports", ports_json(r->dut));
  if (r->tally.dut) json_object_set_new(root, "compared", compared_json(&r->tally));
  if (r->failure.outcome != OUTCOME_PASS) json_object_set_new(root, "failure", failure_json(r, &r->failure));
  json_t *inside = inside_json(r);
  if (inside) json_object_set_new(root, "inside", inside);
  if (!r->window.count) return;
  json_object_set_new(root, "window", window_json(&r->window));
  json_object_set_new(root, "transactions", transactions_json(&r->window));
}
