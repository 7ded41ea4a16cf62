/* SPDX-License-Identifier: Apache-2.0 */
#include "compared_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The bits of the valid port that were never 1 and are not off. */
static json_t *missing_bits(const tally_valid_t *v) {
  json_t *list = json_array();
  for (int bit = 0; v && bit < 64; bit++)
    if (tally_missing(v) >> bit & 1) json_array_append_new(list, json_integer(bit));
  return list;
}

/* An output or probe: in how many cycles it was compared. One that was never compared lists the
 * elements that were never valid. */
static json_t *output_json(const tally_t *t, unsigned port) {
  const dut_port_t *p = &t->dut->ports[port];
  const tally_state_t state = tally_state(t, port);
  json_t *json = json_pack("{s:s, s:I, s:s}", "name", p->name, "cycles", (json_int_t)tally_cycles(t, port), "state",
                           tally_state_name(state));
  const tally_valid_t *v = tally_valid(t, port);
  if (state == TALLY_NEVER && v && t->cycles && v->bits != 1) json_object_set_new(json, "elements", missing_bits(v));
  return json;
}

/* The value that never changed, in hexadecimal; null: it was never valid. */
static json_t *still_value(const tally_still_t *s) {
  uint32_t word = s->words;
  char *text = malloc(16 * (size_t)s->words + 1);
  if (!s->known || !text) return free(text), json_null();
  while (word > 1 && !s->first[word - 1]) word--;
  size_t n = (size_t)sprintf(text, "%" PRIx64, s->first[word - 1]);
  while (--word) n += (size_t)sprintf(text + n, "%016" PRIx64, s->first[word - 1]);
  json_t *json = json_string(text);
  free(text);
  return json;
}

/* The inputs that never changed, in the order of the ports. */
static json_t *still_json(const tally_t *t) {
  json_t *list = json_array();
  for (unsigned port = 0; port < t->dut->num_ports; port++)
    for (unsigned i = 0; i < t->num_still; i++)
      if (t->still[i].port == port)
        json_array_append_new(
            list, json_pack("{s:s, s:o}", "name", t->dut->ports[port].name, "value", still_value(&t->still[i])));
  return list;
}

json_t *compared_json(const tally_t *t) {
  json_t *outputs = json_array();
  for (unsigned i = 0; i < t->dut->num_ports; i++)
    if (t->dut->ports[i].dir != DUT_IN) json_array_append_new(outputs, output_json(t, i));
  return json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)tally_compared(t), "outputs", outputs, "constant_inputs",
                   still_json(t));
}
