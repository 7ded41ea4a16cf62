// SPDX-License-Identifier: Apache-2.0
//
// AXI-Stream FIFO of frames. A frame goes out once its last word is in; one that ends with tuser set, or is longer than the memory, is dropped whole.
`timescale 1ns / 1ps

module axis_drop_fifo #(
    parameter DATA_WIDTH = 8,
    parameter ADDR_WIDTH = 4
) (
    input  wire                  aclk,
    input  wire                  aresetn,

    input  wire [DATA_WIDTH-1:0] s_axis_tdata,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  s_axis_tlast,
    input  wire                  s_axis_tuser,

    output wire [DATA_WIDTH-1:0] m_axis_tdata,
    output wire                  m_axis_tvalid,
    input  wire                  m_axis_tready,
    output wire                  m_axis_tlast,

    output reg                   dropped,
    output reg                   passed
);

localparam [ADDR_WIDTH:0] DEPTH = 1 << ADDR_WIDTH;

reg [ADDR_WIDTH-1:0] head, tail;   // of the memory: where words leave, and come
reg [ADDR_WIDTH:0]   used;         // words in it,
reg [ADDR_WIDTH:0]   fresh;        // and of these, those of the frame that has not ended
reg                  skip;         // the rest of a frame that was dropped comes in

wire room  = used != DEPTH;
wire take  = s_axis_tvalid && s_axis_tready;
wire store = take && room && !skip;
wire lost  = take && !room && !skip;                    // longer than all there is
wire good  = store && s_axis_tlast && !s_axis_tuser;
wire bad   = store && s_axis_tlast && s_axis_tuser;
wire give  = m_axis_tvalid && m_axis_tready;

assign s_axis_tready = room || skip || fresh == used;   // what waits for room waits for frames that leave
assign m_axis_tvalid = used != fresh;

simple_ram #(.WIDTH(DATA_WIDTH + 1), .ADDR_WIDTH(ADDR_WIDTH)) memory (
    .clk(aclk),
    .we(store),
    .waddr(tail),
    .wdata({s_axis_tlast, s_axis_tdata}),
    .raddr(head),
    .rdata({m_axis_tlast, m_axis_tdata})
);

always @(posedge aclk) begin
    dropped <= 1'b0;
    passed  <= 1'b0;
    if (give) head <= head + 1;

    if (bad || lost) begin
        tail    <= tail - fresh[ADDR_WIDTH-1:0];
        used    <= used - fresh - {{ADDR_WIDTH{1'b0}}, give};
        fresh   <= 0;
        dropped <= 1'b1;
    end else begin
        if (store) tail <= tail + 1;
        used  <= used + {{ADDR_WIDTH{1'b0}}, store} - {{ADDR_WIDTH{1'b0}}, give};
        fresh <= good ? 0 : fresh + {{ADDR_WIDTH{1'b0}}, store};
        passed <= good;
    end

    if (lost) skip <= !s_axis_tlast;
    else if (take && s_axis_tlast) skip <= 1'b0;

    if (!aresetn) begin
        head    <= 0;
        tail    <= 0;
        used    <= 0;
        fresh   <= 0;
        skip    <= 1'b0;
        dropped <= 1'b0;
        passed  <= 1'b0;
    end
end

endmodule
