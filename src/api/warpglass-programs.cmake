# CUDA programs built by Warpglass beside whatever else a project builds, and tests of them. The project needs no CUDA
# language for them: one that has it, and builds for a GPU, gets a second program that needs none.
#
#     find_package(warpglass REQUIRED)
#     warpglass_add_executable(app_on_cpu main.cpp kernels.cu [ARCH sm_80] [OPTIONS --use_fast_math])
#     target_include_directories(app_on_cpu PRIVATE include)
#     warpglass_add_test(NAME app COMMAND app_on_cpu --size 1000
#       CHECK PROFILE BUDGET budget.txt EXPECT "saxpy: shared_conflicts == 0")

# warpglass_add_executable(NAME SOURCE... [ARCH ARCH] [OPTIONS OPTION...]): sources in CUDA are compiled by "warpglass cc", with
# the target's include directories, definitions and C++ standard and with OPTIONS; others by the project's compilers.
function(warpglass_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 W "" "ARCH" "OPTIONS")
  if(NOT W_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpglass_add_executable(${name}): no sources")
  endif()
  if(NOT CMAKE_CXX_COMPILER)
    message(FATAL_ERROR "warpglass_add_executable(${name}): the project needs the language CXX, which links the program")
  endif()
  set(words ${W_OPTIONS})
  if(W_ARCH)
    list(APPEND words --arch ${W_ARCH})
  endif()
  set(includes "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  set(standard "$<TARGET_PROPERTY:${name},CXX_STANDARD>")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.warpglass)
  file(MAKE_DIRECTORY ${folder})
  set(parts)
  set(count 0)
  foreach(source IN LISTS W_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.cu$")
      list(APPEND parts ${source})
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    get_filename_component(stem ${source} NAME_WE)
    set(object ${folder}/${stem}.${count}.o)
    math(EXPR count "${count} + 1")
    add_custom_command(OUTPUT ${object} DEPENDS ${path} ${WARPGLASS_COMMAND} DEPFILE ${object}.d
      COMMAND ${WARPGLASS_COMMAND} cc -c ${path} -o ${object} -MD -MT ${object} -MF ${object}.d
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        "$<$<BOOL:${standard}>:-std=c++${standard}>" ${words}
      COMMENT "Building CUDA object ${name}.warpglass/${stem}.${count}.o by Warpglass" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND parts ${object})
  endforeach()
  add_executable(${name} ${parts})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX BUILD_RPATH ${WARPGLASS_LIBRARIES_DIR}
    INSTALL_RPATH ${WARPGLASS_LIBRARIES_DIR})
  target_link_directories(${name} PRIVATE ${WARPGLASS_LIBRARIES_DIR})
  target_link_libraries(${name} PRIVATE ${WARPGLASS_LIBRARIES_DIR}/libcudart.so.13)
  target_link_options(${name} PRIVATE LINKER:--allow-shlib-undefined)
endfunction()

# warpglass_add_test(NAME NAME COMMAND TARGET [ARGUMENT...] [CHECK] [PROFILE] [BUDGET FILE] [EXPECT EXPECTATION...] [ARCH ARCH]):
# tests of CTest. NAME runs the program. NAME.check finds races, bad addresses and more, and fails if there are any; it writes
# NAME.sarif. NAME.profile counts what each line does to memory, and fails if an expectation of BUDGET's file or of EXPECT does
# not hold; it writes NAME.json and NAME.html, into the current build folder.
function(warpglass_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 W "CHECK;PROFILE" "NAME;BUDGET;ARCH" "COMMAND;EXPECT")
  if(NOT W_NAME OR NOT W_COMMAND OR W_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpglass_add_test(NAME NAME COMMAND TARGET [ARGUMENT...] [CHECK] [PROFILE] [BUDGET FILE] "
      "[EXPECT EXPECTATION...] [ARCH ARCH]): wrong arguments ${W_UNPARSED_ARGUMENTS}")
  endif()
  list(POP_FRONT W_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(words)
  if(W_ARCH)
    set(words --arch ${W_ARCH})
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${W_NAME})
  add_test(NAME ${W_NAME} COMMAND ${WARPGLASS_COMMAND} run ${words} ${program} -- ${W_COMMAND})
  if(W_CHECK)
    add_test(NAME ${W_NAME}.check COMMAND ${WARPGLASS_COMMAND} check ${words} --sarif ${out}.sarif ${program} -- ${W_COMMAND})
  endif()
  if(W_PROFILE OR W_BUDGET OR W_EXPECT)
    if(W_BUDGET)
      get_filename_component(budget ${W_BUDGET} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      list(APPEND words --budget ${budget})
    endif()
    foreach(expectation IN LISTS W_EXPECT)
      list(APPEND words --expect ${expectation})
    endforeach()
    add_test(NAME ${W_NAME}.profile
      COMMAND ${WARPGLASS_COMMAND} profile ${words} --json ${out}.json --html ${out}.html ${program} -- ${W_COMMAND})
  endif()
endfunction()
