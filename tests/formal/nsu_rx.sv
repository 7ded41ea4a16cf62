// SPDX-License-Identifier: Apache-2.0
//
// nsu_rx_proof -- every beat comes out once, in the cycle after its last phit, with all its phits
// in their places. It comes with one strobe or error of its type, and with one credit of its class.
//
// A phit is five bits repeated, because fewer different phits are enough. Gaps between phits, types
// and classes are free; nothing is assumed.

`default_nettype none

`include "nsu_types.svh"

module nsu_rx_proof #(
  parameter  int PortBits = 500,
  localparam int BeatBits = nsu_pkg::PKT_HDR_W + nsu_pkg::LINE_BITS,
  localparam int NumPhits = (BeatBits + PortBits - 1) / PortBits
) (
  input  wire logic       clk_i,
  input  wire logic       in_valid_i,
  input  wire logic       in_class_i,
  input  wire logic [4:0] bits_i
);

  logic                         rst_n = 1'b0;            // low in the first cycle only
  logic [1:0]                   credit;
  logic                         valid, cmd, wta, rdr, wack, ifill, cfill, err_type, err_class;
  pkt_hdr_t                     hdr;
  logic [nsu_pkg::LINE_BITS-1:0] data;
  logic [PortBits-1:0]          phit;
  logic [NumPhits*5-1:0]        bits, bits_now, whole;  // of this beat's phits; of the last whole beat's
  logic [7:0]                   phits;  // phits of this beat so far
  logic                         last, due, class_due;
  logic [NumPhits*PortBits-1:0] beat;
  logic [5:0]                   strobes;
  logic [3:0]                   ptype;

  nsu_rx #(.PortBits(PortBits)) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_class_i, .in_phit_i (phit), .in_credit_o (credit), .rx_valid_o (valid),
    .rx_hdr_o (hdr), .rx_data_o (data), .rx_cmd_o (cmd), .rx_wta_o (wta), .rx_rdr_o (rdr), .rx_wack_o (wack),
    .rx_ifill_o (ifill), .rx_cfill_o (cfill), .err_type_o (err_type), .err_class_o (err_class)
  );

  always_comb begin
    for (int i = 0; i < PortBits; i++) phit[i] = bits_i[i % 5];
    for (int i = 0; i < NumPhits * PortBits; i++) beat[i] = whole[i / PortBits * 5 + i % PortBits % 5];
    bits_now = bits;
    for (int i = 0; i < NumPhits; i++) if (32'(phits) == i) bits_now[i*5 +: 5] = bits_i;
  end

  assign last    = 32'(phits) == NumPhits - 1;
  assign strobes = {cfill, ifill, wack, rdr, wta, cmd};
  assign ptype   = hdr.ptype;

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    due   <= rst_n && in_valid_i && last;
    if (!rst_n) phits <= '0;
    else if (in_valid_i) begin
      phits     <= last ? '0 : phits + 8'd1;
      bits      <= bits_now;
      class_due <= in_class_i;
      if (last) whole <= bits_now;
    end
  end

  always_comb if (rst_n) begin
    // Rule 4.
    comes_once: assert (valid == due);
    // Rule 4: the class of the last phit.
    one_credit: assert (credit == {due && class_due, due && !class_due});
    // Rules 1 to 3.
    its_phits:  assert (!due || {hdr, data} == BeatBits'(beat));
    // Rule 4: the strobe of the type.
    its_strobe: assert (strobes == (!due ? 6'd0 : ptype == 4'd1 ? 6'd1 : ptype == 4'd3 ? 6'd2 : ptype == 4'd4 ? 6'd4
                                    : ptype == 4'd6 ? 6'd8 :
                                    ptype == 4'd10 ? 6'd16 : ptype == 4'd12 ? 6'd32 : 6'd0));
    // Rule 5.
    bad_type:   assert (err_type == (due && strobes == '0));
    // Rule 6.
    bad_class:  assert (err_class == (strobes != '0 && class_due != (rdr || wack || ifill || cfill)));
    // A beat comes out while the next one's phits come.
    two_beats:  cover (valid && rdr && class_due && bits[4:0] != bits_i && in_valid_i);
  end
endmodule

`default_nettype wire
