/* SPDX-License-Identifier: Apache-2.0 */
#include "against_report.h"

#include "number.h"
#include "source_text.h"

#include <inttypes.h>
#include <string.h>

/* "97.5 %"; never 100 where a bit was unknown, never 0 where one was known. */
static const char *share_text(uint64_t known, uint64_t unknown, char text[16]) {
  const double share = 100 * against_share(known, unknown);
  if (!unknown) snprintf(text, 16, "100 %%");
  else if (share > 99.9) snprintf(text, 16, "over 99.9 %%");
  else if (known && share < 0.1) snprintf(text, 16, "under 0.1 %%");
  else snprintf(text, 16, "%.1f %%", share);
  return text;
}

/* One line a port: how much of it was X, and bits that always were. */
static void print_unknown(FILE *out, const dut_port_t *p, const against_port_t *c) {
  char share[16];
  fprintf(out, "  X or Z in %s: %s of its bits known", p->name, share_text(c->known, c->unknown, share));
  if (c->never) fprintf(out, "; %u of %u never", c->never, p->width);
  fprintf(out, "\n");
}

/* "uart.v:12: text", the path as a person would type it. */
static void print_place(FILE *out, const char *text) {
  char file[AGAINST_TEXT];
  size_t n = against_place(text), line = n;
  while (line && text[line - 1] != ':') line--;
  snprintf(file, sizeof file, "%.*s", line ? (int)line - 1 : 0, text);
  if (line) fprintf(out, "%s:%s\n", source_short(file), text + line);
  else fprintf(out, "%s\n", text);
}

/* One line a place: the condition, if it can be read, or what the simulator says. */
static void print_assertion(FILE *out, const against_t *c, const against_place_t *place) {
  char label[AGAINST_LABEL], count[28];
  source_assertion_t a;
  const bool known = source_assertion(place->text, &a) && *a.text;
  fprintf(out,
          "    %s, %s time%s: ", place->reference ? against_model_label(c->dut, label) : against_device_label(c->dut),
          number_text(place->count, count), place->count == 1 ? "" : "s");
  if (known) fprintf(out, "%s:%u: assert (%s)\n", source_short(a.file), a.line, a.text);
  else print_place(out, place->text);
}

void against_print(FILE *out, const against_t *c) {
  char number[28];
  if (!c) return;
  for (unsigned i = 0; i < c->dut->num_ports; i++)
    if (c->port[i].unknown) print_unknown(out, &c->dut->ports[i], &c->port[i]);
  if (c->num_places)
    fprintf(out, "  assertions of the RTL that failed; nothing keeps the inputs to what it expects:\n");
  for (unsigned i = 0; i < c->num_places; i++) print_assertion(out, c, &c->places[i]);
  if (c->elsewhere) fprintf(out, "    in further places, %s times\n", number_text(c->elsewhere, number));
}

const char *against_sum(const against_t *c, char text[AGAINST_SUM]) {
  char share[16], label[AGAINST_LABEL];
  *text = 0;
  if (c)
    snprintf(text, AGAINST_SUM, " against %s, %s of output bits known", against_model_label(c->dut, label),
             share_text(c->known, c->unknown, share));
  return text;
}

static json_t *outputs_json(const against_t *c) {
  json_t *list = json_array();
  for (unsigned i = 0; i < c->dut->num_ports; i++) {
    const against_port_t *port = &c->port[i];
    if (port->unknown)
      json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:i}", "name", c->dut->ports[i].name, "known",
                                            (json_int_t)port->known, "unknown", (json_int_t)port->unknown, "never",
                                            (int)port->never));
  }
  return list;
}

void against_json(json_t *root, const against_t *c) {
  if (!c) return;
  json_object_set_new(root, "known",
                      json_pack("{s:I, s:I, s:f, s:o}", "known", (json_int_t)c->known, "unknown",
                                (json_int_t)c->unknown, "share", against_share(c->known, c->unknown), "outputs",
                                outputs_json(c)));
  json_t *list = json_array();
  for (unsigned i = 0; i < c->num_places; i++) {
    const against_place_t *place = &c->places[i];
    json_array_append_new(list, json_pack("{s:s, s:I, s:s}", "side", place->reference ? "reference" : "device", "count",
                                          (json_int_t)place->count, "text", place->text));
  }
  json_object_set_new(root, "assertions", list);
}
