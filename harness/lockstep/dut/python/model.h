/* SPDX-License-Identifier: Apache-2.0
 *
 * A golden model in Python, for a first try. X.c of a block X is
 *
 *   #include "X.h"                               typedef struct X { python_state_t python; } X_t;
 *   #define PYTHON_BLOCK X
 *   #define PYTHON_PORTS "X.ports"
 *   #include "python/model.h"
 *
 * and X.py beside it has the model (model.py explains its functions). Each process of the engine
 * starts one process of Python. The model's state is a text, so that it can be copied. An exception
 * or a failed assertion in X.py counts as one of the model, at its line in X.py. Speed: some
 * thousand cycles a second. model.py reports the files that Python opens with their content, and
 * they are noted like the files of a model in C (images.c).
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "python/state.h"

#define PYTHON_CAT_(a, b) a##b
#define PYTHON_CAT(a, b) PYTHON_CAT_(a, b)
#define PYTHON_TEXT_(a) #a
#define PYTHON_TEXT(a) PYTHON_TEXT_(a)
#define PYTHON_T PYTHON_CAT(PYTHON_BLOCK, _t)
#define PYTHON_IN PYTHON_CAT(PYTHON_BLOCK, _in_t)
#define PYTHON_OUT PYTHON_CAT(PYTHON_BLOCK, _out_t)
#define PYTHON_LINE \
  (PYTHON_STATE + 64 + 2 * (sizeof(PYTHON_IN) > sizeof(PYTHON_OUT) ? sizeof(PYTHON_IN) : sizeof(PYTHON_OUT)))

extern char **environ;

static _Noreturn void python_failed(const char *text, unsigned line) {
  __assert_fail(text, PYTHON_TEXT(PYTHON_BLOCK) ".py", line, "");
}

/* The path of a file beside a source. */
static void python_beside(char path[4096], const char *source, const char *name) {
  const char *slash = strrchr(source, '/');
  snprintf(path, 4096, "%.*s%s", slash ? (int)(slash - source) + 1 : 0, source, name);
}

typedef struct {
  char text[256];
} python_word_t;

/* A parameter that is a text, value `number` of the list. */
static void python_text(python_word_t *word, const char *name, const char *values, unsigned number) {
  for (values += strspn(values, " "); number; number--) values += strcspn(values, " "), values += strspn(values, " ");
  snprintf(word->text, sizeof word->text, "text:%s:%.*s", name, (int)strcspn(values, " "), values);
}

