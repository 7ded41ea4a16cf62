// SPDX-License-Identifier: Apache-2.0
//
// nsu_warps_env -- what nsu_warps may expect from nsu_issue (rule 4): the kind of a known
// instruction exists.

`default_nettype none

module nsu_warps_env (
  input wire logic       rst_ni,
  input wire logic       d_valid_i,
  input wire logic [1:0] d_next_i,
  input wire logic [2:0] d_kind_i
);

  always_comb if (rst_ni) begin
    // Rule 4: d_kind is one of ISA_KIND's.
    kind_exists: assume (!d_valid_i || d_next_i != 2'(nsu_pkg::FETCH_KNOWN) || d_kind_i <= nsu_pkg::KIND_ALU);
  end
endmodule

`default_nettype wire
