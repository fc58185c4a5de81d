/* SPDX-License-Identifier: MIT */
/* Plans of run: which kernels, which configurations, and one sentence for what cannot be planned. */
#define _GNU_SOURCE
#include "cli/run/plan.h"
#include "tests/unit/testing.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/kerntime-run-plan-XXXXXX";
static char before[200];

/* ---- files, options and devices by hand ---- */

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* The names of all -D that tests give. */
#define NAMES        "/* A B C D E F G H T FLAG REAL SIZE TILE TYPE WPT */ "
#define KERNEL(name) NAMES "__kernel void " name "(__global float *x, int n) {}\n"

static selected_device devices[3];
static cli_selection selected = {.devices = devices, .count = 1};

/* One device of OpenCL; two more that a test may select, of Vulkan and of CUDA. */
static void set_devices(void)
{
    static const struct {
        const char *id;
        uint32_t languages;
    } all[] = {{"opencl:0", KT_LANGUAGE_OPENCL_C},
               {"vulkan:0", KT_LANGUAGE_SPIRV_SHADER | KT_LANGUAGE_WGSL},
               {"cuda:0", KT_LANGUAGE_PTX | KT_LANGUAGE_CUDA_C}};
    memset(devices, 0, sizeof devices);
    for (size_t i = 0; i < 3; i++) {
        snprintf(devices[i].info.id, sizeof devices[i].info.id, "%s", all[i].id);
        devices[i].info.languages = all[i].languages;
    }
    selected.count = 1;
}

static char *operands[4];
static cli_options options;
static run_plan plan;
static char said[4096]; /* on standard error */

static void begin(const char *operand)
{
    memset(&options, 0, sizeof options);
    options.command = "run";
    snprintf(before, sizeof before, "%s", operand);
    operands[0] = before;
    options.operands = operands;
    options.operand_count = 1;
    set_devices();
}

static void add(run_texts *texts, const char *text)
{
    texts->texts[texts->count++] = text;
}

static int make(void)
{
    fflush(stderr);
    int kept = dup(2), file = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 2);
    int code = run_plan_make(&options, &selected, &plan);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    ssize_t bytes = pread(file, said, sizeof said - 1, 0);
    close(file);
    said[bytes > 0 ? bytes : 0] = '\0';
    return code;
}

static void expect_plan(size_t configurations)
{
    if (make() != EXIT_DONE)
        fail_msg("no plan: %s", said);
    assert_string_equal(said, "");
    assert_int_equal(plan.configuration_count, configurations);
}

/* One sentence, and an exit code. */
static void refuse(int code, const char *sentence)
{
    char line[1000];
    snprintf(line, sizeof line, "kerntime run: %s\n", sentence);
    assert_int_equal(make(), code);
    assert_string_equal(said, line);
    run_plan_free(&plan);
}

static void expect_text(size_t index, const char *text)
{
    assert_string_equal(plan.configurations[index].text, text);
}

/* ---- kernels of files ---- */

static void one_kernel(void **state)
{
    put_file("one.cl", KERNEL("scale"));
    begin("one.cl");
    expect_plan(1);
    const run_subject *subject = &plan.subjects[0];
    assert_string_equal(subject->entry, "scale");
    assert_string_equal(subject->label, "one.cl");
    assert_string_equal(subject->name, "scale");
    assert_true(subject->has_signature);
    const configuration *c = &plan.configurations[0];
    assert_true(c->n == 1 << 20);
    assert_int_equal(c->local[0], 0);
    expect_text(0, "");
    assert_int_equal(plan.contest_count, 1);
    assert_true(isnan(plan.tolerance_abs));
    run_plan_free(&plan);
}

