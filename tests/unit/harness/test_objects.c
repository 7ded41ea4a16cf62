/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects as files: when an object counts as fresh, and when not. Snapshots of sources: names,
 * texts, and files that are left over from another build.
 */
#include "file.h"
#include "object.h"
#include "object_file.h"
#include "snapshot.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/objects-XXXXXX";
static char tree[64], object[64], source[64], other[64];

/* Writes a file of this text. */
static void write_text_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(root)) return -1;
  snprintf(tree, sizeof tree, "%s/tree", root);
  snprintf(object, sizeof object, "%s/object.so", root);
  snprintf(source, sizeof source, "%s/tree/a.sv", root);
  snprintf(other, sizeof other, "%s/tool", root);
  return mkdir(tree, 0777);
}

static int remove_folder(void **state) {
  (void)state;
  return file_remove_all(root) ? 0 : -1;
}

/* An object of these bytes, made of a file of the tree and one outside of it, with a side file
 * and a manifest at its end. */
static void make_object_with(const char *tools) {
  static const char *const sides[] = {"side.txt", NULL};
  char side[80];
  manifest_t m = {.request = strdup("request block=a"), .tools = strdup(tools)};
  trouble_t trouble;
  write_text_file(object, "these are the linker's bytes");
  write_text_file(source, "module a; endmodule\n");
  write_text_file(other, "a program");
  snprintf(side, sizeof side, "%s/side.txt", root);
  write_text_file(side, "beside");
  assert_true(content_note(&m.files, source, &trouble) && content_note(&m.files, other, &trouble));
  assert_true(object_file_finish(object, tree, root, sides, &m, &trouble));
  manifest_free(&m);
}

static void make_object(void) {
  make_object_with("gcc 12");
}

/* The object counts. missing_tools: also if tools outside of the tree are not there. */
static bool is_fresh(bool missing_tools) {
  manifest_t m;
  const bool is = object_file_fresh(object, tree, "", missing_tools, &m);
  if (is) manifest_free(&m);
  return is;
}

/* Request, tools and files come back; files of the tree are named from the tree that asks. */
static void whole(void **state) {
  (void)state;
  manifest_t m;
  make_object();
  assert_true(object_file_read(object, tree, &m));
  assert_string_equal(m.request, "request block=a");
  assert_string_equal(m.tools, "gcc 12");
  assert_int_equal(m.files.count, 2);
  assert_non_null(content_find(&m.files, source)); /* by the tree that it is read for */
  manifest_free(&m);
  assert_true(object_file_read(object, "/another/tree", &m));
  assert_non_null(content_find(&m.files, "/another/tree/a.sv"));
  manifest_free(&m);
  char *text = object_file_side(object, "side.txt");
  assert_string_equal(text, "beside");
  free(text);
  assert_null(object_file_side(object, "none.txt"));
  assert_true(is_fresh(false));
}

/* The same content gives the same key, whenever it was made. */
static void keys(void **state) {
  (void)state;
  manifest_t m;
  char key[CONTENT_SUM];
  make_object();
  assert_true(object_file_read(object, tree, &m));
  snprintf(key, sizeof key, "%s", m.key);
  manifest_free(&m);
  make_object();
  assert_true(object_file_read(object, tree, &m));
  assert_string_equal(m.key, key);
  manifest_free(&m);
}

/* An object that is cut at any byte is none: its end says how long it is. */
static void cut_short(void **state) {
  (void)state;
  manifest_t m;
  struct stat info;
  make_object();
  assert_int_equal(stat(object, &info), 0);
  for (off_t size = info.st_size - 1; size >= 0; size--) {
    assert_int_equal(truncate(object, size), 0);
    assert_false(object_file_read(object, tree, &m));
    assert_false(is_fresh(false));
  }
}

/* An object with one other byte is none: in the linker's part, the side file, the manifest or
 * the footer. Every fifth byte is tried. */
static void changed_byte(void **state) {
  (void)state;
  struct stat info;
  make_object();
  assert_int_equal(stat(object, &info), 0);
  for (off_t at = 0; at < info.st_size; at += 5) {
    make_object();
    FILE *file = fopen(object, "r+");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
    assert_false(is_fresh(false));
  }
}

/* A file that the object was made of has changed or is gone, even with the old times. Only tools
 * outside of the tree may be missing. */
