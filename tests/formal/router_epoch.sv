// SPDX-License-Identifier: Apache-2.0
//
// router_epoch_proof -- epoch is high in the last of every Period cycles after reset, and in no
// other.

`default_nettype none

module router_epoch_proof #(
  parameter int Period = 5
) (
  input wire logic clk_i
);

  logic        rst_n = 1'b0;                  // low in the first cycle only
  logic        epoch;
  logic [23:0] count, due;  // due: cycles since reset, modulo Period
  logic [1:0]  epochs;

  router_epoch #(.Period(Period)) u_dut (.clk_i, .rst_ni (rst_n), .epoch_o (epoch), .probe_count_o (count));

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (!rst_n) begin
      due    <= '0;
      epochs <= '0;
    end else begin
      due <= 32'(due) == Period - 1 ? '0 : due + 1'b1;
      if (epoch && epochs != 2'd3) epochs <= epochs + 1'b1;
    end
  end

  always_comb if (rst_n) begin
    // Rule 1, and the probe.
    on_time: assert (epoch == (32'(due) == Period - 1));
    counted: assert (count == due);
    // The third epoch ends.
    third:   cover (epoch && epochs == 2'd2);
  end
endmodule

`default_nettype wire
