/* SPDX-License-Identifier: Apache-2.0
 *
 * Which mutants of POINTS.csv do the tests of the programs kill?
 *
 *   campaign [--budget SECONDS] --out FOLDER POINTS.csv... -- PROGRAM...
 *
 *   1. each test without a mutant      it must pass; what it reaches is noted
 *   2. each mutant, the tests that     until one fails, crashes, or takes over four times its time,
 *      reach it, the likeliest first   or until they have used the budget: a survivor of the budget
 *   3. FOLDER/mutants.csv              every mutant and how it ended
 *      FOLDER/files.csv                the score of each file
 *
 * The order of tests is by expected kills a second, learned from the file's mutants so far. The
 * more of the budget a program has used, the later come its other tests. Exit status 0: done; 2:
 * bad usage or input; 3: a program breaks off, or fails without a mutant.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process.h"
#include "server.h"

/* SLOWER, LEAST_MS: a test with a mutant may take SLOWER times its own CPU time, and LEAST_MS
 * more. */
enum { TESTS_MOST = 4096, PROGRAMS_MOST = 256, GROUPS_MOST = 4, SLOWER = 4, LEAST_MS = 60 };

typedef struct {
  server_t server;
  const char *program;
  unsigned group;
  double spent; /* on this mutant */
} group_t;

typedef struct {
  group_t *group;
  uint32_t number, cpu_us;
  unsigned char *reached;
  unsigned tries, kills; /* of the file's mutants so far */
  uint32_t tried;        /* the last mutant that it was tried on */
} test_t;

/* How a mutant ends; all from KILLED on are dead. */
typedef enum { UNREACHED, SURVIVED, OVER_BUDGET, KILLED, TIMED_OUT, CRASHED, ENDINGS } ending_t;
static const char *const ending_name[ENDINGS] = {"unreached", "survived", "survived its budget",
                                                 "killed",    "timeout",  "crash"};

typedef struct {
  char *line; /* of the points' list, without its id */
  char file[128];
  ending_t ending;
  const char *by; /* the program that killed it */
  double cpu;
} mutant_t;

typedef struct {
  mutant_t mutant[CMUTANTS_MOST];
  test_t test[TESTS_MOST];
  group_t group[PROGRAMS_MOST * GROUPS_MOST];
  unsigned mutants, tests, groups;
  double budget, cpu;
} campaign_t;

static int fails(int code, const char *what, const char *why) {
  fprintf(stderr, "campaign: %s: %s\n", what, why);
  return code;
}

/* --- points */

/* A row of the list, "17,cmodel/sim/simt/cache.c,23,...". */
static bool add_point(campaign_t *c, char *line) {
  char *rest;
  unsigned long id = strtoul(line, &rest, 10);
  if (*rest != ',' || id < 1 || id >= CMUTANTS_MOST || c->mutant[id].line) return false;
  mutant_t *m = &c->mutant[id];
  m->line = strdup(rest + 1);
  m->line[strcspn(m->line, "\n")] = 0;
  snprintf(m->file, sizeof m->file, "%.*s", (int)strcspn(m->line, ","), m->line);
  c->mutants++;
  return true;
}

static int read_points(campaign_t *c, const char *path) {
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t size = 0;
  bool ok = in != NULL;
  while (ok && getline(&line, &size, in) >= 0) ok = add_point(c, line);
  free(line);
  if (in) fclose(in);
  return ok ? 0
            : fails(2, path, in ? "should be rows of id,file,line,function,mutant,text, no id twice" : strerror(errno));
}

/* --- tests */

/* Runs a test without a mutant. Tests that reach no mutant are not kept. */
static int first_run(campaign_t *c, group_t *g, uint32_t number) {
  static unsigned char reached[CMUTANTS_MOST];
  cmutant_ask_t ask = {number, 0, 300000};
  cmutant_answer_t answer;
  if (!server_ask(&g->server, &ask, &answer, reached)) return fails(3, g->program, "it broke off");
  if (answer.how != CMUTANT_PASSED) return fails(3, g->program, "a test fails without a mutant");
  c->cpu += answer.cpu_us * 1e-6;
  if (!memchr(reached, 1, sizeof reached)) return 0;
  if (c->tests == TESTS_MOST) return fails(2, g->program, "too many tests");
  test_t *t = &c->test[c->tests++];
  *t = (test_t){.group = g, .number = number, .cpu_us = answer.cpu_us, .reached = malloc(sizeof reached)};
  memcpy(t->reached, reached, sizeof reached);
  return 0;
}

