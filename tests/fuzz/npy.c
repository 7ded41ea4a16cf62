/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files: what is read is written and read again, the same.
 */
#include "npy.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void check_again(const npy_t *n, const uint8_t *data, size_t bytes) {
  trouble_t trouble = {0};
  char *text = NULL;
  size_t size;
  npy_t back;
  FILE *out = open_memstream(&text, &size);
  fuzz_check(out, "what was written is read, the same");
  npy_head(out, n->type, n->dims, n->shape);
  fwrite(data, 1, bytes, out);
  fclose(out);
  fuzz_check(npy_parse(&back, text, size, &trouble), "what was written is read, the same");
  fuzz_check(back.type == n->type && back.dims == n->dims && back.count == n->count, "an array's type and size");
  fuzz_check(!memcmp(back.shape, n->shape, n->dims * sizeof *n->shape), "what was written is read, the same");
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  npy_t n;
  trouble_t trouble = {0};
  if (npy_parse(&n, data, size, &trouble)) check_again(&n, data + n.at, size - n.at);
  else fuzz_check_error(trouble.text);
  return 0;
}
