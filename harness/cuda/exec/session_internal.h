/* SPDX-License-Identifier: Apache-2.0
 *
 * A session's state, for session.c (the conversation), session_module.c (modules),
 * session_texture.c, session_launch.c and session_report.c (what was counted).
 */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include "session.h"

/* A module is known by its number; constants of module k are at SESSION_CONSTANTS
 * + k * SESSION_CONSTANT_ROOM, an address that only the host uses. */
#define SESSION_CONSTANTS 0x7c0000000000ull
enum { SESSION_CONSTANT_ROOM = 1 << 20 };

typedef struct {
  ptx_module_t *ptx; /* NULL: it was unloaded */
} session_module_t;

typedef struct {
  const session_options_t *options;
  int program, notes; /* descriptors; notes -1: nobody is told */
  system_t *system;
  session_module_t *modules;
  unsigned num_modules;
  bool broken; /* the simulation cannot go on */
  wire_request_t request;
  uint8_t *data; /* behind the request, a zero byte behind it */
  size_t room;
  wire_answer_t answer;
  uint8_t *out; /* behind the answer */
  size_t out_room;
  char error[SYSTEM_WAITS]; /* the answer's text when status is not WIRE_DONE */
  char *printed;            /* by kernels, and not asked for yet */
  size_t printed_bytes;
} session_t;

/* Room for so many bytes behind the answer, which `size` is set to. NULL: out of memory. */
void *session_answer(session_t *s, size_t size);
/* status; NULL: error is there already */
wire_status_t session_fail(session_t *s, wire_status_t status, const char *line);
wire_status_t session_refused(session_t *s, const trouble_t *err, wire_status_t status);
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
/* Of all that ran so far. NULL: status says why. */
json_t *session_counted(session_t *s, wire_status_t *status);
wire_status_t session_report(session_t *s);
wire_status_t session_count(session_t *s);

const session_module_t *session_module(session_t *s, uint64_t number); /* NULL: error is set */
/* Where `bytes` at an address of a constant are; NULL: it is none. */
uint8_t *session_constant(session_t *s, uint64_t address, uint64_t bytes);

#endif
