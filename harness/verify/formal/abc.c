/* SPDX-License-Identifier: Apache-2.0
 *
 * What the log of abc says. The texts are those of the abc that comes with Yosys.
 */
#include "abc.h"

#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *abc_word(const char *problem, char word[ABC_WORD]) {
  uint32_t crc;
  file_crc32(problem, &crc);
  snprintf(word, ABC_WORD, "lockstack-%08" PRIx32, crc);
  return word;
}

/* The word stands at the start of a line. `echo` prints a blank behind each word. */
bool abc_ended(const char *log, const char *word) {
  char line[ABC_WORD + 2];
  snprintf(line, sizeof line, "\n%s ", word);
  return log && (strstr(log, line) || strstr(log, "** cmd error: aborting 'source"));
}

/* The first text is of plain `pdr`, the second of `pdr -a` (ABC_TRIVIAL). */
bool abc_proved(const char *log) {
  return strstr(log, "Property proved") ||
         strstr(log, "Properties:  All = 1. Proved = 1. Disproved = 0. Undecided = 0.");
}
