/* SPDX-License-Identifier: Apache-2.0
 *
 * The process of a system: `lockstack serve` at the other end of a socket. What the process writes
 * to standard error is kept; its last line explains an error.
 */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  pid_t pid;  /* 0: none */
  int socket; /* -1: none */
  int said;   /* descriptor of a file that standard error goes to */
} server_t;

/* Starts the process; does not wait for its machine. system and options as in lockstack_open.
 * False: error, of `size` bytes, says why. */
bool server_start(server_t *server, const char *system, const char *const *options, char *error, size_t size);
/* Closes the connection and waits for the process to end. */
void server_end(server_t *server);

/* The last line that it wrote, without "lockstack: "; "" if there is none. */
void server_line(const server_t *server, char *line, size_t size);

#endif
