# SPDX-License-Identifier: Apache-2.0
#
# The hardware blocks: the table of contents. cmake/add_block.cmake says what a line makes and needs.

add_block(lib/arb_rr
  VARIANT one NumReq=1
  VARIANT wide NumReq=64)
add_block(lib/fifo
  VARIANT one Depth=1
  VARIANT odd Depth=7 Width=100)
add_block(lib/sram_1r1w
  VARIANT bits Width=33 Depth=5 LaneBits=1
  VARIANT row Width=1024 LaneBits=1024)

# Arithmetic of a lane
add_block(nsu/fp_fma
  VARIANT double ExpBits=11 FracBits=52
  VARIANT half ExpBits=5 FracBits=10
  VARIANT least ExpBits=3 FracBits=2
  RANGE brain ExpBits=8 FracBits=7)
add_block(nsu/fp32_cmp)
add_block(nsu/fp32_cvt)
add_block(nsu/fp64_cvt)
add_block(nsu/int_alu CYCLES 100000)

# NSU: network interface and buffers
add_block(nsu/nsu_rx
  VARIANT narrow PortBits=32
  VARIANT three PortBits=500
  VARIANT wide PortBits=4096)
add_block(nsu/nsu_tx
  VARIANT narrow PortBits=32 OutDepth=1 OutCredits=1
  VARIANT three PortBits=500 OutDepth=3
  VARIANT wide PortBits=4096 OutDepth=64 OutCredits=15)
add_block(nsu/nsu_cmdbuf
  VARIANT one CmdBufDepth=1 CmdRegs=1
  VARIANT odd CmdBufDepth=7 CmdRegs=4
  VARIANT full CmdBufDepth=64)
add_block(nsu/nsu_mergebuf MEASURE Depth=8
  VARIANT two Depth=2 LaneBits=8
  VARIANT odd Depth=5 LaneBits=64)
add_block(nsu/nsu_rdbuf MEASURE Depth=8
  VARIANT two Depth=2
  RANGE deep Depth=1024)
add_block(nsu/nsu_wrbuf MEASURE Depth=8
  VARIANT two Depth=2
  RANGE deep Depth=1024)

# NSU: warps, instructions, constants, registers
add_block(nsu/nsu_warps
  VARIANT one NumWarps=1
  VARIANT full NumWarps=64)
add_block(nsu/nsu_decode)
add_block(nsu/nsu_issue
  VARIANT one NumWarps=1
  VARIANT full NumWarps=64)
add_block(lib/ro_cache
  VARIANT direct WordBits=32 Bytes=512 Ways=1 Mshrs=1
  VARIANT one_set Bytes=512 Ways=4
  RANGE big Bytes=65536 Ways=16 Mshrs=16)
add_block(nsu/nsu_icache
  VARIANT small Bytes=512
  VARIANT big Bytes=65536)
add_block(nsu/nsu_ccache
  VARIANT small Bytes=512
  VARIANT big Bytes=65536)
add_block(nsu/nsu_regfile
  VARIANT one NumWarps=1
  VARIANT full NumWarps=64)

# NSU: execution
add_block(nsu/nsu_lane CYCLES 100000)
add_block(nsu/nsu_lanes MEASURE Lanes=2
  VARIANT one Lanes=1
  VARIANT all Lanes=32)
add_block(nsu/nsu_exec MEASURE Lanes=2
  VARIANT one Lanes=1
  VARIANT all Lanes=32)
add_block(nsu/nsu_ldu)
add_block(nsu/nsu_wgen)
add_block(nsu/nsu_stu)
add_block(nsu/nsu_endu)
add_block(nsu/nsu_acks CYCLES 200000
  VARIANT one NumWarps=1
  VARIANT full NumWarps=64)
add_block(nsu/nsu_credits)

# The NSU, whole
add_block(nsu/nsu TOP ALSO RdBufDepth=1023,WrBufDepth=1023,CmdBufDepth=64,NumWarps=64,PortBits=1471@brim@huge@memory
  RANGE least Lanes=1 NumWarps=1 RdBufDepth=2 WrBufDepth=2 CmdBufDepth=1 CmdRegs=1 ICacheBytes=512 CCacheBytes=512
    PortBits=32 OutDepth=1 OutCredits=1
  RANGE most Lanes=32 NumWarps=64 RdBufDepth=1023 WrBufDepth=1023 CmdBufDepth=64 CmdRegs=7
    ICacheBytes=65536 CCacheBytes=65536 PortBits=4096 OutDepth=64 OutCredits=15)

