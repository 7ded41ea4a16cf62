// SPDX-License-Identifier: Apache-2.0
//
// What later Yosys keep of an assertion, `$check`, as the cells that earlier ones make of it: techmap -map checks.v t:$check
// A statement of a clocked process looks at its condition one cycle later, behind registers. Behind two edges, as with an
// asynchronous reset, it stays as it is: what is behind it has lost the reset.
(* techmap_celltype = "$check" *)
module lockstack_check (A, EN, TRG, ARGS);
  parameter ARGS_WIDTH = 0, FLAVOR = "", FORMAT = "", PRIORITY = 0, TRG_ENABLE = 0, TRG_POLARITY = 0, TRG_WIDTH = 0;
  input A, EN;
  input [TRG_WIDTH-1:0] TRG;
  input [ARGS_WIDTH-1:0] ARGS;

  wire _TECHMAP_FAIL_ = TRG_WIDTH > 1;
  wire holds, asked;

  generate
    if (TRG_ENABLE) begin
      reg asked_q = 0;
      reg holds_q;
      if (TRG_POLARITY) always @(posedge TRG[0]) {holds_q, asked_q} <= {A, EN};
      else always @(negedge TRG[0]) {holds_q, asked_q} <= {A, EN};
      assign {holds, asked} = {holds_q, asked_q};
    end else assign {holds, asked} = {A, EN};

    if (FLAVOR == "assert") \$assert _TECHMAP_REPLACE_ (.A(holds), .EN(asked));
    if (FLAVOR == "assume") \$assume _TECHMAP_REPLACE_ (.A(holds), .EN(asked));
    if (FLAVOR == "cover") \$cover _TECHMAP_REPLACE_ (.A(holds), .EN(asked));
    if (FLAVOR == "live") \$live _TECHMAP_REPLACE_ (.A(holds), .EN(asked));
    if (FLAVOR == "fair") \$fair _TECHMAP_REPLACE_ (.A(holds), .EN(asked));
  endgenerate
endmodule
