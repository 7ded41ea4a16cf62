// SPDX-License-Identifier: Apache-2.0
//
// The standard cells of osu018 as a simulator reads them, written from the functions of the Liberty file; tests/formal/cells.sh proves
// that each is that function. Zero delay. The three-state buffers TBUFX1 and TBUFX2 are not here: synthesis never takes them.

`default_nettype none

module INVX1(input wire A, output wire Y);  assign Y = ~A; endmodule
module INVX2(input wire A, output wire Y);  assign Y = ~A; endmodule
module INVX4(input wire A, output wire Y);  assign Y = ~A; endmodule
module INVX8(input wire A, output wire Y);  assign Y = ~A; endmodule
module BUFX2(input wire A, output wire Y);  assign Y = A; endmodule
module BUFX4(input wire A, output wire Y);  assign Y = A; endmodule
module CLKBUF1(input wire A, output wire Y); assign Y = A; endmodule
module CLKBUF2(input wire A, output wire Y); assign Y = A; endmodule
module CLKBUF3(input wire A, output wire Y); assign Y = A; endmodule

module AND2X1(input wire A, B, output wire Y);  assign Y = A & B; endmodule
module AND2X2(input wire A, B, output wire Y);  assign Y = A & B; endmodule
module OR2X1(input wire A, B, output wire Y);   assign Y = A | B; endmodule
module OR2X2(input wire A, B, output wire Y);   assign Y = A | B; endmodule
module XOR2X1(input wire A, B, output wire Y);  assign Y = A ^ B; endmodule
module XNOR2X1(input wire A, B, output wire Y); assign Y = ~(A ^ B); endmodule
module NAND2X1(input wire A, B, output wire Y); assign Y = ~(A & B); endmodule
module NOR2X1(input wire A, B, output wire Y);  assign Y = ~(A | B); endmodule

module NAND3X1(input wire A, B, C, output wire Y); assign Y = ~(A & B & C); endmodule
module NOR3X1(input wire A, B, C, output wire Y);  assign Y = ~(A | B | C); endmodule
module AOI21X1(input wire A, B, C, output wire Y); assign Y = ~((A & B) | C); endmodule
module OAI21X1(input wire A, B, C, output wire Y); assign Y = ~((A | B) & C); endmodule
module AOI22X1(input wire A, B, C, D, output wire Y); assign Y = ~((A & B) | (C & D)); endmodule
module OAI22X1(input wire A, B, C, D, output wire Y); assign Y = ~((A | B) & (C | D)); endmodule
module MUX2X1(input wire A, B, S, output wire Y);  assign Y = ~(S ? A : B); endmodule

module HAX1(input wire A, B, output wire YC, YS); // half and full adder
  assign YC = A & B;
  assign YS = A ^ B;
endmodule
module FAX1(input wire A, B, C, output wire YC, YS);
  assign YC = (A & B) | (B & C) | (C & A);
  assign YS = A ^ B ^ C;
endmodule

module DFFPOSX1(input wire CLK, D, output reg Q);
  always @(posedge CLK) Q <= D;
endmodule
module DFFNEGX1(input wire CLK, D, output reg Q);
  always @(negedge CLK) Q <= D;
endmodule
module DFFSR(input wire CLK, D, R, S, output reg Q); // reset and set are active low; reset wins
  always @(posedge CLK or negedge R or negedge S)
    if (!R)      Q <= 1'b0;
    else if (!S) Q <= 1'b1;
    else         Q <= D;
endmodule
module LATCH(input wire CLK, D, output reg Q);
  always @* if (CLK) Q = D;
endmodule

`default_nettype wire
