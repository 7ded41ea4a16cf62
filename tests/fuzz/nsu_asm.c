/* SPDX-License-Identifier: Apache-2.0
 *
 * NSU assembly: the input as a text, and its bytes as instruction words, whose disassembly gives
 * the same words back.
 */
#include "nsu_asm.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 256 };

static void check_word(uint64_t word) {
  trouble_t trouble = {0};
  char text[NSU_DISASM_SIZE];
  uint64_t back = ~word;
  nsu_disasm(word, text);
  fuzz_check(strlen(text) < sizeof text, "a disassembly fits");
  fuzz_check(nsu_asm_line(text, &back, &trouble) == 1 && back == word, "a disassembly gives the same word back");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t words[MOST_WORDS], word;
  trouble_t trouble = {0};
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;
  long n = nsu_asm("fuzz.s", text, words, MOST_WORDS, &trouble);
  if (n < 0) fuzz_check_error(trouble.text);
  for (long i = 0; i < n && i < MOST_WORDS; i++) check_word(words[i]);
  free(text);
  for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
    memcpy(&word, data + at, sizeof word);
    check_word(word);
  }
  return 0;
}
