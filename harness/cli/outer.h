/* SPDX-License-Identifier: Apache-2.0
 *
 * The command runs in a process of its own, and its parent has the last word. What is judged is
 * loaded into the process that judges, so a model, a stimulus or RTL can end that process with any
 * status (_exit, exec, a signal). The parent believes a status only when the command came to its
 * end and said so in memory that both share.
 *
 *   return outer_run(command, argc, argv);
 */
#ifndef OUTER_H
#define OUTER_H

/* Runs command(argc, argv) in a child and returns the exit status: the command's, or 3 after a line
 * when the child ended with 0 before the command did. A child that a signal ended ends us in the
 * same way, after a line. SIGINT and SIGTERM reach the command as cli_interrupted; a second one
 * kills. */
int outer_run(int (*command)(int argc, char **argv), int argc, char **argv);

/* The same in this very process, for who is watched by somebody else. */
int outer_none(int (*command)(int argc, char **argv), int argc, char **argv);

#endif
