/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of fat binaries: which entry it takes, each form of compression, and each refusal. A
 * fat binary is a head of 16 bytes and entries, each with a head of 64 bytes and data padded to 8.
 */
#include <lz4.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

#include "image.h"

enum { HEAD = 16, ENTRY = 64, ROOM = 4096, PTX = 1, CODE = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

typedef struct {
  uint8_t bytes[ROOM];
  size_t size;
} fat_t;

/* A number of so many bytes, the lowest first. */
static void put_little_endian(uint8_t *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes the head: magic, version, its own size, and the size of all entries. */
static void finish_fat(fat_t *f) {
  put_little_endian(f->bytes, 0xBA55ED50, 4);
  put_little_endian(f->bytes + 4, 1, 2);
  put_little_endian(f->bytes + 6, HEAD, 2);
  put_little_endian(f->bytes + 8, f->size - HEAD, 8);
}

/* A fat binary without entries. */
static fat_t begin_fat(void) {
  fat_t f = {.size = HEAD};
  finish_fat(&f);
  return f;
}

/* Appends an entry. `whole` is the size without compression, 0 for plain data. Returns its
 * place. */
static uint8_t *add_entry(fat_t *f, unsigned kind, unsigned arch, unsigned flags, const void *data, size_t size,
                          size_t whole) {
  uint8_t *head = f->bytes + f->size;
  const size_t padded = (size + 7) / 8 * 8;
  put_little_endian(head, kind, 2);
  put_little_endian(head + 4, ENTRY, 4);
  put_little_endian(head + 8, padded, 8);
  put_little_endian(head + 16, whole ? size : 0, 4);
  put_little_endian(head + 28, arch, 4);
  put_little_endian(head + 40, flags, 8);
  put_little_endian(head + 56, whole, 8);
  memcpy(head + ENTRY, data, size);
  f->size += ENTRY + padded;
  finish_fat(f);
  return head;
}

/* For a device of compute capability 7.5 the image gives this text, of this architecture. */
static void expect_ptx(const void *image, size_t size, const char *text, unsigned arch) {
  image_ptx_t ptx;
  trouble_t trouble = {0};
  assert_int_equal(image_read(image, size, 75, &ptx, &trouble), IMAGE_TEXT);
  assert_string_equal(ptx.text, text);
  assert_int_equal(ptx.size, strlen(text));
  assert_int_equal(ptx.arch, arch);
  assert_string_equal(trouble.text, "");
  free(ptx.text);
}

/* The image has no text for that device, and the message contains `line`. */
static void expect_no_ptx(const void *image, size_t size, image_found_t found, const char *line) {
  image_ptx_t ptx;
  trouble_t trouble = {0};
  assert_int_equal(image_read(image, size, 75, &ptx, &trouble), found);
  assert_null(ptx.text);
  if (!strstr(trouble.text, line)) fail_msg("'%s' does not say '%s'", trouble.text, line);
}

/* PTX by itself, with or without zero bytes behind it, and files that are neither PTX nor fat
 * binaries. */
static void test_text(void **state) {
  (void)state;
  expect_ptx(".version 7.0", 12, ".version 7.0", 0);
  expect_ptx(".version 7.0\0\0", 14, ".version 7.0", 0); /* with the zero bytes behind it */
  expect_no_ptx("", 0, IMAGE_BAD, "neither PTX nor a fat binary");
  expect_no_ptx("\0\0\0\0", 4, IMAGE_BAD, "neither PTX nor a fat binary");
  expect_no_ptx("one\0two", 7, IMAGE_BAD, "neither PTX nor a fat binary");
  expect_no_ptx("\177ELF and more", 13, IMAGE_NO_PTX, "machine code; PTX, as nvcc --ptx");
}

/* The latest architecture up to the device's 75 counts; if all are later, the earliest. */
static void test_choice(void **state) {
  (void)state;
  fat_t f = begin_fat();
  expect_no_ptx(f.bytes, f.size, IMAGE_NO_PTX,
                "a fat binary is empty; compiled with -gencode arch=compute_75,code=compute_75");
  add_entry(&f, CODE, 75, 0x11, "code", 4, 0);
  expect_no_ptx(f.bytes, f.size, IMAGE_NO_PTX, "machine code alone; compiled with -gencode");
  add_entry(&f, PTX, 90, 0x11, "ninety\0", 7, 0);
  expect_ptx(f.bytes, f.size, "ninety", 90);
  add_entry(&f, PTX, 80, 0x11, "eighty\0", 7, 0);
  expect_ptx(f.bytes, f.size, "eighty", 80); /* the earliest, where all are too late */
  add_entry(&f, PTX, 50, 0x11, "fifty\0", 6, 0);
  expect_ptx(f.bytes, f.size, "fifty", 50);
  add_entry(&f, PTX, 70, 0x11, "seventy\0", 8, 0);
  add_entry(&f, PTX, 60, 0x11, "sixty\0", 6, 0);
  add_entry(&f, PTX, 100, 0x11, "hundred\0", 8, 0);
  expect_ptx(f.bytes, f.size, "seventy", 70);
  expect_ptx(f.bytes, sizeof f.bytes, "seventy", 70); /* what is behind it is not looked at */
}

/* LZ4 and Zstandard; each wrong size and damaged data is refused. */
static void test_compressed(void **state) {
  (void)state;
  char text[600], small[2048];
  for (unsigned i = 0; i < sizeof text - 1; i++) text[i] = (char)('a' + i % 7);
  text[sizeof text - 1] = 0;
  fat_t f = begin_fat();
  const size_t lz4 = (size_t)LZ4_compress_default(text, small, sizeof text, sizeof small);
  uint8_t *entry = add_entry(&f, PTX, 70, 0x11 | LZ4, small, lz4, sizeof text);
  expect_ptx(f.bytes, f.size, text, 70);
  put_little_endian(entry + 56, sizeof text + 1, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "cannot be decompressed");
  put_little_endian(entry + 56, 0, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "compressed entry of an impossible size");
  put_little_endian(entry + 56, UINT64_MAX, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "compressed entry of an impossible size");
  put_little_endian(entry + 56, sizeof text, 8);
  put_little_endian(entry + 16, lz4 + 100, 4);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "more compressed data than it has bytes");
  f = begin_fat();
  entry =
      add_entry(&f, PTX, 70, 0x11 | ZSTD, small, ZSTD_compress(small, sizeof small, text, sizeof text, 3), sizeof text);
  expect_ptx(f.bytes, f.size, text, 70);
  entry[ENTRY + 5] ^= 0xff;
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "cannot be decompressed");
}