static void which_kernel(void **state)
{
    put_file("two.cl", KERNEL("first") KERNEL("second"));
    begin("two.cl");
    refuse(EXIT_USAGE, "two.cl has 2 kernels: first, second; name one as two.cl:first");
    begin("two.cl:secnod");
    refuse(EXIT_USAGE, "two.cl has no kernel \"secnod\"; did you mean \"second\"?");
    begin("two.cl:x");
    refuse(EXIT_USAGE, "two.cl has no kernel \"x\"; \"kerntime run two.cl --list\" lists them");
    put_file("none.cl", "int f(int x) { return x; }\n");
    begin("none.cl");
    refuse(EXIT_USAGE, "none.cl: no kernel was found in it");
    begin("two.cl:second");
    expect_plan(1);
    assert_string_equal(plan.subjects[0].label, "two.cl:second");
    run_plan_free(&plan);
    begin("two.cl");
    options.list = true;
    assert_int_equal(run_plan_subjects(&options, &plan), EXIT_DONE);
    assert_int_equal(plan.subject_count, 2);
    run_plan_free(&plan);
}

static void a_list_of_many_kernels_ends(void **state)
{
    char text[4000];
    size_t used = 0;
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "__kernel void k%d(__global float *x) {}\n", i);
    put_file("many.cl", text);
    begin("many.cl");
    options.list = true;
    assert_int_equal(make(), EXIT_DONE);
    assert_int_equal(plan.subject_count, RUN_SUBJECTS_MAX);
    assert_string_equal(said, "kerntime run: many.cl: 32 of 40 kernels are listed; name others as "
                              "many.cl:k32\n");
    run_plan_free(&plan);
}

static void names_with_colons(void **state)
{
    put_file("a:b.cl", KERNEL("scale"));
    begin("a:b.cl");
    expect_plan(1);
    run_plan_free(&plan);
    begin("a:b.cl:scale");
    expect_plan(1);
    assert_string_equal(plan.subjects[0].path, "a:b.cl");
    run_plan_free(&plan);
    put_file(
        "axpy.cu",
        "namespace ns { template <typename T, int N> __global__ void axpy(T *x, int n) {} }\n");
    begin("axpy.cu:ns::axpy<float,4>");
    selected.count = 3;
    expect_plan(1);
    assert_string_equal(plan.subjects[0].path, "axpy.cu");
    assert_string_equal(plan.subjects[0].entry, "ns::axpy<float,4>");
    run_plan_free(&plan);
}

static void a_kernel_that_a_define_opens(void **state)
{
    put_file("open.cl", KERNEL("first") "#ifdef TILE\n" KERNEL("second") "#endif\n");
    begin("open.cl");
    refuse(EXIT_USAGE, "open.cl has 2 kernels: first, second; name one as open.cl:first");
    begin("open.cl:second");
    expect_plan(1);
    assert_string_equal(plan.subjects[0].label, "open.cl:second");
    run_plan_free(&plan);
}

/* ---- values of -D ---- */

static void lists_and_ranges(void **state)
{
    begin("one.cl");
    add(&options.run.defines, "A=1..8");
    add(&options.run.defines, "B=4,0:9:4");
    add(&options.run.defines, "T=float,(int,3),float");
    add(&options.run.defines, "SIZE=16Ki");
    add(&options.run.defines, "FLAG");
    expect_plan(4 * 3 * 2);
    expect_text(0, "A=1 B=4 T=float");
    expect_text(1, "A=1 B=4 T=(int,3)");
    expect_text(23, "A=8 B=8 T=(int,3)");
    assert_string_equal(plan.defines[0][3].values[0], "16384");
    assert_string_equal(plan.defines[0][4].values[0], "1");
    run_plan_free(&plan);
}

