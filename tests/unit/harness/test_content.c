/* SPDX-License-Identifier: Apache-2.0
 *
 * Files by content: what counts as a change, whatever a file's times say. Sums are SHA-256.
 */
#include "content.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cmocka.h>

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" /* FIPS 180-2, B.1 */
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static char folder[] = "/tmp/content-XXXXXX";
static char file_a[64], file_b[64];

/* Writes the file and sets its time of modification. */
static void write_dated_file(const char *path, const char *text, time_t mtime) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  const struct timespec times[2] = {{mtime, 0}, {mtime, 0}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(file_a, sizeof file_a, "%s/a.sv", folder);
  snprintf(file_b, sizeof file_b, "%s/b c.sv", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(file_a), unlink(file_b);
  return rmdir(folder);
}

/* Sums of "abc" and of nothing, as published. A folder or a file that is not there has none. */
static void sums_are_sha256(void **state) {
  (void)state;
  char sum[CONTENT_SUM];
  write_dated_file(file_a, "abc", 1000000000);
  assert_true(content_sum(file_a, sum));
  assert_string_equal(sum, ABC);
  content_sum_bytes("", 0, sum);
  assert_string_equal(sum, EMPTY);
  assert_false(content_sum("/tmp", sum)); /* a folder */
  assert_false(content_sum("/nowhere/a", sum));
}

/* A file has changed if its bytes have: a new time alone is no change, an old time hides none. A
 * file that was not there has changed when it is, and the other way round. */
static void changes(void **state) {
  (void)state;
  content_t c = {0};
  trouble_t trouble;
  size_t read;
  write_dated_file(file_a, "abc", 1000000000);
  assert_true(content_note(&c, file_a, &trouble));
  content_note_none(&c, file_b);
  assert_null(content_changed(&c, &read));
  assert_int_equal(read, 0); /* written a moment ago: its times prove nothing yet, and are not to be kept */
  write_dated_file(file_a, "abd", 1000000000);
  assert_ptr_equal(content_changed(&c, NULL), content_find(&c, file_a)); /* size and mtime are as they were */
  write_dated_file(file_a, "abc", 900000000);
  assert_null(content_changed(&c, NULL)); /* the same text again, and older */
  write_dated_file(file_b, "", 1000000000);
  assert_ptr_equal(content_changed(&c, NULL), content_find(&c, file_b)); /* was not there */
  unlink(file_b);
  unlink(file_a);
  assert_ptr_equal(content_changed(&c, NULL), content_find(&c, file_a)); /* is not there */
  content_free(&c);
}

/* Reading is saved where size, inode and times are those of the last look, and lie long enough
 * ago. */
static void stamps(void **state) {
  (void)state;
  content_t c = {0};
  trouble_t trouble;
  struct stat info;
  size_t read;
  assert_true(content_note(&c, "/proc/self/exe", &trouble) || content_note(&c, "/bin/sh", &trouble));
  assert_null(content_changed(&c, &read));
  write_dated_file(file_a, "abc", 1000000000);
  assert_true(content_note(&c, file_a, &trouble));
  content_file_t *f = content_find(&c, file_a);
  assert_int_equal(f->stamp.size, -1);
  assert_int_equal(stat(file_a, &info), 0);
  assert_true(content_look(file_a, &f->stamp));
  assert_int_equal(f->stamp.inode, info.st_ino);
  assert_int_equal(f->stamp.size, info.st_size);
  assert_int_equal(f->stamp.mtime_ns, 1000000000LL * info.st_mtim.tv_sec + info.st_mtim.tv_nsec);
  assert_int_equal(f->stamp.ctime_ns, 1000000000LL * info.st_ctim.tv_sec + info.st_ctim.tv_nsec);
  memset(f->sum, '0', CONTENT_SUM - 1); /* what a read would refute */
  assert_null(content_changed(&c, NULL));
  f->stamp.inode++;
  assert_ptr_equal(content_changed(&c, NULL), f);
  content_free(&c);
}

/* On a tmpfs a write through mmap leaves the times alone, so stamps there are never believed. On
 * ext4 they are. */
static void file_systems(void **state) {
  (void)state;
  struct statfs system;
  const int memory = memfd_create("content", MFD_CLOEXEC), disk = open("/bin/sh", O_RDONLY | O_CLOEXEC);
  assert_true(memory >= 0 && disk >= 0);
  assert_int_equal(content_stamp(memory).size, -1);
  assert_int_equal(fstatfs(disk, &system), 0);
  if (system.f_type == 0xef53) assert_true(content_stamp(disk).size > 0); /* ext4 */
  close(memory), close(disk);
}

/* A link to a folder is the folder where it leads: its change is a change, and so is a link that
 * is gone. */
static void links(void **state) {
  (void)state;
  content_t c = {0};
  trouble_t trouble;
  char link[64], path[72];
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(path, sizeof path, "%s/", link);
  assert_int_equal(symlink("/usr", link), 0);
  assert_true(content_note(&c, path, &trouble));
  assert_null(content_changed(&c, NULL));
  unlink(link);
  assert_non_null(content_changed(&c, NULL));
  assert_int_equal(symlink("/", link), 0);
  assert_non_null(content_changed(&c, NULL));
  unlink(link);
  content_free(&c);
}

/* A content as a text and back. A key stands for all sums: it changes with one digit of one of
 * them. A text that is cut short is refused. */
static void texts(void **state) {
  (void)state;
  content_t c = {0}, again = {0};
  trouble_t trouble;
  char *text = NULL, key[CONTENT_SUM], other[CONTENT_SUM];
  size_t size = 0;
  write_dated_file(file_a, "abc", 1000000000);
  write_dated_file(file_b, "", 1000000000);
  assert_true(content_note(&c, file_b, &trouble) && content_note(&c, file_a, &trouble));
  content_note_none(&c, "/nowhere/x.sv");
  assert_false(content_note(&c, "/nowhere/y.sv", &trouble));
  assert_string_equal(trouble.text, "/nowhere/y.sv: No such file or directory");
  FILE *stream = open_memstream(&text, &size);
  content_write(&c, stream);
  fclose(stream);
  assert_true(content_read(&again, text));
  assert_int_equal(again.count, 3);
  assert_string_equal(content_find(&again, file_b)->sum, EMPTY);
  content_key(&c, key), content_key(&again, other);
  assert_string_equal(key, other);
  content_find(&again, file_b)->sum[5] ^= 1;
  content_key(&again, other);
  assert_string_not_equal(key, other);
  content_free(&again);
  text[size - 1] = 0; /* cut short */
  assert_false(content_read(&again, text));
  content_free(&again);
  assert_false(content_read(&again, "abc 1 2 3 4 5 /x\n"));
  assert_false(content_read(&again, "- 1 2 3 4 5\n"));
  content_free(&again);
  content_free(&c);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_sha256), cmocka_unit_test(changes),
                                     cmocka_unit_test(stamps),          cmocka_unit_test(file_systems),
                                     cmocka_unit_test(links),           cmocka_unit_test(texts)};
  return cmocka_run_group_tests_name("content", tests, make_folder, remove_folder);
}
