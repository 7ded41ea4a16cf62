/* SPDX-License-Identifier: Apache-2.0 */
#include "window_json.h"

#include "against.h"
#include "lockstep.h"
#include "report.h"

#include <string.h>

enum { VALUE_BYTES = 16384 };

/* "in", "out" or "probe". */
static const char *dir_name(const dut_port_t *port) {
  if (port->dir == DUT_IN) return "in";
  return port->dir == DUT_OUT ? "out" : "probe";
}

static json_t *text_or_null(const char *text) {
  return text ? json_string(text) : json_null();
}

json_t *ports_json(const dut_t *dut) {
  json_t *list = json_array();
  for (unsigned i = 0; i < dut->num_ports; i++) {
    const dut_port_t *p = &dut->ports[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", p->name, "dir", dir_name(p), "width",
                                          (int)p->width, "valid", text_or_null(p->valid), "type",
                                          text_or_null(p->shape == DUT_STRUCT ? p->type : NULL)));
  }
  return list;
}

/* The value in hexadecimal, "5", without groups and leading zeros. */
static json_t *value_json(const dut_port_t *port, const void *fields) {
  char text[VALUE_BYTES];
  size_t n = 0;
  report_value(port, fields, text, sizeof text);
  for (const char *p = text + 2; *p; p++)
    if (*p != '_' && (n || *p != '0' || !p[1])) text[n++] = *p;
  text[n] = 0;
  return json_string(text);
}

/* Is there a value in this cycle, and is it valid? */
static bool is_value_valid(const window_t *w, const dut_port_t *p, const void *fields) {
  return fields && dut_port_valid(w->dut, p, fields);
}

/* A port's values over the window; null where it was not valid. rtl: of the RTL, else of the
 * model. */
static json_t *values_json(const window_t *w, const dut_port_t *p, bool rtl) {
  json_t *list = json_array();
  for (size_t i = 0; i < w->count; i++) {
    const void *fields = window_fields(w, p, i, rtl);
    json_array_append_new(list, is_value_valid(w, p, fields) ? value_json(p, fields) : json_null());
  }
  return list;
}

/* A port. `rtl` is null if it equals the model in the whole window, which keeps the document
 * small. */
static json_t *signal_json(const window_t *w, const dut_port_t *p) {
  json_t *model = values_json(w, p, false), *rtl = p->dir == DUT_IN ? NULL : values_json(w, p, true);
  if (rtl && json_equal(rtl, model)) {
    json_decref(rtl);
    rtl = NULL;
  }
  return json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", p->name, "dir", dir_name(p), "width", (int)p->width, "rtl",
                   rtl ? rtl : json_null(), "model", model);
}

json_t *window_json(const window_t *w) {
  json_t *signals = json_array(), *resets = json_array();
  for (unsigned i = 0; i < w->dut->num_ports; i++) json_array_append_new(signals, signal_json(w, &w->dut->ports[i]));
  for (size_t i = 0; i < w->count; i++)
    if (w->reset[i]) json_array_append_new(resets, json_integer((json_int_t)(w->from + i)));
  json_t *json =
      json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "from", (json_int_t)w->from, "to", (json_int_t)w->to, "wrong",
                (json_int_t)w->to, "text", text_or_null(w->text), "resets", resets, "signals", signals);
  const dut_t *reference = against_reference(w->dut);
  if (reference) json_object_set_new(json, "against", json_string(reference->kind));
  return json;
}

json_t *transactions_json(const window_t *w) {
  json_t *list = json_array();
  for (size_t i = 0; i < w->num_lines; i++) {
    const window_line_t *line = &w->lines[i];
    json_t *packets = json_array();
    for (const char *p = line->packets; p && *p;) {
      const char *end = strchrnul(p, '\n');
      json_array_append_new(packets, json_stringn(p, (size_t)(end - p)));
      p = *end ? end + 1 : end;
    }
    json_t *told = json_pack("{s:I, s:o, s:o}", "cycle", (json_int_t)line->cycle, "inputs", text_or_null(line->inputs),
                             "packets", packets);
    if (line->before) json_object_set_new(told, "before", json_string(line->before));
    json_array_append_new(list, told);
  }
  return list;
}
