kt_add_gpu_tests(hip ${cases_of_both} layouts nameless hip_refused others)
