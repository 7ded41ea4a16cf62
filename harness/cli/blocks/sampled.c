/* SPDX-License-Identifier: Apache-2.0 */
#include "sampled.h"

#include "lockstep_verbs.h"
#include "plain.h"

#include <inttypes.h>
#include <string.h>

int sampled_draw(sample_t *sample, const char *name, const char *fixed, uint64_t seed, uint64_t count) {
  const places_t places = verbs_places();
  trouble_t trouble;
  block_t block;
  memset(sample, 0, sizeof *sample);
  if (!block_find(&block, &places, name, NULL, &trouble)) return cli_trouble(&trouble);
  return sample_draw(sample, places.source, block.ports, fixed, seed, (unsigned)count, &trouble)
             ? EXIT_HELD
             : cli_trouble(&trouble);
}

void sampled_options(FILE *out, const char *set) {
  char setting[SAMPLE_TEXT], word[PLAIN_WORD];
  for (const char *at = set; *at; at += strcspn(at, ","), at += *at == ',') {
    snprintf(setting, sizeof setting, "%.*s", (int)strcspn(at, ","), at);
    fprintf(out, " --set %s", strpbrk(setting, " \"'") ? plain_word(setting, word) : setting);
  }
}

void sampled_sum(FILE *out, const sample_t *s, unsigned held, uint64_t seed) {
  fprintf(out, "%u of %u sets of parameters held", held, s->count);
  if (s->pairs) fprintf(out, ", %u of %u pairs of classes of values", s->met, s->pairs);
  fprintf(out, ", seed %" PRIu64 "\n", seed);
}

json_t *sampled_json(const sample_t *s, uint64_t asked, json_t *sets) {
  return json_pack("{s:I, s:o, s:i, s:i}", "asked", (json_int_t)asked, "sets", sets, "pairs", (int)s->pairs, "met",
                   (int)s->met);
}
