/* SPDX-License-Identifier: Apache-2.0
 *
 * The C interface (lockstack.h) in all that the example does not do: embed KERNELS.ptx PART...;
 * each part prints "PART held".
 */
#include <lockstack.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kernels;

/* Ends the program with the line that does not hold. */
static void stop_at(unsigned line, const char *what, const char *error) {
  fprintf(stderr, "embed.c:%u: %s: %s\n", line, what, error);
  exit(1);
}
#define HOLD(condition) ((condition) ? (void)0 : stop_at(__LINE__, #condition, "does not hold"))
#define DO(call) ((call) == LOCKSTACK_DONE ? (void)0 : stop_at(__LINE__, #call, lockstack_error(l)))
#define ENDS(call, status, text) (HOLD((call) == (status)), HOLD(strstr(lockstack_error(l), text)))

/* Opens the system baseline with these options. */
static lockstack_t *open_small(const char *const *options) {
  char error[LOCKSTACK_ERROR];
  lockstack_t *l = lockstack_open("baseline", options, error);
  if (!l) stop_at(__LINE__, "open", error);
  HOLD(!*error && !*lockstack_error(l));
  return l;
}

/* Loads KERNELS.ptx. */
static lockstack_module_t load_kernels(lockstack_t *l) {
  lockstack_module_t module;
  DO(lockstack_load_file(l, kernels, &module));
  return module;
}

/* Nine MB, more than one request carries, at odd addresses and sizes. */
static void memory(void) {
  enum { BYTES = (9 << 20) + 13 };
  lockstack_t *l = open_small(NULL);
  uint64_t at;
  unsigned char *a = malloc(BYTES), *b = malloc(BYTES);
  HOLD(a && b);
  for (unsigned i = 0; i < BYTES; i++) a[i] = (unsigned char)(i * 2654435761u >> 24);
  DO(lockstack_malloc(l, BYTES, &at));
  DO(lockstack_write(l, at, a, BYTES));
  DO(lockstack_read(l, b, at, BYTES));
  HOLD(!memcmp(a, b, BYTES));
  DO(lockstack_fill(l, at + 5, 0xa5, BYTES - 9));
  DO(lockstack_read(l, b, at, BYTES));
  for (unsigned i = 0; i < BYTES; i++) HOLD(b[i] == (i < 5 || i >= BYTES - 4 ? a[i] : 0xa5));
  DO(lockstack_write(l, at, a, 0));
  DO(lockstack_fill(l, at, 1, 0));
  ENDS(lockstack_read(l, b, at + BYTES, 1 << 20), LOCKSTACK_REFUSED, "0x");
  ENDS(lockstack_free(l, at + 1), LOCKSTACK_REFUSED, "0x");
  DO(lockstack_free(l, at));
  ENDS(lockstack_malloc(l, (uint64_t)1 << 60, &at), LOCKSTACK_NO_MEMORY, "");
  lockstack_close(l);
  lockstack_close(NULL);
  free(a), free(b);
}

/* Modules that load, kernels in them, and each reason for which one does not. */
static void modules(void) {
  lockstack_t *l = open_small(NULL);
  lockstack_module_t module = load_kernels(l), other = 99;
  lockstack_kernel_t kernel;
  DO(lockstack_kernel(l, module, "add", &kernel));
  HOLD(kernel.params == 4 && kernel.param_bytes == 28 && kernel.registers);
  ENDS(lockstack_kernel(l, module, "nothing", &kernel), LOCKSTACK_NOT_FOUND, "nothing");
  ENDS(lockstack_kernel(l, module + 7, "add", &kernel), LOCKSTACK_REFUSED, "module");
  ENDS(lockstack_load(l, "no PTX\n", 7, &other), LOCKSTACK_BAD_MODULE, "");
  ENDS(lockstack_load(l, "", 0, &other), LOCKSTACK_REFUSED, "bytes");
  ENDS(lockstack_load_file(l, "/nowhere.ptx", &other), LOCKSTACK_REFUSED, "/nowhere.ptx: No such file");
  HOLD(other == 99);
  DO(lockstack_unload(l, module));
  ENDS(lockstack_kernel(l, module, "add", &kernel), LOCKSTACK_REFUSED, "module");
  lockstack_close(l);
}

