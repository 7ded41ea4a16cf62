/* SPDX-License-Identifier: Apache-2.0
 *
 * An AIGER file has these parts. A binary file (.aig) writes its inputs and ANDs without lines:
 *
 *          heading                    lines                               then
 *   .aig   "aig M I L O A [B C J F]"  latches, outputs, bad, constraints  two numbers for each AND
 *   .aag   "aag M I L O A [B C J F]"  inputs, latches, outputs, bad, ...  a line for each AND
 *
 * A number takes seven bits a byte, and bit 7 says that more bytes follow. Justice properties
 * (J, F) are not counted.
 */
#include "aiger_file.h"

#include <stdio.h>
#include <string.h>

bool aiger_file_is(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && (strcmp(path + n - 4, ".aig") == 0 || strcmp(path + n - 4, ".aag") == 0);
}

static bool has_lines(FILE *file, unsigned long lines) {
  for (int c; lines; lines -= c == '\n')
    if ((c = getc(file)) == EOF) return false;
  return true;
}

/* The last byte of a number has bit 7 clear, so the count of such bytes is the count of numbers. */
static bool has_numbers(FILE *file, unsigned long numbers) {
  for (int c; numbers; numbers -= !(c & 0x80))
    if ((c = getc(file)) == EOF) return false;
  return true;
}

bool aiger_file_is_whole(const char *path) {
  char line[256] = "", kind = 0;
  unsigned long inputs, latches, outputs, ands, bad = 0, constraints = 0;
  FILE *file = fopen(path, "rbe");
  bool whole = file && fgets(line, sizeof line, file) && strchr(line, '\n') &&
               sscanf(line, "a%cg %*u %lu %lu %lu %lu %lu %lu", &kind, &inputs, &latches, &outputs, &ands, &bad,
                      &constraints) >= 5;
  if (whole && kind == 'a') whole = has_lines(file, inputs + latches + outputs + bad + constraints + ands);
  else if (whole)
    whole = kind == 'i' && has_lines(file, latches + outputs + bad + constraints) && has_numbers(file, 2 * ands);
  if (file) fclose(file);
  return whole;
}
