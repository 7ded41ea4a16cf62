/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <errno.h>
#include <sys/socket.h>

static bool put(int to, const void *data, size_t size) {
  const char *at = data;
  while (size) {
    const ssize_t n = send(to, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static bool get(int from, void *data, size_t size) {
  char *at = data;
  while (size) {
    const ssize_t n = recv(from, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= (size_t)n;
  }
  return true;
}

static bool skip(int from, size_t size) {
  char piece[4096];
  for (size_t n; size; size -= n) {
    n = size < sizeof piece ? size : sizeof piece;
    if (!get(from, piece, n)) return false;
  }
  return true;
}

bool wire_ask(int socket, const wire_request_t *request, const void *data, void *out, size_t out_size,
              wire_answer_t *answer, char line[WIRE_TEXT]) {
  if (line) *line = 0;
  if (!put(socket, request, sizeof *request) || (request->size && !put(socket, data, request->size)) ||
      !get(socket, answer, sizeof *answer))
    return false;
  const bool done = answer->status == WIRE_DONE;
  char *to = done ? out : line;
  const size_t room = !to ? 0 : done ? out_size : WIRE_TEXT - 1, wanted = answer->size < room ? answer->size : room;
  if ((wanted && !get(socket, to, wanted)) || !skip(socket, answer->size - wanted)) return false;
  if (line && !done) line[wanted] = 0;
  return true;
}
