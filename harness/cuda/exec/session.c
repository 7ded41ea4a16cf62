/* SPDX-License-Identifier: Apache-2.0
 *
 * A session's conversation with its program: one request, one answer, until the connection ends.
 *
 *   session_run     make_machine (eager) or not, accept_program, make_machine (if not yet),
 *                   serve_program, finish_session
 *   session_serve   the connection is there: machine, serve_program, report
 *
 * A function serve_X fills s->answer and s->out for one request and returns how the request ended.
 */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "file.h"
#include "session_internal.h"
#include "system_stats.h"

/* Set by SIGTERM, or when the program ends during a kernel: the simulation stops at its next
 * chance. */
static volatile sig_atomic_t stopped;

static void on_stop(int signal) {
  (void)signal;
  stopped = 1;
}

/* ---- answers ---- */

/* Grows the buffer as needed; it never shrinks. */
void *session_answer(session_t *s, size_t size) {
  if (size > s->out_room) {
    uint8_t *more = realloc(s->out, size);
    if (!more) return NULL;
    s->out = more, s->out_room = size;
  }
  s->answer.size = (uint32_t)size;
  return s->out;
}

wire_status_t session_fail(session_t *s, wire_status_t status, const char *line) {
  if (line) snprintf(s->error, sizeof s->error, "%s", line);
  return status;
}

/* Lack of memory or of a tool is never the program's fault: it ends the simulation. */
wire_status_t session_refused(session_t *s, const trouble_t *err, wire_status_t status) {
  return session_fail(s, err->kind == TROUBLE_ENVIRONMENT ? WIRE_BROKEN : status, err->text);
}

/* If the pipe breaks, exec has ended, and so does this session. */
void session_note(session_t *s, const note_t *note, const void *behind, size_t size) {
  if (s->notes < 0) return;
  /* exec has ended */
  if (!file_put(s->notes, note, sizeof *note) || (size && !file_put(s->notes, behind, size))) _exit(3);
}

/* ---- memory ---- */

static wire_status_t serve_allocate(session_t *s) {
  trouble_t err = {0};
  s->answer.value = system_malloc(s->system, s->request.a[0], &err);
  return s->answer.value ? WIRE_DONE : session_refused(s, &err, WIRE_NO_MEMORY);
}

static wire_status_t serve_release(session_t *s) {
  trouble_t err = {0};
  return system_release(s->system, s->request.a[0], &err) ? session_refused(s, &err, WIRE_REFUSED) : WIRE_DONE;
}

/* A machine whose kernels cannot allocate has no heap: unsupported, not refused. */
static wire_status_t serve_heap(session_t *s) {
  trouble_t err = {0};
  if (!system_heap(s->system, s->request.a[0], &err)) return WIRE_DONE;
  return session_refused(s, &err, system_has_heap(s->system) ? WIRE_REFUSED : WIRE_UNSUPPORTED);
}

/* Copies one row between the program and an address. `in`: the row to write; NULL: read it into
 * `out`. Constants are not in the machine's memory; the host keeps them. */
static wire_status_t copy_row(session_t *s, uint64_t address, const uint8_t *in, uint8_t *out, uint64_t bytes) {
  trouble_t err = {0};
  uint8_t *constant = session_constant(s, address, bytes);
  if (constant) memcpy(in ? constant : out, in ? in : constant, bytes);
  else if (in ? system_copy_in(s->system, address, in, bytes, &err)
              : system_copy_out(s->system, out, address, bytes, &err))
    return session_refused(s, &err, WIRE_REFUSED);
  return WIRE_DONE;
}

/* Rows of a PUT or a GET are at most WIRE_MOST bytes together. */
static bool rows_fit(const session_t *s) {
  const uint64_t *a = s->request.a;
  return a[2] <= WIRE_MOST && (!a[2] || a[3] <= WIRE_MOST / a[2]);
}