/* A list of images to be linked, each with its size before it: 4 + 4 bytes of head, 8 + 3 and 8
 * + 5 of images, 32 in all. A list that ends too early has no such image, and a size that would
 * go round the address space is none. Another image is a list of itself. */
static void test_link(void **state) {
  (void)state;
  uint8_t image[64];
  size_t size = sizeof image;
  put_little_endian(image, IMAGE_LINK, 4);
  put_little_endian(image + 4, 2, 4);
  put_little_endian(image + 8, 3, 8);
  memcpy(image + 16, "one", 3);
  put_little_endian(image + 19, 5, 8);
  memcpy(image + 27, "three", 5);
  assert_int_equal(image_count(image, 32), 2);
  const uint8_t *at = image_at(image, 0, (size = 32, &size));
  assert_true(at == image + 16 && size == 3);
  at = image_at(image, 1, (size = 32, &size));
  assert_true(at == image + 27 && size == 5);
  assert_null(image_at(image, 1, (size = 31, &size)));
  assert_null(image_at(image, 2, (size = 32, &size)));
  put_little_endian(image + 8, UINT64_MAX - 8, 8);
  assert_null(image_at(image, 1, (size = 32, &size)));
  at = image_at("text", 0, (size = 4, &size));
  assert_int_equal(image_count("text", 4), 1);
  assert_true(at && size == 4);
}

/* Sizes in heads that cannot be: nothing is read beyond the image. Each is put right before the
 * next one. */
static void test_damaged(void **state) {
  (void)state;
  fat_t f = begin_fat();
  uint8_t *entry = add_entry(&f, PTX, 70, 0x11, "text\0\0\0", 8, 0);
  expect_no_ptx(f.bytes, f.size - 1, IMAGE_BAD, "shorter than its head says");
  put_little_endian(f.bytes + 6, 8, 2);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "has a head of an impossible size");
  put_little_endian(f.bytes + 6, 60000, 2);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "has a head of an impossible size");
  finish_fat(&f);
  put_little_endian(f.bytes + 8, f.size - HEAD - 4, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "ends within an entry");
  put_little_endian(f.bytes + 8, 30, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "ends within the head of an entry");
  finish_fat(&f);
  put_little_endian(entry + 4, 63, 4);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "head has an impossible size");
  put_little_endian(entry + 4, 5000, 4);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "head has an impossible size");
  put_little_endian(entry + 4, ENTRY, 4);
  put_little_endian(entry + 8, UINT64_MAX, 8);
  expect_no_ptx(f.bytes, f.size, IMAGE_BAD, "ends within an entry");
  put_little_endian(entry + 8, 8, 8);
  expect_ptx(f.bytes, f.size, "text", 70);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_choice),
                                     cmocka_unit_test(test_compressed), cmocka_unit_test(test_link),
                                     cmocka_unit_test(test_damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
