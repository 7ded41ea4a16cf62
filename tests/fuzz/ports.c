/* SPDX-License-Identifier: Apache-2.0
 *
 * A port file, and every kind of output of what was read.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "port_file.h"

static void make_all(const port_file_t *file) {
  static const char *const kinds[] = {"ports_h", "lint_sv", "icarus_sv", "variant_h", "parameters_txt"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    port_arena_t arena = {0};
    port_buffer_t text = {0};
    trouble_t trouble;
    const char *path = port_format(&arena, "%s/harness/portgen/gen/%s.in", LOCKSTACK_SOURCE_DIR, kinds[i]);
    fuzz_check(port_template(path, &file->view, &text, &trouble), trouble.text);
    free(text.at);
    port_release(&arena);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const settings[] = {"Depth=5"};
  static port_tree_t tree; /* of all inputs */
  trouble_t trouble;
  port_file_t file;
  if (!tree.root) fuzz_check(port_tree_read(&tree, LOCKSTACK_SOURCE_DIR, &trouble), trouble.text);
  const char *path = fuzz_file(data, size);
  for (unsigned num = 0; num < 2; num++) {
    if (port_file_read(&file, &tree, path, settings, num, &trouble)) make_all(&file);
    else fuzz_check_error(trouble.text);
    port_file_free(&file);
  }
  return 0;
}
