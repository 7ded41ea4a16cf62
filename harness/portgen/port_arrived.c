/* SPDX-License-Identifier: Apache-2.0
 *
 * Every tool silently truncates a value that does not fit its parameter's type. Verilator's XML
 * shows the values after elaboration, with their types.
 */
#include "port_arrived.h"
#include "entities.h"
#include "top_xml.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *port_literal(const char *number, int length, char literal[PORT_LITERAL]) {
  char text[PORT_LITERAL];
  snprintf(text, sizeof text, "%.*s", length < 0 ? (int)strlen(number) : length, number);
  if (*text == '"') return strcpy(literal, text);
  if (!strchr("-+0123456789", *text)) return snprintf(literal, PORT_LITERAL, "\"%.32s\"", text), literal;
  const long long value = strtoll(text, NULL, 10);
  /* The number -2147483648 has no decimal literal: minus is an operator, and 2147483648 needs more
   * than 32 bits. */
  if (value == INT_MIN) snprintf(literal, PORT_LITERAL, "32'sh80000000");
  else if (value > INT_MIN && value <= INT_MAX) snprintf(literal, PORT_LITERAL, "%lld", value);
  else snprintf(literal, PORT_LITERAL, "64'sh%llx", (unsigned long long)value);
  return literal;
}

/* The RTL's parameter of this name; NULL: none. */
static const top_xml_param_t *find_param(const top_xml_t *top, const char *name) {
  for (unsigned i = 0; i < top->num_params; i++)
    if (strcmp(top->params[i].name, name) == 0) return &top->params[i];
  return NULL;
}

/* Describes a parameter's type: "4 bits without a sign, 0 to 15". */
static const char *param_type_text(const top_xml_param_t *p, char text[128]) {
  unsigned above = p->width < 64 ? 64 - p->width : 0;
  if (!p->is_signed && above) above--; /* no bit is the sign */
  const long long most = INT64_MAX >> above;
  if (!p->width) return strcpy(text, "is no plain number");
  snprintf(text, 128, "has %u bit%s %s a sign, %lld to %lld", p->width, p->width == 1 ? "" : "s",
           p->is_signed ? "with" : "without", p->is_signed ? -most - 1 : 0, most);
  return text;
}

/* The value of a text: as one, or as the bits of its letters, 32'h46415354. Without quotes. */
static void text_of_value(const char *value, char *to, size_t size) {
  const char *digits = strstr(value, "'h"), *sign = strstr(value, "'sh");
  size_t n = 0;
  if (!digits && !sign) {
    const bool quoted = *value == '"';
    snprintf(to, size, "%.*s", (int)strcspn(value + quoted, "\""), value + quoted);
    return;
  }
  digits = digits ? digits + 2 : sign + 3;
  digits += strspn(digits, "0");
  for (size_t left = strlen(digits); left && n + 1 < size;) {
    const size_t take = left % 2 ? 1 : 2;
    char two[3] = {digits[0], take == 2 ? digits[1] : '\0', 0};
    to[n++] = (char)strtoul(two, NULL, 16);
    digits += take, left -= take;
  }
  to[n] = 0;
}

/* Has the text arrived? A type that is too short cuts it. */
static bool text_arrived(const port_entry_t *e, const top_xml_param_t *p, trouble_t *trouble) {
  char value[TOP_XML_NAME], arrived[TOP_XML_NAME];
  snprintf(value, sizeof value, "%s", p->text);
  entities_decode(value);
  text_of_value(value, arrived, sizeof arrived);
  const size_t n = strlen(e->word) - 2;
  if (strlen(arrived) == n && strncmp(arrived, e->word + 1, n) == 0) return true;
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%.600s:%u: PARAM_TEXT(%.120s, ...): its value %s arrives in the RTL as "
                     "%.120s: %.120s has %u bits (%s)",
                     e->file, e->line, e->args[0], e->word, value, e->pin, p->width, p->place);
}