# Router: arbiters and allocators
add_block(router/arb_matrix
  VARIANT one NumReq=1
  VARIANT odd NumReq=5
  VARIANT wide NumReq=64)
add_block(router/arb_fixed
  VARIANT one NumReq=1
  VARIANT wide NumReq=64)
add_block(router/arb_age
  VARIANT one NumReq=1 LevelBits=1
  VARIANT odd NumReq=5 LevelBits=3
  VARIANT wide NumReq=64 LevelBits=16)
add_block(router/arb_list
  VARIANT one NumReq=1 ListLen=1
  VARIANT bound NumReq=5 ListLen=3 Bound=1
  VARIANT wide NumReq=64 ListLen=64 Bound=255)
add_block(router/alloc_sep_if
  VARIANT one NumIn=1 NumOut=1
  VARIANT row NumIn=1 NumOut=5
  VARIANT tall NumIn=7 NumOut=3
  VARIANT flat NumIn=3 NumOut=10
  RANGE wide NumIn=64 NumOut=64)
add_block(router/alloc_islip
  VARIANT one NumIn=1 NumOut=1
  RANGE row NumIn=1 NumOut=5 LevelBits=12 Iters=3
  RANGE tall NumIn=7 NumOut=3 LevelBits=4 Iters=2
  RANGE flat NumIn=3 NumOut=10 LevelBits=16 Iters=8
  RANGE wide NumIn=64 NumOut=64 LevelBits=2)
add_block(router/alloc_wavefront
  VARIANT one NumIn=1 NumOut=1
  VARIANT row NumIn=1 NumOut=5
  VARIANT tall NumIn=7 NumOut=3
  VARIANT flat NumIn=3 NumOut=10
  RANGE wide NumIn=64 NumOut=64)

# Router: the way of a flit
add_block(router/router_route
  VARIANT one NumDest=1 Ports=2
  VARIANT odd NumDest=37 Ports=3
  VARIANT all NumDest=1024 Ports=16)
add_block(router/router_input
  VARIANT least NumVCs=1 Depth=1 Ports=2
  VARIANT odd NumVCs=3 Depth=7 Tr=1 FlitBits=256
  VARIANT look NumVCs=4 Classes=2 Tr=1 Depth=4 Lookahead=1 Ports=16
  VARIANT most NumVCs=16 Depth=64 Lookahead=1 FlitBits=1024 Ports=16)
add_block(router/router_output MEASURE OutDepth=3 ALSO "OutDepth=8 OutDepth=1"
  VARIANT least NumVCs=1 Depth=1 OutDepth=1
  VARIANT odd NumVCs=3 Depth=7 Tr=1 FlitBits=256 OutDepth=7
  VARIANT classes NumVCs=4 Classes=2 Tr=1 Depth=3
  VARIANT most NumVCs=16 Depth=64 FlitBits=1024 OutDepth=16)

# Router: allocation
add_block(router/router_vcalloc MEASURE Ports=4,Tr=1 ALSO "Tr=1 Tr=1,PrioAcross=1"
  VARIANT least Ports=2 NumVCs=1
  VARIANT keep Ports=3 NumVCs=4 Classes=2 KeepVC=1
  VARIANT prio Ports=5 NumVCs=3 Tr=1
  VARIANT across Ports=5 NumVCs=2 Tr=1 PrioAcross=1
  VARIANT classes Ports=3 NumVCs=2 Classes=2 Tr=1
  RANGE wide Ports=8 NumVCs=4 Classes=2 Tr=1
  RANGE most Ports=16 NumVCs=4
  RANGE deep Ports=4 NumVCs=16 Classes=2)
add_block(router/router_swalloc ALSO PrioAcross=1
  VARIANT least Ports=2 VCs=1
  VARIANT yield Ports=3 VCs=5 SpecYield=1
  VARIANT iters Ports=3 VCs=2 Iters=3
  VARIANT across Ports=5 VCs=3 Iters=2 PrioAcross=1
  RANGE wide Ports=8 VCs=4 Iters=3
  RANGE most Ports=16 VCs=4 SpecYield=1 Iters=8
  RANGE deep Ports=4 VCs=16)