/* Starts a server for each group of tests in the program. The server of group k passes over the
 * groups before it. */
static int add_program(campaign_t *c, const char *program) {
  for (unsigned k = 0; k < GROUPS_MOST; k++) {
    group_t *g = &c->group[c->groups];
    *g = (group_t){.program = program, .group = k};
    bool there = server_start(&g->server, program);
    if (!there && !k) return fails(3, program, "cannot be started, or serves no tests");
    for (unsigned i = 0; there && i < k; i++) there = server_next(&g->server);
    if (!there) {
      server_end(&g->server);
      return 0;
    }
    c->groups++;
    for (uint32_t t = 0; t < g->server.tests; t++) {
      int code = first_run(c, g, t);
      if (code) return code;
    }
  }
  return 0;
}

/* --- mutants */

static const ending_t ending_of[] = {
    [CMUTANT_PASSED] = SURVIVED, [CMUTANT_FAILED] = KILLED, [CMUTANT_TIMEOUT] = TIMED_OUT, [CMUTANT_CRASHED] = CRASHED};

/* Expected kills for a second of CPU. A test starts as if it had killed one mutant of two. The
 * rating of a program that has used an eighth of the budget is halved. */
static double rate_test(const campaign_t *c, const test_t *t) {
  enum { START_US = 1000 }; /* of a process */
  return (t->kills + 1.0) / (t->tries + 2.0) / (t->cpu_us + START_US) / (1 + 8 * t->group->spent / c->budget);
}

/* NULL: all that reach it have been tried. */
static test_t *next_test(campaign_t *c, uint32_t id) {
  test_t *best = NULL;
  for (test_t *t = c->test; t < c->test + c->tests; t++)
    if (t->reached[id] && t->tried != id && (!best || rate_test(c, t) > rate_test(c, best))) best = t;
  return best;
}

static const char *program_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Tries tests until one kills the mutant. A test that no longer fits into the budget is passed
 * over, because a quicker one may still fit. */
static int try_mutant(campaign_t *c, uint32_t id) {
  mutant_t *m = &c->mutant[id];
  bool over = false;
  for (unsigned g = 0; g < c->groups; g++) c->group[g].spent = 0;
  for (test_t *t; (t = next_test(c, id));) {
    t->tried = id;
    if (m->ending == SURVIVED && m->cpu + t->cpu_us * 1e-6 > c->budget) {
      over = true;
      continue;
    }
    cmutant_ask_t ask = {t->number, id, LEAST_MS + SLOWER * t->cpu_us / 1000};
    cmutant_answer_t answer;
    if (!server_ask(&t->group->server, &ask, &answer, NULL)) return fails(3, t->group->program, "it broke off");
    m->cpu += answer.cpu_us * 1e-6;
    t->group->spent += answer.cpu_us * 1e-6;
    m->ending = ending_of[answer.how];
    t->tries++;
    if (m->ending == SURVIVED) continue;
    t->kills++;
    m->by = program_name(t->group->program);
    return 0;
  }
  if (over) m->ending = OVER_BUDGET;
  return 0;
}

/* Another file's kills say nothing about this one. */
static void forget_tries(campaign_t *c) {
  for (test_t *t = c->test; t < c->test + c->tests; t++) t->tries = t->kills = 0;
}

static int try_all(campaign_t *c) {
  time_t told = time(NULL);
  unsigned done = 0;
  const char *file = "";
  int code = 0;
  for (uint32_t id = 0; id < CMUTANTS_MOST && !code; id++) {
    if (!c->mutant[id].line) continue;
    if (strcmp(file, c->mutant[id].file)) forget_tries(c);
    file = c->mutant[id].file;
    code = try_mutant(c, id);
    c->cpu += c->mutant[id].cpu;
    done++;
    if (time(NULL) - told < 10) continue;
    told = time(NULL);
    fprintf(stderr, "campaign: %u of %u mutants, %.0f s of CPU\n", done, c->mutants, c->cpu);
  }
  return code;
}

