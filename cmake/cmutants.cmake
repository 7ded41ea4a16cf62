# SPDX-License-Identifier: Apache-2.0
#
# Mutants of the C parts that no RTL stands beside (preset `cmutants`, see harness/verify/cmutate/README.md):
#
#   cmutants_of(variable library source...)
#       The sources, rewritten with their mutants where the calling folder is one of
#       CMUTANT_FOLDERS; as they are elsewhere, and in other presets.
#   cmutants_in(variable target)
#       ON: such sources are linked to the program.

set(CMUTANT_FOLDERS cmodel/sim/simt cmodel/sim/gpu cmodel/sim/memory cmodel/sim/network cmodel/sim/mpu)
set(CMUTANTS_A_FILE 600)                         # ids a file may have
set(LOCKSTACK_MUTANTS_PERCENT 12 CACHE STRING "Share of the mutants of the C parts that are drawn")
set(LOCKSTACK_MUTANTS_SEED 1 CACHE STRING "Seed of that draw")

function(cmutants_one variable library source)
  set(original "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  get_filename_component(name "${source}" NAME)  # unique in the tree
  set(mutated "${CMAKE_CURRENT_BINARY_DIR}/cmutants_${name}")
  get_property(files GLOBAL PROPERTY CMUTANT_FILES)
  list(LENGTH files index)
  math(EXPR first "1 + ${index} * ${CMUTANTS_A_FILE}")
  set_property(GLOBAL APPEND PROPERTY CMUTANT_FILES "${mutated}.csv")
  set(includes "$<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>")
  set(defines "$<TARGET_PROPERTY:${library},COMPILE_DEFINITIONS>")
  add_custom_command(OUTPUT "${mutated}" "${mutated}.csv" DEPENDS cmutate "${original}"
    COMMAND cmutate "${original}" "${mutated}" "${mutated}.csv" ${first} ${LOCKSTACK_MUTANTS_PERCENT}
    ${LOCKSTACK_MUTANTS_SEED} -std=gnu11
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${defines}>:-D$<JOIN:${defines},;-D>>"
    COMMAND_EXPAND_LISTS VERBATIM)
  get_source_file_property(options "${source}" COMPILE_OPTIONS)
  if(NOT options)
    set(options)
  endif()
  set_source_files_properties("${mutated}" PROPERTIES COMPILE_OPTIONS "${options};-w")
  set(${variable} "${mutated}" PARENT_SCOPE)
endfunction()

function(cmutants_of variable library)
  set(sources ${ARGN})
  file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  if(LOCKSTACK_MUTANTS AND folder IN_LIST CMUTANT_FOLDERS)
    set(sources)
    foreach(source IN LISTS ARGN)
      cmutants_one(mutated ${library} ${source})
      list(APPEND sources "${mutated}")
    endforeach()
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# Is `target` linked to rewritten sources? Sets the variable.
function(cmutants_in variable target)
  set(left ${target})
  set(seen)
  set(found OFF)
  while(left AND NOT found)
    list(POP_FRONT left one)
    get_target_property(libraries ${one} LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
      if(library STREQUAL cmutant)
        set(found ON)
      elseif(TARGET ${library} AND NOT library IN_LIST seen)
        list(APPEND seen ${library})
        get_target_property(imported ${library} IMPORTED)
        get_target_property(kind ${library} TYPE)
        if(NOT imported AND NOT kind STREQUAL INTERFACE_LIBRARY)
          list(APPEND left ${library})
        endif()
      endif()
    endforeach()
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
