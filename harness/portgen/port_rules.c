/* SPDX-License-Identifier: Apache-2.0
 *
 * PARAM_RULE(NumVCs % Classes == 0, "Classes divides NumVCs"): what a set of parameters has to keep
 * besides each parameter's own range.
 */
#include "port_rules.h"

#include <stdio.h>
#include <string.h>

enum { USED_TEXT = 200 };

/* The parameters that a rule names, with their values: "NumVCs=3, Classes=2". */
typedef struct {
  port_reading_t *check;
  char text[USED_TEXT];
} used_t;

/* True if the text has this setting already. */
static bool is_noted(const used_t *u, const char *setting) {
  const size_t n = strlen(setting);
  for (const char *at = u->text; (at = strstr(at, setting)); at++)
    if ((at == u->text || at[-1] == ' ') && (!at[n] || at[n] == ',')) return true;
  return false;
}

static void note_param(used_t *u, const port_entry_t *e) {
  const size_t n = strlen(u->text);
  char setting[USED_TEXT];
  const int quotes = port_entry_is(e, "PARAM_TEXT");
  const char *value = quotes ? e->word + 1 : e->number;
  snprintf(setting, sizeof setting, "%.80s=%.*s", e->args[0], (int)strlen(value) - quotes, value);
  if (!is_noted(u, setting)) snprintf(u->text + n, sizeof u->text - n, "%s%s", n ? ", " : "", setting);
}

static bool see_used(void *context, const char *name, size_t length, long long *value, trouble_t *trouble) {
  used_t *u = context;
  const port_entry_t *param = port_find_entry(u->check, "PARAM", name, length);
  if (param) note_param(u, param);
  return port_name_value(u->check, name, length, value, trouble);
}

static bool check_rule(port_reading_t *c, const port_entry_t *e) {
  const char *rule = e->args[0], *text = port_field(e, "text");
  used_t used = {.check = c};
  trouble_t trouble = {0};
  long long holds;
  if (!port_expr(rule, see_used, &used, &holds, &trouble))
    return BAD(c, e, "PARAM_RULE(%.80s, ...): should be a condition on parameters: %s", rule, trouble.text);
  if (!*used.text) return BAD(c, e, "PARAM_RULE(%.80s, ...): names no parameter", rule);
  return holds || BAD(c, e, "%.*s: %.120s does not hold for %s", (int)strlen(text) - 2, text + 1, rule, used.text);
}

bool port_check_rules(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_entry_is(e, "PARAM_RULE") && !check_rule(c, e)) return false;
  return true;
}

bool port_rules_hold(port_reading_t *c) {
  trouble_t trouble;
  long long holds;
  for
    EACH(e, c)
  if (port_entry_is(e, "PARAM_RULE") && (!port_expr(e->args[0], port_name_value, c, &holds, &trouble) || !holds))
    return false;
  return true;
}