/* Launches c = a + b of n floats and checks c. Returns the cycles. */
static uint64_t run_add(lockstack_t *l, lockstack_module_t module, uint32_t n) {
  float *a = malloc(n * sizeof *a), *got = malloc(n * sizeof *got);
  uint64_t at[3];
  lockstack_ran_t ran;
  HOLD(a && got);
  for (uint32_t i = 0; i < n; i++) a[i] = (float)i / 4;
  for (unsigned k = 0; k < 3; k++) DO(lockstack_malloc(l, n * sizeof *a, &at[k]));
  for (unsigned k = 0; k < 2; k++) DO(lockstack_write(l, at[k], a, n * sizeof *a));
  const lockstack_launch_t launch = {module, "add", {(n + 127) / 128}, {128}, 0, false};
  DO(lockstack_launch(l, &launch, (const void *[]){&at[0], &at[1], &at[2], &n}, &ran));
  DO(lockstack_read(l, got, at[2], n * sizeof *got));
  for (uint32_t i = 0; i < n; i++) HOLD(got[i] == 2 * a[i]);
  HOLD(ran.cycles && ran.warp_instructions && ran.time_ns > 0);
  for (unsigned k = 0; k < 3; k++) DO(lockstack_free(l, at[k]));
  free(a), free(got);
  return ran.cycles;
}

/* Counts are sums over all launches; each launch begins where the one before it ended. */
static void counts(void) {
  lockstack_t *l = open_small((const char *const[]){"--set", "gpu.sms=4", "--set=system.seed=3", NULL});
  const lockstack_module_t module = load_kernels(l);
  double value = -1, cycles;
  char *report;
  DO(lockstack_count(l, "cycles", &value));
  HOLD(value == 0);
  const uint64_t first = run_add(l, module, 1000), second = run_add(l, module, 3001);
  DO(lockstack_count(l, "cycles", &cycles));
  HOLD(cycles == (double)(first + second));
  DO(lockstack_count(l, "settings.gpu.sms", &value));
  HOLD(value == 4);
  DO(lockstack_count(l, "gpu:l2_hits + 2 * cycles", &value));
  HOLD(value >= 2 * cycles);
  ENDS(lockstack_count(l, "gpu:nothing", &value), LOCKSTACK_NOT_FOUND, "gpu:nothing");
  ENDS(lockstack_count(l, "no.such", &value), LOCKSTACK_NOT_FOUND, "no.such");
  DO(lockstack_report(l, &report));
  HOLD(strstr(report, "\"lockstack.serve/1\""));
  free(report);
  lockstack_close(l);
}

/* Launches that are refused leave the system usable, a fault ends it; its counts can still be
 * read. */
static void refusals(void) {
  lockstack_t *l = open_small(NULL);
  const lockstack_module_t module = load_kernels(l);
  const uint32_t n = 1;
  const uint64_t nowhere = 0x30;
  const void *const args[] = {&nowhere, &nowhere, &nowhere, &n};
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "add", {1}, {2048}, 0, false}, args, NULL), LOCKSTACK_LIMIT,
       "");
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "add", {1 << 20}, {32}, 0, true}, args, NULL), LOCKSTACK_LIMIT,
       "wait for each other");
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "add", {0}, {32}, 0, false}, args, NULL), LOCKSTACK_REFUSED,
       "");
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "none", {1}, {32}, 0, false}, args, NULL), LOCKSTACK_NOT_FOUND,
       "none");
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "add", {1}, {32}, 0, false}, NULL, NULL), LOCKSTACK_REFUSED,
       "args is NULL");
  run_add(l, module, 100); /* it goes on */
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "add", {1}, {32}, 0, false}, args, NULL), LOCKSTACK_FAULT,
       "0x30");
  double cycles;
  uint64_t at;
  ENDS(lockstack_malloc(l, 4, &at), LOCKSTACK_ENDED, "ended");
  DO(lockstack_count(l, "cycles", &cycles));
  HOLD(cycles > 0);
  lockstack_close(l);
}