static void wrong_defines(void **state)
{
    static const char *const wrong[][2] = {
        {"A=8..x", "-D A=8..x: there is no name \"x\""},
        {"A=8..4", "-D A=8..4: \"8..4\" is no range: it takes 1 <= A <= B in A..B"},
        {"A=1:9", "-D A=1:9: \"1:9\" is no range: it takes FROM:TO:STEP"},
        {"A=1:9:0",
         "-D A=1:9:0: \"1:9:0\" is no range: it takes FROM <= TO and a STEP of 1 or more"},
        {"A=1,,2", "-D A=1,,2: a value is missing"},
        {"=3", "-D =3: it takes NAME=VALUE"},
        {"A-B=3", "-D A-B=3: \"A-B\" is no name"},
        {"n=3", "-D n=3: \"n\" is a name of expressions already; choose another"},
        {"3=1", "-D 3: one.cl has no constant of that number"},
        {"A=0:9000000:1",
         "-D A=0:9000000:1: \"0:9000000:1\" has more values than configurations can be measured"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin("one.cl");
        add(&options.run.defines, wrong[i][0]);
        refuse(EXIT_USAGE, wrong[i][1]);
    }
    begin("one.cl");
    add(&options.run.defines, "A=1");
    add(&options.run.defines, "A=2");
    refuse(EXIT_USAGE, "-D A=2: A is given twice; a list has all its values");
}

static const char wgsl[] = "override TILE: u32 = 8;\n"
                           "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n"
                           "@compute @workgroup_size(64)\nfn main() { x[0] = f32(TILE); }\n";

static void constants_of_shaders(void **state)
{
    put_file("scale.wgsl", wgsl);
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.defines, "TILE=8,16");
    expect_plan(2);
    assert_int_equal(plan.configurations[0].device, 1);
    assert_string_equal(plan.subjects[0].name, "scale");
    run_plan_free(&plan);
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.defines, "TLE=8");
    refuse(EXIT_USAGE, "-D TLE: scale.wgsl has no override of that name; did you mean \"TILE\"?");
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.defines, "WIDTH=8");
    refuse(EXIT_USAGE, "-D WIDTH: scale.wgsl has no override of that name; it has TILE");
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.defines, "TILE=big");
    refuse(EXIT_USAGE, "-D TILE: a constant of a shader takes a number, not \"big\"");
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.defines, "TILE=8,0.5");
    refuse(EXIT_USAGE, "-D TILE: 0.5 is none of the 4-byte unsigned integers");
    put_file("axpy.ptx", ".version 6.0\n.target sm_50\n.address_size 64\n"
                         ".visible .entry axpy(.param .u64 x) { ret; }\n");
    begin("axpy.ptx");
    selected.count = 3;
    add(&options.run.defines, "TILE=8");
    refuse(EXIT_USAGE, "-D TILE: axpy.ptx is PTX, which takes no -D");
}

/* ---- configurations ---- */

static void a_sweep(void **state)
{
    begin("one.cl");
    options.sizes = (parse_sizes){{1024, 2048}, 2};
    add(&options.run.defines, "TILE=8,16,32");
    add(&options.run.defines, "WPT=1,2,16");
    add(&options.run.conditions, "TILE % WPT == 0");
    add(&options.run.conditions, "LX * LY <= 256");
    add(&options.run.locals, "TILE,TILE/WPT");
    options.run.global = "n/WPT,n";
    /* Of 9, 8/16 is no size, and 32x32, 32x16 and 16x16... in work-items: 32x32 and 32x16 are
     * above 256, so 6 are left. */
    expect_plan(2 * 6);
    assert_int_equal(plan.dropped, 2 * 3);
    assert_int_equal(plan.contest_count, 2);
    expect_text(0, "TILE=8 WPT=1");
    expect_text(5, "TILE=32 WPT=16");
    const configuration *c = &plan.configurations[11];
    assert_int_equal(c->contest, 1);
    assert_true(c->n == 2048);
    assert_int_equal(c->global[0], 128);
    assert_int_equal(c->global[1], 2048);
    assert_int_equal(c->global[2], 1);
    assert_int_equal(c->local[0], 32);
    assert_int_equal(c->local[1], 2);
    assert_int_equal(c->groups[0], 0);
    run_plan_free(&plan);
}

static void alternatives_of_local(void **state)
{
    begin("one.cl");
    add(&options.run.locals, "64..256");
    add(&options.run.locals, "8..16,4");
    options.run.groups = "ceil(n/LX)";
    expect_plan(5);
    expect_text(0, "local=64");
    expect_text(4, "local=16x4");
    assert_int_equal(plan.configurations[2].groups[0], 4); /* 1024 / 256: two-dimensional */
    run_plan_free(&plan);
}