static void add_given_text(const port_entry_t *e, port_buffer_t *given) {
  port_add_text(given, e->pin), port_add_text(given, "="), port_add_text(given, e->word), port_add_text(given, "\n");
}

/* Sets the error: the value before and after, and the parameter's type. */
static bool value_differs(const port_entry_t *e, const top_xml_param_t *p, trouble_t *trouble) {
  char type[128], arrived[TOP_XML_NAME];
  if (p->number) snprintf(arrived, sizeof arrived, "%lld", p->value);
  else snprintf(arrived, sizeof arrived, "%s", p->text);
  entities_decode(arrived);
  return trouble_set(trouble, TROUBLE_INPUT,
                     "%.600s:%u: PARAM(%.120s, ...): its value %s arrives in the RTL as %s: %.120s %s (%s)", e->file,
                     e->line, e->args[0], e->number, arrived, e->pin, param_type_text(p, type), p->place);
}

/* Appends "NAME=VALUE", with the width and sign of the parameter's type. */
static void add_given(const top_xml_param_t *p, port_buffer_t *given) {
  char text[TOP_XML_NAME + 64], number[32], literal[PORT_LITERAL];
  const uint64_t bits = (uint64_t)p->value & (p->width && p->width < 64 ? UINT64_MAX >> (64 - p->width) : UINT64_MAX);
  snprintf(number, sizeof number, "%lld", p->value);
  if (!p->width || (p->width == 32 && p->is_signed) || p->width > 64)
    snprintf(text, sizeof text, "%s=%s\n", p->name, port_literal(number, -1, literal));
  else
    snprintf(text, sizeof text, "%s=%u'%sh%llx\n", p->name, p->width, p->is_signed ? "s" : "",
             (unsigned long long)bits);
  port_add_text(given, text);
}

/* Parameters that the RTL's top module does not show are skipped; port_known reports them. */
bool port_arrived(const port_file_t *file, const char *xml, port_buffer_t *given, trouble_t *trouble) {
  top_xml_t top;
  bool ok = top_xml_read(&top, xml);
  if (!ok) return trouble_set(trouble, TROUBLE_INPUT, "%s: cannot be read", xml);
  for (const port_entry_t *e = file->text.entries; ok && e < port_text_end(&file->text); e++) {
    const bool number = port_entry_is(e, "PARAM"), word = port_entry_is(e, "PARAM_TEXT");
    const top_xml_param_t *p = number || word ? find_param(&top, e->pin) : NULL;
    if (!p) continue;
    if (word) {
      ok = text_arrived(e, p, trouble);
      if (ok && given) add_given_text(e, given);
      continue;
    }
    ok = (p->number && p->value == strtoll(e->number, NULL, 10)) || value_differs(e, p, trouble);
    if (ok && given) add_given(p, given);
  }
  top_xml_free(&top);
  return ok;
}

/* Verilator's line: "%Error: Parameters from the command line were not found in the design: Depth
 * Width". */
bool port_known(const port_file_t *file, const char *module, const char *said, trouble_t *trouble) {
  static const char mark[] = "were not found in the design: ";
  const char *names = strstr(said, mark);
  for (const port_entry_t *e = file->text.entries; names && e < port_text_end(&file->text); e++) {
    if (!port_entry_is(e, "PARAM") && !port_entry_is(e, "PARAM_TEXT")) continue;
    const size_t n = strlen(e->pin);
    for (const char *at = names + sizeof mark - 1; *at && *at != '\n'; at += strspn(at, " ,")) {
      const size_t length = strcspn(at, " ,\n");
      if (length == n && strncmp(at, e->pin, n) == 0)
        return trouble_set(trouble, TROUBLE_INPUT,
                           "%.600s:%u: %s(%.120s, ...): module %.120s has no parameter of that name that can be set",
                           e->file, e->line, e->kind->name, e->args[0], module);
      at += length;
    }
  }
  return true;
}
