/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack draw: what a system is made of, as a picture.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "draw_system.h"
#include "system_argument.h"

enum { MAX_SETTINGS = 64 };

/* out NULL: the text alone. `setting` holds whole KEY=VALUE texts. */
typedef struct {
  const char *system, *out, *setting[MAX_SETTINGS];
  unsigned settings;
} options_t;

static const struct argp_option argp_options[] = {
    {"out", 'o', "FILE.svg", CLI_MADE, "The picture", 0},
    {"set", 's', "KEY=VALUE", CLI_LIST, "One value of the system, as `run` takes it", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'o': o->out = arg; return 0;
  case 's':
    if (!strchr(arg, '='))
      return cli_usage(state, "--set: '%s' should be KEY=VALUE, such as network.topology=mesh:4x2", arg);
    if (o->settings == MAX_SETTINGS) return cli_usage(state, "--set: more than %d", MAX_SETTINGS);
    if (cli_set_once(state, arg, o->setting, o->settings)) return EINVAL;
    o->setting[o->settings++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (o->system) return ARGP_ERR_UNKNOWN;
    o->system = arg;
    return 0;
  case ARGP_KEY_END:
    return o->system
               ? 0
               : cli_usage(state,
                           "a SYSTEM is missing; `lockstack list systems` names them, and a FILE.yaml is one, too");
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    argp_options,
    parse,
    "SYSTEM",
    "Says what a system is made of: parts, links, clocks, which blocks have instances in it; and draws it. SYSTEM is a "
    "name of `lockstack list systems` or a file of your own.\vExamples:\n"
    "  lockstack draw nsu --out nsu.svg\n"
    "  lockstack draw mine.yaml --set network.topology=mesh:4x2\n",
    NULL,
    NULL,
    NULL};

/* Applies --set and settles the composition. 0, or an exit code after a line. */
static int configure(const options_t *o, composition_t *c) {
  char key[128];
  trouble_t trouble = {0};
  for (unsigned i = 0; i < o->settings; i++) {
    const char *equals = strchr(o->setting[i], '=');
    if ((size_t)(equals - o->setting[i]) >= sizeof key)
      return cli_error(EXIT_BAD, "--set: no key is as long as '%s'", o->setting[i]);
    snprintf(key, sizeof key, "%.*s", (int)(equals - o->setting[i]), o->setting[i]);
    if (!composition_set(c, key, equals + 1, &trouble))
      return cli_error((cli_exit_t)trouble.kind, "--set: %s", trouble.text);
  }
  return composition_settle(c, &trouble) ? 0 : cli_trouble(&trouble);
}

/* Writes the SVG file, whole or not at all. */
static int write_system_picture(const composition_t *c, const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out) draw_system_svg(c, out);
  bool ok = out && !ferror(out);
  if (out && fclose(out)) ok = false;
  int code = ok ? cli_write_text(path, text, size) : cli_error(EXIT_ENV, "out of memory");
  free(text);
  return code;
}

static int run(cli_t *cli, int argc, char **argv) {
  static composition_t composition;
  options_t o = {0};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code || (code = system_argument(o.system, &composition)) || (code = configure(&o, &composition))) return code;
  if (o.out && (code = write_system_picture(&composition, o.out))) return code;
  json_t *root = cli_json("draw", 1);
  json_object_update_new(root, json_pack("{s:s, s:s}", "system", composition.name, "help", composition.help));
  json_object_update_new(root, draw_system_json(&composition));
  draw_system_text(&composition, cli->out);
  return cli_finish(cli, root, EXIT_HELD);
}

const verb_t verb_draw = {"draw", "what a system is made of, as a picture", run, &argp};
