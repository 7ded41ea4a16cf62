/* SPDX-License-Identifier: Apache-2.0
 *
 * Icarus evaluates a delay that is no small constant into an index register, and names the
 * register last in the assignment:
 *
 *   %ix/load 5, 2000, 0;      or    ... %ix/vec4 5;      the delay, into register 5
 *   %ix/getv 4, v0x2_0;                                  a bit's place
 *   %assign/vec4/off/d v0x1_0, 4, 5;
 *
 * So an assignment looks back to what has last filled its register, in its own statement.
 */
#include "vvp_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 16 };

typedef struct {
  FILE *to;
  const char **line; /* where each line begins; behind the last one the end */
  size_t count;
  bool *loads_zero; /* of each line: it puts 0 into its register instead, or in addition */
} undelay_t;

static bool begins(const char *line, const char *word) {
  while (*line == ' ') line++;
  return strncmp(line, word, strlen(word)) == 0;
}

/* The register that a line fills; -1: none. */
static int filled_register(const char *line) {
  while (*line == ' ') line++;
  if (strncmp(line, "%ix/", 4)) return -1;
  const char *at = strchr(line, ' ');
  return at ? atoi(at + 1) : -1;
}

/* The register with the delay of "%assign/vec4/d v0x1_0, 4;" and "%delayx 4;"; -1: another line. */
static int delay_register(const char *line, const char *end) {
  if (begins(line, "%delayx ")) return atoi(strstr(line, "%delayx ") + 8);
  if (!begins(line, "%assign/")) return -1;
  const char *word = strstr(line, "%assign/"), *blank = strchr(word, ' ');
  if (!blank || blank > end || blank - word < 2 || strncmp(blank - 2, "/d", 2)) return -1;
  const char *comma = end;
  while (comma > blank && *comma != ',') comma--;
  return *comma == ',' ? atoi(comma + 1) : -1;
}

static void mark_loads(undelay_t *u) {
  size_t last[REGISTERS];
  bool known[REGISTERS] = {false};
  for (size_t i = 0; i < u->count; i++) {
    const int filled = filled_register(u->line[i]), delay = delay_register(u->line[i], u->line[i + 1] - 1);
    if (filled >= 0 && filled < REGISTERS) last[filled] = i, known[filled] = true;
    if (delay >= 0 && delay < REGISTERS && known[delay]) u->loads_zero[last[delay]] = true;
    if (*u->line[i] != ' ') memset(known, 0, sizeof known); /* a label: another statement */
  }
}

/* "L_1 .delay 8 (1000,2000,3000) L_1/d;" and, of a delay that is computed, "L_1 .delay 8 L_1/d,
 * v0x3, v0x3, v0x3;" become "L_1 .delay 8 (0,0,0) L_1/d;". */
static void put_functor(FILE *to, const char *line, const char *functor) {
  const char *width = functor + strlen(" .delay "), *from = width + strspn(width, "0123456789") + 1;
  const char *source = *from == '(' ? from + strcspn(from, ")\n") + 2 : from;
  fprintf(to, "%.*s(0,0,0) %.*s;\n", (int)(from - line), line, (int)strcspn(source, ",;\n"), source);
}

/* "%assign/vec4 v0x1_0, 1000;" with 0 for its delay. */
static void put_assignment(FILE *to, const char *line) {
  fprintf(to, "%.*s, 0;\n", (int)strcspn(line, ",\n"), line);
}

static void put_line(const undelay_t *u, size_t i) {
  const char *line = u->line[i], *end = u->line[i + 1];
  const char *functor = line + strcspn(line, " \n");
  const bool step =
      i && strstr(u->line[i - 1], "$lockstack_drive") && strstr(u->line[i - 1], "$lockstack_drive") < line;
  if (strncmp(functor, " .delay ", 8) == 0) put_functor(u->to, line, functor);
  else if (begins(line, "%assign/vec4 ") || begins(line, "%assign/wr ")) put_assignment(u->to, line);
  else if ((begins(line, "%delay ") && !step) || begins(line, "%delayx ")) return;
  else if (u->loads_zero[i] && begins(line, "%ix/load "))
    fprintf(u->to, "    %%ix/load %d, 0, 0;\n", filled_register(line));
  else {
    fwrite(line, 1, (size_t)(end - line), u->to);
    if (u->loads_zero[i]) fprintf(u->to, "    %%ix/load %d, 0, 0;\n", filled_register(line));
  }
}

bool vvp_text_undelayed(FILE *to, const char *text) {
  undelay_t u = {.to = to};
  for (const char *at = text; *at; at++) u.count += *at == '\n';
  if (*text && text[strlen(text) - 1] != '\n') u.count++;
  u.line = calloc(u.count + 1, sizeof *u.line);
  u.loads_zero = calloc(u.count + 1, sizeof *u.loads_zero);
  const bool ok = u.line && u.loads_zero;
  if (ok) {
    const char *at = text;
    for (size_t i = 0; i < u.count; i++) {
      u.line[i] = at;
      at += strcspn(at, "\n");
      at += *at == '\n';
    }
    u.line[u.count] = at;
    mark_loads(&u);
    for (size_t i = 0; i < u.count; i++) put_line(&u, i);
  }
  free(u.line);
  free(u.loads_zero);
  return ok;
}
