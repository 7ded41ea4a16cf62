/* SPDX-License-Identifier: Apache-2.0
 *
 * Is an AIGER file complete? abc reads a truncated file as another, smaller problem and answers
 * that one.
 */
#ifndef AIGER_FILE_H
#define AIGER_FILE_H

#include <stdbool.h>

bool aiger_file_is(const char *path);       /* judges by the name: .aig or .aag */
bool aiger_file_is_whole(const char *path); /* down to the last AND; false sets errno */

#endif
