// SPDX-License-Identifier: Apache-2.0
//
// nsu_credits -- counts the buffer entries freed since the GPU was last told.
//
// take_i puts the counts of this cycle into a packet. They restart from what this cycle frees, so
// that no freed entry is lost. Counts saturate: there are no more entries of a kind than a
// count holds.
//
//   cycle      t  t+1  t+2  t+3
//   rd_free    1    1    1    .
//   take       .    .    1    .
//   cr_rd      0    1    2    1

`default_nettype none

module nsu_credits (
  input  wire logic                             clk_i,      // clock, rising edge
  input  wire logic                             rst_ni,     // asynchronous reset, active low; all counts 0
  // From the buffers
  input  wire logic                             cmd_free_i, // a command entry is freed in this cycle
  input  wire logic                             rd_free_i,  // a read data entry is freed in this cycle
  input  wire logic                             wr_free_i,  // a write address entry is freed in this cycle
  // From and to the end unit and the network interface
  input  wire logic                             take_i,     // the counts go into a packet in this cycle
  output      logic                             pending_o,  // a count is not 0; state, as all outputs
  output      logic [nsu_pkg::PKT_cr_cmd_W-1:0] cr_cmd_o,   // command entries freed
  output      logic [nsu_pkg::PKT_cr_rd_W-1:0]  cr_rd_o,    // read data entries freed
  output      logic [nsu_pkg::PKT_cr_wr_W-1:0]  cr_wr_o     // write address entries freed
);

  localparam int CmdBits = nsu_pkg::PKT_cr_cmd_W;
  localparam int RdBits  = nsu_pkg::PKT_cr_rd_W;
  localparam int WrBits  = nsu_pkg::PKT_cr_wr_W;

  logic [CmdBits-1:0] cmd_d, cmd_q;
  logic [RdBits-1:0]  rd_d, rd_q;
  logic [WrBits-1:0]  wr_d, wr_q;

  // A count that is full stays full.
  assign cmd_d = take_i ? CmdBits'(cmd_free_i) : cmd_q + CmdBits'(cmd_free_i && !(&cmd_q));
  assign rd_d  = take_i ? RdBits'(rd_free_i) : rd_q + RdBits'(rd_free_i && !(&rd_q));
  assign wr_d  = take_i ? WrBits'(wr_free_i) : wr_q + WrBits'(wr_free_i && !(&wr_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cmd_q <= '0;
      rd_q  <= '0;
      wr_q  <= '0;
    end else begin
      cmd_q <= cmd_d;
      rd_q  <= rd_d;
      wr_q  <= wr_d;
    end
  end

  assign pending_o = cmd_q != '0 || rd_q != '0 || wr_q != '0;
  assign cr_cmd_o  = cmd_q;
  assign cr_rd_o   = rd_q;
  assign cr_wr_o   = wr_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (pending_o == |{cr_cmd_o, cr_rd_o, cr_wr_o});
  end
`endif
endmodule

`default_nettype wire
