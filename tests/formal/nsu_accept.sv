// SPDX-License-Identifier: Apache-2.0
//
// nsu_accept -- the NSU takes every phit that it is given: the proof of nsu_rx's side (nsu.ports,
// rule 4).
//
// Inputs are free. A beat's class gets its credit in the cycle after the last phit, and only then.
// In that cycle the beat is handed on with one strobe, or with the error of an unknown type. nsu_rx
// has no input that could delay that. The structural half of the proof (nsu_accept.sh) shows that
// the whole NSU leaves it so. Claim = 1 is a false claim (a credit for every phit), which the proof
// must refute.

`default_nettype none

`include "nsu_types.svh"

module nsu_accept #(
  parameter  int PortBits = 500,
  parameter  bit Claim    = 1'b0,
  localparam int BeatBits = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits = (BeatBits + PortBits - 1) / PortBits
) (
  input  wire logic                clk_i,
  input  wire logic                in_valid_i,
  input  wire logic                in_class_i,
  input  wire logic [PortBits-1:0] in_phit_i
);

  logic                          rst_n = 1'b0;                       // low in the first cycle only
  logic [1:0]                    credit;
  logic                          valid, cmd, wta, rdr, wack, ifill, cfill, err_type, err_class;
  pkt_hdr_t                      hdr;
  logic [nsu_pkg::LINE_BITS-1:0] data;

  nsu_rx #(.PortBits(PortBits)) u_rx (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_class_i, .in_phit_i, .in_credit_o (credit),
    .rx_valid_o (valid), .rx_hdr_o (hdr), .rx_data_o (data), .rx_cmd_o (cmd), .rx_wta_o (wta), .rx_rdr_o (rdr),
    .rx_wack_o (wack), .rx_ifill_o (ifill), .rx_cfill_o (cfill), .err_type_o (err_type), .err_class_o (err_class)
  );

  logic [7:0] phits = '0;
  logic       due = 1'b0, due_class = 1'b0;
  // What must come in the next cycle, from the phits alone.
  always @(posedge clk_i) begin
    rst_n     <= 1'b1;
    due       <= 1'b0;
    due_class <= in_class_i;
    if (rst_n && in_valid_i) begin
      due   <= 32'(phits) == NumPhits - 1 || Claim;
      phits <= 32'(phits) == NumPhits - 1 ? '0 : phits + 1'b1;
    end
  end

  always @(posedge clk_i) if (rst_n) begin
    // nsu_rx.ports, rules 4 and 5: the beat, its credit, and one strobe or error.
    assert (valid == due);
    assert (credit == {due && due_class, due && !due_class});
    assert ((cmd + wta + rdr + wack + ifill + cfill + err_type) == 4'(due));
  end
endmodule

`default_nettype wire
