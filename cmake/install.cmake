# SPDX-License-Identifier: MIT
# What is installed, and where. Two components: kerntime_runtime for those who run programs,
# kerntime_development for those who build them. What comes from cli/ is installed if it is built.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(runtime COMPONENT kerntime_runtime)
set(development COMPONENT kerntime_development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kerntime)

# --- Libraries, headers and the CMake package ----------------------------------------------------

# A set for each kind: whoever links the shared library needs nothing of what the static one needs.
foreach(kind Shared Static)
  string(TOLOWER ${kind} suffix)
  if(TARGET kerntime_${suffix})
    install(TARGETS kerntime_${suffix} EXPORT kerntime${kind}Targets
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${runtime} NAMELINK_${development}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${development}
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT kerntime${kind}Targets NAMESPACE kerntime:: DESTINATION ${package_dir}
      ${development})
  endif()
endforeach()
if(TARGET kerntime_static)
  set_target_properties(kerntime_static PROPERTIES EXPORT_NAME static)
endif()
if(TARGET kerntime_shared)
  set_target_properties(kerntime_shared PROPERTIES EXPORT_NAME kerntime)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kerntime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  ${development} FILES_MATCHING PATTERN *.h PATTERN *.hpp)

# Until 1.0 the interface may change with the minor version.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
set(config ${CMAKE_CURRENT_BINARY_DIR}/cmake/kerntimeConfig.cmake)
set(config_version ${CMAKE_CURRENT_BINARY_DIR}/cmake/kerntimeConfigVersion.cmake)
configure_package_config_file(cmake/kerntimeConfig.cmake.in ${config}
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${config_version} COMPATIBILITY ${compatibility})
install(FILES ${config} ${config_version} DESTINATION ${package_dir} ${development})

# --- pkg-config ----------------------------------------------------------------------------------

cmake_path(APPEND pc_libdir "\\\${prefix}" ${CMAKE_INSTALL_LIBDIR}) # a path from the root stays it
cmake_path(APPEND pc_includedir "\\\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
set(pc_private -lm ${CMAKE_THREAD_LIBS_INIT})
foreach(name IN LISTS CMAKE_DL_LIBS)
  list(APPEND pc_private -l${name})
endforeach()
if(TARGET OpenMP::OpenMP_C)
  list(APPEND pc_private ${KT_OPENMP_LINK})
endif()
list(JOIN pc_private " " pc_private)
# Written while installing: `cmake --install --prefix` decides about the prefix as late as that.
function(install_pc name libs private)
  set(pc ${CMAKE_CURRENT_BINARY_DIR}/cmake/${name}.pc)
  install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE pc_prefix)
    set(pc_libdir \"${pc_libdir}\")
    set(pc_includedir \"${pc_includedir}\")
    set(pc_name \"${name}\")
    set(pc_libs [[${libs}]])
    set(pc_private \"${private}\")
    set(pc_description \"${PROJECT_DESCRIPTION}\")
    set(pc_version \"${PROJECT_VERSION}\")
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/cmake/kerntime.pc.in\" \"${pc}\" @ONLY)"
    ${development})
  install(FILES ${pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${development})
endfunction()
# Two files: where both kinds of library are, no option of pkg-config makes the linker take the static one.
set(pc_static "\"\${libdir}/libkerntime.a\" ${pc_private}")
if(TARGET kerntime_shared)
  install_pc(kerntime "-L\"\${libdir}\" -lkerntime" "${pc_private}")
else()
  install_pc(kerntime "${pc_static}" "")
endif()
if(TARGET kerntime_static)
  install_pc(kerntime-static "${pc_static}" "")
endif()

# --- The command ---------------------------------------------------------------------------------

if(TARGET kerntime)
  # It finds its library wherever both were put, or moved to, together.
  set(rpath ${CMAKE_INSTALL_FULL_LIBDIR})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
    cmake_path(RELATIVE_PATH rpath BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR})
    if(APPLE)
      string(PREPEND rpath "@loader_path/")
    else()
      string(PREPEND rpath "$ORIGIN/")
    endif()
  endif()
  set_target_properties(kerntime PROPERTIES INSTALL_RPATH "${rpath}")
  install(TARGETS kerntime RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${runtime})
endif()

# Tracers, which the command looks for here (cli/trace/entries.c).
foreach(api opencl vulkan level_zero cuda hip)
  if(TARGET kerntime-trace-${api})
    install(TARGETS kerntime-trace-${api} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/kerntime ${runtime})
  endif()
endforeach()
if(TARGET kerntime-trace-level_zero)
  install(FILES ${PROJECT_BINARY_DIR}/tracers/level_zero/libze_tracing_layer.so.1 # a link
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/kerntime/level_zero ${runtime})
endif()
if(TARGET kerntime-trace-vulkan)
  install(FILES ${PROJECT_BINARY_DIR}/tracers/VkLayer_kerntime_trace.json
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/kerntime ${runtime})
endif()

# Written by cli/, where it can be.
if(TARGET manual)
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/cli/manual)
  install(FILES ${manual}/kerntime.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${runtime})
  install(FILES ${manual}/kerntime
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${runtime})
  install(FILES ${manual}/_kerntime DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    ${runtime})
  install(FILES ${manual}/kerntime.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${runtime})
endif()

# The public headers'.
if(KT_MAN3)
  find_program(DOXYGEN doxygen REQUIRED)
  mark_as_advanced(DOXYGEN)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/kerntime/*.h)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/man/man3)
  set(script ${PROJECT_SOURCE_DIR}/scripts/man3.sh)
  add_custom_command(OUTPUT ${made}/kerntime_kerntime.h.3
    COMMAND sh ${script} ${DOXYGEN} ${PROJECT_VERSION} ${CMAKE_CURRENT_BINARY_DIR}/man
    DEPENDS ${script} ${PROJECT_SOURCE_DIR}/docs/Doxyfile ${headers} VERBATIM)
  add_custom_target(man3 ALL DEPENDS ${made}/kerntime_kerntime.h.3)
  install(DIRECTORY ${made} DESTINATION ${CMAKE_INSTALL_MANDIR} ${development})
endif()

# --- To read -------------------------------------------------------------------------------------

# In folders as in the source, so that the links between them hold. Pages for those who change
# kerntime stay there. The folder is another project's where that has this one inside.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${runtime})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} ${runtime}
  PATTERN Doxyfile EXCLUDE PATTERN architecture.md EXCLUDE PATTERN adding-a-*.md EXCLUDE)
