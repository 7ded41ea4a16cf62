/* SPDX-License-Identifier: Apache-2.0
 *
 * A replay file, for the device of the engine's own tests. Each input is read as it is and once
 * more with its last line replaced by the right checksum, which no fuzzer would guess. What was
 * read can be written and read again.
 */
#include "replay.h"

#include "fake_dut.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A few bytes may ask for 2^32 idle cycles, which is
 * a long recording, not a mistake of the file. */
enum { MOST_CYCLES = 100000 };

static void read_all(const char *path, bool whole) {
  const dut_t *dut = fake_dut();
  static replay_t replay;
  trouble_t trouble = {0};
  trace_t trace;
  if (!replay_read(path, &replay, NULL, NULL, &trouble)) fuzz_check_error(trouble.text);
  if (replay.cycles > MOST_CYCLES) return;
  trace_init(&trace, dut->in_size);
  if (!replay_read(path, &replay, dut, &trace, &trouble)) fuzz_check_error(trouble.text);
  else {
    fuzz_check(trace.count == replay.cycles, "a recording has the cycles it says");
    if (whole && replay_write(path, &replay, dut, &trace, &trouble)) read_all(path, false);
    else fuzz_check(!whole, "what was read can be written");
  }
  trace_free(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_all(fuzz_file(data, size), true);
  size_t keep = size && data[size - 1] == '\n' ? size - 1 : size;
  while (keep && data[keep - 1] != '\n') keep--;
  char *text = malloc(keep + 32);
  if (!text) return 0;
  if (keep) memcpy(text, data, keep);
  unsigned long crc = crc32(crc32(0, NULL, 0), (const Bytef *)text, (unsigned)keep);
  size_t n = keep + (size_t)sprintf(text + keep, "end crc32=%08lx\n", crc);
  read_all(fuzz_file((const uint8_t *)text, n), true);
  free(text);
  return 0;
}
