/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CUDA program hands over as a module: a fat binary or PTX, whose text is then read.
 */
#include "fuzz.h"
#include "image.h"
#include "ptx.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  trouble_t trouble = {0};
  image_ptx_t ptx;
  ptx_error_t why;
  const image_found_t found = image_read(data, size, 75, &ptx, &trouble);
  if (found != IMAGE_TEXT) {
    if (found != IMAGE_NO_MEMORY) fuzz_check_error(trouble.text);
    return 0;
  }
  fuzz_check(ptx.text && !ptx.text[ptx.size], "a zero byte behind the text");
  ptx_module_t *module = ptx_parse(ptx.text, ptx.size, "fat binary", &why);
  if (!module) fuzz_check_error(why.trouble.text);
  ptx_free(module);
  free(ptx.text);
  return 0;
}
