/* SPDX-License-Identifier: Apache-2.0
 *
 * A program's end of the connection. No library but C's is behind it.
 */
#include "wire.h"

#include <errno.h>
#include <sys/socket.h>

/* MSG_NOSIGNAL: a simulator that has ended must not kill the program by SIGPIPE. */
static bool send_all(int to, const void *data, size_t size) {
  const char *at = data;
  while (size) {
    const ssize_t n = send(to, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static bool receive_all(int from, void *data, size_t size) {
  char *at = data;
  while (size) {
    const ssize_t n = recv(from, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

/* Reads what the caller has no room for, so that the next answer begins where it should. */
static bool skip_bytes(int from, size_t size) {
  char piece[4096];
  for (size_t n; size; size -= n) {
    n = size < sizeof piece ? size : sizeof piece;
    if (!receive_all(from, piece, n)) return false;
  }
  return true;
}

/* The bytes behind an answer are the result if it is WIRE_DONE, else the line of the error. */
bool wire_ask(int socket, const wire_request_t *request, const void *data, void *out, size_t out_size,
              wire_answer_t *answer, char line[WIRE_TEXT]) {
  if (line) *line = 0;
  if (!send_all(socket, request, sizeof *request) || (request->size && !send_all(socket, data, request->size)) ||
      !receive_all(socket, answer, sizeof *answer))
    return false;
  const bool done = answer->status == WIRE_DONE;
  char *to = done ? out : line;
  size_t room = 0;
  if (to) room = done ? out_size : WIRE_TEXT - 1;
  const size_t wanted = answer->size < room ? answer->size : room;
  if ((wanted && !receive_all(socket, to, wanted)) || !skip_bytes(socket, answer->size - wanted)) return false;
  if (line && !done) line[wanted] = 0;
  return true;
}
