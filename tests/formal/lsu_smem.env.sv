// SPDX-License-Identifier: Apache-2.0
//
// lsu_smem_env -- what lsu_smem may expect from lsu_rx: a message stays until it is taken.

`default_nettype none

module lsu_smem_env (
  input wire logic        clk_i,
  input wire logic        rst_ni,
  input wire logic        s_valid_i,
  input wire logic [63:0] s_hdr_i,
  input wire logic [63:0] s_ctl_i,
  input wire logic        s_take_o
);

  logic        stays_q;  // a message of the last cycle that was not taken
  logic [63:0] hdr_q, ctl_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stays_q <= 1'b0;
      hdr_q   <= '0;
      ctl_q   <= '0;
    end else begin
      stays_q <= s_valid_i && !s_take_o;
      hdr_q   <= s_hdr_i;
      ctl_q   <= s_ctl_i;
    end
  end

  always_comb if (rst_ni) begin
    // One message at a time, from s_valid until s_take.
    message_stays: assume (!stays_q || (s_valid_i && s_hdr_i == hdr_q && s_ctl_i == ctl_q));
  end
endmodule

`default_nettype wire
