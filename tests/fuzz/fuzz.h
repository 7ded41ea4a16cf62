/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzz targets share. A target X.c defines LLVMFuzzerTestOneInput: one reader on one
 * input. Linked with libFuzzer it searches (suite `fuzz`); linked with corpus_main.c it goes
 * through files once (suite `unit`).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* the name is libFuzzer's */

/* The path of a file with these bytes, good until the next call: most readers take a path. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Ends the program, as a sanitizer would, when what should hold does not. */
void fuzz_check(bool holds, const char *what);

/* A refusal is one line that says something. */
void fuzz_check_error(const char *error);

#endif
