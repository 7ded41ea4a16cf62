/* SPDX-License-Identifier: Apache-2.0
 *
 * fst_get FILE.fst TIME NAME... prints the values of signals in a waveform at a time, binary, one
 * to a line. A NAME is that of the file's hierarchy, "TOP.sum_o", without its range. The reader is
 * FST's own, which comes with Verilator.
 */
#include <gtkwave/fstapi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1024 };

static void drop_scope(char *scope) {
  char *dot = strrchr(scope, '.');
  if (dot) *dot = 0;
  else *scope = 0;
}

/* The signal's handle, 0: there is none. */
static fstHandle find_signal(void *fst, const char *wanted) {
  char scope[NAME] = "", name[2 * NAME];
  const struct fstHier *h;
  fstReaderIterateHierRewind(fst);
  while ((h = fstReaderIterateHier(fst))) {
    size_t n = strlen(scope);
    if (h->htyp == FST_HT_SCOPE) snprintf(scope + n, sizeof scope - n, "%s%s", n ? "." : "", h->u.scope.name);
    else if (h->htyp == FST_HT_UPSCOPE) drop_scope(scope);
    else if (h->htyp == FST_HT_VAR) {
      snprintf(name, sizeof name, "%s.%s", scope, h->u.var.name);
      name[strcspn(name, " ")] = 0; /* "sum_o [5:0]" */
      if (strcmp(name, wanted) == 0) return h->u.var.handle;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  static char value[1 << 16];
  void *fst = argc > 3 ? fstReaderOpen(argv[1]) : NULL;
  if (!fst) {
    fprintf(stderr, "fst_get: cannot read %s\n", argc > 1 ? argv[1] : "FILE TIME NAME...");
    return 2;
  }
  for (int i = 3; i < argc; i++) {
    fstHandle handle = find_signal(fst, argv[i]);
    if (!handle) {
      fprintf(stderr, "fst_get: %s has no signal %s\n", argv[1], argv[i]);
      return 1;
    }
    const char *text = fstReaderGetValueFromHandleAtTime(fst, strtoull(argv[2], NULL, 10), handle, value);
    printf("%s\n", text ? text : "?");
  }
  fstReaderClose(fst);
  return 0;
}
