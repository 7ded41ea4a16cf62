/* SPDX-License-Identifier: Apache-2.0
 *
 * OFF(ok, Depth == 0): bits of a qualifying output that some parameters hold at 0. An output that
 * all parameters switch off is never compared, so an OFF that always holds is refused.
 */
#include "port_choice.h"
#include "port_qualifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USED_MOST = 8, TRIED_MOST = 1 << 16 };

typedef struct {
  port_reading_t *check;
  const char *bits;              /* the expression */
  port_entry_t *used[USED_MOST]; /* parameters that the expression uses */
  unsigned num_used;
  long long always; /* bits that were off with all values so far */
} trial_t;

static bool see_used(void *context, const char *name, size_t length, long long *value, trouble_t *trouble) {
  trial_t *o = context;
  port_entry_t *param = port_find_entry(o->check, "PARAM", name, length);
  bool new = param;
  for (unsigned i = 0; i < o->num_used && i < USED_MOST; i++) new &= o->used[i] != param;
  if (new && o->num_used < USED_MOST) o->used[o->num_used] = param;
  o->num_used += new;
  return port_name_value(o->check, name, length, value, trouble);
}

/* The least and the most of a parameter; of a text the numbers of its values. */
static bool bounds(trial_t *o, const port_entry_t *e, long long *least, long long *most) {
  trouble_t trouble = {0};
  *least = 0, *most = port_entry_is(e, "PARAM_TEXT") ? port_choice_count(e) - 1 : 0;
  return port_entry_is(e, "PARAM_TEXT") ||
         (port_expr(port_field(e, "least"), port_name_value, o->check, least, &trouble) &&
          port_expr(port_field(e, "most"), port_name_value, o->check, most, &trouble));
}

/* Tries all values of the parameters from the i-th on; the earlier ones keep theirs. */
static void try_values(trial_t *o, unsigned i) {
  trouble_t trouble;
  char text[32];
  long long least, most, bits;
  if (i == o->num_used) {
    if (port_expr(o->bits, port_name_value, o->check, &bits, &trouble)) o->always &= bits;
    return;
  }
  port_entry_t *e = o->used[i];
  const char *own = e->number;
  if (!bounds(o, e, &least, &most)) return;
  e->number = text;
  for (long long value = least; value <= most && o->always; value++) {
    snprintf(text, sizeof text, "%lld", value);
    try_values(o, i + 1);
  }
  e->number = own;
}

/* True if trying all values takes few steps. */
static bool could_try(trial_t *o) {
  long long least, most, all = 1;
  for (unsigned i = 0; i < o->num_used; i++) {
    if (i == USED_MOST || !bounds(o, o->used[i], &least, &most) || __builtin_sub_overflow(most, least, &most) ||
        most >= TRIED_MOST)
      return false;
    all *= most + 1;
    if (all > TRIED_MOST) return false;
  }
  return true;
}

/* OFF(ok, Depth == 0): bits of a qualifying output that these parameters hold at 0. Rejects bits
 * that are 0 for all parameters: such an output is never compared, whatever the RTL does. */
static bool check_off(port_reading_t *c, const port_entry_t *off) {
  const char *name = off->args[0];
  const port_entry_t *port = NULL;
  trial_t o = {.check = c, .bits = port_field(off, "bits"), .always = -1};
  trouble_t trouble = {0};
  long long bits;
  bool qualifies = false;
  for
    EACH(e, c) {
      qualifies |= port_is_port(e) && !port_is_input(e) && port_is_term(e, name, false);
      if (port_is_port(e) && !port_is_input(e) && strcmp(e->args[0], name) == 0) port = e;
    }
  if (!qualifies || !port)
    return BAD(c, off,
               "OFF(%s, ...): no OUT or PROBE is qualified by %s; name one that says when another has a meaning", name,
               name);
  if (!port_eval_number(c, off, "bits that are off", o.bits, &bits) ||
      !port_expr(o.bits, see_used, &o, &bits, &trouble))
    return false;
  const long long width = atoll(port->number);
  if (width < PORT_SCALAR_MOST) o.always = (1ll << width) - 1;
  if (could_try(&o)) try_values(&o, 0);
  else o.always = 0;
  if (!o.always) return true;
  return BAD(
      c, off,
      "OFF(%s, %.80s): %s%s, so that what %s qualifies is never compared; a condition of parameters should switch it "
      "off, as OFF(%s, Depth == 0)",
      name, o.bits, o.num_used ? "holds with all values of its parameters" : "names no parameter",
      width > 1 ? " for some bits" : "", name, name);
}

bool port_check_offs(port_reading_t *c) {
  for
    EACH(e, c)
  if (port_entry_is(e, "OFF") && !check_off(c, e)) return false;
  return true;
}
