/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of vectors, for a stimulus of one operand, of four and of none.
 */
#include "vectors.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const unsigned operands[] = {0, 1, 4};
  const char *path = fuzz_file(data, size);
  for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++) {
    const stim_t stim = {.vector_operands = operands[i], .vector_text = i ? "operands result" : NULL};
    vectors_t vectors;
    trouble_t trouble;
    if (!vectors_read(&vectors, path, &stim, &trouble)) fuzz_check_error(trouble.text);
    else fuzz_check(vectors.count && vectors.lines[vectors.count - 1] >= vectors.count, "every vector has its line");
    vectors_free(&vectors);
  }
  return 0;
}
