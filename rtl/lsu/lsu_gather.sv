// SPDX-License-Identifier: Apache-2.0
//
// lsu_gather -- gathers the transfers of offloaded loads, in any order, and writes them to the
// register file (MPU paper, Fig. 4 (3-b)).
//
//   an entry:  free --alloc--> waits for transfers --all n there--> complete --assembled--> free
//
// One assembler takes the complete entries in order of completion; s is its first cycle:
//
//   cycle       s     s+1    ...   s+n-1   s+n     s+n+1 ...           after the last grant
//   reads       k=0   k=1    ...   n-1
//   rd_data           k=0    ...   n-2     n-1
//   step_q            1      ...   n-1     n       n+1
//   rw_valid                                       1, with size 3 twice  done_o
//
// Transfers wait in a memory by entry and number. All outputs are state.

`default_nettype none

module lsu_gather #(
  parameter int Gathers = 4  // offloaded loads under way, 1 to 16
) (
  input  wire logic                          clk_i,            // core clock
  input  wire logic                          rst_ni,           // asynchronous, active low
  // From lsu_issue
  output      logic                          free_o,           // an entry is free
  output      logic [3:0]                    idx_o,            // the lowest free entry
  input  wire logic                          alloc_i,          // a load begins: fills idx_o; only with free_o
  input  wire logic [lsu_pkg::WARP_W-1:0]    al_warp_i,        // its warp
  input  wire logic [lsu_pkg::REG_W-1:0]     al_reg_i,         // its first register
  input  wire logic [lsu_pkg::SIZE_W-1:0]    al_size_i,        // 2^al_size_i bytes a thread
  input  wire logic                          al_sign_i,        // 1: one and two bytes are extended with sign
  input  wire logic [4:0]                    al_off_i,         // place of thread 0 in transfer 0, bytes
  input  wire logic [3:0]                    al_n_i,           // its transfers, 1 to 9
  input  wire logic [lsu_pkg::ID_W-1:0]      al_id_i,          // its instruction
  // From the memory controller
  input  wire logic                          wr_valid_i,       // a transfer comes
  input  wire logic [3:0]                    wr_idx_i,         // its entry
  input  wire logic [3:0]                    wr_k_i,           // which transfer of the load
  input  wire logic [lsu_pkg::XFER_BITS-1:0] wr_data_i,        // 32 bytes, byte 0 lowest
  // To the register file
  output      logic                          rw_valid_o,       // a row for the register file, until rw_gnt_i
  output      logic [lsu_pkg::WARP_W-1:0]    rw_warp_o,        // its warp
  output      logic [lsu_pkg::REG_W-1:0]     rw_reg_o,         // its register
  output      logic [lsu_pkg::ROW_BITS-1:0]  rw_data_o,        // 32 words, extended
  input  wire logic                          rw_gnt_i,         // the row is written; only with rw_valid_o
  // To lsu_done
  output      logic                          done_o,           // one cycle: the load is done
  output      logic [lsu_pkg::ID_W-1:0]      done_id_o,        // its instruction; 0 without done_o
  output      logic                          err_o,            // one cycle: a transfer that nobody wants
  output      logic [Gathers-1:0]            probe_complete_o  // bit i: entry i is complete, not yet done
);

  localparam int OpW  = lsu_pkg::WARP_W + lsu_pkg::REG_W + lsu_pkg::SIZE_W + 1 + 5 + 4 + lsu_pkg::ID_W;
  localparam int IdxW = Gathers > 1 ? $clog2(Gathers) : 1;

  // The entries. A bit of got says that a transfer is there; the load's fields have no reset.
  logic [OpW-1:0]       op [0:Gathers-1];                 // {warp, reg, size, sign, off, n, id}
  logic [Gathers-1:0]   busy_d, busy_q, complete_d, complete_q;
  logic [Gathers*9-1:0] got_d, got_q;                     // 9 bits an entry: transfers that are there
  logic [Gathers*4-1:0] n_d, n_q;
  logic                 store, finish, err_d, err_q;

  // The lowest free entry, from state. An entry that ends in this cycle can be taken in the next
  // one.
  always_comb begin
    idx_o = '0;
    for (int i = Gathers - 1; i >= 0; i--) if (!busy_q[i]) idx_o = 4'(i);
  end
  assign free_o = !(&busy_q);

  logic [IdxW-1:0] run_idx_d, run_idx_q;                  // entry that is being assembled
  logic            run_d, run_q, run_end;

  // A transfer counts only for a busy entry, only if it is one of its n, and only once. So an entry
  // is complete exactly once, and at most one completes a cycle.
  always_comb begin
    busy_d     = busy_q;
    complete_d = complete_q;
    got_d      = got_q;
    n_d        = n_q;
    store      = 1'b0;
    finish     = 1'b0;
    for (int i = 0; i < Gathers; i++) begin
      if (wr_valid_i && wr_idx_i == 4'(i) && busy_q[i] && wr_k_i < n_q[i*4 +: 4] && !got_q[i*9 + 32'(wr_k_i)]) begin
        store                     = 1'b1;
        got_d[i*9 + 32'(wr_k_i)]  = 1'b1;
        finish                    = got_d[i*9 +: 9] == first_bits(n_q[i*4 +: 4]);
        complete_d[i]             = finish;
      end
      if (run_end && run_idx_q == IdxW'(i)) begin
        busy_d[i]     = 1'b0;
        complete_d[i] = 1'b0;
      end
      if (alloc_i && free_o && idx_o == 4'(i)) begin
        busy_d[i]       = 1'b1;
        got_d[i*9 +: 9] = '0;
        n_d[i*4 +: 4]   = al_n_i;
      end
    end
    err_d = wr_valid_i && !store;
  end

  always_ff @(posedge clk_i) begin
    if (alloc_i && free_o)
      op[idx_o[IdxW-1:0]] <= {al_warp_i, al_reg_i, al_size_i, al_sign_i, al_off_i, al_n_i, al_id_i};
  end

  // Complete entries wait here for the assembler, the oldest first.
  logic                        waiting, start, unused_full, unused_empty, unused_over, unused_under;
  logic [IdxW-1:0]             head, unused_wptr, unused_rptr;
  logic [$clog2(Gathers+1)-1:0] unused_count;

  fifo #(.Width(IdxW), .Depth(Gathers)) i_order (
    .clk_i, .rst_ni,
    .push_i(finish), .wdata_i(wr_idx_i[IdxW-1:0]), .pop_i(start),
    .full_o(unused_full), .empty_o(unused_empty), .not_empty_o(waiting), .count_o(unused_count), .rdata_o(head),
    .overflow_o(unused_over), .underflow_o(unused_under), .probe_wptr_o(unused_wptr), .probe_rptr_o(unused_rptr)
  );
  // The next load starts in the cycle after the last grant at the earliest: run_q is 0 then.
  assign start = waiting && !run_q;

  // Assembly: in step k transfer k is read, and transfer k - 1 comes from the memory into bytes.
  // Nine transfers are the most, as the threads' bytes reach at most 31 + 256 bytes far. Bytes
  // behind the n-th transfer are an earlier load's; no thread has its bytes there.
  logic [3:0]                    step_d, step_q;
  logic                          high_d, high_q, rd_en;
  logic [3:0]                    rd_k;
  logic [lsu_pkg::XFER_BITS-1:0] rd_data;
  logic [2303:0]                 bytes_d, bytes_q;
  logic [lsu_pkg::WARP_W-1:0]    warp;
  logic [lsu_pkg::REG_W-1:0]     rg;
  logic [lsu_pkg::ID_W-1:0]      id;
  logic [lsu_pkg::SIZE_W-1:0]    size;
  logic                          sign;
  logic [4:0]                    off;
  logic [3:0]                    n;

  assign {warp, rg, size, sign, off, n, id} = op[run_idx_q];
  assign rd_en = start || (run_q && step_q < n);
  assign rd_k  = start ? '0 : step_q;

  // An entry of the memory is a transfer; 16 rows a load, of which at most 9 are used.
  sram_1r1w #(.Width(lsu_pkg::XFER_BITS), .Depth(Gathers * 16), .LaneBits(lsu_pkg::XFER_BITS)) i_transfers (
    .clk_i, .rst_ni,
    .wr_en_i(store), .wr_addr_i(place(wr_idx_i, wr_k_i)), .wr_mask_i(1'b1), .wr_data_i(wr_data_i),
    .rd_en_i(rd_en), .rd_addr_i(place(4'(run_idx_d), rd_k)), .rd_data_o(rd_data)
  );

  // With eight bytes a thread the low row goes first, then the high row (high_q).
  assign rw_valid_o = run_q && step_q > n;
  assign run_end    = rw_valid_o && rw_gnt_i && (size != 2'd3 || high_q);

  // The assembler: a step a cycle until all transfers are in bytes, then it waits for the grants.
  always_comb begin
    run_d     = (run_q && !run_end) || start;
    run_idx_d = start ? head : run_idx_q;
    step_d    = start ? 4'd1 : run_q && step_q <= n ? step_q + 4'd1 : step_q;
    high_d    = !start && (high_q || (rw_valid_o && rw_gnt_i));
    bytes_d   = bytes_q;
    for (int k = 0; k < 9; k++) if (run_q && step_q <= n && step_q == 4'(k + 1)) bytes_d[k*256 +: 256] = rd_data;
  end

  // The threads' bytes, aligned and extended. A shift by off brings thread 0 to bit 0.
  //
  //   bytes_q   | .... | t2 | t1 | t0 | off bytes |
  //   bytes     |             .... | t2 | t1 | t0 |   thread t from bit 8 * (t << size) on
  logic [2047:0] bytes;

  always_comb begin
    bytes     = '0;
    rw_data_o = '0;
    if (rw_valid_o) begin
      bytes = 2048'(bytes_q >> {off, 3'd0});
      for (int t = 0; t < 32; t++) begin
        case (size)
          2'd0:    rw_data_o[t*32 +: 32] = {{24{sign && bytes[t*8+7]}}, bytes[t*8 +: 8]};
          2'd1:    rw_data_o[t*32 +: 32] = {{16{sign && bytes[t*16+15]}}, bytes[t*16 +: 16]};
          2'd2:    rw_data_o[t*32 +: 32] = bytes[t*32 +: 32];
          default: rw_data_o[t*32 +: 32] = high_q ? bytes[t*64+32 +: 32] : bytes[t*64 +: 32];
        endcase
      end
    end
  end
  assign rw_warp_o = warp;
  assign rw_reg_o  = rg + 8'(high_q);

  // An entry is free, and its id leaves, in the cycle after the last grant.
  logic                     done_d, done_q;
  logic [lsu_pkg::ID_W-1:0] done_id_d, done_id_q;

  assign done_d           = run_end;
  assign done_id_d        = run_end ? id : '0;
  assign done_o           = done_q;
  assign done_id_o        = done_id_q;
  assign err_o            = err_q;
  assign probe_complete_o = complete_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      complete_q <= '0;
      got_q      <= '0;
      n_q        <= '0;
      run_q      <= '0;
      run_idx_q  <= '0;
      step_q     <= '0;
      high_q     <= '0;
      bytes_q    <= '0;
      done_q     <= '0;
      done_id_q  <= '0;
      err_q      <= '0;
    end else begin
      busy_q     <= busy_d;
      complete_q <= complete_d;
      got_q      <= got_d;
      n_q        <= n_d;
      run_q      <= run_d;
      run_idx_q  <= run_idx_d;
      step_q     <= step_d;
      high_q     <= high_d;
      bytes_q    <= bytes_d;
      done_q     <= done_d;
      done_id_q  <= done_id_d;
      err_q      <= err_d;
    end
  end

  // The lowest `count` bits.
  function automatic logic [8:0] first_bits(input logic [3:0] count);
    first_bits = (9'd1 << count) - 9'd1;                  // count 9: 2^9 - 1, modulo 2^9
  endfunction

  // Row of the memory: 16 for each entry.
  function automatic logic [$clog2(Gathers*16)-1:0] place(input logic [3:0] entry, input logic [3:0] k);
    place = ($clog2(Gathers*16))'({entry, k});
  endfunction

  initial if (Gathers < 1 || Gathers > 16) $fatal(1, "lsu_gather: Gathers must be 1 to 16");

`ifndef SYNTHESIS
  // A load takes only a free entry, with the n of its off and size. Only a busy entry is complete.
  always @(posedge clk_i) if (rst_ni) begin
    assert (!alloc_i || free_o);
    assert (!alloc_i || 10'(al_n_i) == (10'(al_off_i) + (10'd32 << al_size_i) + 10'd31) >> 5);
    assert (!rw_gnt_i || rw_valid_o);
    assert ((complete_q & ~busy_q) == '0);
  end
`endif

`ifdef FORMAL
  // Every reachable state is like this. Proofs prove it, then begin there.
  logic [$clog2(Gathers+1)-1:0] listed;                   // complete entries but the assembled one

  always_comb begin
    listed = '0;
    for (int i = 0; i < Gathers; i++)
      listed = listed + ($clog2(Gathers+1))'(complete_q[i] && !(run_q && run_idx_q == IdxW'(i)));
  end

  always @(posedge clk_i) if (rst_ni) begin
    assert (unused_count == listed);
    assert (!run_q || complete_q[run_idx_q]);
    assert (step_q <= 4'd10);
    for (int i = 0; i < Gathers; i++) begin
      assert (n_q[i*4 +: 4] <= 4'd9);
      assert (complete_q[i] == (busy_q[i] && got_q[i*9 +: 9] == first_bits(n_q[i*4 +: 4])));
      assert ((got_q[i*9 +: 9] & ~first_bits(n_q[i*4 +: 4])) == '0);
    end
  end
`endif
endmodule

`default_nettype wire
