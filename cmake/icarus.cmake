# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind icarus: the RTL compiled by Icarus Verilog in a testbench expanded from the port file, the VPI
# module that carries its ports, and the shim that runs vvp. Without assertions: one about data that nobody has written yet, of a port
# that is not valid, fails when it is X, and what X does to valid outputs is seen there.

ports_make(${WORK}/icarus_bench.sv icarus.sv ${PORTS} ${pins})
list(TRANSFORM generics REPLACE "^-G" "-Plockstack_bench." OUTPUT_VARIABLE values)
set(icarus_files "")
foreach(file IN LISTS FILES)  # one language for all is what Icarus 11 has, but words of Verilog 2005 by a directive
  if(VERILOG AND file MATCHES "\\.v$")
    get_filename_component(name ${file} NAME)
    ports_write(${WORK}/icarus_${name} "`begin_keywords \"1364-2005\"\n`include \"${file}\"\n`end_keywords\n")
    set(file ${WORK}/icarus_${name})
  endif()
  list(APPEND icarus_files ${file})
endforeach()
run(iverilog -g2012 -gno-assertions -Y .sv -I${GEN} ${list_dirs} ${rtl_words} ${search} ${values} -s lockstack_bench -o ${WORK}/icarus.vvp
    ${packages} ${icarus_files} ${WORK}/icarus_bench.sv)
run(${TOOL_gcc} -shared -fPIC -O2 -Wall -I${ROOT}/harness/dut -I/usr/include/iverilog -o ${WORK}/lockstack.vpi
    ${ROOT}/harness/dut/icarus_vpi.c)

set(device_deps ${FILES} ${ROOT}/cmake/icarus.cmake ${ROOT}/harness/dut/icarus_shim.cpp ${ROOT}/harness/dut/icarus_vpi.c
  ${ROOT}/harness/dut/icarus_frame.h)
foreach(dir IN LISTS rtl_dirs)
  file(GLOB files ${dir}/*.sv ${dir}/*.v ${dir}/*.svh)
  list(APPEND device_deps ${files})
endforeach()
set(device_shim ${ROOT}/harness/dut/icarus_shim.cpp)
set(device_flags "-DICARUS_VVP='\"${WORK}/icarus.vvp\"' -DICARUS_FOLDER='\"${WORK}\"'")
