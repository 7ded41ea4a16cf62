# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind netlist: the block as `lockstack area` synthesises it (synth/cells.ys.in), on standard
# cells, whose models (synth/cells/osu018.v) are proved to be the Liberty file's functions. Probes are gone; memories (sram_*) are
# black boxes for Yosys, and Verilator finds their RTL where the block has it.

set(LIBERTY /usr/share/qflow/tech/osu018/osu018_stdcells.lib)
if(NOT EXISTS ${LIBERTY})
  bad("environment: qflow-tech-osu018 is not installed")
endif()
if(block MATCHES "^sram_")
  bad("${block} is a memory macro: it has no gates, and every netlist has its RTL")
endif()
set(TOP ${block})
set(PARTS "")
set(LIBDIRS "")
set(device_deps ${RTL} ${ROOT}/cmake/netlist.cmake ${ROOT}/synth/cells.ys.in ${ROOT}/synth/cells/osu018.v)
foreach(dir IN ITEMS ${INSTEAD} ${BESIDE} ${rtl_dir} ${ROOT}/rtl/lib)
  string(APPEND LIBDIRS " -libdir ${dir}")
  file(GLOB files ${dir}/*.sv ${dir}/*.v ${dir}/*.svh)
  list(APPEND device_deps ${files})
endforeach()
list(TRANSFORM packages PREPEND " " OUTPUT_VARIABLE PACKAGES)
list(JOIN PACKAGES "" PACKAGES)
list(TRANSFORM params REPLACE "(.+)=(.+)" " -chparam \\1 \\2" OUTPUT_VARIABLE PARAMS)
list(JOIN PARAMS "" PARAMS)
configure_file(${ROOT}/synth/cells.ys.in ${WORK}/cells.ys @ONLY)
if(DEFINED ENV{LOCKSTACK_NETLIST_FAULT})  # a test's: Yosys commands that stand for a fault of synthesis
  file(READ $ENV{LOCKSTACK_NETLIST_FAULT} fault)
  file(APPEND ${WORK}/cells.ys "${fault}")
endif()
file(APPEND ${WORK}/cells.ys "write_verilog -noattr ${WORK}/netlist.v\n")
run(${TOOL_yosys} -q -e "implicitly declared" ${WORK}/cells.ys)
set(RTL ${WORK}/netlist.v ${ROOT}/synth/cells/osu018.v)
set(packages "")
set(generics "")
set(probes 0)
