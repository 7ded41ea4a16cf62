/* SPDX-License-Identifier: Apache-2.0
 *
 * When the answers of abc count.
 *
 * abc ends with status 0 even when a command of its script failed. The status therefore proves
 * nothing. The last command of each script (yosys-abc -f) echoes a word instead:
 *
 *   abc_word(problem, word);
 *   fprintf(script, "read_aiger %s\npdr\n" ABC_TRIVIAL "echo %s\n", problem, word);
 *   ...
 *   if (status == 0 && !abc_ended(log, word)) ...     abc stopped early: its log holds no answer
 */
#ifndef ABC_H
#define ABC_H

#include <stdbool.h>

enum { ABC_WORD = 32 };

/* "lockstack-" and the CRC of the problem file's bytes. A log of another problem lacks this
 * word. Returns word. A file that cannot be read has no defined word. */
const char *abc_word(const char *problem, char word[ABC_WORD]);

/* True when abc reached the end of its script, or says itself that a command failed. A NULL log
 * never did. */
bool abc_ended(const char *log, const char *word);

/* Put this line behind `pdr` on a single output. `pdr` alone leaves an output that is the
 * constant 0 undecided in later releases of abc. With -a, abc treats all outputs; it skips those
 * already decided. */
#define ABC_TRIVIAL "pdr -a -T 1\n"

/* True when the log says that pdr proved its one output. */
bool abc_proved(const char *log);

#endif
