// SPDX-License-Identifier: Apache-2.0
//
// lsu_stores -- counts the answers to the transfers of offloaded stores.
//
// free_o and idx_o name the lowest free entry; alloc_i fills it with the number of transfers and the instruction's id. When as many
// answers have come as the store has transfers, done_o is high in the next cycle with the id, and the entry is free. All outputs are state.

`default_nettype none

module lsu_stores #(
  parameter int Stores = 4              // offloaded stores under way, 1 to 16
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  // To and from lsu_issue
  output      logic                     free_o,
  output      logic [3:0]               idx_o,
  input  wire logic                     alloc_i,
  input  wire logic [3:0]               al_n_i,
  input  wire logic [lsu_pkg::ID_W-1:0] al_id_i,
  // From the memory controller
  input  wire logic                     ack_i,
  input  wire logic [3:0]               ack_idx_i,
  // To lsu_done
  output      logic                     done_o,
  output      logic [lsu_pkg::ID_W-1:0] done_id_o,
  output      logic                     err_o             // an answer for a free entry
);

  logic [Stores-1:0]        busy_d, busy_q;
  logic [Stores*4-1:0]      left_d, left_q;               // answers still to come
  logic [Stores*8-1:0]      id_d, id_q;
  logic                     done_d, done_q, err_d, err_q;
  logic [lsu_pkg::ID_W-1:0] done_id_d, done_id_q;

  always_comb begin
    idx_o = '0;
    for (int i = Stores - 1; i >= 0; i--) if (!busy_q[i]) idx_o = 4'(i);
  end
  assign free_o = !(&busy_q);

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
  always @(posedge clk_i) if (rst_ni) begin
    assert (!alloc_i || free_o);
    assert (!alloc_i || al_n_i != '0);
  end
`endif
endmodule

`default_nettype wire
