// SPDX-License-Identifier: Apache-2.0
//
// lsu_stores_proof -- a store is done once, with its id, after as many answers as it has transfers.
// An entry in use is not given again.

`default_nettype none

module lsu_stores_proof #(
  parameter int Stores = 2
) (
  input  wire logic       clk_i,
  input  wire logic       alloc_i,
  input  wire logic [3:0] al_n_i,
  input  wire logic [7:0] al_id_i,
  input  wire logic       ack_i,
  input  wire logic [3:0] ack_idx_i
);

  logic              rst_n = 1'b0;            // low in the first cycle only
  logic              free, done, err, last, last_q, wrong, wrong_q;
  logic [3:0]        idx, lowest;
  logic [7:0]        done_id, last_id, last_id_q;
  logic [Stores-1:0] used;  // entries in use, by the wrapper's count
  logic [3:0]        left [0:Stores-1];       // answers still to come
  logic [7:0]        id [0:Stores-1];
  logic              reused;  // the last entry's store ended in the cycle of an alloc

  lsu_stores #(.Stores(Stores)) u_dut (
    .clk_i, .rst_ni (rst_n), .free_o (free), .idx_o (idx), .alloc_i, .al_n_i, .al_id_i, .ack_i, .ack_idx_i,
    .done_o (done), .done_id_o (done_id), .err_o (err)
  );

  always_comb begin
    // The lowest free entry; and the entry that the answer names, if it is in use.
    lowest  = '0;
    last    = 1'b0;
    last_id = '0;
    wrong   = ack_i;
    for (int i = Stores - 1; i >= 0; i--) if (!used[i]) lowest = 4'(i);
    for (int i = 0; i < Stores; i++) begin
      if (ack_i && 32'(ack_idx_i) == i && used[i]) begin
        wrong   = 1'b0;
        last    = left[i] == 4'd1;
        last_id = id[i];
      end
    end
  end

  // Rules 1 and 2: an entry counts down its answers and is free after the last.
  always @(posedge clk_i) begin
    rst_n     <= 1'b1;
    last_q    <= rst_n && last;
    wrong_q   <= rst_n && wrong;
    last_id_q <= last_id;
    if (!rst_n) used <= '0;
    for (int i = 0; i < Stores; i++) begin
      if (rst_n && ack_i && 32'(ack_idx_i) == i && used[i]) begin
        left[i] <= left[i] - 4'd1;
        used[i] <= left[i] != 4'd1;
      end
      if (rst_n && alloc_i && 32'(idx) == i) begin
        used[i] <= 1'b1;
        left[i] <= al_n_i;
        id[i]   <= al_id_i;
      end
    end
    reused <= rst_n && last && 32'(ack_idx_i) == Stores - 1 && alloc_i;
  end

  always_comb if (rst_n) begin
    // Rule 1: lsu_issue allocates only a free entry; an access has 1 to 9 transfers.
    assume (!alloc_i || (free && al_n_i >= 4'd1 && al_n_i <= 4'd9));
    // Rule 1: the lowest free entry is offered.
    not_in_use:   assert (free == (used != {Stores{1'b1}}) && (!free || idx == lowest));
    // Rule 2.
    done_once:    assert (done == last_q && (!done || done_id == last_id_q));
    // Rule 3.
    false_answer: assert (err == wrong_q);
    // A store begins in the cycle in which the last entry's store ends.
    turned_over:  cover (reused && Stores > 1 || done && Stores == 1);
  end
endmodule

`default_nettype wire
