// SPDX-License-Identifier: Apache-2.0
//
// move_engine_proof -- every move is done once, with its own register, after all its rows; the LSU
// is answered once. Rows come from the right places and go to the right places.
//
// Neighbours grant, take and answer at any time, also without a request; nothing is assumed. The
// wrapper watches one bit of a row, because all bits go the same way.

`default_nettype none

module move_engine_proof #(
  parameter int MoveId = 255
) (
  input  wire logic       clk_i,
  input  wire logic       mv_req_i,
  input  wire logic [5:0] mv_warp_i,
  input  wire logic [7:0] mv_reg_i,
  input  wire logic       mv_wide_i,
  input  wire logic       mv_near_i,
  input  wire logic       need_data_i,
  input  wire logic [5:0] need_warp_i,
  input  wire logic [7:0] need_reg_i,
  input  wire logic       frf_gnt_i,
  input  wire logic       frf_bit_i,
  input  wire logic       fwr_gnt_i,
  input  wire logic       dn_take_i,
  input  wire logic       cp_valid_i,
  input  wire logic       mr_valid_i,
  input  wire logic       mr_bit_i
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic [1:0]    gnt;
  logic          done, done_near, dt_valid, frf_req, fwr_valid, dn_valid;
  logic [5:0]    done_warp, frf_warp, fwr_warp;
  logic [7:0]    done_reg, frf_reg, fwr_reg;
  logic [1023:0] dt_data, fwr_data, dn_data;
  logic [63:0]   dn_hdr;

  logic          moving, answering, near, wide, listens, came, watched;
  logic [5:0]    warp;
  logic [7:0]    rg, row;
  logic [1:0]    rows;  // rows that have arrived
  logic          arrives;

  move_engine #(.MoveId(MoveId)) u_dut (
    .clk_i, .rst_ni (rst_n), .nbu_id_i (2'd2), .mv_req_i, .mv_warp_i, .mv_reg_i, .mv_wide_i, .mv_near_i, .need_data_i,
    .need_warp_i, .need_reg_i, .gnt_o (gnt), .done_o (done), .done_warp_o (done_warp), .done_reg_o (done_reg),
    .done_near_o (done_near), .dt_valid_o (dt_valid), .dt_data_o (dt_data), .frf_req_o (frf_req),
    .frf_warp_o (frf_warp), .frf_reg_o (frf_reg), .frf_gnt_i, .frf_data_i ({1024{frf_bit_i}}), .fwr_valid_o (fwr_valid),
    .fwr_warp_o (fwr_warp), .fwr_reg_o (fwr_reg), .fwr_data_o (fwr_data), .fwr_gnt_i, .dn_valid_o (dn_valid),
    .dn_hdr_o (dn_hdr), .dn_data_o (dn_data), .dn_take_i, .cp_valid_i, .mr_valid_i, .mr_data_i ({1024{mr_bit_i}})
  );

  assign arrives = (listens && near && cp_valid_i) || (fwr_valid && fwr_gnt_i);
  assign row     = rg + 8'(rows);

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    came  <= rst_n && frf_req && frf_gnt_i;
    if (!rst_n) begin
      moving    <= 1'b0;
      answering <= 1'b0;
      listens   <= 1'b0;
      rows      <= '0;
    end else begin
      moving    <= gnt[0] || (moving && !done);
      answering <= gnt[1] || (answering && !dt_valid);
      listens   <= (dn_valid && dn_take_i) || (listens && !(near ? cp_valid_i : mr_valid_i));
      if (came)                             watched <= frf_bit_i;
      if (listens && !near && mr_valid_i)   watched <= mr_bit_i;
      rows <= rows + 2'(arrives);
      if (gnt != '0) begin
        rows <= '0;
        near <= gnt[0] && mv_near_i;
        wide <= gnt[0] && mv_wide_i;
        warp <= gnt[0] ? mv_warp_i : need_warp_i;
        rg   <= gnt[0] ? mv_reg_i : need_reg_i;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rules 1, 2 and 7: one move at a time.
    one_move:  assert ((gnt == '0 || ((!moving || done) && (!answering || dt_valid))) && gnt != 2'd3);
    // Rule 7: done only for a move, with its first row's register.
    done_once: assert (!done || (moving && done_warp == warp && done_reg == rg && done_near == near));
    // Rules 6 and 7: after one row, or two of a wide move.
    all_rows:  assert (!done || rows == 2'd1 + 2'(wide));
    // Rule 7: and then at once.
    ends:      assert (!moving || rows != 2'd1 + 2'(wide) || done);
    // Rule 5: an answer only for the LSU's move.
    lsu_once:  assert (!dt_valid || answering);
    // Rule 8: the LSU is not heard in the cycle of its answer.
    heard:     assert (!dt_valid || !gnt[1]);
    // Rules 3 and 5: the registers of the two files.
    places:    assert ((!frf_req || (moving && near && frf_warp == warp && frf_reg == row))
                       && (!fwr_valid || (moving && !near && fwr_warp == warp && fwr_reg == row)));
    // Rules 3 and 4: REGW and RMV.
    messages:  assert (!dn_valid ||
                       dn_hdr == ((near ? 64'(lsu_pkg::MSG_REGW) : 64'(lsu_pkg::MSG_RMV)) | 64'h20 | 64'h80 |
                                  (64'(warp) << 8)
                       | (64'(row) << 14) | (64'(MoveId) << 56)));
    // Rules 3 to 5: the row that came is the row that goes.
    carried:   assert ((!dn_valid || dn_data[1000] == (near && watched)) && (!fwr_valid || fwr_data[1000] == watched)
                       && (!dt_valid || dt_data[1000] == watched));
    // A wide move to near ends as the LSU's begins, and the other way round.
    wide_near: cover (done && near && wide && gnt[1]);
    lsu_next:  cover (dt_valid && gnt[0]);
  end
endmodule

`default_nettype wire
