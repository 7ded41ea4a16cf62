/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of tools besides their files. Programs are large, so the user's cache folder keeps
 * their checksums, by the rules of content.h.
 */
#include "surroundings.h"

#include "file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const surrounding_t surroundings[] = {
    {"gcc",
     true,
     {"$PATH/gcc", "$PATH/g++", "$PATH/as", "$PATH/ld", "$PATH/ninja", "$PATH/awk", "$CPATH", "$C_INCLUDE_PATH",
      "$CPLUS_INCLUDE_PATH", "$LIBRARY_PATH", "$COMPILER_PATH", "$GCC_EXEC_PREFIX", "$LD_LIBRARY_PATH",
      "$SOURCE_DATE_EPOCH"}},
    {"verilator", true, {"$PATH/verilator", "$PATH/verilator_bin", "$VERILATOR_ROOT", "$VERILATOR_BIN"}},
    {"yosys", true, {"$PATH/yosys", "$PATH/yosys-abc", "$PATH/yosys-config", "$LOCKSTACK_NETLIST_FAULT"}},
    {"iverilog", true, {"$PATH/iverilog", "$PATH/vvp", "$IVERILOG_VPI_MODULE_PATH"}},
    {"z3", false, {"$PATH/z3", "$PATH/yosys-smtbmc"}},
    {"ghdl", false, {"$PATH/ghdl"}},
    {"python3", false, {"$PATH/python3", "$PYTHONPATH", "$PYTHONHOME"}},
    {NULL, false, {NULL}}};

bool surroundings_find(const char *program, char path[PLAIN_PATH]) {
  const char *folders = getenv("PATH");
  for (size_t n; folders && *folders; folders += n + (folders[n] == ':')) {
    n = strcspn(folders, ":");
    if (n && snprintf(path, PLAIN_PATH, "%.*s/%s", (int)n, folders, program) < PLAIN_PATH && access(path, X_OK) == 0)
      return true;
  }
  return false;
}

const char *surroundings_program(const char *name) {
  static const char path[] = "$PATH/";
  return strncmp(name, path, sizeof path - 1) ? NULL : name + sizeof path - 1;
}

/* ---- sums that are kept */

static content_t kept;
static bool kept_read;

static bool kept_file(char file[PLAIN_PATH + 16]) {
  char folder[PLAIN_PATH];
  if (!plain_cache(NULL, folder)) return false;
  snprintf(file, PLAIN_PATH + 16, "%s/programs", folder);
  return true;
}

static void read_kept(void) {
  char file[PLAIN_PATH + 16];
  char *text = !kept_read && kept_file(file) ? file_read(file) : NULL;
  if (text && !content_read(&kept, text)) content_free(&kept);
  kept_read = true;
  free(text);
}

/* Writes the checksums. A failure is harmless: the programs are summed again next time. */
static void write_kept(void) {
  char file[PLAIN_PATH + 16], part[PLAIN_PATH + 40];
  if (!kept_file(file)) return;
  snprintf(part, sizeof part, "%s.%ld", file, (long)getpid());
  FILE *out = fopen(part, "we");
  if (out) content_write(&kept, out);
  if (!out || fclose(out) || rename(part, file)) unlink(part);
}

static bool program_sum(const char *path, char sum[CONTENT_SUM]) {
  content_stamp_t stamp, now;
  read_kept();
  content_file_t *known = content_find(&kept, path);
  if (known && content_look(path, &now) && content_same_stamp(&known->stamp, &now))
    return snprintf(sum, CONTENT_SUM, "%s", known->sum), true;
  if (!content_sum_stamp(path, sum, &stamp)) return false;
  if (!known) content_note_sum(&kept, path, sum), known = content_find(&kept, path);
  if (!known) return true;
  snprintf(known->sum, sizeof known->sum, "%s", sum);
  known->stamp = stamp;
  if (stamp.size >= 0) write_kept();
  return true;
}

void surroundings_sum(const char *name, char sum[CONTENT_SUM]) {
  const char *program = surroundings_program(name), *value = program ? NULL : getenv(name + 1);
  char path[PLAIN_PATH], real[PATH_MAX], both[PATH_MAX + CONTENT_SUM + 2];
  snprintf(sum, CONTENT_SUM, "%s", CONTENT_NONE);
  if (value) content_sum_bytes(value, strlen(value), sum);
  if (!program || !surroundings_find(program, path) || !realpath(path, real)) return;
  if (!program_sum(real, sum)) *sum = 0; /* the program can be run but not read */
  snprintf(both, sizeof both, "%s %s", sum, real);
  content_sum_bytes(both, strlen(both), sum);
}
