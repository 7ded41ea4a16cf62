/* SPDX-License-Identifier: Apache-2.0
 *
 * The command runs in a process of its own, and its parent has the last word. A block's object is
 * loaded into the process that judges it. So a model, a stimulus or RTL can end that process with
 * any status (_exit, exec, a signal). The parent believes a status only when the command came to
 * its end and said so in memory that both share.
 *
 *   return outer_run(command, argc, argv);
 */
#ifndef OUTER_H
#define OUTER_H

/* Runs command(argc, argv) in a child process and returns the exit status to end with: the
 * command's own; or EXIT_ENV after a line when the child ended with 0, or with a status above 3,
 * before the command returned. A signal that ended the child ends this process in the same way,
 * after a line. SIGINT and SIGTERM reach the command as cli_interrupted; a second one kills
 * both. */
int outer_run(int (*command)(int argc, char **argv), int argc, char **argv);

/* The same without a child, for a process that another program watches already. */
int outer_none(int (*command)(int argc, char **argv), int argc, char **argv);

#endif
