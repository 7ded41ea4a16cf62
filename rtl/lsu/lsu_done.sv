// SPDX-License-Identifier: Apache-2.0
//
// lsu_done -- FIFO for ids of instructions that are done; it takes up to four ids a cycle.
//
// Sources do not wait: no more than Depth instructions are under way (lsu_ext.ports, rule 5). An id
// that does not fit is dropped and flagged in the next cycle. A place taken in the same cycle is
// not yet free. All outputs are state.

`default_nettype none

module lsu_done #(
  parameter  int Depth = 16,            // ids, 4 to lsu_pkg::DONE_MOST (64)
  localparam int PtrW  = $clog2(Depth)  // bits of a place's number
) (
  input  wire logic                       clk_i,         // core clock
  input  wire logic                       rst_ni,        // asynchronous, active low
  input  wire logic [3:0]                 in_valid_i,    // bit i: byte i of in_id_i is done, lower i first
  input  wire logic [4*lsu_pkg::ID_W-1:0] in_id_i,       // an id a source
  output      logic                       valid_o,       // an id waits
  output      logic [lsu_pkg::ID_W-1:0]   id_o,          // the oldest id
  input  wire logic                       take_i,        // removes the oldest; only with valid_o
  output      logic                       err_o,         // one cycle: an id was dropped
  output      logic [6:0]                 probe_level_o  // ids in the FIFO
);

  // A ring of Depth places; an entry is an id. It has four write ports, so it is flip-flops.
  logic [Depth*8-1:0] ids_d, ids_q;
  logic [PtrW-1:0]    wptr_d, wptr_q, rptr_d, rptr_q;
  logic [6:0]         level_d, level_q, stored;
  logic               err_d, err_q;

  // Ids go in one behind the other, as far as there are places. Sources without an id leave no gap:
  //
  //   wptr_q = 6, in_valid_i = 1011, Depth 8:   id0 to place 6, id1 to 7, id3 to 0; wptr_d = 1
  //
  // From the first id without a place on all are dropped, even if one is taken in this cycle.
  always_comb begin
    ids_d  = ids_q;
    wptr_d = wptr_q;
    stored = '0;
    err_d  = 1'b0;
    for (int i = 0; i < 4; i++) begin
      if (in_valid_i[i]) begin
        if (level_q + stored < 7'(Depth)) begin
          ids_d[wptr_d*8 +: 8] = in_id_i[i*8 +: 8];
          wptr_d               = next(wptr_d);
          stored               = stored + 7'd1;
        end else begin
          err_d = 1'b1;
        end
      end
    end
    rptr_d  = take_i && valid_o ? next(rptr_q) : rptr_q;
    level_d = level_q + stored - 7'(take_i && valid_o);
  end

  // An empty FIFO shows nothing of this cycle: an id can be taken from the next cycle on.
  assign valid_o       = level_q != '0;
  assign id_o          = ids_q[rptr_q*8 +: 8];
  assign err_o         = err_q;
  assign probe_level_o = level_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ids_q   <= '0;
      wptr_q  <= '0;
      rptr_q  <= '0;
      level_q <= '0;
      err_q   <= '0;
    end else begin
      ids_q   <= ids_d;
      wptr_q  <= wptr_d;
      rptr_q  <= rptr_d;
      level_q <= level_d;
      err_q   <= err_d;
    end
  end

  function automatic logic [PtrW-1:0] next(input logic [PtrW-1:0] p);
    next = p == PtrW'(Depth - 1) ? '0 : p + PtrW'(1);
  endfunction

  initial if (Depth < 4 || Depth > lsu_pkg::DONE_MOST) $fatal(1, "lsu_done: Depth must be 4 to 64");

`ifndef SYNTHESIS
  // Only an id that is shown is taken, and the level never exceeds Depth.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!take_i || valid_o);
    assert (level_q <= 7'(Depth));
  end
`endif
endmodule

`default_nettype wire