add_block(router/router_level
  VARIANT least Ports=2 NumVCs=1 Bound=1
  VARIANT dist Ports=3 NumVCs=4 Classes=2 Dist=1 Bound=3
  VARIANT prio Ports=3 NumVCs=1 Tr=1 Bound=4
  RANGE wide Ports=8 NumVCs=2 Classes=2 Tr=1
  RANGE bound Ports=5 NumVCs=3 Tr=1 Bound=255
  RANGE most Ports=16 NumVCs=3 Tr=1 Bound=12)

# Router: congestion management
add_block(router/router_crit MEASURE CountBits=8,HystBits=3
  ALSO "CountStart=671000,TrackPct=100 PairSent=0,CountBits=8,HystBits=3 PairSent=0,RankNext=0,CountBits=8,HystBits=3"
  VARIANT least Ports=2 ListLen=1 HystBits=0 CountBits=4
  VARIANT few Ports=3 ListLen=2 HystBits=1 CountBits=5 TrackPct=0 PairSent=0 RankNext=0
  VARIANT next Ports=3 ListLen=3 HystBits=2 CountBits=5 PairSent=0
  VARIANT odd Ports=8 ListLen=5 HystBits=2 CountBits=7 TrackPct=33
  RANGE equals Ports=8 ListLen=64 HystBits=3 CountBits=4 TrackPct=100
  RANGE most Ports=16 ListLen=64 HystBits=8 CountBits=32)
add_block(router/router_width MEASURE CountBits=8,EpochCycles=200,Penalty=20
  ALSO "CountStart=524200,EpochCycles=2097200,Penalty=32800 CountStart=16330,EpochCycles=131000
  CountStart=262110,EpochCycles=1048500 CountStart=131030,EpochCycles=524200"
  VARIANT least Ports=2 CountBits=4 EpochCycles=1 Penalty=0
  VARIANT short Ports=3 CountBits=7 EpochCycles=64 Penalty=5 WidthPct=0
  VARIANT odd Ports=8 CountBits=7 EpochCycles=100 Penalty=1 WidthPct=100
  RANGE most Ports=16 CountBits=32 EpochCycles=16777215 Penalty=65535 WidthPct=33)
add_block(router/router_epoch CYCLES 300000
  VARIANT every Period=1
  VARIANT short Period=7)

# The router, whole: two stages, and each kind of congestion management
add_block(router/router TOP MEASURE Ports=3,OutDepth=2,Crit=1,Tr=1,Width=1,HystBits=1,ListLen=4,CountBits=6,EpochCycles=64,Penalty=5
  ALSO "OutDepth=8,Crit=1,Tr=1,Width=1,HystBits=1,CountBits=6,EpochCycles=64,Penalty=5
  Ports=3,NumVCs=8,OutDepth=1,Spec=1,SpecYield=1,Crit=1,Tr=1,Width=1,Bound=3,ListLen=64,HystBits=1,CountBits=6,EpochCycles=64,Penalty=5@track
  Crit=1,Tr=1,PairSent=0,RankNext=0,PrioAcross=1,HystBits=1,CountBits=6
  Ports=9,NumVCs=1,Dist=1,Bound=3 Ports=16,NumVCs=1,Crit=1,ListLen=64,TrackPct=0,HystBits=8,CountBits=6@track"
  VARIANT least Ports=2 NumVCs=1 Depth=1 NumDest=5
  VARIANT two_stage Ports=3 NumVCs=1 Depth=5 Lookahead=1 Spec=1
  VARIANT crit Ports=8 NumVCs=1 Crit=1 HystBits=1 ListLen=3 CountBits=6
  VARIANT older Ports=3 NumVCs=2 Crit=1 Tr=1 HystBits=1 ListLen=3 CountBits=6 PairSent=0 RankNext=0 PrioAcross=1
  VARIANT tr Ports=5 NumVCs=2 Crit=1 Tr=1 Depth=7 Lookahead=1 Spec=1 SpecYield=1 HystBits=2 Bound=3
  VARIANT width Ports=3 NumVCs=4 Classes=2 OutDepth=3 Crit=1 Tr=1 Width=1 FlitBits=256 EpochCycles=200 Penalty=20 HystBits=1
  VARIANT dist Ports=5 NumVCs=4 Dist=1 Spec=1 Depth=3 Iters=2
  VARIANT keep Ports=5 NumVCs=4 Classes=2 KeepVC=1 Lookahead=1 Depth=3
  VARIANT double Ports=8 NumVCs=4 NumDest=300)

