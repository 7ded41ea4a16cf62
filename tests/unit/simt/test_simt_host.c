/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels ask of the host: printf against the host's own, assertions, and the names
 * by which they are called. What cannot be read or has no room is not printed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_host.h"
#include "unit_test.h"

enum { BASE = 0x1000, ARGS = 0x2000, BYTES = 0x9000 };

static uint8_t bytes[BYTES];

/* The kernel's memory: addresses from BASE to BYTES can be read. */
static bool read_bytes(void *ctx, uint64_t address, void *to, size_t size) {
  (void)ctx;
  if (address < BASE || address + size > BYTES) return false;
  memcpy(to, bytes + address, size);
  return true;
}
static const simt_host_memory_t memory = {read_bytes, NULL};

/* A text at an address, which is returned. */
static uint64_t place_text(uint64_t at, const char *text) {
  memcpy(bytes + at, text, strlen(text) + 1);
  return at;
}

/* What was printed since the last call. */
static char *take_printed(simt_host_text_t *t) {
  static char text[20000];
  memcpy(text, t->bytes, t->size);
  text[t->size] = 0;
  t->size = 0;
  return text;
}

/* One argument of so many bytes is taken and printed as wanted. */
static void check_print(const char *format, const void *arg, unsigned size, const char *want) {
  simt_host_text_t t = {0};
  memcpy(bytes + ARGS, arg, size);
  const int taken = simt_host_print(&t, &memory, place_text(BASE, format), ARGS);
  if (taken != 1) fail_msg("%s: %d arguments", format, taken);
  const char *got = take_printed(&t);
  if (strcmp(got, want)) fail_msg("%s: '%s', not '%s'", format, got, want);
  free(t.bytes);
}

#define HOST(format, value)                      \
  do {                                           \
    char want[6000];                             \
    snprintf(want, sizeof want, format, value);  \
    __typeof__(value) arg = value;               \
    check_print(format, &arg, sizeof arg, want); \
  } while (0)

/* Each conversion with flags, width, precision and length, by the host's snprintf. */
static void test_numbers(void **state) {
  (void)state;
  HOST("%d", -5);
  HOST("<%5d>", -5);
  HOST("<%-8d>", 77);
  HOST("<%+d>", 77);
  HOST("<% d>", 77);
  HOST("<%08d>", -77);
  HOST("<%.5d>", 77);
  HOST("<%12.5i>", -77);
  HOST("%u", 4000000000u);
  HOST("%x", 0xdeadbeefu);
  HOST("%#X", 0xdeadbeefu);
  HOST("%#o", 8u);
  HOST("%hhd", 77);
  HOST("%lld", -1234567890123456789ll);
  HOST("%ld", -1234567890123456789l);
  HOST("%llu", 18446744073709551615ull);
  HOST("%lx", 0x123456789abcdefl);
  HOST("%zu", (size_t)1 << 40);
  HOST("%c", 'x');
  HOST("<%4c>", 'x');
  HOST("%f", 1.5);
  HOST("<%10.3f>", -3.14159);
  HOST("<%-12e>", 12345.678);
  HOST("%g", 1e100);
  HOST("%G", (double)INFINITY);
  HOST("%a", 0.1);
  HOST("%.0f", 2.5);
  HOST("<%1000d>", 7);
  HOST("100%% %d %%d", 7);
}

/* Arguments lie side by side, each aligned to its size.
 * `*` takes one. What is no conversion stays as it stands. */
static void test_strings(void **state) {
  (void)state;
  simt_host_text_t t = {0};
  const uint64_t at = place_text(0x3000, "text");
  const struct {
    uint32_t a;
    double b;
    uint64_t s;
    int32_t width, c;
    uint64_t p;
  } args = {1, 2.5, at, -7, 9, 0xabcdef};
  memcpy(bytes + ARGS, &args, sizeof args);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "%u|%.1f|%8s|%*d|%p|"), ARGS), 6);
  assert_string_equal(take_printed(&t), "1|2.5|    text|9      |0xabcdef|");
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "nothing\n"), 0), 0);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "%y and %"), 0), 0); /* as they stand */
  assert_string_equal(take_printed(&t), "nothing\n%y and %");
  memcpy(bytes + ARGS, &at, sizeof at);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "<%.2s>"), ARGS), 1);
  assert_string_equal(take_printed(&t), "<te>");
  free(t.bytes);
}

