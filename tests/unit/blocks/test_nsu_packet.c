/* SPDX-License-Identifier: Apache-2.0
 *
 * The packed form of a packet header (nsu_packet.def): pack and unpack are inverse, fields lie
 * where the list says, unused bits are 0, and each type and error has a name.
 */
#include "nsu_packet.h"
#include "unit_test.h"

#include <string.h>

/* Random bits in each field, as many as the field has. */
static pkt_hdr_t random_header(uint64_t *state) {
  pkt_hdr_t hdr;
  memset(&hdr, 0, sizeof hdr);
#define PKT_FIELD(name, width, text) hdr.name = test_random(state) & ((1ull << (width)) - 1);
#define PKT_FIELD_V(name, n, width, text) \
  for (unsigned i = 0; i < (n); i++) hdr.name[i] = test_random(state) & ((1u << (width)) - 1);
#include "nsu_packet.def"
  return hdr;
}

/* A bit of the packed header. */
static unsigned bit_of(const uint32_t *words, unsigned bit) {
  return words[bit / 32] >> (bit % 32) & 1;
}

/* Random headers: unpacking gives every field back, and packing again gives the same bits. */
static void unpack_inverts_pack(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 10000; i++) {
    pkt_hdr_t in = random_header(&seed), out;
    uint32_t words[PKT_HDR_WORDS], again[PKT_HDR_WORDS];
    memset(words, 0xa5, sizeof words);
    memset(&out, 0x5a, sizeof out);
    pkt_pack(&in, words);
    pkt_unpack(words, &out);
    pkt_pack(&out, again);
    assert_memory_equal(words, again, sizeof words);
#define PKT_FIELD(name, width, text) assert_int_equal(in.name, out.name);
#define PKT_FIELD_V(name, n, width, text) assert_memory_equal(in.name, out.name, n);
#include "nsu_packet.def"
  }
}

/* Widths and places counted by hand from the list, not with the macros under test. */
static void layout_is_the_lists(void **state) {
  (void)state;
  enum { WIDTH = 4 * 4 + 8 + 3 * 6 + 40 + 2 * 32 + 2 + 1 + 32 * 7 + 40 + 3 + 3 + 8 + 10 + 10 };
  assert_int_equal(PKT_HDR_W, WIDTH);
  assert_int_equal(PKT_HDR_WORDS, (WIDTH + 31) / 32);
  assert_int_equal(PKT_cr_wr_LSB, 0);
  assert_int_equal(PKT_cr_rd_LSB, 10);
  assert_int_equal(PKT_cr_cmd_LSB, 20);
  assert_int_equal(PKT_type_LSB, WIDTH - 4);

  pkt_hdr_t hdr = {.type = PKT_CREDIT};
  uint32_t words[PKT_HDR_WORDS];
  hdr.offs[31] = 0x40;
  pkt_pack(&hdr, words);
  assert_int_equal(bit_of(words, WIDTH - 1), 1);
  assert_int_equal(bit_of(words, WIDTH - 2), 0);
  assert_int_equal(bit_of(words, PKT_offs_LSB + PKT_offs_W - 1), 1);
  unsigned ones = 0;
  for (unsigned bit = 0; bit < WIDTH; bit++) ones += bit_of(words, bit);
  assert_int_equal(ones, 2);
}

/* A header of all ones has ones exactly in its own bits of the last word. */
static void bits_beyond_the_header_are_zero(void **state) {
  (void)state;
  pkt_hdr_t hdr;
  uint32_t words[PKT_HDR_WORDS];
  memset(&hdr, 0xff, sizeof hdr);
  pkt_pack(&hdr, words);
  for (unsigned bit = 0; bit < PKT_HDR_WORDS * 32; bit++) assert_int_equal(bit_of(words, bit), bit < PKT_HDR_W);
}

/* Requests are class 0 and responses class 1; numbers that are no type have the name "?" and no
 * class. */
static void types_have_names_and_classes(void **state) {
  (void)state;
  assert_string_equal(pkt_type_name(PKT_RDF_RESP), "RDF_RESP");
  assert_string_equal(pkt_type_name(0), "?");
  assert_string_equal(pkt_type_name(16), "?");
  assert_int_equal(pkt_type_class(PKT_RDF), 0);
  assert_int_equal(pkt_type_class(PKT_RDF_RESP), 1);
  assert_int_equal(pkt_type_class(PKT_INVAL), 1);
  assert_int_equal(pkt_type_class(0), -1);
  assert_int_equal(PKT_NUM_ERR, 14);
  for (unsigned bit = 0; bit < PKT_NUM_ERR; bit++) assert_string_not_equal(pkt_err_name(bit), "?");
  assert_string_equal(pkt_err_name(PKT_NUM_ERR), "?");
  assert_string_equal(pkt_err_name(ERR_RD_OVERFLOW), "RD_OVERFLOW");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unpack_inverts_pack),
      cmocka_unit_test(layout_is_the_lists),
      cmocka_unit_test(bits_beyond_the_header_are_zero),
      cmocka_unit_test(types_have_names_and_classes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
