/* SPDX-License-Identifier: Apache-2.0
 *
 * The systems' packets: pool, and bytes and flits on a link, worked out by hand from packet.h's
 * list.
 */
#include "packet.h"
#include "unit_test.h"

#include <string.h>

/* The fields that a packet's size depends on: type, threads that take part, threads of
 * the instruction, logarithm of an access's bytes, whether it is aligned, registers. */
static packet_t header_of(unsigned type, uint32_t mask, uint32_t lmask, unsigned size, unsigned aligned,
                          unsigned count) {
  packet_t p;
  memset(&p, 0, sizeof p);
  p.hdr.type = type;
  p.hdr.mask = mask;
  p.hdr.lmask = lmask;
  p.hdr.size = size;
  p.hdr.aligned = aligned;
  p.hdr.count = count;
  return p;
}

/* Bytes on a link, flits of 16 bytes, and beats:
 * one, or one for each register of CMD and OFLD_ACK. */
static void check_wire_size(packet_t p, unsigned bytes, unsigned flits, unsigned lines) {
  assert_int_equal(packet_bytes(&p), bytes);
  assert_int_equal(packet_flits(&p), flits);
  assert_int_equal(packet_lines(&p), lines);
}

/* By hand: a header of 16 bytes; 4 for a mask that is not the whole instruction's;
 * 7 bits a thread for the offsets of a request that is not aligned; data and
 * registers for each thread that takes part; 5 of a command's own. */
static void wire_sizes(void **state) {
  (void)state;
  const uint32_t all = 0xffffffffu, half = 0xffffu;
  check_wire_size(header_of(PKT_CMD, all, all, 2, 1, 0), 16 + 5, 2, 1);
  check_wire_size(header_of(PKT_CMD, all, all, 2, 1, 3), 16 + 5 + 3 * 128, 26, 3);
  check_wire_size(header_of(PKT_RDF, all, all, 2, 1, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_RDF, half, all, 2, 1, 0), 16 + 4, 2, 1);
  check_wire_size(header_of(PKT_RDF, half, all, 2, 0, 0), 16 + 4 + 14, 3, 1);
  check_wire_size(header_of(PKT_WTA, 7, 7, 2, 0, 0), 16 + 3, 2, 1); /* 21 bits of offsets are three bytes */
  check_wire_size(header_of(PKT_RDF_RESP, all, all, 2, 1, 0), 16 + 128, 9, 1);
  check_wire_size(header_of(PKT_RDF_RESP, half, all, 2, 0, 0), 16 + 4 + 64, 6, 1); /* the offsets stay with the RDF */
  check_wire_size(header_of(PKT_RDF_RESP, all, all, 0, 1, 0), 16 + 32, 3, 1);
  check_wire_size(header_of(PKT_WRITE, all, all, 2, 1, 0), 16 + 128, 9, 1);
  check_wire_size(header_of(PKT_WRITE, all, all, 1, 0, 0), 16 + 28 + 64, 7, 1);
  check_wire_size(header_of(PKT_WRITE_ACK, 0, 0, 0, 0, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_OFLD_ACK, all, all, 2, 1, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_OFLD_ACK, half, half, 2, 1, 2), 16 + 128, 9, 2);
  check_wire_size(header_of(PKT_CREDIT, 0, 0, 0, 0, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_IFETCH, 0, 0, 0, 0, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_IFILL, 0, 0, 0, 0, 0), 144, 9, 1);
  check_wire_size(header_of(PKT_CFILL, 0, 0, 0, 0, 0), 144, 9, 1);
  check_wire_size(header_of(PKT_READ, 0, 0, 0, 0, 0), 16, 1, 1);
  check_wire_size(header_of(PKT_READ_RESP, 0, 0, 0, 0, 0), 144, 9, 1);
  check_wire_size(header_of(PKT_INVAL, 0, 0, 0, 0, 0), 16, 1, 1);
}

/* Packets do not overlap, and a freed one comes back empty. */
static void pool_counts_and_reuses(void **state) {
  (void)state;
  enum { N = 1000 };
  packet_pool_t *pool = packet_pool_new();
  packet_t *held[N];
  assert_non_null(pool);
  for (unsigned i = 0; i < N; i++) {
    held[i] = packet_new(pool, PKT_RDF);
    assert_non_null(held[i]);
    for (unsigned j = 0; j < i; j += 97) assert_ptr_not_equal(held[i], held[j]);
  }
  assert_int_equal(packet_pool_live(pool), N);
  held[3]->hdr.addr = 0x1234;
  held[3]->tag = 9;
  packet_free(pool, held[3]);
  assert_int_equal(packet_pool_live(pool), N - 1);
  packet_t *again = packet_new(pool, PKT_WTA);
  assert_ptr_equal(again, held[3]);
  assert_int_equal(again->hdr.type, PKT_WTA);
  assert_int_equal(again->hdr.addr, 0); /* nothing of the packet before is left */
  assert_int_equal(again->tag, 0);
  packet_pool_free(pool);
  packet_pool_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wire_sizes), cmocka_unit_test(pool_counts_and_reuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
