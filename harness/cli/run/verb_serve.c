/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack serve: a system for a program with the C interface. The program starts this verb, at
 * the other end of a socket.
 *
 *   program <--socket--> session_serve: memory, modules, launches; a report when the program asks
 *                        until the program closes the socket; --json gets the last report
 */
#include "cli.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include "clock.h"
#include "lockstep_verbs.h"
#include "run_counts.h"
#include "run_report.h"
#include "session.h"
#include "system_settings.h"

/* The process that started this one holds the other end of `socket`. */
typedef struct {
  const char *system, *folder;
  system_wishes_t wishes;
  uint64_t socket;
} options_t;

enum { KEY_SOCKET = 1, KEY_OUT, NO_SOCKET = 0 };

static const struct argp_option argp_options[] = {
    {"socket", KEY_SOCKET, "N", 0, "The descriptor of the connection", 0},
#include "system_wishes.def"
    {"out", KEY_OUT, "FOLDER", 0, "Where replay files of diverging instances go (default: lockstack-out)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case KEY_SOCKET: return cli_number(state, "--socket", arg, 1, 65535, &o->socket);
  case KEY_OUT: o->folder = arg; return 0;
  case ARGP_KEY_ARG:
    if (o->system) return ARGP_ERR_UNKNOWN;
    o->system = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->system)
      return cli_usage(state, "a SYSTEM is missing; `lockstack list systems` names them, and a FILE.yaml is one, too");
    if (o->socket == NO_SOCKET)
      return cli_usage(state,
                       "--socket is missing; a program with the C interface starts this verb (docs/c-interface.md)");
    return 0;
  default: return system_wish(key, arg, state, "gpu.sms=16", &o->wishes);
  }
}

static const struct argp argp = {
    argp_options,
    parse,
    "SYSTEM --socket=N",
    "A simulated system for a program with the C interface, which starts this verb itself: memory, modules, launches "
    "and what they counted, asked for on a "
    "socket, until the program closes it (docs/c-interface.md). --json is the last report.\vExamples:\n"
    "  lockstack serve nsu --set offload.ratio=0.4 --socket 3\n"
    "  lockstack serve baseline --engine 'router[0]=lockstep' --socket 3\n",
    NULL,
    NULL,
    NULL};

/* What the system counted so far. NULL: trouble says why. */
static json_t *report_served_system(void *ctx, const system_stats_t *stats, trouble_t *trouble) {
  const system_options_t *system = ctx;
  json_t *root = cli_json("serve", 1);
  json_object_set_new(root, "system", json_string(system->composition.name));
  json_object_set_new(root, "machine", json_string(system_machine(&system->composition)));
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  json_object_set_new(root, "cpu_seconds", json_real(clock_of(&usage.ru_utime) + clock_of(&usage.ru_stime)));
  json_object_set_new(root, "peak_rss_bytes", json_integer((json_int_t)usage.ru_maxrss * 1024));
  if (run_report_machine(root, system, stats, trouble)) return root;
  json_decref(root);
  return NULL;
}

static int run(cli_t *cli, int argc, char **argv) {
  static system_options_t system;
  options_t o = {.folder = "lockstack-out"};
  trouble_t trouble;
  char commit[64];
  json_t *last = NULL;
  int code = cli_parse(cli, &argp, argc, argv, &o), type;
  if (code) return code;
  if (getsockopt((int)o.socket, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof type}))
    return cli_error(EXIT_BAD,
                     "--socket: descriptor %d is no socket; a program with the C interface starts this verb with one",
                     (int)o.socket);
  if (!run_counts_check(&trouble)) return cli_trouble(&trouble);
  system.places = verbs_places();
  if ((code = system_wished(o.system, &o.wishes, &system))) return code;
  const capture_t capture = {.folder = o.folder,
                             .places = verbs_places(),
                             .commit = verbs_commit(commit, sizeof commit),
                             .shrink_seconds = 10,
                             .seed = system.composition.seed};
  const session_options_t session = {.system = &system,
                                     .capture = &capture,
                                     .arch = SESSION_ARCH,
                                     .report = report_served_system,
                                     .report_ctx = &system};
  if (!session_serve(&session, (int)o.socket, &last, &trouble)) return cli_trouble(&trouble);
  const bool diverged = json_integer_value(json_object_get(json_object_get(last, "lockstep"), "divergences")) != 0;
  return cli_finish(cli, last, diverged ? EXIT_BROKEN : EXIT_HELD);
}

const verb_t verb_serve = {"serve", "a full system for a program with the C interface, which starts it", run, &argp};
