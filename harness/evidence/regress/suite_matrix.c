/* SPDX-License-Identifier: Apache-2.0
 *
 *   check  x  {fifo, arb_rr}  x  {--seed 1, --seed 2}     axes, expanded from left to right
 *          "check fifo --seed 1", "check fifo --seed 2", "check arb_rr --seed 1", ...
 *
 * Seeds and variants depend on the words to their left, so these axes are expanded for each
 * prefix.
 */
#include "suite_matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void entry_free(entry_t *entry) {
  for (unsigned i = 0; i < entry->num_axes; i++) json_decref(entry->axes[i].alternatives);
  entry->num_axes = 0;
}

/* ---- a job of its words ---- */

/* A shell takes the word as it is. */
static bool is_plain_word(const char *word) {
  return *word &&
         strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:%@") == strlen(word);
}

/* Adds the word behind `text`, quoted as a shell needs it: 'it'\''s'. NULL: no memory; text is
 * freed. */
static char *append_word(char *text, const char *word) {
  size_t used = text ? strlen(text) : 0, room = used + 4 * strlen(word) + 4;
  char *longer = realloc(text, room), *to = longer + used;
  if (!longer) return free(text), NULL;
  if (used) *to++ = ' ';
  if (is_plain_word(word)) return strcpy(to, word), longer;
  *to++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') to = stpcpy(to, "'\\'");
    *to++ = *word;
  }
  strcpy(to, "'");
  return longer;
}

/* This text is a job's key: unique in the suite, and a user can paste it behind ./lockstack. */
char *suite_command(const json_t *args) {
  char *text = NULL;
  size_t i;
  json_t *word;
  json_array_foreach(args, i, word) {
    text = append_word(text, json_string_value(word));
    if (!text) return NULL;
  }
  return text ? text : strdup("");
}

/* The words before the first option; paths are cut to their last part. */
static char *subject_of(const json_t *words) {
  json_t *names = json_array();
  for (size_t i = 1; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i)), *slash = strrchr(word, '/');
    if (*word == '-') break;
    json_array_append_new(names, json_string(slash && slash[1] ? slash + 1 : word));
  }
  char *text = suite_command(names);
  json_decref(names);
  return text;
}

/* The verb would take the last setting, so a job with two would not test the first. */
static bool set_twice(const json_t *words, char twice[ENTRY_NAME]) {
  for (size_t i = 2; i < json_array_size(words); i++) {
    const char *name = json_string_value(json_array_get(words, i)),
               *option = json_string_value(json_array_get(words, i - 1));
    const size_t length = strcspn(name, "=") + 1;
    for (size_t k = 2; k < i && !strcmp(option, "--set"); k++) {
      const char *before = json_string_value(json_array_get(words, k));
      if (strcmp(json_string_value(json_array_get(words, k - 1)), "--set") || strncmp(before, name, length) != 0)
        continue;
      snprintf(twice, ENTRY_NAME, "%.*s", (int)length - 1, name);
      return true;
    }
  }
  return false;
}

/* True also when the suite has the job already. */
static bool add_job(suite_t *suite, const entry_t *entry, json_t *words, json_t *keys) {
  char *key = suite_command(words);
  if (key && json_object_get(keys, key)) {
    free(key);
    return true;
  }
  bool grow = (suite->count & (suite->count - 1)) == 0; /* room is a power of two */
  suite_job_t *jobs = grow ? realloc(suite->jobs, (suite->count ? 2 * suite->count : 1) * sizeof *jobs) : suite->jobs;
  char *verb = strdup(entry->verb), *subject = subject_of(words);
  if (jobs) suite->jobs = jobs;
  if (!key || !jobs || !verb || !subject || suite->count == SUITE_MAX_JOBS ||
      json_object_set_new(keys, key, json_true())) {
    free(key);
    free(verb);
    free(subject);
    return false;
  }
  jobs[suite->count++] =
      (suite_job_t){.key = key, .verb = verb, .subject = subject, .args = json_incref(words), .limit = entry->limit};
  return true;
}

/* ---- axes ---- */

/* "--seed", "7". */
static json_t *option_pair(const char *option, const char *value) {
  return json_pack("[s, s]", option, value);
}

void suite_hash(SHA2_CTX *sha, const char *text) {
  SHA256Update(sha, (const uint8_t *)text, strlen(text));
}

/* Seeds that depend only on the words and the suite's seed, whatever other entries there are. 31
 * bits are easy to type. */
