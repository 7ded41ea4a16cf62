// SPDX-License-Identifier: Apache-2.0
//
// lsu_stores -- counts the answers to the transfers of offloaded stores.
//
//   an entry:  free --alloc: left = n--> busy --ack: left - 1--> busy ... --last ack--> free, done
//
// free_o and idx_o name the lowest free entry. When as many answers have come as the store has
// transfers, done_o is high in the next cycle with the id. All outputs are state.

`default_nettype none

module lsu_stores #(
  parameter int Stores = 4  // offloaded stores under way, 1 to 16
) (
  input  wire logic                     clk_i,      // core clock
  input  wire logic                     rst_ni,     // asynchronous, active low
  // To and from lsu_issue
  output      logic                     free_o,     // an entry is free
  output      logic [3:0]               idx_o,      // the lowest free entry
  input  wire logic                     alloc_i,    // a store begins: fills idx_o; only with free_o
  input  wire logic [3:0]               al_n_i,     // its transfers, 1 to 9
  input  wire logic [lsu_pkg::ID_W-1:0] al_id_i,    // its instruction
  // From the memory controller
  input  wire logic                     ack_i,      // an answer of the memory controller
  input  wire logic [3:0]               ack_idx_i,  // entry of the store that it answers
  // To lsu_done
  output      logic                     done_o,     // one cycle: all answers have come
  output      logic [lsu_pkg::ID_W-1:0] done_id_o,  // its instruction; 0 without done_o
  output      logic                     err_o       // one cycle: an answer for a free entry
);

  // An entry: busy, the answers that are still to come, and the instruction's id.
  logic [Stores-1:0]        busy_d, busy_q;
  logic [Stores*4-1:0]      left_d, left_q;               // answers still to come
  logic [Stores*8-1:0]      id_d, id_q;
  logic                     done_d, done_q, err_d, err_q;
  logic [lsu_pkg::ID_W-1:0] done_id_d, done_id_q;

  // The lowest free entry, from state: an entry that becomes free now counts
  // from the next cycle on.
  always_comb begin
    idx_o = '0;
    for (int i = Stores - 1; i >= 0; i--) if (!busy_q[i]) idx_o = 4'(i);
  end
  assign free_o = !(&busy_q);

  // An answer is an error until a busy entry claims it. An answer and a new store in one cycle are
  // never of one entry: the one's is busy, the other's is free. One answer a cycle means at most
  // one store that is done.
  always_comb begin
    busy_d    = busy_q;
    left_d    = left_q;
    id_d      = id_q;
    done_d    = 1'b0;
    done_id_d = '0;
    err_d     = ack_i;
    for (int i = 0; i < Stores; i++) begin
      if (ack_i && ack_idx_i == 4'(i) && busy_q[i]) begin
        err_d              = 1'b0;
        left_d[i*4 +: 4]   = left_q[i*4 +: 4] - 4'd1;
        if (left_q[i*4 +: 4] == 4'd1) begin
          busy_d[i] = 1'b0;
          done_d    = 1'b1;
          done_id_d = id_q[i*8 +: 8];
        end
      end
      if (alloc_i && free_o && idx_o == 4'(i)) begin
        busy_d[i]        = 1'b1;
        left_d[i*4 +: 4] = al_n_i;
        id_d[i*8 +: 8]   = al_id_i;
      end
    end
  end

  assign done_o    = done_q;
  assign done_id_o = done_id_q;
  assign err_o     = err_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      left_q    <= '0;
      id_q      <= '0;
      done_q    <= '0;
      done_id_q <= '0;
      err_q     <= '0;
    end else begin
      busy_q    <= busy_d;
      left_q    <= left_d;
      id_q      <= id_d;
      done_q    <= done_d;
      done_id_q <= done_id_d;
      err_q     <= err_d;
    end
  end

  initial if (Stores < 1 || Stores > 16) $fatal(1, "lsu_stores: Stores must be 1 to 16");

`ifndef SYNTHESIS
  // A store takes only a free entry, and it has at least one transfer.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!alloc_i || free_o);
    assert (!alloc_i || al_n_i != '0);
  end
`endif
endmodule

`default_nettype wire
