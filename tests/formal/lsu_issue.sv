// SPDX-License-Identifier: Apache-2.0
//
// lsu_issue_proof -- a message becomes just its transfers, in order, each with a transaction and a
// place. An offloaded access takes one entry, with its first transfer. A store's bytes are its
// registers' bytes, at their places and no others.
//
// A message stays until it is taken (lsu_issue.env.sv). Byte m of thread t of a row is {t, m, b}
// with a bit b of the row, so all bytes of a row differ. The wrapper watches any one byte of the
// transfers.

`include "lsu_issue.env.sv"

`default_nettype none

module lsu_issue_proof (
  input  wire logic        clk_i,
  input  wire logic        begin_i,           // a message comes
  input  wire logic [63:0] hdr_i,
  input  wire logic        data_i,            // of a write, repeated
  input  wire logic        mask_i,
  input  wire logic        rf_gnt_i,
  input  wire logic        row_i,             // the row's bit
  input  wire logic        x_free_i,
  input  wire logic [7:0]  x_tag_i,
  input  wire logic        g_free_i,
  input  wire logic [3:0]  g_idx_i,
  input  wire logic        st_free_i,
  input  wire logic [3:0]  st_idx_i,
  input  wire logic        q_ready_i,
  input  wire logic [4:0]  place_i            // in the cycle of reset: the byte that is watched
);

  logic          rst_n = 1'b0;                // low in the first cycle only
  logic          valid, data, mask, take, rf_req, x_alloc, g_alloc, st_alloc, q_push, q_write;
  logic [63:0]   hdr;
  logic [5:0]    rf_warp;
  logic [7:0]    rf_reg, q_tag;
  logic [1:0]    x_kind;
  logic [10:0]   x_ref;
  logic [3:0]    op_n;
  logic [4:0]    op_off, place;
  logic [25:0]   q_addr;
  logic [255:0]  q_wdata, shifted;
  logic [31:0]   q_wmask;
  logic [1023:0] row;

  logic [3:0]    kind, k, n, entry, entry_now;
  logic [1:0]    size, asked, came, rows;  // rows granted; rows that came; rows needed
  logic          load, store, offloaded, comes, row_low, row_high, in_access;
  logic [9:0]    total, at, j;  // bytes up to the last; the watched byte's place; its number in the access
  logic [7:0]    wanted;
  logic [7:0]    byte_at;

  always_comb begin
    for (int t = 0; t < 32; t++) begin
      for (int m = 0; m < 4; m++) row[t*32 + m*8 +: 8] = {5'(t), 2'(m), row_i};
    end
  end

  lsu_issue u_dut (
    .clk_i, .rst_ni (rst_n), .m_valid_i (valid), .m_hdr_i (hdr), .m_mask_i ({32{mask}}), .m_data_i ({256{data}}),
    .m_take_o (take), .rf_req_o (rf_req), .rf_warp_o (rf_warp), .rf_reg_o (rf_reg), .rf_gnt_i, .rf_data_i (row),
    .x_free_i, .x_tag_i, .x_alloc_o (x_alloc), .x_kind_o (x_kind), .x_ref_o (x_ref), .g_free_i, .g_idx_i,
    .g_alloc_o (g_alloc), .st_free_i, .st_idx_i, .st_alloc_o (st_alloc), .op_n_o (op_n), .op_off_o (op_off), .q_ready_i,
    .q_push_o (q_push), .q_write_o (q_write), .q_addr_o (q_addr), .q_tag_o (q_tag), .q_wdata_o (q_wdata),
    .q_wmask_o (q_wmask)
  );

  assign kind      = hdr[3:0];
  assign size      = hdr[lsu_pkg::SIZE_LSB +: 2];
  assign load      = kind == lsu_pkg::MSG_LDO;
  assign store     = kind == lsu_pkg::MSG_STO;
  assign offloaded = load || store;
  assign rows      = size == 2'd3 ? 2'd2 : 2'd1;
  assign total     = 10'(hdr[lsu_pkg::ADDR_LSB +: 5]) + (10'd32 << size);
  assign n         = 4'((total + 10'd31) >> 5);
  assign entry_now = k != '0 ? entry : load ? g_idx_i : st_idx_i;
  assign at        = {1'b0, k, place};
  assign j         = at - 10'(hdr[lsu_pkg::ADDR_LSB +: 5]);
  assign in_access = at >= 10'(hdr[lsu_pkg::ADDR_LSB +: 5]) && at < total;
  assign shifted   = q_wdata >> {place, 3'd0};
  assign byte_at   = shifted[7:0];

  always_comb begin
    case (size)
      2'd0:    wanted = {j[4:0], 2'd0, row_low};
      2'd1:    wanted = {j[5:1], 1'b0, j[0], row_low};
      2'd2:    wanted = {j[6:2], j[1:0], row_low};
      default: wanted = {j[7:3], j[1:0], j[2] ? row_high : row_low};
    endcase
  end

  always @(posedge clk_i) begin
    rst_n <= 1'b1;
    comes <= rst_n && rf_gnt_i;
    if (!rst_n) begin
      valid <= 1'b0;
      place <= place_i;
    end else begin
      valid <= begin_i || (valid && !take);
    end
    if (begin_i) begin
      hdr   <= hdr_i;
      data  <= data_i;
      mask  <= mask_i;
      k     <= '0;
      asked <= '0;
      came  <= '0;
    end else begin
      if (q_push) k <= k + 4'd1;
      if (q_push) entry <= entry_now;
      if (rf_gnt_i) asked <= asked + 2'd1;
      if (comes) came <= came + 2'd1;
      if (comes && came == 2'd0) row_low <= row_i;
      if (comes && came == 2'd1) row_high <= row_i;
    end
  end

  lsu_issue_env u_env (.clk_i, .rst_ni (rst_n), .m_valid_i (valid), .m_hdr_i (hdr), .m_take_o (take));

  always_comb if (rst_n) begin
    // A message comes when the one before it is gone: the wrapper holds one at a time.
    assume (!begin_i || !valid);
    // lsu_rx gives this class only these types.
    assume (hdr_i[3:0] == lsu_pkg::MSG_RD || hdr_i[3:0] == lsu_pkg::MSG_WR || hdr_i[3:0] == lsu_pkg::MSG_LDO ||
            hdr_i[3:0] == lsu_pkg::MSG_STO);
    // lsu_rfport grants only requests.
    assume (!rf_gnt_i || rf_req);
    // Rules 2 to 4: a transfer needs a transaction and a place, and is one of the access.
    has_place:    assert (!q_push || (valid && x_free_i && q_ready_i && k < (offloaded ? n : 4'd1)));
    // Rule 2: each transfer allocates its tag.
    one_tag:      assert (x_alloc == q_push &&
                          (!q_push || (q_tag == x_tag_i && q_write == (kind == lsu_pkg::MSG_WR || store))));
    // Rules 4 and 6: an entry with the first transfer, and only if one is free.
    entry_once:   assert (g_alloc == (q_push && load && k == '0) && st_alloc == (q_push && store && k == '0) &&
                          (!g_alloc || g_free_i) && (!st_alloc || st_free_i));
    // Rule 2: kind and ref.
    its_ref:      assert (!q_push || (x_kind == {offloaded, store || kind == lsu_pkg::MSG_WR} &&
                          x_ref == (offloaded ? {3'd0, entry_now, load ? k : 4'd0}
                                    : {hdr[lsu_pkg::AREG_LSB +: 3], hdr[63:56]})));
    // Rules 3 and 4: transfer k of the access.
    its_address:  assert (!q_push || q_addr == {hdr[lsu_pkg::ADDR_LSB + 5 +: 21] + 21'(k), 5'd0});
    // Rules 3 and 4: the message is taken with its last transfer.
    last_takes:   assert (take == (q_push && (!offloaded || k + 4'd1 == n)));
    // Rules 5 and 6: rows are read in order, and before the first transfer.
    its_rows:     assert (rf_req == (valid && store && asked < rows) &&
                          (!rf_req || (rf_warp == hdr[lsu_pkg::WARP_LSB +: 6] &&
                          rf_reg == hdr[lsu_pkg::REG_LSB +: 8] + 8'(asked))) && !(q_push && store && came != rows));
    // Rules 3, 6 and 7: data and mask of every transfer.
    its_bytes:    assert (!q_push || (store ? ((q_wmask >> place) & 32'd1) == 32'(in_access) &&
                                      byte_at == (in_access ? wanted : 8'd0)
                          : !offloaded && q_write ? q_wmask == {32{mask}} && q_wdata == {256{data}} : q_wmask == '0 &&
                          q_wdata == '0));
    // op_n and op_off are those of the message.
    its_size:     assert (!g_alloc && !st_alloc || (op_n == n && op_off == hdr[lsu_pkg::ADDR_LSB +: 5]));
    // A store of nine transfers ends.
    ninth:        cover (take && store && k == 4'd8);
  end
endmodule

`default_nettype wire
