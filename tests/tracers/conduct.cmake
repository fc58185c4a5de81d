# The launcher, with programs that need no API.
add_executable(fake_traced ${CMAKE_CURRENT_SOURCE_DIR}/fake/fake.c)
target_link_libraries(fake_traced PRIVATE tracers_common_writer kt_options m ${CMAKE_DL_LIBS})