# Decisions about offloading, on the GPU
add_block(offload/ofld_ratio CYCLES 700000 MEASURE EpochCycles=40,CountBits=20 ALSO EpochCycles=40,CountBits=20
  VARIANT every EpochCycles=1 CountBits=16 Window=1 MoveBy=1
  VARIANT odd EpochCycles=37 CountBits=17 Init=20 StepInit=4 StepMin=2 StepMax=9 Window=5
  VARIANT most EpochCycles=64 CountBits=20 Init=0 StepInit=20 StepMax=20 Window=16)
add_block(offload/ofld_credits
  VARIANT least CmdEntries=1 RdEntries=2 WrEntries=2 Depth=1 TagBits=1
  VARIANT odd CmdEntries=7 RdEntries=37 WrEntries=100 Depth=5 TagBits=32
  RANGE most CmdEntries=64 RdEntries=1023 WrEntries=1023 Depth=1024)
add_block(offload/ofld_score MEASURE Entries=5,CountBits=8,MinInstances=5,Retry=3 ALSO Entries=5,CountBits=8,Retry=3
  VARIANT paper Rule=0
  VARIANT least Entries=2 CountBits=8 MinInstances=1 Retry=1
  VARIANT odd Entries=37 CountBits=9 MinInstances=255 Retry=0
  RANGE most CountBits=16 Retry=255 Rule=0)

# LSU-Extension
add_block(lsu/lsu_restore DRAM_DIE)
add_block(lsu/lsu_stores DRAM_DIE
  VARIANT one Stores=1
  VARIANT odd Stores=7
  VARIANT most Stores=16)
add_block(lsu/lsu_done DRAM_DIE
  VARIANT least Depth=4
  VARIANT odd Depth=11
  VARIANT most Depth=64)
add_block(lib/fifo_2w
  VARIANT one Depth=1 Width=1
  VARIANT two Depth=2 Width=33
  VARIANT odd Depth=7 Width=100
  VARIANT deep Depth=1024 Width=8)
add_block(lsu/lsu_dramq DRAM_DIE
  VARIANT one QueueDepth=1 McCredits=1
  VARIANT odd QueueDepth=5 McCredits=3
  VARIANT few_places QueueDepth=2 McCredits=64
  VARIANT most QueueDepth=64 McCredits=64)
add_block(lsu/lsu_xact DRAM_DIE
  VARIANT two Xacts=2
  VARIANT odd Xacts=37
  VARIANT most Xacts=256)
add_block(lsu/lsu_rfport DRAM_DIE)
add_block(lsu/move_near DRAM_DIE)
add_block(lsu/lsu_rx DRAM_DIE
  VARIANT one MemDepth=1 SmemDepth=1 WriteDepth=1 MoveDepth=1
  VARIANT odd MemDepth=5 SmemDepth=3 WriteDepth=7 MoveDepth=3
  VARIANT most MemDepth=32 SmemDepth=16 WriteDepth=8 MoveDepth=8)
add_block(lsu/lsu_tx DRAM_DIE
  VARIANT two Xacts=2
  VARIANT odd Xacts=37
  VARIANT most Xacts=256)
add_block(lsu/lsu_issue DRAM_DIE)
add_block(lsu/lsu_gather DRAM_DIE
  VARIANT one Gathers=1
  VARIANT odd Gathers=5
  VARIANT most Gathers=16)
add_block(lsu/lsu_smem DRAM_DIE MEASURE Threads=8,SmemBytes=16384
  RANGE two Threads=2 SmemBytes=1024
  RANGE eight Threads=8 SmemBytes=16384
  RANGE least SmemBytes=128
  RANGE kilo SmemBytes=1024)
add_block(lsu/lsu_ext TOP DRAM_DIE
  ALSO MemDepth=32,SmemDepth=16,WriteDepth=8,MoveDepth=8,Xacts=256,QueueDepth=64,McCredits=64,Gathers=16,Stores=16@memory
  RANGE least MemDepth=1 SmemDepth=1 WriteDepth=1 MoveDepth=1 Xacts=2 QueueDepth=1 McCredits=1 Gathers=1 Stores=1 SmemBytes=128
  RANGE odd MemDepth=5 SmemDepth=3 WriteDepth=3 MoveDepth=3 Xacts=37 QueueDepth=7 McCredits=5 Gathers=5 Stores=3 SmemBytes=4096
  RANGE most MemDepth=32 SmemDepth=16 WriteDepth=8 MoveDepth=8 Xacts=256 QueueDepth=64 McCredits=64 Gathers=16 Stores=16)

