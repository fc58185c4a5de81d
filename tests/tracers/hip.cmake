# SPDX-License-Identifier: MIT
kt_add_gpu_tests(hip ${cases_of_both} layouts nameless hip_refused others)
# ThreadSanitizer keeps signals back in waitid(), where the launcher waits.
if(KT_SANITIZE MATCHES thread)
  set_tests_properties(tracers.cuda.paused tracers.hip.paused PROPERTIES LABELS "")
endif()
# AddressSanitizer brings a runtime of C++ into a program that has none.
if(KT_SANITIZE MATCHES address)
  set_tests_properties(tracers.cuda.names tracers.hip.names PROPERTIES LABELS "")
endif()
