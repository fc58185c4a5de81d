/*
 * hold_ptx.h - the kernel behind hold.c, by hand, for all devices from sm_50 on. It asks a word of
 * the host until it holds the ticket, or a later one. %globaltimer counts ns; where it stands
 * still, the number of questions ends it: so many take some 40 ms over PCIe. Whoever is late looks
 * once more before it gives up: the time may be the device's, which did something else meanwhile.
 * PTX 4.0, of CUDA 6, is the first that knows sm_50.
 */
#ifndef KT_CUDA_HOLD_PTX_H
#define KT_CUDA_HOLD_PTX_H

/* (address of a cuda_hold_words, its ticket, ns at most) */
static const char cuda_hold_ptx[] =
    ".version 4.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry kt_hold(\n"
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
