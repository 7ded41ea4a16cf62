// SPDX-License-Identifier: Apache-2.0
//
// lsu_done_proof -- every id that is done goes up once, in order; one that does not fit is flagged.
//
// One id that is stored, any, is remembered with how many are before it. An id is a bit repeated: fewer different ones are enough.

`default_nettype none

module lsu_done_proof #(
  parameter  int Depth = 4,
  localparam int CntW  = $clog2(Depth + 5)
) (
  input  wire logic        clk_i,
  input  wire logic [3:0]  in_valid_i,
  input  wire logic [3:0]  id_i,
  input  wire logic        take_i,
  input  wire logic        remember_i,        // this is the id to watch:
  input  wire logic [1:0]  which_i            // that of this source
);

  logic            rst_n = 1'b0;              // low in the first cycle only
  logic            valid, err, lost_q, lost, watched, kept, last;
  logic [7:0]      id;
  logic [6:0]      level;
  logic [3:0]      stored;
  logic [CntW-1:0] count, before;             // ids inside; those before the watched one
  logic [CntW-1:0] ahead, came;               // those stored in this cycle of lower sources than the watched one's; of all

  lsu_done #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_id_i ({{8{id_i[3]}}, {8{id_i[2]}}, {8{id_i[1]}}, {8{id_i[0]}}}),
    .valid_o (valid), .id_o (id), .take_i, .err_o (err), .probe_level_o (level)
  );

  always_comb begin
    came  = '0;
    ahead = '0;
    for (int i = 0; i < 4; i++) begin
      if (i == 32'(which_i)) ahead = came;
      stored[i] = in_valid_i[i] && 32'(count + came) < Depth;
      came      = came + CntW'(stored[i]);
    end
    lost = in_valid_i != stored;
  end

  always @(posedge clk_i) begin
    rst_n  <= 1'b1;
    lost_q <= rst_n && lost;
    if (!rst_n) begin
      count   <= '0;
      watched <= 1'b0;
      last    <= 1'b0;
    end else begin
      count <= count + came - CntW'(take_i);
      if (!watched && remember_i && stored[which_i]) begin
        watched <= 1'b1;
        before  <= count + ahead - CntW'(take_i);
        kept    <= id_i[which_i];
        last    <= ahead == CntW'(3);
      end else if (watched && take_i) begin
        watched <= before != '0;
        before  <= before - 1'b1;
      end
    end
  end

  always_comb if (rst_n) begin
    assume (!take_i || valid);
    counted:     assert (level == 7'(count) && valid == (count != '0));
    in_bounds:   assert (32'(count) <= Depth);
    flagged:     assert (err == lost_q);
    in_order:    assert (!watched || before != '0 || id == {8{kept}});
    fourth:      cover (watched && last && before == '0 && lost_q);
  end
endmodule

`default_nettype wire