/* Nothing of such a call is printed. */
static void test_unreadable(void **state) {
  (void)state;
  simt_host_text_t t = {0};
  const uint64_t nowhere = 0x10;
  assert_int_equal(simt_host_print(&t, &memory, nowhere, 0), -1);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "before %d"), nowhere), -1);
  memcpy(bytes + ARGS, &nowhere, sizeof nowhere);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "before %s"), ARGS), -1);
  assert_int_equal(simt_host_print(&t, &memory, place_text(BASE, "%s"), BYTES - 4), -1);
  assert_int_equal(t.size, 0);
  memset(bytes + 0x4000, 'a', BYTES - 0x4000); /* a string without an end within memory, longer than what is read */
  assert_int_equal(simt_host_print(&t, &memory, 0x4000, 0), 0);
  assert_int_equal(t.size, 4095);
  free(t.bytes);
}

/* Text beyond SIMT_HOST_ROOM is lost, a call at a time, and counted. */
static void test_room(void **state) {
  (void)state;
  simt_host_text_t t = {0};
  const uint64_t format = place_text(BASE, "0123456789abcde\n");
  for (unsigned i = 0; i < SIMT_HOST_ROOM / 16; i++) assert_int_equal(simt_host_print(&t, &memory, format, 0), 0);
  assert_int_equal(t.lost, 0);
  for (unsigned i = 0; i < 3; i++) simt_host_print(&t, &memory, format, 0);
  assert_int_equal(t.lost, 3);
  assert_int_equal(t.size, SIMT_HOST_ROOM);
  free(t.bytes);
}

/* The parameters of __assertfail: condition, file,
 * line, function. What cannot be read is '?'. */
static void test_assertion(void **state) {
  (void)state;
  char line[SIMT_HOST_LINE];
  const uint64_t params[SIMT_HOST_PARAMS] = {place_text(0x3000, "n > 0"), place_text(0x3100, "a.cu"), 7,
                                             place_text(0x3200, "void k(int)"), 1},
                 nowhere[SIMT_HOST_PARAMS] = {0};
  simt_host_assertion(line, &memory, params);
  assert_string_equal(line, "assertion 'n > 0' failed at a.cu:7 in void k(int)");
  simt_host_assertion(line, &memory, nowhere);
  assert_string_equal(line, "assertion '?' failed at ?:0 in ?");
}

/* A function of the host is known by its name and its parameters' sizes. */
static void test_names(void **state) {
  (void)state;
  const uint64_t two[] = {8, 8}, narrow[] = {4, 8}, five[] = {8, 8, 4, 8, 8};
  assert_int_equal(simt_host_find("vprintf", two, 2), SIMT_HOST_PRINT);
  assert_int_equal(simt_host_find("vprintf", narrow, 2), SIMT_HOST_NONE);
  assert_int_equal(simt_host_find("vprintf", five, 5), SIMT_HOST_NONE);
  assert_int_equal(simt_host_find("__assertfail", five, 5), SIMT_HOST_ASSERT);
  assert_int_equal(simt_host_find("malloc", two, 1), SIMT_HOST_MALLOC);
  assert_int_equal(simt_host_find("malloc", narrow, 1), SIMT_HOST_NONE);
  assert_int_equal(simt_host_find("free", two, 1), SIMT_HOST_FREE);
  assert_int_equal(simt_host_find("realloc", two, 2), SIMT_HOST_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),    cmocka_unit_test(test_strings),
                                     cmocka_unit_test(test_unreadable), cmocka_unit_test(test_room),
                                     cmocka_unit_test(test_assertion),  cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
