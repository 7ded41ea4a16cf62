/* SPDX-License-Identifier: Apache-2.0
 *
 * When abc's answers count. abc ends with status 0 whatever has failed, so the last command of a
 * script (yosys-abc -f) prints a word:
 *
 *   fprintf(script, "read_aiger %s\npdr\n" ABC_TRIVIAL "echo %s\n", problem, abc_word(problem,
 *   word)); ...
 *   if (status == 0 && !abc_ended(log, word)) ...        it did not get that far: what the log says
 *                                                        is no answer
 */
#ifndef ABC_H
#define ABC_H

#include <stdbool.h>

enum { ABC_WORD = 32 };

/* of the bytes of this file, so that the log is of this problem */
const char *abc_word(const char *problem, char word[ABC_WORD]);

/* It got to the end of its script, or says itself that a command of it failed. log NULL: no. */
bool abc_ended(const char *log, const char *word);

/* Behind `pdr` on one output: an output that is a constant 0 is none that later abc decides, unless
 * it is asked for all outputs. What is decided is not looked at again. */
#define ABC_TRIVIAL "pdr -a -T 1\n"

/* pdr has proved the one output. */
bool abc_proved(const char *log);

#endif
