// SPDX-License-Identifier: Apache-2.0
//
// lsu_dramq_env -- what lsu_dramq may expect from lsu_issue (rule 1): a push only if there is a
// place.

`default_nettype none

module lsu_dramq_env (
  input wire logic rst_ni,
  input wire logic push_i,
  input wire logic ready_o
);

  always_comb if (rst_ni) begin
    // Rule 1.
    push_has_place: assume (!push_i || ready_o);
  end
endmodule

`default_nettype wire
