/* SPDX-License-Identifier: Apache-2.0
 *
 * A timer ticks in CPU time, so neither a busy machine nor a debugger ends a call. If the number of
 * calls has not changed since the last tick, the same call is still running. After a call that took
 * too long, the next one gets a tenth of the time, so that recording and waveform of the failure
 * are made quickly.
 */
#include "guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { TICK_MS = 100, ALIGNED = 16, STACK_BYTES = 64 << 10, TEXT_BYTES = 200, NEAR_STACK = 64 << 10 };

static dut_guard_t guard = {.seconds = 10, .interrupted = guard_interrupted};
/* The device that runs, NULL: none, the way out of its call, and such calls so far. */
static const dut_t *volatile device;
static dut_leave_t device_way;
static volatile uint64_t device_calls;
static const volatile sig_atomic_t *interrupted;
static unsigned most_ticks = 10 * 1000 / TICK_MS, ticks;
static bool looped, silent;
static uint64_t last_call;
static char text[TEXT_BYTES];

/* ---- out of a call ---- */

static void write_stderr(const char *words) {
  (void)!write(STDERR_FILENO, words, strlen(words));
}

/* Ends the program from a signal handler, with async-signal-safe calls only. */
static _Noreturn void give_up(const char *function, const char *what) {
  if (silent) _exit(3);
  write_stderr("lockstack: ");
  write_stderr(function ? function : "the program, or the simulation of a device,");
  write_stderr(function ? ": " : " was ended by ");
  write_stderr(what);
  write_stderr("\n");
  _exit(function ? 1 : 3);
}

static void leave_call(const char *what) {
  const dut_leave_t way = *guard.leave;
  const char *function = guard.function;
  const bool stop = strcmp(what, GUARD_INTERRUPTED) == 0;
  guard.function = NULL;
  ticks = 0;
  if (!way.handler && stop) _exit(3);
  if (!way.handler) give_up(function, what);
  snprintf(text, sizeof text, "%s%s%s", stop ? "" : function, stop ? "" : ": ", what);
  way.handler(way.context, NULL, 0, text);
}

static void leave_device(const char *what) {
  const dut_t *dut = device;
  device = NULL;
  ticks = 0;
  if (strcmp(what, GUARD_INTERRUPTED) == 0) snprintf(text, sizeof text, "%s", what);
  else
    snprintf(text, sizeof text, "device %s: %s: a loop without an end in the RTL, or logic that feeds itself",
             dut->kind, what);
  device_way.handler(device_way.context, NULL, 0, text);
}

/* ---- crashes ---- */

/* True if the address of the fault lies near the stack pointer: the stack has overflowed. */
static bool stack_is_full(const siginfo_t *info, const void *context) {
#if defined(__x86_64__)
  const uintptr_t top = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  const uintptr_t top = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.sp;
#else
  const uintptr_t top = 0;
#endif
  const uintptr_t at = (uintptr_t)info->si_addr;
  return at < top + NEAR_STACK && at + NEAR_STACK > top;
}

static const char *signal_text(int signal, const siginfo_t *info, const void *context) {
  switch (signal) {
  case SIGSEGV:
    return stack_is_full(info, context) ? "SIGSEGV, the stack is full (a call without end?)"
                                        : "SIGSEGV, memory that is not its own";
  case SIGBUS: return "SIGBUS, memory that is not there";
  case SIGFPE: return "SIGFPE, a division by zero or one that overflows";
  case SIGILL: return "SIGILL, an instruction that the processor does not know";
  default: return "SIGABRT, it called abort()";
  }
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  const char *what = signal_text(signal, info, context);
  if (!guard.function) give_up(NULL, what);
  leave_call(what);
}

/* A model called exit(): its status must never become ours. */
static void on_exit_called(void) {
  if (guard.function) give_up(guard.function, "it called exit()");
}

/* ---- calls that do not return ---- */

static const char *too_long(void) {
  static char words[64];
  snprintf(words, sizeof words, "did not return after %u s of CPU time", most_ticks * TICK_MS / 1000);
  return words;
}

/* A device is left only while its own code runs: the C library may hold a lock. At some time it is
 * left anyway. */
static bool is_outside(const void *context) {
#if defined(__x86_64__)
  const uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  const uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
  const uintptr_t at = (uintptr_t)device;
#endif
  Dl_info code, object;
  return ticks < 2 * most_ticks && dladdr((const void *)at, &code) && dladdr(device, &object) &&
         code.dli_fbase != object.dli_fbase;
}

/* Compares the number of calls with that of the last tick. A device's call may have calls of the
 * model within. */
static void on_tick(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  const uint64_t calls = guard.calls + device_calls;
  if ((!guard.function && !device) || calls != last_call) {
    ticks = 0;
    last_call = calls;
    return;
  }
  ticks++;
  void (*const leave)(const char *) = guard.function ? leave_call : leave_device;
  if (!guard.function && is_outside(context)) return;
  if (guard_interrupted()) leave(GUARD_INTERRUPTED);
  if (ticks < (looped ? most_ticks / 10 : most_ticks)) return;
  looped = true;
  leave(too_long());
}

static void start_timer(void) {
  const struct timespec tick = {0, TICK_MS * 1000000L};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
    timer_settime(timer, 0, &(struct itimerspec){tick, tick}, NULL);
}

/* ---- the start ---- */

static void catch_crash(int signal, void (*on_signal)(int, siginfo_t *, void *)) {
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
}

static void install_handlers(void) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  static char stack[STACK_BYTES];
  struct sigaction tick = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) catch_crash(crashes[i], on_crash);
  sigemptyset(&tick.sa_mask);
  sigaction(SIGVTALRM, &tick, NULL);
  atexit(on_exit_called);
  pthread_atfork(NULL, NULL, start_timer); /* a child does not inherit timers */
  start_timer();
}

void guard_start(const dut_t *dut) {
  static bool started;
  if (!started) install_handlers();
  started = true;
  if (dut->set_guard) dut->set_guard(&guard);
}

void guard_limit(unsigned seconds) {
  most_ticks = seconds * 1000 / TICK_MS;
  guard.seconds = seconds;
}

void guard_enter_device(const dut_t *dut, dut_assert_t handler, void *context) {
  device_way = (dut_leave_t){handler, context};
  device_calls++;
  device = dut;
}

void guard_left_device(void) {
  device = NULL;
}

void guard_interrupts(const volatile sig_atomic_t *flag) {
  interrupted = flag;
}

void guard_be_silent(void) {
  silent = true;
}

bool guard_interrupted(void) {
  return interrupted && *interrupted;
}

/* ---- memory between walls: its end is a page's end, but for the alignment ---- */

static size_t round_size_up(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

void *guard_memory(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), used = round_size_up(size + !size, page);
  char *walls = mmap(NULL, used + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (walls == MAP_FAILED) return NULL;
  if (mprotect(walls + page, used, PROT_READ | PROT_WRITE) == 0)
    return walls + page + used - round_size_up(size + !size, ALIGNED);
  munmap(walls, used + 2 * page);
  return NULL;
}

void guard_free(void *memory, size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), used = round_size_up(size + !size, page);
  if (memory) munmap((char *)memory + round_size_up(size + !size, ALIGNED) - used - page, used + 2 * page);
}