static void wrong_geometry(void **state)
{
    begin("one.cl");
    options.run.global = "n/TILE";
    add(&options.run.defines, "TILE=8,0");
    refuse(EXIT_USAGE, "--global n/TILE: \"n/TILE\" divides by zero");
    begin("one.cl");
    options.run.global = "n/TLE";
    add(&options.run.defines, "TILE=8");
    refuse(EXIT_USAGE, "--global n/TLE: there is no name \"TLE\"; did you mean \"TILE\"?");
    begin("one.cl");
    options.run.global = "n/TYPE";
    add(&options.run.defines, "TYPE=float");
    refuse(EXIT_USAGE, "--global n/TYPE: TYPE is \"float\", which is no whole number");
    begin("one.cl");
    options.run.global = "1,2,3,4";
    refuse(EXIT_USAGE, "--global 1,2,3,4: there are at most three sizes: X,Y,Z");
    begin("one.cl");
    options.run.global = "n/LX";
    refuse(EXIT_USAGE, "--global n/LX: LX is not known here; --local gives it");
    begin("one.cl");
    add(&options.run.locals, "TILE/16");
    add(&options.run.defines, "TILE=8");
    refuse(EXIT_USAGE, "--local TILE/16: 0 (n=1048576 TILE=8) is no size from 1 to 2^32-1; --if "
                       "can leave it out");
    begin("one.cl");
    add(&options.run.locals, "TILE..64");
    add(&options.run.defines, "TILE=8");
    refuse(EXIT_USAGE, "--local TILE..64: a range takes numbers: there is no name \"TILE\"");
    begin("one.cl");
    options.run.global = "n";
    options.run.groups = "n/64";
    refuse(EXIT_USAGE, "--groups n/64: --global n says the same; leave one out");
}

static void conditions(void **state)
{
    begin("one.cl");
    add(&options.run.conditions, "n < 10");
    refuse(EXIT_USAGE, "--if n < 10: it leaves no configuration");
    begin("one.cl");
    add(&options.run.conditions, "n % TILE == 0");
    add(&options.run.defines, "TILE=8,0");
    refuse(EXIT_USAGE, "--if n % TILE == 0: \"n % TILE\" divides by zero (n=1048576 TILE=0)");
}

static void too_many(void **state)
{
    begin("one.cl");
    add(&options.run.defines, "A=0:999:1");
    add(&options.run.defines, "B=0:999:1");
    refuse(EXIT_USAGE, "1,000,000 configurations (about 6 days); at most 100,000 run: "
                       "shorten lists or add --if");
    for (int i = 0; i < 6; i++) {
        static const char *const more[] = {"C=0:999:1", "D=0:999:1", "E=0:999:1",
                                           "F=0:999:1", "G=0:999:1", "H=0:999:1"};
        begin("one.cl");
        add(&options.run.defines, "A=0:999:1");
        for (int k = 0; k <= i; k++)
            add(&options.run.defines, more[k]);
        assert_int_equal(make(), EXIT_USAGE);
        run_plan_free(&plan);
    }
    EXPECT_TEXT_HAS(said, "more than 2^64 configurations (about ");
    begin("one.cl");
    add(&options.run.defines, "A=0:999:1");
    add(&options.run.defines, "B=0:999:1");
    add(&options.run.conditions, "A == B");
    expect_plan(1000);
    run_plan_free(&plan);
    begin("one.cl");
    add(&options.run.defines, "A=0:399:1");
    add(&options.run.defines, "B=0:399:1");
    add(&options.run.conditions, "A != B");
    refuse(EXIT_USAGE, "--if leaves 159,600 configurations (about 22 hours); at most 100,000 run: "
                       "shorten the lists");
    begin("one.cl");
    add(&options.run.defines, "A=0:999:1");
    add(&options.run.defines, "B=0:1999:1");
    add(&options.run.conditions, "A == B");
    refuse(EXIT_USAGE, "2,000,000 combinations; --if looks at up to 1,000,000: shorten the lists");
}

static void devices_and_languages(void **state)
{
    begin("axpy.ptx");
    refuse(EXIT_UNAVAILABLE, "axpy.ptx is PTX, which none of the selected devices takes");
    begin("one.cl");
    operands[1] = (char[]){"scale.wgsl"};
    options.operand_count = 2;
    selected.count = 3;
    options.sizes = (parse_sizes){{64}, 1};
    expect_plan(2);
    assert_int_equal(plan.contest_count, 2); /* one on each device */
    assert_int_equal(plan.configurations[1].device, 1);
    expect_text(0, "");
    run_plan_free(&plan);
}

