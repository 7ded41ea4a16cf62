// SPDX-License-Identifier: Apache-2.0
//
// fifo_proof -- words leave fifo once, in order and unchanged; full, empty and count are exact. A
// word without a place and a pop without a word are flagged and change nothing else.
//
// The wrapper watches any one stored word, and counts the words before it. It assumes nothing about
// the inputs.

`default_nettype none

module fifo_proof #(
  parameter  int Width  = 1,
  parameter  int Depth  = 3,
  localparam int CountW = $clog2(Depth + 1),
  localparam int PtrW   = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             push_i,
  input  wire logic [Width-1:0] wdata_i,
  input  wire logic             pop_i,
  input  wire logic             remember_i    // this is the word to watch
);

  logic              rst_n = 1'b0;            // low in the first cycle only
  logic              full, empty, not_empty, overflow, underflow;
  logic [CountW-1:0] count;
  logic [Width-1:0]  rdata, word;
  logic [PtrW-1:0]   wptr, rptr;
  logic              stored, taken, watched, lost, wanted, last;  // last: the watched word filled the FIFO
  logic [CountW:0]   inside, before;  // words stored; those before the watched one

  fifo #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni (rst_n), .push_i, .wdata_i, .pop_i, .full_o (full), .empty_o (empty), .not_empty_o (not_empty),
    .count_o (count), .rdata_o (rdata), .overflow_o (overflow), .underflow_o (underflow), .probe_wptr_o (wptr),
    .probe_rptr_o (rptr)
  );

  assign stored = push_i && 32'(inside) < Depth;
  assign taken  = pop_i && inside != '0;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      inside  <= '0;
      watched <= 1'b0;
      lost    <= 1'b0;
      wanted  <= 1'b0;
    end else begin
      inside <= inside + (CountW+1)'(stored) - (CountW+1)'(taken);
      if (push_i && !stored) lost <= 1'b1;
      if (pop_i && !taken) wanted <= 1'b1;
      if (!watched && remember_i && stored) begin
        watched <= 1'b1;
        before  <= inside - (CountW+1)'(taken);
        word    <= wdata_i;
        last    <= 32'(inside) == Depth - 1;
      end else if (watched && taken) begin
        watched <= before != '0;
        before  <= before - 1'b1;
      end
    end
  end

  always_comb if (rst_n) begin
    // Rules 1 to 4: count and flags are exact, so a dropped push or pop changes nothing.
    level:      assert (32'(count) == 32'(inside) && empty == (inside == '0) && not_empty != empty &&
                        full == (32'(inside) == Depth));
    // Rule 5.
    flagged:    assert (overflow == lost && underflow == wanted);
    // Rule 2: the watched word comes out when no word is before it.
    in_order:   assert (!watched || before != '0 || rdata == word);
    // The probes differ by the count, modulo Depth.
    pointers:   assert (32'(wptr) < Depth && 32'(rptr) < Depth &&
                        (32'(wptr) + (32'(wptr) < 32'(rptr) ? Depth : 0) - 32'(rptr) == (32'(inside) == Depth ? 0
                            : 32'(inside))));
    // A word that filled the FIFO comes out after a push was dropped.
    past_full:  cover (watched && last && before == '0 && taken && lost);
  end
endmodule

`default_nettype wire
