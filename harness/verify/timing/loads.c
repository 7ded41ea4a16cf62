/* SPDX-License-Identifier: Apache-2.0
 *
 * Names point into the answer's text, so that a large netlist costs one allocation for all of
 * them.
 */
#include "loads.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more element. array is the address of a pointer. False: no memory. */
static bool grow_loads_array(void *array, size_t *room, size_t count, size_t size) {
  void **at = array;
  if (count < *room) return true;
  void *more = reallocarray(*at, *room ? 2 * *room : 4096, size);
  if (!more) return false;
  *at = more, *room = *room ? 2 * *room : 4096;
  return true;
}

/* A line is "inst NAME CELL", "box NAME MODULE PARENT LOCAL" or "pin PORT o|i NET LOAD RISE
 * FALL". Pins belong to the instance before them. */
static bool take_loads_line(void *context, char *const field[STA_FIELDS], trouble_t *trouble) {
  loads_t *l = context;
  const bool box = strcmp(field[0], "box") == 0;
  if (box || strcmp(field[0], "inst") == 0) {
    if (!grow_loads_array(&l->instances, &l->instance_room, l->num_instances, sizeof *l->instances))
      return trouble_memory(trouble);
    l->instances[l->num_instances++] =
        (loads_instance_t){field[1], field[2], l->num_pins, 0, box ? field[3] : NULL, box ? field[4] : NULL};
  } else if (strcmp(field[0], "pin") == 0 && l->num_instances) {
    if (!grow_loads_array(&l->pins, &l->pin_room, l->num_pins, sizeof *l->pins)) return trouble_memory(trouble);
    l->pins[l->num_pins++] = (loads_pin_t){
        field[1], field[3], *field[2] == 'o', strtod(field[4], NULL), strtod(field[5], NULL), strtod(field[6], NULL)};
    l->instances[l->num_instances - 1].pins++;
  }
  return true;
}

bool loads_is_tied(const char *net, bool *value) {
  const char *slash = strrchr(net, '/'), *name = slash ? slash + 1 : net;
  *value = strcmp(name, "one_") == 0;
  return *value || strcmp(name, "zero_") == 0;
}

bool loads_run(const sta_ask_t *ask, loads_t *loads, trouble_t *trouble) {
  char *log;
  *loads = (loads_t){0};
  loads->text = sta_run(ask, &log, trouble);
  if (loads->text) loads->left_out = sta_left_out(ask, log, &loads->first_left_out);
  free(log);
  return loads->text && sta_lines(ask, loads->text, take_loads_line, loads, trouble);
}

void loads_free(loads_t *loads) {
  free(loads->instances), free(loads->pins), free(loads->text), free(loads->first_left_out);
  *loads = (loads_t){0};
}
