/* SPDX-License-Identifier: Apache-2.0
 *
 * The process of a system: `lockstack serve` at the other end of a socket. What it writes to
 * standard error is kept for an error's line.
 */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  pid_t pid;  /* 0: none */
  int socket; /* -1: none */
  int said;   /* a file without a name */
} server_t;

/* False: error, of `size` bytes, says why. */
bool server_start(server_t *server, const char *system, const char *const *options, char *error, size_t size);
void server_end(server_t *server);

/* The last line that it wrote, without "lockstack: "; "" if there is none. */
void server_line(const server_t *server, char *line, size_t size);

#endif
