/* SPDX-License-Identifier: Apache-2.0 */
#include "inside_json.h"

#include "source_text.h"

#include <stdio.h>
#include <string.h>

static json_t *text_or_null(const char *text) {
  return text ? json_string(text) : json_null();
}

/* {file, line, text} of a port's entry in the port file; null: the file no longer exists. */
static json_t *rule_json(const char *file, const dut_port_t *port) {
  char text[SOURCE_TEXT];
  if (!source_line(file, port->line, text)) return json_null();
  return json_pack("{s:s, s:i, s:s}", "file", file, "line", (int)port->line, "text", text);
}

/* Turns "a b" into [{name, part, module, file}]; a name outside of parts has `name` alone. */
static json_t *drivers_json(const dut_t *dut, const char *names) {
  json_t *list = json_array();
  for (size_t n; names && *names; names += n + (names[n] != 0)) {
    n = strcspn(names, " ");
    const dut_part_t *part = inside_part_of(dut, names, n);
    json_t *driver = json_pack("{s:o}", "name", json_stringn(names, n));
    if (part)
      json_object_update_new(
          driver, json_pack("{s:s, s:s, s:s}", "part", part->name, "module", part->module, "file", part->file));
    json_array_append_new(list, driver);
  }
  return list;
}

/* What decided the wrong bits, the last cycle first. */
static json_t *decided_json(const slice_t *s) {
  json_t *list = json_array();
  for (size_t i = 0; i < s->count; i++) {
    const slice_entry_t *e = &s->entries[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "kind",
                                          e->input ? "input" : "register", "name", e->name, "from", (json_int_t)e->from,
                                          "to", (json_int_t)e->to, "first", text_or_null(e->first), "last",
                                          text_or_null(e->last), "where", text_or_null(*e->where ? e->where : NULL)));
  }
  return list;
}

void failure_where_json(json_t *failure, const check_result_t *r, const failure_t *f) {
  source_assertion_t a;
  if (f->port >= 0) {
    const dut_port_t *port = &r->dut->ports[f->port];
    json_object_set_new(failure, "rule", rule_json(r->dut->ports_file, port));
    if (r->parts)
      json_object_set_new(failure, "drivers", drivers_json(r->parts, inside_drivers(r->parts, "", port->pin)));
    if (r->slice.count) json_object_set_new(failure, "decided", decided_json(&r->slice));
  } else if (f->outcome == OUTCOME_DUT_ASSERT && source_assertion(f->text, &a)) {
    json_object_set_new(failure, "assertion",
                        json_pack("{s:s, s:o, s:s, s:i, s:s}", "text", a.text, "label",
                                  text_or_null(*a.label ? a.label : NULL), "file", a.file, "line", (int)a.line,
                                  "instance", a.instance));
  }
}

/* The wrong part's inputs, each with its value and the outputs that drive it. */
static json_t *inputs_json(const inside_t *inside, const dut_t *dut) {
  json_t *list = json_array();
  for (size_t i = 0; i < inside->num_inputs; i++) {
    const inside_input_t *input = &inside->inputs[i];
    json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "name", input->name, "value", text_or_null(input->value),
                                          "from", drivers_json(dut, input->from)));
  }
  return list;
}

json_t *inside_json(const check_result_t *r) {
  const inside_t *in = &r->inside;
  if (in->kind == INSIDE_NOTHING) return NULL;
  json_t *json = json_pack("{s:i, s:i, s:o, s:b}", "parts", (int)in->parts, "judged", (int)in->judged, "unjudged",
                           text_or_null(in->unjudged), "cut", in->cut);
  if (in->kind == INSIDE_OWN) {
    json_object_set_new(json, "part", json_null());
    return json;
  }
  json_object_update_new(json,
                         json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:o}", "part", in->part->name, "module",
                                   in->part->module, "file", in->part->file, "cycle", (json_int_t)in->cycle, "port",
                                   in->port->name, "rtl", text_or_null(in->rtl), "model", text_or_null(in->model)));
  json_object_set_new(json, "rule", rule_json(in->ports_file, in->port));
  json_object_set_new(json, "also", text_or_null(in->also));
  json_object_set_new(json, "inputs", inputs_json(in, r->parts));
  return json;
}
