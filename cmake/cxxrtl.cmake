# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake, for objects of kind cxxrtl: Yosys' simulator of the block, C++ by write_cxxrtl, behind cxxrtl_shim.cpp.
# Memories (sram_*) are black boxes for Yosys and the shim's own; the memory as a block is its RTL.

execute_process(COMMAND yosys-config --datdir/include OUTPUT_VARIABLE cxxrtl_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT cxxrtl_include OR NOT EXISTS ${cxxrtl_include}/backends/cxxrtl/cxxrtl.h)
  bad("environment: yosys-dev is not installed")
endif()

set(cxxrtl_read "verilog_defaults -add -I${GEN}")
foreach(dir IN LISTS PORTS_LIST_DIRS)
  string(APPEND cxxrtl_read " -I${dir}")
endforeach()
set(cxxrtl_boxes "setattr -mod -set cxxrtl_blackbox 1 =sram_1r1w
setattr -mod -set cxxrtl_template \"Width Depth LaneBits\" =sram_1r1w
setattr -set cxxrtl_edge \"p\" =sram_1r1w/w:clk_i
setattr -set cxxrtl_sync 1 =sram_1r1w/w:rd_data_o
setattr -set cxxrtl_width \"Width\" =sram_1r1w/w:*_data_*
setattr -set cxxrtl_width \"sram_bits(Depth)\" =sram_1r1w/w:*_addr_i
setattr -set cxxrtl_width \"Width / LaneBits\" =sram_1r1w/w:wr_mask_i")
if(block MATCHES "^sram_")
  string(APPEND cxxrtl_read " -nosynthesis")
  set(cxxrtl_boxes "")
endif()
foreach(package IN LISTS packages)
  string(APPEND cxxrtl_read "\nread_verilog -sv ${package}")
endforeach()
set(cxxrtl_libraries "")
set(device_deps ${FILES} ${ROOT}/cmake/cxxrtl.cmake ${ROOT}/harness/dut/cxxrtl_shim.cpp)
foreach(dir IN LISTS rtl_dirs)
  string(APPEND cxxrtl_libraries " -libdir ${dir}")
  file(GLOB files ${dir}/*.sv ${dir}/*.v ${dir}/*.svh)
  list(APPEND device_deps ${files})
endforeach()
if(chparams)  # `hierarchy -chparam` of Yosys 0.23 fails an assertion of its own when a part is there twice; `rename` undoes what chparam calls it
  set(chparams "chparam${chparams} ${block}\n")
endif()
ports_write(${WORK}/cxxrtl.ys "${cxxrtl_read}
${yosys_read}
${chparams}hierarchy -check -top ${block}${cxxrtl_libraries}
rename -top ${block}
proc
flatten
clean
delete t:$assert t:$assume t:$cover
${cxxrtl_boxes}
write_cxxrtl -g0 -header ${WORK}/design.cc
")
run(${TOOL_yosys} -q -e "implicitly declared" ${WORK}/cxxrtl.ys)

# What the shim needs to know of names: C++ calls port a_b p_a__b; and the members of the block's struct, its state among them.
string(REPLACE "_" "__" class p_${block})
string(REGEX REPLACE "^p__" "p_" class ${class})
set(names "/* Generated: names of ports and members. */\n#define DUT_CLASS ${class}\n")
ports_lines(ports pins.txt ${PORTS} ${pins})
foreach(port IN LISTS ports)
  string(REGEX MATCH "^(.*)=(.*)$" port ${port})
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "_" "__" mangled ${CMAKE_MATCH_2})
  string(APPEND names "#define PORT_${name} p_${mangled}\n")
endforeach()
file(READ ${WORK}/design.h header)
string(REPLACE ";" "," header "${header}")
string(FIND "${header}" "struct ${class} : public module" at)
string(SUBSTRING "${header}" ${at} -1 members)
string(REGEX MATCHALL "\n\t(/\\*[a-z]+\\*/ )?(value|wire|memory)<[0-9]+> [A-Za-z0-9_]+" found "${members}")
set(state "")
foreach(member IN LISTS found)
  string(REGEX MATCH "(value|wire|memory)<[0-9]+> ([A-Za-z0-9_]+)$" found "${member}")
  string(TOUPPER ${CMAKE_MATCH_1} shape)
  string(APPEND state " \\\n  ${shape}(${CMAKE_MATCH_2})")
endforeach()
set(sram "bb_p_sram__1r1w</\\*Width=\\*/([0-9]+), /\\*Depth=\\*/([0-9]+), /\\*LaneBits=\\*/([0-9]+)>")
string(REGEX MATCHALL "${sram}> cell_[A-Za-z0-9_]+" found "${members}")
set(srams "")
foreach(member IN LISTS found)
  string(REGEX MATCH "${sram}> (cell_[A-Za-z0-9_]+)" found "${member}")
  string(APPEND state " \\\n  CELL(${CMAKE_MATCH_4}, ${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, ${CMAKE_MATCH_3})")
  list(APPEND srams " \\\n  SRAM(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, ${CMAKE_MATCH_3})")
endforeach()
list(REMOVE_DUPLICATES srams)
list(JOIN srams "" srams)
if(srams)
  string(APPEND names "#define SRAMS${srams}\n")
endif()
ports_write(${WORK}/design_names.h "${names}#define STATE${state}\n")
set(device_shim ${ROOT}/harness/dut/cxxrtl_shim.cpp)
# A read outside of a memory gives what nobody may use, as in every simulator of Verilog: outputs tell. Else C++'s assert() would end the run.
set(device_flags "-I${cxxrtl_include} -I${WORK} -DCXXRTL_NDEBUG")