static json_t *derived_seeds(const suite_t *suite, const json_t *words, uint64_t count) {
  json_t *list = json_array();
  char *command = suite_command(words), text[SHA256_DIGEST_STRING_LENGTH], number[24];
  for (uint64_t i = 0; command && i < count; i++) {
    SHA2_CTX sha;
    SHA256Init(&sha);
    snprintf(number, sizeof number, "%" PRIu64 "/%" PRIu64, suite->seed, i);
    suite_hash(&sha, number);
    suite_hash(&sha, command);
    SHA256End(&sha, text);
    text[8] = 0;
    snprintf(number, sizeof number, "%lu", strtoul(text, NULL, 16) >> 1);
    json_array_append_new(list, option_pair("--seed", number));
  }
  free(command);
  return list;
}

/* "Depth=7 Width=100" as --set words. */
static json_t *variant_words(const char *params) {
  json_t *words = json_array();
  for (const char *p = params; *p;) {
    size_t n = strcspn(p, " ");
    json_array_append_new(words, json_string("--set"));
    json_array_append_new(words, json_stringn(p, n));
    p += n + strspn(p + n, " ");
  }
  return words;
}

static bool wanted_variant(const json_t *names, const char *name) {
  size_t i;
  json_t *one;
  json_array_foreach(names, i, one) {
    if (!strcmp(json_string_value(one), name) || !strcmp(json_string_value(one), "all")) return true;
  }
  return false;
}

/* The block's variants among these names; "default" is no words. */
static json_t *variant_alternatives(const suite_catalog_t *catalog, const json_t *names, const char *block) {
  json_t *list = json_array();
  if (wanted_variant(names, "default")) json_array_append_new(list, json_array());
  for (const suite_variant_t *v = catalog->variants; v->name; v++)
    if (!strcmp(v->block, block) && wanted_variant(names, v->name))
      json_array_append_new(list, variant_words(v->params));
  return list;
}

static json_t *axis_alternatives(const suite_t *suite, const axis_t *axis, const suite_catalog_t *catalog,
                                 const json_t *words) {
  if (axis->kind == AXIS_SEEDS) return derived_seeds(suite, words, axis->count);
  if (axis->kind == AXIS_WORDS) return json_incref(axis->alternatives);
  return variant_alternatives(catalog, axis->alternatives, json_string_value(json_array_get(words, 1)));
}

typedef struct {
  suite_t *suite;
  const entry_t *entry;
  const suite_catalog_t *catalog;
  json_t *keys;
  char *twice;
  unsigned visits; /* counts combinations without a new job, too */
  unsigned combinations;
} expand_t;

/* Goes on with each alternative of this axis. The limit on visits also ends entries whose jobs
 * exist already. */
static bool expand_axis(expand_t *x, unsigned axis, json_t *words) {
  if (x->visits++ > 4 * SUITE_MAX_JOBS) return false;
  if (axis == x->entry->num_axes)
    return x->combinations++, !set_twice(words, x->twice) && add_job(x->suite, x->entry, words, x->keys);
  json_t *list = axis_alternatives(x->suite, &x->entry->axes[axis], x->catalog, words), *one;
  size_t i;
  bool ok = list != NULL;
  json_array_foreach(list, i, one) {
    json_t *longer = json_copy(words);
    ok = ok && longer && json_array_extend(longer, one) == 0 && expand_axis(x, axis + 1, longer);
    json_decref(longer);
    if (!ok) break;
  }
  json_decref(list);
  return ok;
}

/* Depth first, so the last axis changes fastest. */
bool entry_expand(suite_t *suite, const entry_t *entry, const suite_catalog_t *catalog, json_t *keys,
                  char twice[ENTRY_NAME], unsigned *combinations) {
  json_t *words = json_pack("[s]", entry->verb);
  expand_t x = {suite, entry, catalog, keys, twice, 0, 0};
  bool ok = words && expand_axis(&x, 0, words);
  *combinations = x.combinations;
  json_decref(words);
  return ok;
}

void suite_free(suite_t *suite) {
  for (unsigned i = 0; i < suite->count; i++) {
    free(suite->jobs[i].key);
    free(suite->jobs[i].verb);
    free(suite->jobs[i].subject);
    json_decref(suite->jobs[i].args);
  }
  free(suite->jobs);
  free(suite->help);
  *suite = (suite_t){0};
}
