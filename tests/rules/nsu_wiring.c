/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/nsu/README.md about the wiring of the top: an offload block runs in the whole
 * NSU, packet by packet.
 */
#include <stdbool.h>

#include "nsu_bed.h"
#include "unit_test.h"

RULE(N1,
     "`nsu_rx` strobes with rx_hdr, rx_data: rx_cmd -> nsu_cmdbuf wr; rx_rdr -> nsu_rdbuf wr; rx_wta -> nsu_wrbuf wr; "
     "rx_wack -> "
     "nsu_acks dec (dec_slot = header slot); rx_ifill, rx_cfill -> fill of nsu_icache, nsu_ccache (fill_addr = header "
     "addr, fill_data "
     "= rx_data).") {
  bed_t *b = nsu();
  bring_command(b, 1, 100);
  ticks(b, 1);
  see(b, "probe_cmd_alloc", 1);
  bring_packet(b, RDF_RESP, 1, 0);
  drive_masks(b, 0);
  tick(b);
  tick(b);
  see(b, "probe_rd_write", 1);
  see(b, "probe_wr_write", 0);
  see(b, "probe_rd_level", 1);
  bring_packet(b, WTA, 0, 0);
  drive_masks(b, 1);
  tick(b);
  tick(b);
  see(b, "probe_wr_write", 1);
  see(b, "probe_rd_write", 0);
  see(b, "probe_wr_level", 1);
  see_ended(nsu_at_end()); /* the fills and the acknowledgement, each to where it belongs */
}

RULE(N2, "`nsu_cmdbuf` sp_* -> `nsu_warps` sp_*. rd_* <- nsu_ldu cb_rd, cb_idx, cb_beat; rd_data -> cb_data; free <- "
         "cb_free.") {
  bed_t *b = nsu();
  bring_command(b, 1, 100);
  await(b, "probe_spawn", 1, 5);
  see(b, "probe_spawn_idx", 0);
  tick(b);
  see(b, "probe_used", 1);
  see_packet(b, IFETCH, 0);
  see_field(b, "addr", PC);
  nsu_stored(); /* F1 is what the command carried */
}

RULE(N3,
     "`nsu_issue` lk_* -> both merge buffers' look-up; rd_hit, wr_hit and rd_idx, wr_idx <- their lk_hit and lk_idx; "
     "take <- rd_take, "
     "wr_take with take_idx = nsu_warps' go_entry. nsu_rdbuf row, row_mask -> nsu_ldu rd_row, rd_mask. nsu_wrbuf row, "
     "row_mask, row_size "
     "-> nsu_stu wa_*. ex_ready = nsu_exec disp_ready; ld_ready, st_ready, en_ready = the units' ready. A unit has its "
     "go_* from "
     "nsu_issue, with go_instr, and the warp's fields from nsu_warps; go_ex is nsu_exec's disp_valid.") {
  /* LD found its row, ST its addresses, by the warp's id and their
   * sequence numbers, and took them: the entries' credits came */
  nsu_stored();
  bed_t *b = nsu_at_load();
  bring_packet(b, RDF_RESP, 1, 2000); /* another instruction's data */
  drive_masks(b, 1);
  tick(b);
  for (unsigned t = 0; t < 60; t++) {
    see(b, "out_valid", 0);
    see(b, "probe_wr_level", 0);
    tick(b);
  }
  see(b, "probe_rd_level", 1);
  b = nsu_spawned();
  bring_packet(b, RDF_RESP, 1, 2000); /* half of LD's threads, before it asks */
  drive_masks(b, 0);
  drive_field(b, "mask", 0xffff);
  tick(b);
  run_to_load(b);
  see(b, "probe_rd_level", 1);
}

RULE(N4,
     "`nsu_warps`: ex_done = nsu_exec wb_valid and wb_last (every ALU instruction ends so, also with an empty mask); "
     "ld_done and "
     "ld_miss = nsu_ldu; st_done = nsu_stu done; en_done = nsu_endu done; iwake, cwake = the caches' wake; rd_cpl, "
     "wr_cpl = the buffers' cpl.") {
  bed_t *b = nsu_at_end();
  see(b, "probe_used", 1);
  see(b, "probe_ready", 0); /* asleep */
  see_ended(b);
  ticks(b, 3);
  see(b, "probe_used", 0);
}

RULE(N5,
     "`nsu_acks` inc = nsu_stu sent. `nsu_credits`: cmd_free = nsu_ldu cb_free, rd_free, wr_free = the buffers' taken; "
     "take = "
     "nsu_endu's or nsu_tx's cr_take.") {
  bed_t *b = nsu_at_end();
  see(b, "out_valid", 0); /* one write is in flight */
  see_ended(b);
  bring_packet(b, WRITE_ACK, 1, 0); /* one was acknowledged: a second is one too many */
  drive_field(b, "slot", 0);
  tick(b);
  ticks(b, 1);
  see(b, "err", E_WACK_NOREQ);
  tick(b);
  see(b, "probe_cr_rd", 0); /* all three were told: begun, loaded, stored */
}

/* END goes on some cycles after t = 10; another warp's command, of cycle
 * `when`, is freed: does the acknowledgement tell of it, and nothing before? */
static bool rides_along(unsigned when) {
  bed_t *b = nsu_at_end();
  for (unsigned t = 0; t < 60; t++) {
    if (t == 10) bring_packet(b, WRITE_ACK, 1, 0);
    if (t == 10) drive_field(b, "slot", 0);
    if (t == when) bring_command_of(b, WARP + 1, 1, 100);
    if (shown(b, "out_valid")) return sent_field(b, "type") == OFLD_ACK && sent_field(b, "cr_cmd") == 1;
    tick(b);
  }
  return false;
}

RULE(N6,
     "`nsu_tx`: wr <- nsu_stu, if <- nsu_icache ft, cf <- nsu_ccache ft, ack <- nsu_endu, ack_idle <- nsu_endu ready, "
     "cr_pending <- "
     "nsu_credits pending.") {
  bed_t *b = nsu_at_end(); /* IFETCH, WRITE, CFETCH as requests; CREDIT while the end unit is idle */
  see_ended(b);
  for (unsigned t = 0; t < 40; t++) {
    see(b, "out_valid", 0); /* nothing is left to tell */
    tick(b);
  }
  unsigned riding = 0;
  for (unsigned when = 0; when < 20; when++) riding += when != 10 && rides_along(when);
  assert_true(riding >= 2); /* what is freed when the end unit begins, and while it reads its first register */
}

RULE(
    N7,
    "`err` bits come registered from the blocks (BAD_OPCODE and NOT_BEG in the cycle in which nsu_issue finds them).") {
  bed_t *b = nsu();
  bring_packet(b, INVAL, 1, 0);
  tick(b);
  see(b, "err", E_BAD_TYPE); /* nsu_rx says it in t + 1 */
  tick(b);
  see(b, "err", 0);
  bring_packet(b, WRITE_ACK, 1, 0);
  tick(b);
  see(b, "err", 0);
  tick(b);
  see(b, "err", E_WACK_NOREQ); /* nsu_acks heard it in t + 1 */
  b = nsu_spawned();
  bring_packet(b, IFILL, 1, 0); /* opcodes of 0 */
  drive_field(b, "addr", PC);
  for (unsigned i = 0; i < 32; i++) drive_input_at(b, "in_phit", 32, i, 0);
  tick(b);
  await(b, "err", E_BAD_OPCODE, 20);
  see(b, "probe_fetch", 1);
  see(b, "probe_fetch_next", 2);
}
