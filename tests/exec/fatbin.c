/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a fat binary, as harness/cuda/exec/image.h describes it: fatbin OUT [plain|lz4|zstd|code
 * ARCH FILE]...
 */
#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

typedef struct {
  uint8_t *bytes;
  size_t size, whole; /* whole: before it was compressed; 0: it is not */
} data_t;

/* Ends the program with what is wrong. */
static _Noreturn void stop_with(const char *what) {
  fprintf(stderr, "fatbin: %s\n", what);
  exit(2);
}

/* A file of at most a MiB, with a zero byte behind it. */
static data_t read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  data_t d = {malloc(1 << 20), 0, 0};
  if (!file || !d.bytes) stop_with(path);
  d.size = fread(d.bytes, 1, (1 << 20) - 1, file);
  d.bytes[d.size++] = 0; /* PTX in a fat binary ends with a zero byte */
  fclose(file);
  return d;
}

/* The data compressed; the plain copy is freed. */
static data_t compress_with(const char *how, data_t d) {
  const size_t room = (size_t)LZ4_compressBound((int)d.size) + ZSTD_compressBound(d.size);
  data_t small = {malloc(room), 0, d.size};
  if (!small.bytes) stop_with("out of memory");
  small.size = !strcmp(how, "lz4")
                   ? (size_t)LZ4_compress_default((char *)d.bytes, (char *)small.bytes, (int)d.size, (int)room)
                   : ZSTD_compress(small.bytes, room, d.bytes, d.size, 3);
  free(d.bytes);
  return small;
}

/* The bit of an entry's flags that says how it is compressed. */
static unsigned compression_flag(const char *how) {
  if (!strcmp(how, "lz4")) return 0x2000;
  return !strcmp(how, "zstd") ? 0x8000 : 0;
}

/* A number of so many bytes, the lowest first. */
static void put_little_endian(uint8_t *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Appends an entry with its head of 64 bytes, padded to 8 bytes. */
static void add_entry(data_t *fat, const char *how, unsigned arch, data_t d) {
  const size_t padded = (d.size + 7) / 8 * 8;
  uint8_t *head = fat->bytes + fat->size;
  memset(head, 0, 64 + padded);
  put_little_endian(head, strcmp(how, "code") ? 1 : 2, 2);
  put_little_endian(head + 2, 0x101, 2);
  put_little_endian(head + 4, 64, 4);
  put_little_endian(head + 8, padded, 8);
  put_little_endian(head + 16, d.whole ? d.size : 0, 4);
  put_little_endian(head + 28, arch, 4);
  put_little_endian(head + 40, 0x11 | compression_flag(how), 8);
  put_little_endian(head + 56, d.whole, 8);
  memcpy(head + 64, d.bytes, d.size);
  fat->size += 64 + padded;
  free(d.bytes);
}

int main(int argc, char **argv) {
  data_t fat = {calloc(1, 1 << 22), 16, 0};
  if (argc < 2 || !fat.bytes) stop_with("fatbin OUT [plain|lz4|zstd|code ARCH FILE]...");
  for (int i = 2; i + 2 < argc; i += 3) {
    data_t d = read_file(argv[i + 2]);
    if (!strcmp(argv[i], "lz4") || !strcmp(argv[i], "zstd")) d = compress_with(argv[i], d);
    add_entry(&fat, argv[i], (unsigned)atoi(argv[i + 1]), d);
  }
  put_little_endian(fat.bytes, 0xBA55ED50, 4);
  put_little_endian(fat.bytes + 4, 1, 2);
  put_little_endian(fat.bytes + 6, 16, 2);
  put_little_endian(fat.bytes + 8, fat.size - 16, 8);
  FILE *out = fopen(argv[1], "wb");
  if (!out || fwrite(fat.bytes, 1, fat.size, out) != fat.size || fclose(out)) stop_with(argv[1]);
  return 0;
}
