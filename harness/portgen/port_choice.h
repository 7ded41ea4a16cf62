/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that are texts: PARAM_TEXT(Mode, "FAST", "FAST SLOW", "what it is"). For C such a
 * parameter is the number of its value in the list, and Mode_SLOW is that of SLOW; the RTL gets
 * "SLOW".
 */
#ifndef PORT_CHOICE_H
#define PORT_CHOICE_H

#include "port_reading.h"

enum { PORT_CHOICE_MOST = 32 /* characters of a value */ };

/* Checks the entry and its value, from the setting `set` (NULL: the default), and keeps the number
 * in entry->number and the text, in quotes, in entry->word. */
bool port_choice_check(port_reading_t *c, port_entry_t *e, const char *set);
long long port_choice_count(const port_entry_t *e); /* how many values it may have */

/* Value i of the list, and as the last part of a name in C; NULL: no further one. */
const char *port_choice_text(port_arena_t *arena, const port_entry_t *e, unsigned i);
const char *port_choice_name(port_arena_t *arena, const port_entry_t *e, unsigned i);

#endif