static void changed_files(void **state) {
  (void)state;
  struct stat info;
  make_object();
  assert_int_equal(stat(source, &info), 0);
  write_text_file(source, "module b; endmodule\n"); /* as long, and as old: */
  assert_int_equal(utimensat(AT_FDCWD, source, (struct timespec[]){info.st_atim, info.st_mtim}, 0), 0);
  assert_false(is_fresh(false));
  make_object();
  write_text_file(other, "a newer program");
  assert_false(is_fresh(false));
  assert_false(is_fresh(true));
  unlink(other);
  assert_false(is_fresh(false));
  assert_true(is_fresh(true)); /* built elsewhere, by a tool that is not here */
  unlink(source);
  assert_false(is_fresh(true));
}

/* An object that other recipes, or another emitter, have made of the same files. */
static void other_generators(void **state) {
  (void)state;
  char tools[128];
  snprintf(tools, sizeof tools, "gcc 12; %s", object_generators());
  make_object_with(tools);
  assert_true(object_fresh(object, tree, false));
  tools[strlen(tools) - 1] ^= 1;
  make_object_with(tools);
  assert_false(object_fresh(object, tree, false));
  assert_true(object_fresh(object, tree, true)); /* it came with the command */
  make_object_with("gcc 12");                    /* by a command that did not say */
  assert_false(object_fresh(object, tree, false));
}

/* Stamps of another object, or nonsense, are not believed: the sources are read instead, and a
 * change shows. */
static void stamps(void **state) {
  (void)state;
  char path[80];
  make_object();
  assert_true(is_fresh(false));
  snprintf(path, sizeof path, "%s.stamps", object);
  write_text_file(path, "");
  assert_true(is_fresh(false));
  write_text_file(path, "0000\nnonsense\n");
  assert_true(is_fresh(false));
  write_text_file(source, "module b; endmodule\n");
  assert_false(is_fresh(false));
}

/* A copy's name has no odd characters, its text names the original in a `line directive, and
 * messages about copies name the originals again. */
static void copies(void **state) {
  (void)state;
  snapshot_t s;
  trouble_t trouble;
  words_t names = {0};
  char odd[96], path[160];
  snprintf(odd, sizeof odd, "%s/a b\xc3\xbc.sv", root);
  write_text_file(source, "module a; endmodule\n");
  write_text_file(odd, "module b; endmodule\n");
  snapshot_begin(&s, root, tree);
  assert_true(snapshot_take(&s, source, SNAPSHOT_VERILOG, &trouble) &&
              snapshot_take(&s, odd, SNAPSHOT_PLAIN, &trouble));
  assert_string_equal(s.copies.at[0], "src/tree/a.sv");
  snprintf(path, sizeof path, "src/at%s/a_x20b_xc3_xbc.sv", root);
  assert_string_equal(s.copies.at[1], path);
  assert_string_equal(snapshot_name(&s, tree, &names), "src/tree");
  assert_ptr_equal(snapshot_original(&s, "src/tree/a.sv"), content_find(&s.taken, source));
  assert_null(snapshot_original(&s, "src/tree/b.sv"));
  snprintf(path, sizeof path, "%s/src/tree/a.sv", root);
  char *text = file_read(path), line[128];
  snprintf(line, sizeof line, "`line 1 \"%s\" 0\nmodule a; endmodule\n", source);
  assert_string_equal(text, line);
  free(text);
  text = snapshot_say(&s, s.copies.at[1]);
  assert_string_equal(text, odd);
  free(text);
  text = snapshot_say(&s, "src/tree/x.c:3: error; src/at/usr/y.h");
  snprintf(line, sizeof line, "%s/x.c:3: error; /usr/y.h", tree);
  assert_string_equal(text, line);
  free(text);
  words_free(&names);
  snapshot_free(&s);
  snapshot_begin(&s, root, tree); /* the next build does not want a.sv */
  assert_true(snapshot_take(&s, odd, SNAPSHOT_PLAIN, &trouble));
  snapshot_end(&s);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_false(snapshot_take(&s, "/nowhere/x.sv", SNAPSHOT_PLAIN, &trouble));
  assert_string_equal(trouble.text, "/nowhere/x.sv: No such file or directory");
  assert_false(snapshot_take(&s, tree, SNAPSHOT_PLAIN, &trouble));
  snapshot_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole),         cmocka_unit_test(keys),
                                     cmocka_unit_test(cut_short),     cmocka_unit_test(changed_byte),
                                     cmocka_unit_test(changed_files), cmocka_unit_test(stamps),
                                     cmocka_unit_test(copies),        cmocka_unit_test(other_generators)};
  return cmocka_run_group_tests_name("objects", tests, make_folder, remove_folder);
}
