/* SPDX-License-Identifier: Apache-2.0
 *
 * UTF-8 against its definition. Each code point's bytes are one character and decode to it. Every
 * other sequence of up to four bytes (with all first and second bytes) is none. Then texts as
 * others send them, and JSON of such texts, which loses nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json_sure.h"
#include "unit_test.h"
#include "utf8.h"

/* How many bytes a character has by the bits of its first one; 0: none begins so. */
static size_t bytes_of_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >> 5 == 6) return 2;
  if (first >> 4 == 14) return 3;
  return first >> 3 == 30 ? 4 : 0;
}

/* How many bytes a code point has in UTF-8; 0 for -1. */
static size_t bytes_of_code(long code) {
  if (code < 0) return 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/* The code point of these bytes by the bits of the first one, or -1 if they are none. It does
 * not use utf8.c's table. */
static long decode_by_bits(const unsigned char *p, size_t left) {
  static const long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t n = bytes_of_first(*p);
  if (!n || n > left) return -1;
  long code = n == 1 ? *p : *p & (0xff >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if (p[i] >> 6 != 2) return -1;
    code = code << 6 | (p[i] & 63);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? -1 : code;
}

/* All first and second bytes, with third and fourth bytes at the ends of their ranges. */
static void test_lengths(void **state) {
  static const unsigned char rest[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
  unsigned char bytes[4];
  (void)state;
  for (unsigned first = 0; first < 256; first++)
    for (unsigned second = 0; second < 256; second++)
      for (unsigned i = 0; i < sizeof rest * sizeof rest; i++)
        for (size_t left = 1; left <= 4; left++) {
          memcpy(bytes,
                 (unsigned char[]){(unsigned char)first, (unsigned char)second, rest[i % sizeof rest],
                                   rest[i / sizeof rest]},
                 4);
          const long code = decode_by_bits(bytes, left);
          const size_t want = bytes_of_code(code);
          if (utf8_length((char *)bytes, left) != want)
            fail_msg("%02x %02x %02x %02x, %zu left", bytes[0], bytes[1], bytes[2], bytes[3], left);
        }
  assert_int_equal(utf8_length("a", 0), 0);
}

static const struct {
  const char *from, *to;
} texts[] = {
    {"", ""},
    {"plain \t\n\x01\x7f", "plain \t\n\x01\x7f"},
    {"Gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x98\x80",
     "Gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"Gr\xf6\xdf"
     "e",
     "Gr??e"},
    {"\x80\xbf\xfe\xff", "????"},
    {"\xc0\x80 \xc1\xbf \xe0\x80\xaf \xf0\x80\x80\xaf", "?? ?? ??? ????"},
    {"\xed\x9f\xbf \xed\xa0\x80 \xed\xbf\xbf \xee\x80\x80", "\xed\x9f\xbf ??? ??? \xee\x80\x80"},
    {"\xf4\x8f\xbf\xbf \xf4\x90\x80\x80 \xf5\x80\x80\x80", "\xf4\x8f\xbf\xbf ???? ????"},
    {"\xc3", "?"},
    {"\xe2\x82", "??"},
    {"\xf0\x9f\x98", "???"},
    {"\xe2\x82\x41 \xc3\xc3\xb6", "??A ?\xc3\xb6"},
};

/* Bytes that are no character become one ? each: Latin-1, overlong forms, surrogates, texts that
 * end early. */
static void test_clean(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[64];
    strcpy(text, texts[i].from);
    assert_int_equal(utf8_valid(text), !strcmp(texts[i].from, texts[i].to));
    assert_ptr_equal(utf8_clean(text), text);
    assert_string_equal(text, texts[i].to);
    assert_true(utf8_valid(text));
  }
  char bytes[] = {'a', 0, (char)0xc3, 0, (char)0xc3, (char)0xb6, (char)0xe2};
  utf8_clean_bytes(bytes, sizeof bytes);
  assert_memory_equal(bytes, "a ? \xc3\xb6?", sizeof bytes);
}

/* A byte alone is a character below 0x80 only; any other becomes a question mark. */
static void test_each_byte(void **state) {
  (void)state;
  for (unsigned byte = 1; byte < 256; byte++) {
    char text[2] = {(char)byte, 0};
    utf8_clean(text);
    assert_int_equal((unsigned char)*text, byte < 0x80 ? byte : '?');
  }
}

/* json_pack() with texts that are no UTF-8, NaN and NULL. */
static void test_json(void **state) {
  (void)state;
  json_t *o =
      json_pack("{s:s, s:[s, i, s?], s:f, s:o, s:b, s:n, s:s%}", "text",
                "Gr\xf6\xdf"
                "e",
                "list", "\xff", 7, NULL, "ratio", 0.0 / 0.0, "more", json_pack("{s:I}", "n", (json_int_t)1 << 40),
                "yes", 1, "nothing", "cut", "\xe2\x82\xac", (size_t)2);
  json_object_set_new(o, "k\xe9y", json_string("\x80"));
  char *text = json_dumps(o, JSON_COMPACT);
  assert_string_equal(
      text,
      "{\"text\":\"Gr??e\",\"list\":[\"?\",7,null],\"ratio\":null,\"more\":{\"n\":1099511627776},\"yes\":true,\"nothing\":null,"
      "\"cut\":\"??\",\"k?y\":\"?\"}");
  free(text);
  json_decref(o);
}

/* The exit status of a process that makes JSON with a member that is NULL. */
static int status_without(int kind) {
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(9);
    json_t *o = json_object(), *a = json_array();
    if (kind == 0) json_object_set_new(o, "k", json_object_get(o, "none"));
    if (kind == 1) json_array_append_new(a, json_object_get(o, "none"));
    if (kind == 2) json_object_update_new(o, json_object_get(o, "none"));
    if (kind == 3) json_pack("{s:o}", "k", json_object_get(o, "none"));
    if (kind == 4) json_pack("{s:s}", "k", json_string_value(o));
    if (kind == 5) json_pack("{s:x}", "k", 1);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Each such call ends the process with 3 and a line, instead of an object without the member. */
static void test_no_member_is_lost(void **state) {
  (void)state;
  for (int kind = 0; kind <= 5; kind++) assert_int_equal(status_without(kind), 3);
  assert_int_equal(status_without(6), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_clean),
                                     cmocka_unit_test(test_each_byte), cmocka_unit_test(test_json),
                                     cmocka_unit_test(test_no_member_is_lost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
