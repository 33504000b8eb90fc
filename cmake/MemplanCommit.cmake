# Run with -P at every build: writes HEADER, which tells the commit of the sources in SOURCES, but
# only where it has changed, so that nothing is compiled again without need. Without git both are
# empty.
#
#   MEMPLAN_COMMIT        its hash, and "-dirty" where a file differs from it
#   MEMPLAN_COMMIT_SHORT  the same with the first digits only
foreach(digits 40 7)
  set(commit_${digits} "")
  if(GIT_EXECUTABLE)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --exclude * --abbrev=${digits}
                    WORKING_DIRECTORY ${SOURCES}
                    OUTPUT_VARIABLE commit_${digits} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endforeach()

set(text "#define MEMPLAN_COMMIT \"${commit_40}\"\n#define MEMPLAN_COMMIT_SHORT \"${commit_7}\"\n")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