static wire_status_t serve_put(session_t *s) {
  const uint64_t *a = s->request.a;
  wire_status_t status = rows_fit(s) && a[2] * a[3] == s->request.size
                             ? WIRE_DONE
                             : session_fail(s, WIRE_REFUSED, "a copy of an impossible size");
  for (uint64_t row = 0; row < a[3] && status == WIRE_DONE; row++)
    status = copy_row(s, a[0] + row * a[1], s->data + row * a[2], NULL, a[2]);
  return status;
}

static wire_status_t serve_get(session_t *s) {
  const uint64_t *a = s->request.a;
  uint8_t *out = rows_fit(s) ? session_answer(s, a[2] * a[3]) : NULL;
  wire_status_t status = out ? WIRE_DONE : session_fail(s, WIRE_REFUSED, "a copy of an impossible size");
  for (uint64_t row = 0; row < a[3] && status == WIRE_DONE; row++)
    status = copy_row(s, a[0] + row * a[1], NULL, out + row * a[2], a[2]);
  return status;
}

/* Fills each row in pieces of one repeated value. */
static wire_status_t serve_fill(session_t *s) {
  const uint64_t *a = s->request.a;
  enum { PIECE = 1 << 16 };
  uint8_t piece[PIECE];
  if (a[5] != 1 && a[5] != 2 && a[5] != 4) return session_fail(s, WIRE_REFUSED, "a fill of an impossible size");
  for (unsigned i = 0; i < PIECE; i += (unsigned)a[5]) memcpy(piece + i, &a[4], a[5]);
  wire_status_t status = WIRE_DONE;
  for (uint64_t row = 0; row < a[3]; row++)
    for (uint64_t done = 0, n; done < a[2] && status == WIRE_DONE; done += n) {
      n = a[2] - done < PIECE ? a[2] - done : PIECE;
      status = copy_row(s, a[0] + row * a[1] + done, piece, NULL, n);
    }
  return status;
}

/* The result is as if all bytes were read before any is written: towards higher addresses the copy
 * runs backwards. */
static wire_status_t serve_move(session_t *s) {
  const uint64_t *a = s->request.a;
  enum { PIECE = 1 << 20 };
  uint8_t *piece = malloc(PIECE);
  if (!piece) return session_fail(s, WIRE_BROKEN, "out of memory");
  wire_status_t status = WIRE_DONE;
  const bool backwards = a[0] > a[1];
  for (uint64_t done = 0, n; done < a[2] && status == WIRE_DONE; done += n) {
    n = a[2] - done < PIECE ? a[2] - done : PIECE;
    const uint64_t at = backwards ? a[2] - done - n : done;
    status = copy_row(s, a[1] + at, NULL, piece, n);
    if (status == WIRE_DONE) status = copy_row(s, a[0] + at, piece, NULL, n);
  }
  free(piece);
  return status;
}

/* ---- the conversation ---- */

/* Facts about the machine for the program, and a note about the process for exec. */
static wire_status_t serve_hello(session_t *s) {
  wire_facts_t *facts = session_answer(s, sizeof *facts);
  system_facts_t of;
  if (s->request.a[0] != WIRE_VERSION)
    return session_fail(s, WIRE_REFUSED, "the program's library is of another build than its simulator");
  if (!facts) return session_fail(s, WIRE_BROKEN, "out of memory");
  system_facts(s->system, &of);
  *facts = (wire_facts_t){.cores = of.cores,
                          .core_threads = of.core_threads,
                          .core_blocks = of.core_blocks,
                          .core_registers = of.core_registers,
                          .core_shared_bytes = of.core_shared_bytes,
                          .core_mhz = (uint32_t)lround(of.core_mhz),
                          .arch = s->options->arch,
                          .memory_bytes = of.memory_bytes};
  snprintf(facts->system, sizeof facts->system, "%s", s->options->system->composition.name);
  note_t note = {.kind = NOTE_BEGIN, .process = s->request.a[1]};
  snprintf(note.text, sizeof note.text, "%s", (const char *)s->data);
  session_note(s, &note, NULL, 0);
  return WIRE_DONE;
}