static void a_named_device_without_work_is_told(void **state)
{
    begin("one.cl");
    selected.count = 3;
    options.devices[0] = "opencl:0";
    options.devices[1] = "cuda:0";
    options.devices[2] = "vulkan"; /* all of a backend: some will do */
    options.device_count = 3;
    assert_int_equal(make(), EXIT_DONE);
    assert_string_equal(said, "kerntime run: cuda:0 takes none of these kernels and is left out\n");
    run_plan_free(&plan);
}

static void several_kernels_on_a_device(void **state)
{
    begin("two.cl:first");
    operands[1] = (char[]){"two.cl:second"};
    options.operand_count = 2;
    add(&options.run.defines, "A=1,2");
    expect_plan(4);
    assert_int_equal(plan.contest_count, 1);
    expect_text(0, "two.cl:first A=1");
    expect_text(3, "two.cl:second A=2");
    run_plan_free(&plan);
}

static void long_texts_stay_apart(void **state)
{
    char values[400];
    memset(values, 'a', sizeof values);
    values[0] = 'A';
    values[1] = '=';
    values[200] = ',';
    values[399 - 1] = 'b';
    values[399] = '\0';
    begin("one.cl");
    add(&options.run.defines, values);
    expect_plan(2);
    assert_true(strlen(plan.configurations[0].text) < RUN_TEXT_BYTES);
    assert_string_not_equal(plan.configurations[0].text, plan.configurations[1].text);
    run_plan_free(&plan);
}

/* ---- comments ---- */

static void a_comment_sets_options(void **state)
{
    put_file("own.cl", "// kerntime: -n 4096 -D 'TILE=8, 16' --flops \"2*n\" -a x=zeros\n"
                       "/* kerntime scale: --local=TILE */\n"
                       "// kerntime other: --json x\n" KERNEL("scale"));
    begin("own.cl");
    add(&options.run.arguments, "n=n");
    expect_plan(2);
    const run_settings *s = &plan.subjects[0].settings;
    assert_true(plan.configurations[0].n == 4096);
    assert_int_equal(plan.configurations[1].local[0], 16);
    assert_string_equal(s->flops, "2*n");
    assert_int_equal(s->arguments.count, 2);
    run_plan_free(&plan);
    /* The command line wins; what the comment says of other names stays. */
    begin("own.cl");
    options.sizes = (parse_sizes){{64}, 1};
    options.run.flops = "3*n";
    add(&options.run.arguments, "x=iota");
    add(&options.run.defines, "TILE=4");
    add(&options.run.defines, "WPT=2");
    expect_plan(1);
    assert_string_equal(s->flops, "3*n");
    assert_int_equal(s->arguments.count, 1);
    assert_string_equal(s->arguments.texts[0], "x=iota");
    assert_int_equal(plan.configurations[0].local[0], 4);
    assert_int_equal(plan.define_count[0], 2);
    run_plan_free(&plan);
}