/* What the Python process is told about ports and parameters. */
static unsigned python_words(python_word_t *word, unsigned most) {
  unsigned n = 0;
#define PYTHON_FIELD(T, what, name) \
  if (n < most)                     \
    snprintf(word[n++].text, sizeof word->text, what ":" #name ":%zu:%zu", offsetof(T, name), sizeof(((T *)0)->name));
#define IN(name, width, valid) PYTHON_FIELD(PYTHON_IN, "in", name)
#define IN_V(name, width, valid) PYTHON_FIELD(PYTHON_IN, "in", name)
#define IN_S(name, type, valid) PYTHON_FIELD(PYTHON_IN, "in", name)
#define OUT(name, width, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define OUT_V(name, width, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define OUT_S(name, type, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define PROBE(name, width, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define PROBE_V(name, width, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define PROBE_S(name, type, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define IN_FIELD(name, port, member, lsb, width, valid) PYTHON_FIELD(PYTHON_IN, "in", name)
#define IN_FIELD_V IN_FIELD
#define OUT_FIELD(name, port, member, lsb, width, valid) PYTHON_FIELD(PYTHON_OUT, "out", name)
#define OUT_FIELD_V OUT_FIELD
#define PROBE_FIELD OUT_FIELD
#define PROBE_FIELD_V OUT_FIELD
#define PARAM(name, value, least, most_, text_) \
  if (n < most) snprintf(word[n++].text, sizeof word->text, "param:" #name ":%lld", (long long)(name));
#define PARAM_TEXT(name, value, values, text_) \
  if (n < most) python_text(&word[n++], #name, values, name);
#include "gen/ports_begin.h"
#if __has_include("as_read.h")
#include "as_read.h" /* the same with an entry for each field (port_fields.c) */
#else
#include PYTHON_PORTS
#endif
#include "gen/ports_end.h"
  return n;
}

static struct {
  pid_t of;   /* the process that started Python; a fork of it must start another */
  int socket; /* to it */
} python_process;

/* The unwrapped functions of harness/lockstep/dut/wraps.h: these calls are the harness' own, and no
 * input of the model. */
char *__real_getenv(const char *name);
int __real_posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]);

/* The environment of the Python process. Variables that change the meaning of the model's text are
 * removed: PYTHONOPTIMIZE drops assertions, PYTHONWARNINGS makes errors, PYTHONSAFEPATH removes a
 * folder from the search for modules. Hashes are fixed, and so is the order of a set. */
static char **python_environment(void) {
  static char hashes[] = "PYTHONHASHSEED=0";
  size_t n = 0, kept = 0;
  while (environ[n]) n++;
  char **made = calloc(n + 2, sizeof *made);
  if (!made) python_failed("out of memory", 0);
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], "PYTHON", 6) || strncmp(environ[i], "PYTHONPATH=", 11) == 0 ||
        strncmp(environ[i], "PYTHONHOME=", 11) == 0)
      made[kept++] = environ[i];
  made[kept] = hashes;
  return made;
}

static void python_start(void) {
  enum { WORDS = 4096 };
  static python_word_t word[WORDS];
  char script[4096], model[4096], *argv[WORDS + 8] = {"python3", "-S", "-X", "utf8", script, model},
                                                **environment = python_environment();
  int ends[2];
  posix_spawn_file_actions_t actions;
  pid_t pid;
  const unsigned n = python_words(word, WORDS);
  for (unsigned i = 0; i < n; i++) argv[6 + i] = word[i].text;
  /* The path from the command; the path that the compiler had may be relative to another folder. */
  const char *given = __real_getenv("LOCKSTACK_PYTHON_MODEL");
  if (given) snprintf(script, sizeof script, "%s", given);
  else python_beside(script, __FILE__, "model.py");
  python_beside(model, __BASE_FILE__, PYTHON_TEXT(PYTHON_BLOCK) ".py");
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) python_failed("no socket to Python", 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int failed = __real_posix_spawnp(&pid, argv[0], &actions, NULL, argv, environment);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed) python_failed("python3 cannot be started; the package python3 has it", 0);
  python_process.of = getpid();
  python_process.socket = ends[0];
}

/* Reports a failure; the next call starts another process. */
static _Noreturn void python_ended(const char *text) {
  close(python_process.socket);
  python_process.of = 0;
  python_failed(text, 0);
}

void dut_note_file(const char *path, const char *sum); /* images.c */

/* Output of Python that was not parsed yet. */
static struct {
  char text[PYTHON_LINE + 2 * 4096];
  size_t size;
} python_said;

static void python_drop(size_t size) {
  python_said.size -= size;
  memmove(python_said.text, python_said.text + size, python_said.size);
}

/* Notes "@SUM PATH", a file that was read, or "@", an unknown file. */
static void python_note(char *line) {
  char *path = strchr(line, ' ');
  if (path) *path++ = 0;
  dut_note_file(path, line + 1);
}

/* Length of the answer with its line end; 0: incomplete. Takes notes that come before
 * the answer. */
static size_t python_answer(void) {
  for (;;) {
    char *end = memchr(python_said.text, '\n', python_said.size);
    const size_t length = end ? (size_t)(end - python_said.text) + 1 : 0;
    if (!end || *python_said.text != '@') return length;
    *end = 0;
    python_note(python_said.text);
    python_drop(length);
  }
}