/* The program has called a function that the libraries lack: exec lists it. */
static wire_status_t serve_absent(session_t *s) {
  note_t note = {.kind = NOTE_ABSENT};
  snprintf(note.text, sizeof note.text, "%s", (const char *)s->data);
  session_note(s, &note, NULL, 0);
  return WIRE_DONE;
}

/* After a fault of the simulation only what was counted and printed can still be asked for. */
static wire_status_t serve_request(session_t *s) {
  const uint32_t op = s->request.op;
  if (s->broken && op != WIRE_ABSENT && op != WIRE_PRINTED && op != WIRE_REPORT && op != WIRE_COUNT)
    return session_fail(s, WIRE_BROKEN, "the simulation has ended");
  switch (op) {
  case WIRE_HELLO: return serve_hello(s);
  case WIRE_LOAD: return session_load(s);
  case WIRE_UNLOAD: return session_unload(s);
  case WIRE_FUNCTION: return session_function(s);
  case WIRE_BLOCKS: return session_blocks(s);
  case WIRE_GLOBAL: return session_global(s);
  case WIRE_ALLOCATE: return serve_allocate(s);
  case WIRE_RELEASE: return serve_release(s);
  case WIRE_HEAP: return serve_heap(s);
  case WIRE_PUT: return serve_put(s);
  case WIRE_GET: return serve_get(s);
  case WIRE_FILL: return serve_fill(s);
  case WIRE_MOVE: return serve_move(s);
  case WIRE_LAUNCH: return session_launch(s);
  case WIRE_PRINTED: return session_printed(s);
  case WIRE_TEXTURE: return session_texture(s);
  case WIRE_TEXTURE_DROP: return session_texture_drop(s);
  case WIRE_BIND: return session_bind(s);
  case WIRE_ABSENT: return serve_absent(s);
  case WIRE_REPORT: return session_report(s);
  case WIRE_COUNT: return session_count(s);
  default: return session_fail(s, WIRE_REFUSED, "no such request");
  }
}

/* One request, and the bytes behind it with a zero byte added. False: the program has ended, or
 * sends what no library of this build sends. */
static bool read_request(session_t *s) {
  if (!file_get(s->program, &s->request, sizeof s->request) || s->request.size > WIRE_MOST) return false;
  if (s->request.size >= s->room) {
    uint8_t *more = realloc(s->data, s->request.size + 1);
    if (!more) return false;
    s->data = more, s->room = s->request.size + 1;
  }
  s->data[s->request.size] = 0;
  return !s->request.size || file_get(s->program, s->data, s->request.size);
}

/* Tells exec, too, what is wrong. */
static void note_error(session_t *s, wire_status_t status) {
  note_t note = {.kind = NOTE_LINE, .status = status};
  snprintf(note.text, sizeof note.text, "%s", s->error);
  session_note(s, &note, NULL, 0);
}

/* An answer that is not WIRE_DONE carries the line of the error. A launch has told exec already.
 * False: the connection is lost. */
static bool send_answer(session_t *s, wire_status_t status) {
  s->answer.status = status;
  s->answer.now_ns = system_time_ns(s->system);
  if (status != WIRE_DONE) {
    if (s->request.op != WIRE_LAUNCH) note_error(s, status);
    const size_t length = strlen(s->error) < WIRE_TEXT ? strlen(s->error) : WIRE_TEXT - 1;
    char *line = session_answer(s, length);
    if (line) memcpy(line, s->error, length);
    else s->answer.size = 0;
  }
  return file_put(s->program, &s->answer, sizeof s->answer) &&
         (!s->answer.size || file_put(s->program, s->out, s->answer.size));
}

/* Called now and then while a kernel runs: stops the simulation if the program has ended. */
static void watch_program(void *ctx, double share, uint64_t warp_instructions) {
  (void)share, (void)warp_instructions;
  struct pollfd program = {((session_t *)ctx)->program, POLLRDHUP, 0};
  if (poll(&program, 1, 0) > 0) stopped = 1;
}

