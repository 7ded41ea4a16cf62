/* SPDX-License-Identifier: Apache-2.0
 *
 * Several entries CLOCK, or RESET: what they are for the rest of portgen.
 */
#include "port_reading.h"
#include "clocking.h"

#include <string.h>

bool port_is_too(const port_entry_t *e) {
  return port_entry_is(e, "CLOCK__too") || port_entry_is(e, "RESET__too");
}

/* Clocks after the first one become entries of their own kind, with the first one's name. */
static bool take_clocks(port_reading_t *c) {
  const port_kind_t *too = port_text_kind(&c->file->text, "CLOCK__too", strlen("CLOCK__too"));
  const port_entry_t *first = NULL;
  for
    EACH(e, c) {
      if (!port_kind_begins(e, "CLOCK")) continue;
      if (!first) {
        first = e;
        continue;
      }
      if (port_entry_is(e, "CLOCK_none") || port_entry_is(first, "CLOCK_none"))
        return BAD(c, e, "CLOCK(none) says that there is no clock, and line %u another thing",
                   port_entry_is(e, "CLOCK_none") ? first->line : e->line);
      if (strcmp(e->args[0], first->args[0]) == 0)
        return BAD(c, e, "CLOCK(%.80s) is there twice; the first is in line %u", e->args[0], first->line);
      const char **args = port_take(&c->file->text.arena, 2 * sizeof *args);
      args[0] = e->args[0], args[1] = first->args[0];
      e->kind = too, e->args = args, e->num_args = 2;
    }
  return true;
}

/* Resets after the first one become entries of their own kind. */
static bool take_resets(port_reading_t *c) {
  const port_kind_t *too = port_text_kind(&c->file->text, "RESET__too", strlen("RESET__too"));
  const port_entry_t *first = NULL;
  unsigned count = 0;
  for
    EACH(e, c) {
      if (!port_kind_begins(e, "RESET")) continue;
      if (++count == 1) {
        first = e;
        continue;
      }
      if (!port_entry_is(e, "RESET") || !port_entry_is(first, "RESET"))
        return BAD(c, e, "RESET(%s) says that there is no reset, and line %u another thing",
                   port_entry_is(e, "RESET") ? first->args[0] : e->args[0],
                   port_entry_is(e, "RESET") ? e->line : first->line);
      if (count > CLOCKING_RESETS) return BAD(c, e, "a block has at most %d resets", CLOCKING_RESETS);
      e->kind = too;
    }
  return true;
}

bool port_take_clocks(port_reading_t *c) {
  return take_clocks(c) && take_resets(c);
}
