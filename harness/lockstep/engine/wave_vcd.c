/* SPDX-License-Identifier: Apache-2.0 */
#include "wave_vcd.h"

#include <errno.h>
#include <gtkwave/fstapi.h>
#include <stdio.h>
#include <string.h>

#include "whole.h"

bool wave_is_vcd(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".vcd");
}

int wave_to_vcd(const char *fst, const char *vcd) {
  whole_t whole;
  void *reader = fstReaderOpen(fst);
  FILE *file = reader ? fopen(whole_begin(&whole, vcd), "w") : NULL;
  if (!file) {
    const int error = errno ? errno : EIO;
    if (reader) fstReaderClose(reader);
    return error;
  }
  errno = 0;
  bool good = fstReaderProcessHier(reader, file); /* this call reads how many signals there are */
  fstReaderSetFacProcessMaskAll(reader);
  good = good && fstReaderIterBlocks(reader, NULL, NULL, file);
  fstReaderClose(reader);
  int error = errno ? errno : EIO;
  if (good) error = 0;
  return whole_end(&whole, whole_close(file, error));
}