/* Replay files of the instances that diverged. */
static void write_replays(session_t *s) {
  trouble_t trouble = {0};
  if (s->options->capture->folder && !system_capture(s->system, s->options->capture, &trouble))
    fprintf(stderr, "lockstack: no replay file: %s\n", trouble.text);
}

/* The last note, with all counts behind it. Exit status 3: the counts could not be told. */
static _Noreturn void finish_session(session_t *s) {
  note_t note = {.kind = NOTE_END};
  static system_stats_t stats;
  write_replays(s);
  if (!system_stats(s->system, &stats)) _exit(3);
  session_note(s, &note, NULL, 0);
  _exit(system_stats_put(&stats, s->notes) ? 0 : 3);
}

/* A model outside of lockstep has failed, so the process cannot go on. exec gets the line. */
static _Noreturn void end_by_model(void *context, int exit_code, const char *line) {
  session_t *s = context;
  session_fail(s, WIRE_BROKEN, line);
  note_error(s, WIRE_BROKEN);
  _exit(exit_code);
}

/* The same for session_serve: the program waits for an answer and gets the line. */
static _Noreturn void end_served_by_model(void *context, int exit_code, const char *line) {
  session_t *s = context;
  send_answer(s, session_fail(s, WIRE_BROKEN, line));
  _exit(exit_code);
}

/* The abstract socket has no file permissions: only processes of this user are served. */
static bool peer_is_ours(int program) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return !getsockopt(program, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.uid == getuid();
}

/* Waits for a program. Ends the process if it is told to stop, or if nobody can come any more. */
static void accept_program(session_t *s, int listening) {
  do {
    if (stopped) _exit(0);
    if (s->program >= 0) close(s->program);
    s->program = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
  } while (s->program < 0 ? errno == EINTR : !peer_is_ours(s->program));
  close(listening);
  if (s->program < 0) _exit(0);
}

/* Ends the process with the kind of trouble if the machine cannot be made. */
static void make_machine(session_t *s, system_options_t *options) {
  trouble_t trouble = {0};
  if ((s->system = system_new(options, &trouble))) return;
  snprintf(s->error, sizeof s->error, "%s", trouble.text);
  note_error(s, WIRE_BROKEN);
  _exit((int)trouble.kind);
}

/* Options of the system with the session's own callbacks; signals. */
static void prepare_session(session_t *s, system_options_t *options, const session_options_t *o, int notes) {
  *s = (session_t){.options = o, .notes = notes, .program = -1};
  *options = *o->system;
  options->interrupted = &stopped;
  options->progress = watch_program;
  options->progress_ctx = s;
  signal(SIGINT, SIG_IGN); /* of a terminal: the program's, which we end with */
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_stop}, NULL);
  signal(SIGPIPE, SIG_IGN);
}

/* Until the program closes the connection or ends. */
static void serve_program(session_t *s) {
  while (read_request(s)) {
    s->answer = (wire_answer_t){0};
    *s->error = 0;
    if (!send_answer(s, serve_request(s))) break;
  }
}

_Noreturn void session_run(const session_options_t *o, int listening, int notes) {
  static session_t s;
  static system_options_t options;
  prepare_session(&s, &options, o, notes);
  instance_on_end(end_by_model, &s);
  if (o->eager) make_machine(&s, &options);
  accept_program(&s, listening);
  if (!o->eager) make_machine(&s, &options);
  serve_program(&s);
  finish_session(&s);
}

bool session_serve(const session_options_t *o, int program, json_t **last, trouble_t *trouble) {
  static session_t s;
  static system_options_t options;
  wire_status_t status = WIRE_DONE;
  prepare_session(&s, &options, o, -1);
  s.program = program;
  instance_on_end(end_served_by_model, &s);
  if (!(s.system = system_new(&options, trouble))) return false;
  serve_program(&s);
  write_replays(&s);
  *last = session_counted(&s, &status);
  return *last || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s", s.error);
}