# The base die's part of the load/store path
add_block(lsu/track_table CYCLES 80000
  VARIANT one Warps=1 Regs=1
  VARIANT odd Warps=5 Regs=100
  VARIANT most Warps=64 Regs=256)
add_block(lsu/offload_engine)
add_block(lsu/move_engine
  VARIANT zero MoveId=0)
add_block(lsu/lsu CYCLES 150000
  VARIANT one Entries=1 Reqs=1
  VARIANT odd Entries=3 Reqs=37
  VARIANT most Entries=16 Reqs=256)
add_block(lsu/lsu_remote
  VARIANT one InDepth=1 RemoteEntries=1
  VARIANT odd InDepth=7 RemoteEntries=5
  VARIANT most InDepth=64 RemoteEntries=256)

# The controller: an RV32IM core
add_block(ctrl/rv_decode)
add_block(ctrl/rv_alu)
add_block(ctrl/rv_muldiv CYCLES 100000
  VARIANT least Width=2
  VARIANT odd Width=5
  VARIANT most Width=64)
add_block(ctrl/rv_csr
  VARIANT last HartId=65535)
add_block(ctrl/rv_core CYCLES 300000
  VARIANT elsewhere ResetPc=2147483644 HartId=1)

# Transparent offloading and mapping
add_block(tom/tom_place
  VARIANT two StackBits=1 AddrBits=35
  VARIANT eight StackBits=3 AddrBits=35
  VARIANT wide StackBits=3 AddrBits=48)
add_block(tom/tom_cond)
add_block(tom/tom_busy MEASURE Links=3,Flits=5,Window=12
  VARIANT least Links=1 Flits=1 Window=2
  VARIANT odd Links=3 Flits=3 Window=37
  RANGE most Links=8 Flits=15 Window=65536)
add_block(tom/tom_gate MEASURE Sms=9,SeenBits=10
  VARIANT least Sms=1 Stacks=1 CountBits=1 SeenBits=7
  VARIANT odd Sms=5 Stacks=3 CountBits=3 SeenBits=8
  RANGE most Stacks=8 CountBits=16)
add_block(tom/tom_lines MEASURE Warps=5
  VARIANT least Warps=2 Lines=1 LineBits=1
  VARIANT odd Warps=5 Lines=3 LineBits=7
  RANGE most Warps=192 Lines=24 LineBits=41)
add_block(tom/tom_map MEASURE Warps=4,CountBits=8
  VARIANT least Warps=2 Maps=1 StackBits=1 CountBits=4
  VARIANT odd Warps=5 Maps=3 StackBits=3 CountBits=5
  VARIANT touched Warps=3 Rule=0 CountBits=6
  RANGE most Warps=64 StackBits=3)
add_block(tom/tom_ranges MEASURE Entries=7,AddrBits=12
  VARIANT least Entries=2 AddrBits=3 QueueDepth=1
  VARIANT odd Entries=5 AddrBits=9 QueueDepth=3
  RANGE most Entries=128 QueueDepth=64)
add_block(tom/tom_pack
  VARIANT least Warps=2 PackCycles=3 OutCredits=1
  VARIANT odd Warps=5 PackCycles=4 OutCredits=3
  RANGE most Warps=256 PackCycles=255 OutCredits=15)
add_block(tom/tom_unpack
  VARIANT least Warps=2 LineBits=1
  VARIANT odd Warps=5 LineBits=7
  RANGE most Warps=256 LineBits=41)
add_block(tom/tom_ctrl MEASURE Warps=5,Entries=3,PackCycles=4
  VARIANT least Warps=2 Entries=2 PackCycles=3 OutCredits=1 LineBits=1
  VARIANT odd Warps=5 Entries=3 PackCycles=4 OutCredits=3 LineBits=7
  RANGE most Warps=64 Entries=128 PackCycles=255 OutCredits=15 LineBits=41)
add_block(tom/tom_stack MEASURE Warps=5,Queue=2,Rows=3
  VARIANT least Warps=2 Queue=1 Rows=1 Lines=1 LineBits=1 Sms=2 OutCredits=1
  VARIANT odd Warps=5 Queue=3 Rows=4 Lines=3 LineBits=7 Sms=5 OutCredits=3
  RANGE most Warps=192 Queue=64 Rows=64 Lines=24 LineBits=41 Sms=256 OutCredits=15)