static void wrong_comments(void **state)
{
    static const char *const wrong[][2] = {
        {"--json x", "a comment cannot have --json, only options of one dispatch"},
        {"-d cpu:0", "a comment cannot have -d, only options of one dispatch"},
        {"-n", "a value has to follow -n"},
        {"-n x", "-n: \"x\" does not begin with a whole number"},
        {"-D 'A=1", "a quotation mark is not closed"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[400], sentence[400];
        snprintf(text, sizeof text, "// kerntime: %s\n%s", wrong[i][0], KERNEL("scale"));
        snprintf(sentence, sizeof sentence, "wrong.cl: \"kerntime: %s\": %s", wrong[i][0],
                 wrong[i][1]);
        put_file("wrong.cl", text);
        begin("wrong.cl");
        refuse(EXIT_USAGE, sentence);
    }
}

/* ---- the reference ---- */

static void a_reference_has_its_own_geometry(void **state)
{
    put_file("gemm.cl", "// kerntime naive: --global n,n\n" KERNEL("naive") KERNEL("fast"));
    begin("gemm.cl:fast");
    options.run.check = "gemm.cl:naive";
    options.run.global = "n/WPT,n";
    options.sizes = (parse_sizes){{64, 128}, 2};
    add(&options.run.defines, "WPT=2,4");
    add(&options.run.conditions, "WPT > 2");
    expect_plan(2);
    assert_true(plan.has_reference);
    const configuration *reference = &plan.references[1];
    assert_int_equal(reference->subject, 1);
    assert_int_equal(reference->contest, 1);
    assert_int_equal(reference->global[0], 128);
    assert_int_equal(plan.configurations[1].global[0], 32);
    assert_string_equal(reference->text, "gemm.cl:naive");
    run_plan_free(&plan);
    begin("gemm.cl:fast");
    options.run.check = "gemm.cl:niave";
    refuse(EXIT_USAGE, "gemm.cl has no kernel \"niave\"; did you mean \"naive\"?");
    begin("gemm.cl:fast");
    options.run.check = "scale.wgsl";
    refuse(EXIT_USAGE, "--check scale.wgsl: opencl:0 does not take WGSL");
}

/* ---- what the launch would refuse only later ---- */

static void expressions_are_tried(void **state)
{
    begin("one.cl");
    options.run.flops = "2*m";
    add(&options.run.defines, "TILE=8");
    refuse(EXIT_USAGE, "--flops 2*m: there is no name \"m\"; there are n, TILE");
    begin("one.cl");
    options.run.bytes = "4*n*GX/LX";
    add(&options.run.arguments, "x=random x 2*GX");
    expect_plan(1);
    run_plan_free(&plan);
    begin("one.cl");
    add(&options.run.arguments, "x=randm");
    refuse(EXIT_USAGE, "-a x=randm: \"randm\" is no content; did you mean \"random\"?");
    begin("one.cl");
    options.run.tolerance = "1e-5,";
    refuse(EXIT_USAGE, "--tolerance 1e-5,: it takes ABS[,REL], such as 1e-5 or 0,1e-3");
    begin("one.cl");
    options.run.tolerance = "0,1e-3";
    expect_plan(1);
    EXPECT_NUMBER(plan.tolerance_abs, 0);
    EXPECT_NUMBER(plan.tolerance_rel, 1e-3);
    run_plan_free(&plan);
}

static void arguments_are_tried(void **state)
{
    static const char *const wrong[][2] = {
        {"y=3", "-a y=3: one.cl has no parameter \"y\"; it has x, n"},
        {"x=@none.npy", "-a x=@none.npy: none.npy cannot be read: No such file or directory"},
        {"x=@one.npy", "-a x=@one.npy: one.npy is no .npy file"},
        {"x=@five.bin", "-a x=@five.bin: five.bin holds 5 bytes, no multiple of an element's 4"},
        {"x", "-a x: it takes NAME=SPEC, such as x=random or n=64"},
    };
    put_file("one.npy", "x");
    put_file("five.bin", "12345");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        begin("one.cl");
        add(&options.run.arguments, wrong[i][0]);
        refuse(EXIT_USAGE, wrong[i][1]);
    }
    begin("one.cl");
    add(&options.run.expectations, "xx=@five.bin");
    refuse(EXIT_USAGE, "--expect xx=@five.bin: one.cl has no parameter \"xx\"; it has x, n");
    put_file("macro.cl", "#define SIZE , int size\n"
                         "__kernel void scale(__global float *x SIZE) {}\n");
    begin("macro.cl");
    add(&options.run.arguments, "size=3"); /* a compiler may make a parameter of it */
    expect_plan(1);
    run_plan_free(&plan);
}

static void groups_that_cannot_be(void **state)
{
    begin("one.cl");
    options.run.global = "1000";
    add(&options.run.locals, "64");
    refuse(EXIT_USAGE, "--global 1000 is no multiple of --local 64");
    begin("one.cl");
    options.run.global = "1000,10";
    add(&options.run.locals, "64");
    add(&options.run.locals, "8,5"); /* one of a sweep will do */
    expect_plan(2);
    run_plan_free(&plan);
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.locals, "32..128");
    refuse(EXIT_USAGE, "--local 32: the group size of scale.wgsl is fixed at 64");
    begin("scale.wgsl");
    selected.count = 3;
    add(&options.run.locals, "64");
    expect_plan(1);
    run_plan_free(&plan);
}