/* With prints.ptx: printed text can be fetched once, and a failed assertion ends the launch. */
static void prints(void) {
  lockstack_t *l = open_small(NULL);
  const lockstack_module_t module = load_kernels(l);
  const uint32_t n = 60;
  uint64_t at[3];
  float a[60];
  char *text;
  for (unsigned i = 0; i < n; i++) a[i] = (float)i;
  for (unsigned k = 0; k < 3; k++) DO(lockstack_malloc(l, sizeof a, &at[k]));
  for (unsigned k = 0; k < 2; k++) DO(lockstack_write(l, at[k], a, sizeof a));
  const void *const args[] = {&at[0], &at[1], &at[2], &n};
  DO(lockstack_launch(l, &(lockstack_launch_t){module, "vadd", {1}, {64}, 0, false}, args, NULL));
  DO(lockstack_printed(l, &text));
  HOLD(strstr(text, " 32|odd   |64.00|") && text[strlen(text) - 1] == '\n');
  free(text);
  DO(lockstack_printed(l, &text));
  HOLD(!*text);
  free(text);
  ENDS(lockstack_launch(l, &(lockstack_launch_t){module, "fails", {1}, {64}, 0, false}, args, NULL), LOCKSTACK_ASSERTED,
       "assertion 'a[i] < 40' failed");
  DO(lockstack_printed(l, &text));
  HOLD(strstr(text, "before"));
  free(text);
  lockstack_close(l);
}

/* A thread's work: launches of its own module. */
static void *in_thread(void *ctx) {
  lockstack_t *l = ctx;
  const lockstack_module_t module = load_kernels(l);
  for (unsigned i = 0; i < 3; i++) run_add(l, module, 500 + i);
  return NULL;
}

/* Two systems at once, and two threads of each. Closing one leaves the other. */
static void several(void) {
  lockstack_t *l[2] = {open_small(NULL), open_small(NULL)};
  pthread_t thread[4];
  for (unsigned i = 0; i < 4; i++) HOLD(!pthread_create(&thread[i], NULL, in_thread, l[i / 2]));
  for (unsigned i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  lockstack_close(l[0]);
  run_add(l[1], load_kernels(l[1]), 10);
  lockstack_close(l[1]);
}

/* Nothing is opened: an unknown system, option or instance, and a command that is not there,
 * cannot be started, or is no lockstack. */
static void openings(void) {
  char error[LOCKSTACK_ERROR];
  HOLD(!lockstack_open("nsuu", NULL, error) && strstr(error, "unknown system 'nsuu'"));
  HOLD(!lockstack_open("--socket", NULL, error) && strstr(error, "--socket"));
  HOLD(!lockstack_open("nsu", (const char *const[]){"--nothing", NULL}, error) && strstr(error, "--nothing"));
  HOLD(!lockstack_open("nsu", (const char *const[]){"--engine=nsu[99]=rtl", NULL}, error) && strstr(error, "nsu[99]"));
  setenv("LOCKSTACK", "/nowhere/lockstack", 1);
  HOLD(!lockstack_open("nsu", NULL, error) && strstr(error, "/nowhere/lockstack: no such command"));
  setenv("LOCKSTACK", "/etc/passwd", 1);
  HOLD(!lockstack_open("nsu", NULL, error) && strstr(error, "/etc/passwd cannot be started: Permission denied"));
  setenv("LOCKSTACK", "/bin/true", 1);
  HOLD(!lockstack_open("nsu", NULL, error) && strstr(error, "the process of the simulation is gone"));
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {{"memory", memory}, {"modules", modules}, {"counts", counts},    {"refusals", refusals},
             {"prints", prints}, {"several", several}, {"openings", openings}};

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  kernels = argv[1];
  for (int i = 2; i < argc; i++)
    for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++)
      if (!strcmp(argv[i], parts[p].name)) {
        parts[p].run();
        printf("%s held\n", argv[i]);
        fflush(stdout);
      }
  return 0;
}
