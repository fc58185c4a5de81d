/* SPDX-License-Identifier: MIT */
/*
 * blocking_ptx.h - the blocking kernel of blocking_kernel.c, hand-written PTX for devices from
 * sm_50 on (PTX 4.0, of CUDA 6, is the first with sm_50).
 *
 * The kernel polls a word of host memory until the word holds its ticket or a later one.
 * %globaltimer counts ns. In case the timer stands still, 32,768 polls end the loop as well, which
 * take some 40 ms over PCIe. After a timeout the kernel polls once more, because the device may
 * have spent the time on other work.
 */
#ifndef KT_CUDA_BLOCKING_PTX_H
#define KT_CUDA_BLOCKING_PTX_H

/* PTX text of the blocking kernel. Parameters: address of a cuda_blocking_words, ticket, time limit
 * in ns. */
static const char cuda_blocking_ptx[] =
    ".version 4.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry kt_block(\n"
    "    .param .u64 words, .param .u32 ticket, .param .u64 most_ns)\n"
    "{\n"
    "    .reg .pred %p;\n"
    "    .reg .b32 %ticket, %word, %asked;\n"
    "    .reg .b64 %words, %most, %begin, %now;\n"
    "    ld.param.u64 %words, [words];\n"
    "    cvta.to.global.u64 %words, %words;\n"
    "    ld.param.u32 %ticket, [ticket];\n"
    "    ld.param.u64 %most, [most_ns];\n"
    "    mov.u32 %asked, 0;\n"
    "    mov.u64 %begin, %globaltimer;\n"
    "ask:\n"
    "    ld.volatile.global.u32 %word, [%words];\n"
    "    sub.s32 %word, %word, %ticket;\n"
    "    setp.ge.s32 %p, %word, 0;\n"
    "    @%p bra released;\n"
    "    add.u32 %asked, %asked, 1;\n"
    "    setp.ge.u32 %p, %asked, 32768;\n"
    "    @%p bra expired;\n"
    "    mov.u64 %now, %globaltimer;\n"
    "    sub.u64 %now, %now, %begin;\n"
    "    setp.lt.u64 %p, %now, %most;\n"
    "    @%p bra ask;\n"
    "expired:\n"
    "    ld.volatile.global.u32 %word, [%words];\n"
    "    sub.s32 %word, %word, %ticket;\n"
    "    setp.ge.s32 %p, %word, 0;\n"
    "    @%p bra released;\n"
    "    st.volatile.global.u32 [%words + 64], %ticket;\n"
    "released:\n"
    "    ret;\n"
    "}\n";

#endif
