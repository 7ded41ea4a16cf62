# SPDX-License-Identifier: Apache-2.0
#
# Part of build_dut.cmake: what an object was built from, in OUT.seen, a line `MD5 FILE` each. Times do not tell it alone: a file may be replaced by
# an older one, and clocks are set back. Who uses an object compares (harness/lockstep/build.c).

# Before tools that go by times: a file is another than last time and not newer. They begin anew.
function(seen_look file)
  if(EXISTS ${file})
    file(STRINGS ${file} lines)
    foreach(line IN LISTS lines)
      string(SUBSTRING "${line}" 0 32 was)
      string(SUBSTRING "${line}" 33 -1 name)
      if(EXISTS "${name}" AND NOT "${name}" IS_NEWER_THAN "${OUT}")
        file(MD5 "${name}" is)
        if(NOT is STREQUAL was)
          file(GLOB made ${WORK}/*.o)
          file(REMOVE ${made} ${WORK}/verilated/${top}__verFiles.dat ${WORK}/ports/${top}__verFiles.dat)
          break()
        endif()
      endif()
    endforeach()
  endif()
endfunction()

function(seen_write file files)
  set(text "")
  foreach(name IN LISTS files)
    if(EXISTS "${name}")
      file(MD5 "${name}" is)
      string(APPEND text "${is} ${name}\n")
    endif()
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()
