// SPDX-License-Identifier: Apache-2.0
//
// lsu_issue_env -- what lsu_issue may expect from lsu_rx (rule 1): a message stays until it is
// taken.

`default_nettype none

module lsu_issue_env (
  input wire logic        clk_i,
  input wire logic        rst_ni,
  input wire logic        m_valid_i,
  input wire logic [63:0] m_hdr_i,
  input wire logic        m_take_o
);

  logic        stays_q;  // a message of the last cycle that was not taken
  logic [63:0] hdr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stays_q <= 1'b0;
      hdr_q   <= '0;
    end else begin
      stays_q <= m_valid_i && !m_take_o;
      hdr_q   <= m_hdr_i;
    end
  end

  always_comb if (rst_ni) begin
    // Rule 1.
    message_stays: assume (!stays_q || (m_valid_i && m_hdr_i == hdr_q));
  end
endmodule

`default_nettype wire