static void a_reference_takes_only_its_own_arguments(void **state)
{
    put_file("other.cl", "__kernel void naive(__global float *x) {}\n");
    begin("one.cl");
    options.run.check = "other.cl";
    add(&options.run.arguments, "x=iota");
    add(&options.run.arguments, "n=3");
    expect_plan(1);
    assert_int_equal(plan.subjects[0].settings.arguments.count, 2);
    assert_int_equal(plan.subjects[1].settings.arguments.count, 1);
    assert_string_equal(plan.subjects[1].settings.arguments.texts[0], "x=iota");
    run_plan_free(&plan);
}

static void a_t1_file(void **state)
{
    put_file("t1.json",
             "{\"ConfigurationSpace\": {\"TuningParameters\": ["
             "{\"Name\": \"bx\", \"Type\": \"int\", \"Values\": \"[16, 32, 64]\"}],"
             " \"Conditions\": [{\"Expression\": \"bx != 32\", \"Parameters\": [\"bx\"]}]},"
             " \"KernelSpecification\": {\"Language\": \"OpenCL\", \"KernelName\": \"scale\","
             " \"KernelFile\": \"one.cl\", \"ProblemSize\": [1000], \"LocalSize\":"
             " {\"X\": \"bx\"}, \"GlobalSize\": {\"X\": \"1\"}, \"Arguments\": ["
             "{\"Type\": \"float\", \"MemoryType\": \"Vector\", \"FillType\": \"Random\","
             " \"Size\": \"1000 // bx\"}]}}");
    begin("one.cl");
    options.operand_count = 0;
    options.run.t1 = "t1.json";
    add(&options.run.arguments, "n=7");
    expect_plan(2);
    expect_text(1, "bx=64");
    assert_true(plan.configurations[1].n == 1000);
    assert_int_equal(plan.configurations[1].local[0], 64);
    assert_int_equal(plan.configurations[1].groups[0], 16);
    assert_int_equal(plan.subjects[0].settings.arguments.count, 2);
    run_plan_free(&plan);
    begin("one.cl");
    options.run.t1 = "t1.json";
    refuse(EXIT_USAGE, "--t1 t1.json: it names the kernel; leave out one.cl");
    begin("one.cl");
    options.operand_count = 0;
    options.run.t1 = "one.cl";
    refuse(EXIT_USAGE, "one.cl: it is no JSON: line 1, column 1: '[' or '{' expected near '/'");
    options.run.t1 = "no/such.json";
    refuse(EXIT_USAGE, "no/such.json cannot be read: No such file or directory");
}

static int make_folder(void **state)
{
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {
        "one.cl",   "two.cl",   "none.cl",  "a:b.cl",  "axpy.cu", "scale.wgsl",
        "axpy.ptx", "own.cl",   "wrong.cl", "gemm.cl", "said",    "one.npy",
        "five.bin", "macro.cl", "other.cl", "t1.json", "open.cl", "many.cl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel),
        cmocka_unit_test(which_kernel),
        cmocka_unit_test(a_list_of_many_kernels_ends),
        cmocka_unit_test(names_with_colons),
        cmocka_unit_test(a_kernel_that_a_define_opens),
        cmocka_unit_test(lists_and_ranges),
        cmocka_unit_test(wrong_defines),
        cmocka_unit_test(constants_of_shaders),
        cmocka_unit_test(a_sweep),
        cmocka_unit_test(alternatives_of_local),
        cmocka_unit_test(wrong_geometry),
        cmocka_unit_test(conditions),
        cmocka_unit_test(too_many),
        cmocka_unit_test(devices_and_languages),
        cmocka_unit_test(a_named_device_without_work_is_told),
        cmocka_unit_test(several_kernels_on_a_device),
        cmocka_unit_test(long_texts_stay_apart),
        cmocka_unit_test(a_comment_sets_options),
        cmocka_unit_test(wrong_comments),
        cmocka_unit_test(a_reference_has_its_own_geometry),
        cmocka_unit_test(expressions_are_tried),
        cmocka_unit_test(arguments_are_tried),
        cmocka_unit_test(groups_that_cannot_be),
        cmocka_unit_test(a_reference_takes_only_its_own_arguments),
        cmocka_unit_test(a_t1_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
