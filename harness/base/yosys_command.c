/* SPDX-License-Identifier: Apache-2.0 */
#include "yosys_command.h"

#include "process.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECONDS = 60 };

/* True if Yosys fails on this text. If Yosys cannot be run, false. */
static bool fails_on(const char *text) {
  char script[64];
  const int file = memfd_create("lockstack.sv", 0); /* the child inherits the descriptor */
  if (file < 0) return false;
  bool fails = false;
  if (write(file, text, strlen(text)) == (ssize_t)strlen(text)) {
    snprintf(script, sizeof script, "read_verilog -sv /proc/self/fd/%d", file);
    char *argv[] = {"yosys", "-q", "-p", script, NULL};
    const int status = process_run(argv, "/dev/null", SECONDS, NULL, NULL);
    fails = status > 0 && status < PROCESS_NOT_STARTED;
  }
  close(file);
  return fails;
}

void yosys_command(words_t *command) {
  static int by_name = -1;
  if (by_name < 0)
    by_name = fails_on("typedef struct packed { logic [1:0] a; logic b; } t;\n"
                       "module m(input wire t x, output logic y); assign y = x.b; endmodule\n");
  words_split(command, "yosys -q", " ");
  if (by_name) words_split(command, "-D LOCKSTACK_TYPES_BY_NAME", " ");
}
