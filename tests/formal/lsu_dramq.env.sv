// SPDX-License-Identifier: Apache-2.0
//
// lsu_dramq_env -- what lsu_dramq may expect: a request is pushed only when there is a place for it.

`default_nettype none

module lsu_dramq_env (
  input wire logic rst_ni,
  input wire logic push_i,
  input wire logic ready_o
);

  always_comb if (rst_ni) begin
    push_has_place: assume (!push_i || ready_o);
  end
endmodule

`default_nettype wire
