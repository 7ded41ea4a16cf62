/* SPDX-License-Identifier: Apache-2.0
 *
 * json_get FILE [PATH]: prints the value at PATH (keys and array indices joined by dots;
 * "lockstep.instances.0.name", "blocks.#" is the length) of a JSON file, "-" for standard input.
 * For the test scripts. Exit status 1: not JSON, or no such value.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *member(const json_t *value, const char *key) {
  if (json_is_array(value)) return json_array_get(value, strtoul(key, NULL, 10));
  return json_object_get(value, key);
}

static int print_value(const json_t *value) {
  if (json_is_string(value)) return puts(json_string_value(value)) < 0;
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!text) return 1;
  puts(text);
  free(text);
  return 0;
}

int main(int argc, char **argv) {
  json_error_t error;
  if (argc < 2 || argc > 3) return fprintf(stderr, "usage: json_get FILE [PATH]\n"), 2;
  json_t *root = strcmp(argv[1], "-") == 0 ? json_loadf(stdin, 0, &error) : json_load_file(argv[1], 0, &error);
  if (!root) return fprintf(stderr, "%s:%d: %s\n", argv[1], error.line, error.text), 1;
  json_t *value = root;
  for (char *key = strtok(argc == 3 ? argv[2] : "", "."); key && value; key = strtok(NULL, ".")) {
    if (strcmp(key, "#") == 0) {
      printf("%zu\n", json_is_array(value) ? json_array_size(value) : json_object_size(value));
      json_decref(root);
      return 0;
    }
    value = member(value, key);
  }
  int status = 1;
  if (value) status = print_value(value);
  else fprintf(stderr, "%s: no such value\n", argv[1]);
  json_decref(root);
  return status;
}
