// SPDX-License-Identifier: Apache-2.0
//
// lsu_dramq_proof -- every request goes to the controller once, unchanged, in order, and only with
// a credit.
//
// The wrapper watches any one request, and counts the requests before it. A field is one bit
// repeated, because fewer different values are enough. lsu_dramq.env.sv has the only assumption.

`include "lsu_dramq.env.sv"

`default_nettype none

module lsu_dramq_proof #(
  parameter  int QueueDepth = 2,
  parameter  int McCredits  = 2,
  localparam int CntW       = $clog2(QueueDepth + McCredits + 1)
) (
  input  wire logic        clk_i,
  input  wire logic        push_i,
  input  wire logic        write_i,
  input  wire logic        addr_i,
  input  wire logic        tag_i,
  input  wire logic        data_i,
  input  wire logic        mask_i,
  input  wire logic        mc_credit_i,
  input  wire logic        remember_i         // this is the request to watch
);

  localparam int W = 1 + 26 + 8 + 256 + 32;

  logic            rst_n = 1'b0;              // low in the first cycle only
  logic            ready, mc_valid, mc_write, err, watched, extra, extra_q, waited;
  logic [25:0]     mc_addr;
  logic [7:0]      mc_tag;
  logic [255:0]    mc_wdata;
  logic [31:0]     mc_wmask;
  logic [W-1:0]    sent;
  logic [4:0]      kept;
  logic [CntW-1:0] count, before, credits;    // requests inside, those before the watched one; credits left

  lsu_dramq #(.QueueDepth(QueueDepth), .McCredits(McCredits)) u_dut (
    .clk_i, .rst_ni (rst_n), .push_i, .write_i, .addr_i ({26{addr_i}}), .tag_i ({8{tag_i}}), .wdata_i ({256{data_i}}),
    .wmask_i ({32{mask_i}}), .ready_o (ready), .mc_valid_o (mc_valid), .mc_write_o (mc_write), .mc_addr_o (mc_addr),
    .mc_tag_o (mc_tag), .mc_wdata_o (mc_wdata), .mc_wmask_o (mc_wmask), .mc_credit_i, .err_o (err)
  );

  assign sent  = {mc_write, mc_addr, mc_tag, mc_wdata, mc_wmask};
  assign extra = mc_credit_i && 32'(credits) == McCredits;

  always @(posedge clk_i) begin
    rst_n   <= 1'b1;
    extra_q <= rst_n && extra;
    if (!rst_n) begin
      count   <= '0;
      credits <= CntW'(McCredits);
      watched <= 1'b0;
      waited  <= 1'b0;
    end else begin
      count   <= count + CntW'(push_i) - CntW'(mc_valid);
      credits <= credits + CntW'(mc_credit_i && !extra) - CntW'(mc_valid);
      waited  <= watched && (waited || (count != '0 && credits == '0));
      if (!watched && remember_i && push_i) begin
        watched <= 1'b1;
        before  <= count - CntW'(mc_valid);
        kept    <= {write_i, addr_i, tag_i, data_i, mask_i};
      end else if (watched && mc_valid) begin
        watched <= before != '0;
        before  <= before - 1'b1;
      end
    end
  end

  lsu_dramq_env u_env (.rst_ni (rst_n), .push_i, .ready_o (ready));

  always_comb if (rst_n) begin
    // Rule 1: ready is "not full".
    has_place:     assert (ready == (32'(count) < QueueDepth));
    // Requests and credits stay within their numbers.
    in_bounds:     assert (32'(count) <= QueueDepth && 32'(credits) <= McCredits);
    // Rule 2: a request goes out whenever there is one and a credit.
    sends:         assert (mc_valid == (count != '0 && credits != '0));
    // Rule 4: a credit too many is flagged in the next cycle.
    false_credit:  assert (err == extra_q);
    // Rule 2: the watched request goes out unchanged, when none is before it.
    in_order:      assert (!watched || !mc_valid || before != '0 ||
                           sent == {kept[4], {26{kept[3]}}, {8{kept[2]}}, {256{kept[1]}}, {32{kept[0]}}});
    // A full queue has waited for a credit.
    full_waits:    cover (watched && mc_valid && before == '0 && waited && 32'(count) == QueueDepth);
  end
endmodule

`default_nettype wire
