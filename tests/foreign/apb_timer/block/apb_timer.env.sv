// SPDX-License-Identifier: Apache-2.0
//
// apb_timer_env -- what apb_timer may expect of a requester: an access is one of a transfer.

`default_nettype none

module apb_timer_env (
  input wire logic pclk,
  input wire logic presetn,
  input wire logic psel,
  input wire logic penable
);

  always_comb if (presetn) begin
    access_selects: assume (!penable || psel);
  end
endmodule

`default_nettype wire
