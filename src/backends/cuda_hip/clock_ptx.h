/* SPDX-License-Identifier: MIT */
/*
 * clock_ptx.h - the kernel of clock_probe.c, hand-written PTX for devices from sm_50 on (see
 * blocking_ptx.h).
 *
 * %clock64 counts cycles of the multiprocessor, and %globaltimer ns, in steps of 32 ns to 1 us or
 * more. So both are read right after a step of the timer, at the begin and at the end. In case the
 * timer stands still, 1,048,576 polls end the loops as well, which take some 50 ms.
 */
#ifndef KT_CUDA_CLOCK_PTX_H
#define KT_CUDA_CLOCK_PTX_H

/* PTX text of the kernel. Parameter: address of a cuda_clock_words. It spins for 100 us. */
static const char cuda_clock_ptx[] = ".version 4.0\n"
                                     ".target sm_50\n"
                                     ".address_size 64\n"
                                     ".visible .entry kt_clock(\n"
                                     "    .param .u64 words)\n"
                                     "{\n"
                                     "    .reg .pred %p;\n"
                                     "    .reg .b32 %asked;\n"
                                     "    .reg .b64 %words, %begin, %now, %first, %cycles;\n"
                                     "    ld.param.u64 %words, [words];\n"
                                     "    cvta.to.global.u64 %words, %words;\n"
                                     "    mov.u32 %asked, 0;\n"
                                     "    mov.u64 %now, %globaltimer;\n"
                                     "step:\n"
                                     "    mov.u64 %begin, %globaltimer;\n"
                                     "    mov.u64 %first, %clock64;\n"
                                     "    add.u32 %asked, %asked, 1;\n"
                                     "    setp.ge.u32 %p, %asked, 1048576;\n"
                                     "    @%p bra spin;\n"
                                     "    setp.eq.u64 %p, %begin, %now;\n"
                                     "    @%p bra step;\n"
                                     "spin:\n"
                                     "    mov.u64 %now, %globaltimer;\n"
                                     "    mov.u64 %cycles, %clock64;\n"
                                     "    sub.u64 %now, %now, %begin;\n"
                                     "    add.u32 %asked, %asked, 1;\n"
                                     "    setp.ge.u32 %p, %asked, 1048576;\n"
                                     "    @%p bra end;\n"
                                     "    setp.lt.u64 %p, %now, 100000;\n"
                                     "    @%p bra spin;\n"
                                     "end:\n"
                                     "    sub.u64 %cycles, %cycles, %first;\n"
                                     "    st.volatile.global.u64 [%words], %cycles;\n"
                                     "    st.volatile.global.u64 [%words + 8], %now;\n"
                                     "    ret;\n"
                                     "}\n";

#endif
