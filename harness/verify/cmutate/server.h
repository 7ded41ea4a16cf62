/* SPDX-License-Identifier: Apache-2.0
 *
 * A test program that serves its tests one by one (cmutant.h).
 *
 *   server_t s;
 *   if (!server_start(&s, "build/cmutants/tests/test_vault")) ...
 *   do { ... server_ask(&s, &ask, &answer, reached) ... } while (server_next(&s));
 *   server_end(&s);
 */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "cmutant.h"

typedef struct {
  pid_t pid;
  int in, out;
  uint32_t tests; /* tests in the current group; 0: no group is left */
} server_t;

/* False: the program cannot be started, or has no tests. Call server_end all the same. */
bool server_start(server_t *server, const char *program);
/* Goes on to the next group. False: there is none. */
bool server_next(server_t *server);

/* Runs one test. reached: CMUTANTS_MOST bytes, needed when ask->mutant is 0. False: the program
 * broke off. */
bool server_ask(server_t *server, const cmutant_ask_t *ask, cmutant_answer_t *answer, unsigned char *reached);
void server_end(server_t *server);

#endif
