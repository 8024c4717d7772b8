# One test program a folder, from its x_test.cc files; tests/ holds what needs more than one folder.
find_package(GTest REQUIRED)

function(seedance_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    SEEDANCE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SEEDANCE_BINARY_DIR="${CMAKE_BINARY_DIR}"
    SEEDANCE_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${SEEDANCE_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

foreach(module base model json ingest signal pricing allocation report simulate store net inventory config app api cli)
  file(GLOB_RECURSE module_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${module}/*_test.cc)
  seedance_test(${module}_test SOURCES ${module_tests} LIBS seedance_${module})
endforeach()

file(GLOB e2e_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/e2e/*_test.cc)
seedance_test(e2e_test SOURCES ${e2e_tests} LIBS seedance_api seedance_cli)
file(GLOB reference_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reference/*_test.cc)
seedance_test(reference_test SOURCES ${reference_tests} LIBS seedance_api seedance_cli)
if(TARGET e2e_test AND TARGET seedanced AND TARGET seedancectl)
  add_dependencies(e2e_test seedanced seedancectl)
endif()

if(EXISTS ${CMAKE_SOURCE_DIR}/tools/check_structure.py)
  find_program(SEEDANCE_PYTHON NAMES python3 REQUIRED)
  add_test(NAME texts COMMAND ${SEEDANCE_PYTHON} ${CMAKE_SOURCE_DIR}/tools/check_texts.py ${CMAKE_SOURCE_DIR})
  add_test(NAME structure COMMAND ${SEEDANCE_PYTHON} ${CMAKE_SOURCE_DIR}/tools/check_structure.py ${CMAKE_SOURCE_DIR})
endif()
