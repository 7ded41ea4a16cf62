/* SPDX-License-Identifier: Apache-2.0 */
#include "compared_json.h"

/* Bits of its condition that were never 1 and could have been. */
static json_t *missing(const tally_valid_t *v) {
  json_t *list = json_array();
  for (int bit = 0; v && bit < 64; bit++)
    if (tally_missing(v) >> bit & 1) json_array_append_new(list, json_integer(bit));
  return list;
}

static json_t *output_json(const tally_t *t, unsigned port) {
  const dut_port_t *p = &t->dut->ports[port];
  const tally_state_t state = tally_state(t, port);
  json_t *json = json_pack("{s:s, s:I, s:s}", "name", p->name, "cycles", (json_int_t)tally_cycles(t, port), "state", tally_state_name(state));
  const tally_valid_t *v = tally_valid(t, port);
  if (state == TALLY_NEVER && v && t->cycles && v->bits != 1) json_object_set_new(json, "elements", missing(v));
  return json;
}

json_t *compared_json(const tally_t *t) {
  json_t *outputs = json_array(), *still = json_array();
  for (unsigned i = 0; i < t->dut->num_ports; i++)
    if (t->dut->ports[i].dir != DUT_IN) json_array_append_new(outputs, output_json(t, i));
  for (unsigned i = 0; i < t->num_still; i++) json_array_append_new(still, json_string(t->dut->ports[t->still[i].port].name));
  return json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)t->cycles, "outputs", outputs, "constant_inputs", still);
}
