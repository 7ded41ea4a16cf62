// SPDX-License-Identifier: Apache-2.0
//
// lsu_done_proof -- every id goes up once and in order; an id without a place is flagged.
//
// The wrapper watches any one stored id, and counts the ids before it. An id is one bit repeated,
// because fewer different ids are enough.

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
  // those stored in this cycle of lower sources than the watched one's; of all
  logic [CntW-1:0] ahead, came;

  lsu_done #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_id_i ({{8{id_i[3]}}, {8{id_i[2]}}, {8{id_i[1]}}, {8{id_i[0]}}}),
    .valid_o (valid), .id_o (id), .take_i, .err_o (err), .probe_level_o (level)
  );

  always_comb begin
    // Ids stored in this cycle: lower sources first, while there is a place (rules 1 and 3).
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
    // Rule 2: take only with valid; lsu_tx keeps this.
    assume (!take_i || valid);
    // Rule 2, and the probe.
    counted:     assert (level == 7'(count) && valid == (count != '0));
    // Never more ids than places.
    in_bounds:   assert (32'(count) <= Depth);
    // Rule 3: a dropped id is flagged in the next cycle.
    flagged:     assert (err == lost_q);
    // Rules 1 and 2: the watched id comes out when no id is before it.
    in_order:    assert (!watched || before != '0 || id == {8{kept}});
    // The fourth id of a cycle comes out after another was dropped.
    fourth:      cover (watched && last && before == '0 && lost_q);
  end
endmodule

`default_nettype wire
