/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a result that comes from a launch file.
 */
#include "run_launch.h"

#include <inttypes.h>
#include <string.h>

#include "number.h"

void run_launch_add(json_t *root, const char *facts) {
  json_t *all = facts ? json_loads(facts, 0, NULL) : NULL;
  if (all) json_object_update(root, all);
  json_decref(all);
}

static uint64_t launch_number(const json_t *object, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(object, key));
}

static const char *launch_text(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* A grid or block: "64", "8x8" or "4x4x2". */
static void print_size(const json_t *size, FILE *out) {
  char text[48];
  size_t used = 0;
  for (size_t i = 0; i < 3; i++) {
    const json_int_t n = json_integer_value(json_array_get(size, i));
    if (!i || n > 1 || json_integer_value(json_array_get(size, 2)) > 1)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%" JSON_INTEGER_FORMAT, i ? "x" : "", n);
  }
  fprintf(out, " %14s", text);
}

static void print_launches(const json_t *launches, FILE *out) {
  size_t i;
  const json_t *launch;
  char times[28], cycles[28];
  fprintf(out, "Launches\n  %-24s %14s %14s %12s %16s\n", "kernel", "grid", "block", "times", "cycles");
  json_array_foreach(launches, i, launch) {
    fprintf(out, "  %-24s", launch_text(launch, "kernel"));
    print_size(json_object_get(launch, "grid"), out);
    print_size(json_object_get(launch, "block"), out);
    fprintf(out, " %12s %16s\n", number_text(launch_number(launch, "times"), times),
            number_text(launch_number(launch, "cycles"), cycles));
  }
}

/* A comparison: how many elements, and the first that differ. */
static void print_compare(const json_t *compare, FILE *out) {
  size_t k;
  const json_t *one;
  const uint64_t different = launch_number(compare, "different");
  char elements[28], number[28];
  fprintf(out, "  %-24s %14s elements, ", launch_text(compare, "buffer"),
          number_text(launch_number(compare, "elements"), elements));
  if (!different) fprintf(out, "all as they should be\n");
  else fprintf(out, "%s of them differ:\n", number_text(different, number));
  json_array_foreach(json_object_get(compare, "first"), k, one)
      fprintf(out, "    [%" PRIu64 "] got %s, want %s\n", launch_number(one, "index"), launch_text(one, "got"),
              launch_text(one, "want"));
}

void run_launch_print(const json_t *root, FILE *out) {
  const json_t *launches = json_object_get(root, "launches"), *compares = json_object_get(root, "compare"),
               *dumps = json_object_get(root, "dump"), *one;
  size_t i;
  if (!launches) return;
  print_launches(launches, out);
  const char *printed = launch_text(root, "printed");
  if (printed && *printed) fprintf(out, "Printed\n%s%s", printed, printed[strlen(printed) - 1] == '\n' ? "" : "\n");
  if (json_array_size(compares)) fprintf(out, "Comparisons\n");
  json_array_foreach(compares, i, one) print_compare(one, out);
  json_array_foreach(dumps, i, one)
      fprintf(out, "  %-24s written to %s\n", launch_text(one, "buffer"), launch_text(one, "file"));
}

bool run_launch_compared(const json_t *root) {
  return !json_object_get(root, "launches") || json_array_size(json_object_get(root, "compare"));
}

void run_launch_held(const json_t *root, FILE *out) {
  const bool launches = json_object_get(root, "launches");
  if (run_launch_compared(root))
    fprintf(out, "Result is right: %s.\n", launches ? "all comparisons hold" : "memory equals the host reference");
  else
    fprintf(
        out,
        "Not compared: all launches ended, and nothing is compared; 'compare:' in the launch file would say what is "
        "right.\n");
}
