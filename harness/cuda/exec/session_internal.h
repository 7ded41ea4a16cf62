/* SPDX-License-Identifier: Apache-2.0
 *
 * A session's state, shared by
 *
 *   session.c           the conversation, memory
 *   session_module.c    modules, functions, variables
 *   session_texture.c   textures, surfaces, references
 *   session_launch.c    launches, what kernels print
 *   session_report.c    what was counted
 *
 * Each wire_status_t function serves one request (wire.h): it reads s->request and s->data, fills
 * s->answer, and sets s->error unless it returns WIRE_DONE.
 */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include "session.h"

/* A module is known by its number. Constants of module k are at SESSION_CONSTANTS
 * + k * SESSION_CONSTANT_ROOM, an address that only the host's side uses. */
#define SESSION_CONSTANTS 0x7c0000000000ull
enum { SESSION_CONSTANT_ROOM = 1 << 20 };

typedef struct {
  ptx_module_t *ptx; /* NULL: it was unloaded */
} session_module_t;

/* One session. The buffers grow and are used again for each request. */
typedef struct {
  const session_options_t *options;
  int program, notes; /* descriptors; notes -1: nobody is told */
  system_t *system;
  session_module_t *modules;
  unsigned num_modules;
  bool broken; /* the simulation cannot go on */
  wire_request_t request;
  uint8_t *data; /* the bytes behind the request, then a zero byte */
  size_t room;
  wire_answer_t answer;
  uint8_t *out; /* the bytes behind the answer */
  size_t out_room;
  char error[SYSTEM_WAITS]; /* the answer's text when status is not WIRE_DONE */
  char *printed;            /* what kernels have printed and the program has not asked for */
  size_t printed_bytes;
} session_t;

/* Room for `size` bytes behind the answer, whose size it sets. NULL: out of memory. */
void *session_answer(session_t *s, size_t size);
/* Sets s->error to line, or keeps it for NULL. Returns status. */
wire_status_t session_fail(session_t *s, wire_status_t status, const char *line);
/* The same for a call of the system that failed. `status`, or WIRE_BROKEN if the environment
 * failed. */
wire_status_t session_refused(session_t *s, const trouble_t *err, wire_status_t status);
/* Tells exec something, with `size` bytes behind it. Does nothing in session_serve. */
void session_note(session_t *s, const note_t *note, const void *behind, size_t size);

wire_status_t session_load(session_t *s);
wire_status_t session_unload(session_t *s);
wire_status_t session_function(session_t *s);
wire_status_t session_global(session_t *s);
wire_status_t session_blocks(session_t *s);
wire_status_t session_launch(session_t *s);
wire_status_t session_printed(session_t *s);
wire_status_t session_texture(session_t *s);
wire_status_t session_texture_drop(session_t *s);
wire_status_t session_bind(session_t *s);
/* The report of all that ran so far. NULL: *status says why. */
json_t *session_counted(session_t *s, wire_status_t *status);
wire_status_t session_report(session_t *s);
wire_status_t session_count(session_t *s);

/* The module of this number. NULL: it is not loaded, and error says so. */
const session_module_t *session_module(session_t *s, uint64_t number);
/* Where `bytes` bytes at the address of a constant are. NULL: it is no such address. */
uint8_t *session_constant(session_t *s, uint64_t address, uint64_t bytes);

#endif