/* --- what came of it */

static bool is_dead(const mutant_t *m) {
  return m->ending >= KILLED;
}

static void write_mutants(const campaign_t *c, FILE *out) {
  fputs("file,line,function,mutant,text,ending,by\n", out);
  for (unsigned id = 0; id < CMUTANTS_MOST; id++) {
    const mutant_t *m = &c->mutant[id];
    if (m->line) fprintf(out, "%s,%s,%s\n", m->line, ending_name[m->ending], m->by ? m->by : "");
  }
}

/* Mutants of a file have ids in a row, so one pass sums a file and writes its line. */
static void write_files(const campaign_t *c, FILE *out) {
  const char *file = NULL;
  unsigned all = 0, killed = 0;
  fputs("file,mutants,killed\n", out);
  for (unsigned id = 0; id <= CMUTANTS_MOST; id++) {
    const mutant_t *m = id < CMUTANTS_MOST ? &c->mutant[id] : NULL;
    if (m && !m->line) continue;
    if (file && (!m || strcmp(file, m->file))) fprintf(out, "%s,%u,%u\n", file, all, killed);
    if (!m || !file || strcmp(file, m->file)) all = killed = 0;
    if (!m) break;
    file = m->file;
    all++;
    killed += is_dead(m);
  }
}

static int write_one(const campaign_t *c, const char *folder, const char *name,
                     void (*write)(const campaign_t *, FILE *)) {
  char path[4096];
  snprintf(path, sizeof path, "%.4000s/%s", folder, name);
  FILE *out = fopen(path, "w");
  if (out) write(c, out);
  bool failed = !out || ferror(out);
  if (out && fclose(out)) failed = true;
  return failed ? fails(3, path, "cannot write") : 0;
}

static void sum_up(const campaign_t *c) {
  unsigned n[ENDINGS] = {0};
  for (unsigned id = 0; id < CMUTANTS_MOST; id++)
    if (c->mutant[id].line) n[c->mutant[id].ending]++;
  unsigned killed = n[KILLED] + n[TIMED_OUT] + n[CRASHED];
  printf("%u mutants, %u tests that reach any, %.0f s of CPU: %u killed (%.1f %%)\n", c->mutants, c->tests, c->cpu,
         killed, c->mutants ? 100.0 * killed / c->mutants : 0);
  for (unsigned e = 0; e < ENDINGS; e++) printf("  %-20s %6u\n", ending_name[e], n[e]);
}

int main(int argc, char **argv) {
  static campaign_t c = {.budget = 3};
  const char *folder = NULL;
  int i = 1, code = 0;
  process_begin();
  signal(SIGPIPE, SIG_IGN);
  for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0 && argv[i][2]; i += 2) {
    if (!strcmp(argv[i], "--budget")) c.budget = atof(argv[i + 1]);
    else if (!strcmp(argv[i], "--out")) folder = argv[i + 1];
    else return fails(2, argv[i], "should be --budget or --out");
  }
  if (!folder || c.budget <= 0)
    return fails(2, "usage", "campaign [--budget SECONDS] --out FOLDER POINTS.csv... -- PROGRAM...");
  for (; !code && i < argc && strcmp(argv[i], "--"); i++) code = read_points(&c, argv[i]);
  for (i++; !code && i < argc; i++)
    code = c.groups >= PROGRAMS_MOST ? fails(2, argv[i], "too many programs") : add_program(&c, argv[i]);
  if (code) return code;
  code = try_all(&c);
  for (unsigned g = 0; g < c.groups; g++) server_end(&c.group[g].server);
  if (!code) code = write_one(&c, folder, "mutants.csv", write_mutants);
  if (!code) code = write_one(&c, folder, "files.csv", write_files);
  if (!code) sum_up(&c);
  return code;
}
