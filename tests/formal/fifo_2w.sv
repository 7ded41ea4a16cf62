// SPDX-License-Identifier: Apache-2.0
//
// fifo_2w_proof -- words leave fifo_2w in order, the low one of a cycle first. A word without a
// place is flagged; no other word is lost.
//
// The wrapper watches any one stored word, and counts the words before it.

`default_nettype none

module fifo_2w_proof #(
  parameter  int Width = 4,
  parameter  int Depth = 3,
  localparam int CntW  = $clog2(Depth + 1)
) (
  input  wire logic               clk_i,
  input  wire logic [1:0]         push_i,
  input  wire logic [2*Width-1:0] wdata_i,
  input  wire logic               take_i,
  input  wire logic               remember_i,  // watch a word of this cycle: the low one,
  input  wire logic               second_i  // or the high one
);

  logic             rst_n = 1'b0;             // low in the first cycle only
  logic [1:0]       over, stored;
  logic             valid;
  logic [Width-1:0] rdata, word;
  logic [CntW-1:0]  probe;
  logic [CntW:0]    count, before;  // words stored; those before the watched one
  logic             watched, filled;  // filled: it came as the second of two into the last place

  fifo_2w #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni (rst_n), .push_i, .wdata_i, .over_o (over), .take_i, .valid_o (valid), .rdata_o (rdata),
    .probe_count_o (probe)
  );

  assign stored[0] = push_i[0] && 32'(count) < Depth;
  assign stored[1] = push_i[1] && 32'(count) + 32'(push_i[0]) < Depth;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      count   <= '0;
      watched <= 1'b0;
      filled  <= 1'b0;
    end else begin
      count <= count + (CntW+1)'(stored[0]) + (CntW+1)'(stored[1]) - (CntW+1)'(take_i);
      if (!watched && remember_i && stored[second_i]) begin
        watched <= 1'b1;
        before  <= count - (CntW+1)'(take_i) + (CntW+1)'(second_i && stored[0]);
        word    <= second_i ? wdata_i[Width +: Width] : wdata_i[Width-1:0];
        filled  <= (second_i && stored[0] || Depth == 1) && 32'(count) + 32'(stored[0]) + 32'(stored[1]) == Depth;
      end else if (watched && take_i) begin
        watched <= before != '0;
        before  <= before - 1'b1;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rule 2: take only with valid; every user keeps this.
    assume (!take_i || valid);
    // Rule 2: valid and the probe are exact, and the FIFO holds Depth words at most.
    level:       assert ((CntW+1)'(probe) == count && valid == (count != '0));
    in_bounds:   assert (32'(count) <= Depth);
    // Rule 3: a word is over if it finds no place, counting one taken now as still there.
    flagged:     assert (over == (push_i & ~stored));
    // Rule 1: the watched word comes out when no word is before it.
    in_order:    assert (!watched || before != '0 || rdata == word);
    // The second of two words takes the last place and comes out.
    last_place:  cover (watched && filled && before == '0 && take_i);
  end
endmodule

`default_nettype wire
