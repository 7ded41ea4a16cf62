# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind mutants: Yosys elaborates the block, draws faults (one bit of one cell's
# port inverted, constant, or dependent on its neighbour) and puts them all into one netlist, each behind its number on a new
# input. The netlist is what is then Verilated. The hierarchy stays, so that a fault of a part is in all of its instances;
# memories (sram_*) are macros in a chip and stay whole.

if(NOT MUTANTS MATCHES "^([0-9]+):([0-9]+)$")
  message(FATAL_ERROR "build_dut.cmake: -DMUTANTS=count:seed is missing")
endif()
set(mutants_count ${CMAKE_MATCH_1})
set(mutants_seed ${CMAKE_MATCH_2})
set(mutants_selector lockstack_mutant)  # verilated_shim.cpp names it too

set(mutants_read "verilog_defaults -add -I${GEN}")
foreach(dir IN LISTS PORTS_LIST_DIRS)
  string(APPEND mutants_read " -I${dir}")
endforeach()
set(mutants_libraries "")
set(mutants_deps ${RTL} ${ROOT}/cmake/mutants.cmake)
foreach(dir IN ITEMS ${INSTEAD} ${BESIDE} ${rtl_dir} ${ROOT}/rtl/lib)
  string(APPEND mutants_libraries " -libdir ${dir}")
  file(GLOB files ${dir}/*.sv ${dir}/*.v ${dir}/*.svh)
  list(APPEND mutants_deps ${files})
endforeach()
foreach(package IN LISTS PORTS_PACKAGES)
  string(APPEND mutants_read "\nread_verilog -sv ${GEN}/${package}.sv")
endforeach()

if(chparams)  # `hierarchy -chparam` of Yosys 0.23 fails an assertion of its own when a part is there twice; `rename` undoes what chparam calls it
  set(chparams "chparam${chparams} ${block}\n")
endif()

# Plain opt: after opt -full the unmutated lsu_gather diverges in its first cycle (Yosys 0.23).
ports_write(${WORK}/draw.ys "${mutants_read}
read_verilog -sv ${RTL}
${chparams}hierarchy -check -top ${block}${mutants_libraries}
rename -top ${block}
prep -top ${block}
opt
clean
write_rtlil ${WORK}/design.il
select -set mutable * *sram_* %d
mutate -list ${mutants_count} -seed ${mutants_seed} -ctrl ${mutants_selector} 16 1 -o ${WORK}/mutants.txt @mutable
")
ports_write(${WORK}/apply.ys "read_rtlil ${WORK}/design.il
script ${WORK}/mutants.txt
clean
write_verilog -noattr ${WORK}/mutants.v
")
run(${TOOL_yosys} -q -e "implicitly declared" ${WORK}/draw.ys)
run(${TOOL_yosys} -q ${WORK}/apply.ys)
file(SIZE ${WORK}/mutants.txt size)
if(size EQUAL 0)
  bad("${block} has no logic of its own to mutate (memories are left alone)")
endif()
# What Yosys takes as a black box (a memory) Verilator finds where the block has it.
set(RTL ${WORK}/mutants.v)
set(packages "")
set(generics "")
