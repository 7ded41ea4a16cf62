// SPDX-License-Identifier: Apache-2.0
//
// lsu_remote_proof -- every stored request becomes one message and one answer, in order, unchanged,
// to the core that asked. Nothing is stored without a place, no number is used twice, and false
// inputs are flagged.
//
// Answers and takes come at any time, also answers to no request; nothing is assumed. The wrapper
// watches any one request from its storing to its answer. One bit of every field is free, because
// all bits go the same way.

`default_nettype none

module lsu_remote_proof #(
  parameter int InDepth       = 2,
  parameter int RemoteEntries = 2
) (
  input  wire logic        clk_i,
  input  wire logic        in_valid_i,
  input  wire logic        in_write_i,
  input  wire logic        in_core_i,
  input  wire logic        in_subcore_i,
  input  wire logic        in_id_i,
  input  wire logic        in_nbu_i,
  input  wire logic        in_line_i,
  input  wire logic        in_bit_i,
  input  wire logic        in_mask_i,
  input  wire logic        dn_take_i,
  input  wire logic        rs_valid_i,
  input  wire logic [7:0]  rs_id_i,
  input  wire logic        rs_bit_i,
  input  wire logic        out_take_i,
  input  wire logic        watch_i            // watch the request that comes, if none is
);

  localparam logic [1:0] NONE = 2'd0, WAITS = 2'd1, ASKED = 2'd2, ANSWERED = 2'd3;

  logic                     rst_n = 1'b0;     // low in the first cycle only
  logic                     credit, dn_valid, out_valid, out_write;
  logic [63:0]              dn_hdr;
  logic [31:0]              dn_mask;
  logic [255:0]             dn_data, out_data;
  logic [6:0]               out_core;
  logic [1:0]               out_subcore, err;
  logic [7:0]               out_id;

  logic [3:0]               waiting, answers, before; // requests stored, answers stored, those before the watched one
  logic [RemoteEntries-1:0] used;
  logic [4:0]               num_used;
  logic                     stored, taken, answered, left, taken_q, crossed;
  logic [1:0]               err_due, stage;
  logic                     may_show;         // a message is due
  logic                     write, data, mask, answer;
  logic                     core, subcore, nbu, id, line;
  logic [7:0]               entry;

  lsu_remote #(.InDepth(InDepth), .RemoteEntries(RemoteEntries)) u_dut (
    .clk_i, .rst_ni (rst_n), .in_valid_i, .in_write_i, .in_core_i ({in_core_i, 6'd0}),
    .in_subcore_i ({in_subcore_i, 1'b0}), .in_id_i ({in_id_i, 7'd0}), .in_nbu_i ({1'b0, in_nbu_i}),
    .in_addr_i ({in_line_i, 25'd31}), .in_mask_i ({22'd0, in_mask_i, 9'd0}), .in_data_i ({178'd0, in_bit_i, 77'd0}),
    .in_credit_o (credit), .dn_valid_o (dn_valid), .dn_hdr_o (dn_hdr), .dn_mask_o (dn_mask), .dn_data_o (dn_data),
    .dn_take_i, .rs_valid_i, .rs_id_i, .rs_data_i ({178'd0, rs_bit_i, 77'd0}), .out_valid_o (out_valid),
    .out_write_o (out_write), .out_core_o (out_core), .out_subcore_o (out_subcore), .out_id_o (out_id),
    .out_data_o (out_data), .out_take_i, .err_o (err)
  );

  assign stored   = in_valid_i && 32'(waiting) < InDepth;
  assign taken    = dn_valid && dn_take_i;
  assign answered = rs_valid_i && 32'(rs_id_i) < RemoteEntries && ((used >> rs_id_i) & 1'b1) != '0;
  assign left     = out_valid && out_take_i;

  always_comb begin
    num_used = '0;
    for (int i = 0; i < RemoteEntries; i++) num_used = num_used + 5'(used[i]);
  end

  always @(posedge clk_i) begin
    rst_n    <= 1'b1;
    taken_q  <= rst_n && taken;
    err_due  <= rst_n ? {rs_valid_i && !answered, in_valid_i && !stored} : '0;
    may_show <= rst_n && waiting != '0 && !taken && 32'(num_used) + 32'(answers) < RemoteEntries;
    if (!rst_n) begin
      waiting <= '0;
      answers <= '0;
      used    <= '0;
      stage   <= NONE;
      crossed <= 1'b0;
    end else begin
      waiting <= waiting + 4'(stored) - 4'(taken);
      answers <= answers + 4'(answered) - 4'(left);
      used    <= (used & ~(RemoteEntries'(answered) << rs_id_i)) | (RemoteEntries'(taken) << dn_hdr[63:56]);
      case (stage)
        NONE: begin
          before <= waiting - 4'(taken);
          if (stored && watch_i) begin
            stage <= WAITS;
            {write, core, subcore, id, nbu, line, data, mask} <= {in_write_i, in_core_i, in_subcore_i, in_id_i,
                in_nbu_i, in_line_i, in_bit_i, in_mask_i};
          end
        end
        WAITS: begin
          if (taken) before <= before - 4'd1;
          if (taken && before == '0) begin
            stage <= ASKED;
            entry <= dn_hdr[63:56];
          end
        end
        ASKED: begin
          before  <= answers - 4'(left);
          crossed <= used != '0 && 32'(num_used) == RemoteEntries && entry != '0;
          answer  <= rs_bit_i;
          if (answered && rs_id_i == entry) stage <= ANSWERED;
        end
        default: begin
          if (left) before <= before - 4'd1;
          if (left && before == '0) stage <= NONE;
        end
      endcase
    end
  end

  always_comb if (rst_n) begin
    // Rule 2: the message of the watched request.
    as_sent:   assert (!dn_valid || stage != WAITS || before != '0
                       || (dn_hdr[55:0] == {line, 25'd0, 8'd4, 8'd0, 6'd0, 2'd0, 1'b0, nbu, write ? lsu_pkg::MSG_WR
                                            : lsu_pkg::MSG_RD}
                           && dn_data[77] == (write && data) && dn_mask[9] == (write && mask)));
    // Rule 2: with a free entry's number.
    new_entry: assert (!dn_valid || (32'(dn_hdr[63:56]) < RemoteEntries && ((used >> dn_hdr[63:56]) & 1'b1) == '0));
    // Rule 2: a message is shown as soon as it may be.
    shown:     assert (!may_show || dn_valid);
    // Only stored requests are shown.
    waits:     assert (!dn_valid || waiting != '0);
    // Rules 2, 4 and 5: every answer has a place.
    has_place: assert (32'(num_used) + 32'(answers) <= RemoteEntries && out_valid == (answers != '0));
    // Rule 4: the watched answer, in its turn.
    to_asker:  assert (stage != ANSWERED || before != '0 || (out_valid && out_write == write && out_core == {core, 6'd0}
                       && out_subcore == {subcore, 1'b0} && out_id == {id, 7'd0} &&
                       out_data[77] == (!write && answer)));
    // Rule 1: a credit in the cycle after a request left.
    credits:   assert (credit == taken_q);
    // Rule 6.
    flagged:   assert (err == err_due);
    // The watched answer goes out although all entries were in use.
    overtaken: cover (stage == ANSWERED && before == '0 && crossed && !write && left);
  end
endmodule

`default_nettype wire