/* Sends a line and waits for its answer, which replaces the line. */
static void python_ask(char *line, size_t room) {
  static const int patience = 10000; /* milliseconds */
  if (python_process.of != getpid()) python_start(), python_said.size = 0;
  const int socket = python_process.socket;
  size_t size = strlen(line);
  for (size_t at = 0; at < size;) {
    const ssize_t n = send(socket, line + at, size - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) python_ended("Python has ended");
    at += (size_t)n;
  }
  while (!(size = python_answer())) {
    struct pollfd on = {socket, POLLIN, 0};
    const size_t left = sizeof python_said.text - python_said.size;
    const int ready = poll(&on, 1, patience);
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t n = ready > 0 ? recv(socket, python_said.text + python_said.size, left, 0) : -1;
    if (n <= 0)
      python_ended(!ready ? "the model does not answer"
                   : left ? "Python has ended"
                          : "the state is longer than PYTHON_STATE");
    python_said.size += (size_t)n;
  }
  if (size >= room) python_ended("the state is longer than PYTHON_STATE");
  memcpy(line, python_said.text, size);
  line[size - 1] = 0;
  python_drop(size);
  if (*line == '!') {
    char *text;
    const unsigned at = (unsigned)strtoul(line + 1, &text, 10);
    python_failed(text + 1, at);
  }
}

static char *python_hex(char *to, const void *data, size_t bytes) {
  static const char digit[] = "0123456789abcdef";
  for (size_t i = 0; i < bytes; i++)
    *to++ = digit[((const uint8_t *)data)[i] >> 4], *to++ = digit[((const uint8_t *)data)[i] & 15];
  return to;
}

static unsigned python_digit(char c) {
  return c >= 'a' ? (unsigned)(c - 'a' + 10) : (unsigned)(c - '0');
}

static void python_take_state(python_state_t *s, const char *line) {
  if (strlen(line) >= sizeof s->text) python_failed("the state is longer than PYTHON_STATE", 0);
  strcpy(s->text, line);
}

/* Calls the model. kind: 'E' for eval, 'S' for step, 'I' for reset. */
static void python_call(char *line, char kind, const python_state_t *s, const PYTHON_IN *in) {
  *line = kind;
  char *at = stpcpy(line + 1, s->text);
  *at++ = '\t';
  at = python_hex(at, in, sizeof *in);
  strcpy(at, "\n");
  python_ask(line, PYTHON_LINE);
}

void PYTHON_CAT(PYTHON_BLOCK, _reset)(PYTHON_T *state) {
  char line[PYTHON_LINE];
  strcpy(line, "R\n");
  python_ask(line, sizeof line);
  memset(state, 0, sizeof *state);
  python_take_state(&state->python, line);
}

#if HAVE_RESET_IN /* variant.h */
void PYTHON_CAT(PYTHON_BLOCK, _reset_in)(PYTHON_T *state, const PYTHON_IN *in);
void PYTHON_CAT(PYTHON_BLOCK, _reset_in)(PYTHON_T *state, const PYTHON_IN *in) {
  char line[PYTHON_LINE];
  python_call(line, 'I', &state->python, in);
  python_take_state(&state->python, line);
}
#endif

void PYTHON_CAT(PYTHON_BLOCK, _eval)(const PYTHON_T *state, const PYTHON_IN *in, PYTHON_OUT *out) {
  char line[PYTHON_LINE];
  python_call(line, 'E', &state->python, in);
  const size_t bytes = strlen(line) / 2;
  for (size_t i = 0; i < bytes && i < sizeof *out; i++)
    ((uint8_t *)out)[i] = (uint8_t)(python_digit(line[2 * i]) << 4 | python_digit(line[2 * i + 1]));
}

void PYTHON_CAT(PYTHON_BLOCK, _step)(PYTHON_T *state, const PYTHON_IN *in) {
  char line[PYTHON_LINE];
  python_call(line, 'S', &state->python, in);
  python_take_state(&state->python, line);
}
