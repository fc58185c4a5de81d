/* SPDX-License-Identifier: MIT */
/* T1 files of autotuners: what is read of them as options, and one sentence for what is not. */
#include "cli/run/t1.h"
#include "tests/unit/testing.h"

#include <stdio.h>

static char reason[T1_REASON_BYTES];

/* A file as Kernel Tuner's: parameters, conditions and further members of its kernel. */
#define T1(parameters, conditions, kernel)                                                      \
    "{\"General\": {\"BenchmarkName\": \"x\", \"OutputFormat\": \"JSON\"},"                     \
    " \"ConfigurationSpace\": {\"TuningParameters\": [" parameters "],"                         \
    "                          \"Conditions\": [" conditions "]},"                              \
    " \"KernelSpecification\": {\"Language\": \"CUDA\", \"KernelName\": \"convolve\","          \
    "   \"KernelFile\": \"convolve.cu\", \"LocalSize\": {\"X\": \"bx\", \"Y\": \"by\", \"Z\": " \
    "\"1\"},"                                                                                   \
    "   \"GlobalSize\": {\"X\": \"4096 // bx\", \"Y\": \"4096\"}" kernel "}}"
#define PARAMETER(name, values) \
    "{\"Name\": \"" name "\", \"Type\": \"int\", \"Values\": " values ", \"Default\": 1}"
#define CONDITION(text) "{\"Expression\": \"" text "\", \"Parameters\": [\"bx\"]}"
#define ARGUMENTS(text) ", \"Arguments\": [" text "]"
#define BLOCKS          PARAMETER("bx", "\"[16, 32]\"") ", " PARAMETER("by", "[1, 2, 4]")

static t1_problem read(const char *text)
{
    t1_problem problem;
    if (t1_read_text("problems/convolve.json", text, strlen(text), &problem, reason) != 0)
        fail_msg("refused: %s", reason);
    return problem;
}

static void refuse(const char *text, const char *sentence)
{
    t1_problem problem;
    if (t1_read_text("x.json", text, strlen(text), &problem, reason) == 0)
        fail_msg("%s was taken", text);
    t1_free(&problem);
    assert_string_equal(reason, sentence);
}

static void a_kernel_and_its_parameters(void **state)
{
    t1_problem p = read(T1(BLOCKS ", " PARAMETER("kind", "\"['a', \\\"b\\\", True, -1.5]\""),
                           CONDITION("by==1 or (bx % 32 != 0)") ", " CONDITION("not bx == True"),
                           ", \"CompilerOptions\": [\"-std=c++11\", \"-DPAD=1\"]"));
    assert_string_equal(p.operand, "problems/convolve.cu:convolve");
    const run_texts *defines = &p.settings.defines;
    assert_int_equal(defines->count, 4);
    assert_string_equal(defines->texts[0], "bx=16,32");
    assert_string_equal(defines->texts[1], "by=1,2,4");
    assert_string_equal(defines->texts[2], "kind=a,b,1,-1.5");
    assert_string_equal(defines->texts[3], "PAD=1");
    assert_int_equal(p.settings.conditions.count, 2);
    assert_string_equal(p.settings.conditions.texts[0], "by==1 or (bx % 32 != 0)");
    assert_string_equal(p.settings.conditions.texts[1], "not bx == 1");
    assert_string_equal(p.settings.locals.texts[0], "bx,by,1");
    assert_string_equal(p.settings.groups, "4096 // bx,4096");
    assert_null(p.settings.global);
    t1_free(&p);
}

/* With ProblemSize, Kernel Tuner ignores GlobalSize: groups are ProblemSize / GridDiv, rounded up. */
static void groups_of_a_problem(void **state)
{
    t1_problem p = read(T1(BLOCKS, "",
                           ", \"ProblemSize\": [4096, 100],"
                           " \"GridDivX\": [\"bx\", \"2\"], \"GridDivY\": []"));
    assert_string_equal(p.settings.groups, "ceil((4096)/((bx)*(2))),ceil((100)/(by))");
    assert_true(p.sizes.count == 1 && p.sizes.values[0] == 4096);
    t1_free(&p);
    p = read(T1(BLOCKS, "", ", \"GlobalSizeType\": \"OpenCL\""));
    assert_string_equal(p.settings.global, "4096 // bx,4096");
    assert_null(p.settings.groups);
    t1_free(&p);
}

static void arguments(void **state)
{
    t1_problem p = read(
        T1(BLOCKS, "",
           ", \"ProblemSize\": 64" ARGUMENTS(
               "{\"Name\": \"y\", \"Type\": \"float\", \"MemoryType\": \"Vector\", \"Output\": 1,"
               " \"FillType\": \"Constant\", \"Size\": 4096, \"FillValue\": 0.0},"
               "{\"Type\": \"float4\", \"MemoryType\": \"Vector\", \"FillType\": \"Random\","
               " \"Size\": \"(ProblemSize[0]+max(bx)-1) * min(by, 2)\"},"
               "{\"Type\": \"int32\", \"MemoryType\": \"Scalar\", \"FillValue\": 7},"
               "{\"Type\": \"double2\", \"MemoryType\": \"Local\", \"Size\": \"bx\"},"
               "{\"Type\": \"custom\", \"TypeSize\": 12, \"MemoryType\": \"Vector\","
               " \"FillType\": \"BinaryRaw\", \"DataSource\": \"in.bin\"}") ", "
                                                                            "\"ReferenceArguments\""
                                                                            ": [{\"Name\": \"r\", "
                                                                            "\"TargetName\": "
                                                                            "\"y\", \"FillType\":"
                                                                            " \"BinaryRaw\", "
                                                                            "\"DataSource\": "
                                                                            "\"/data/y.bin\", "
                                                                            "\"ValidationThreshold"
                                                                            "\": 0.5,"
                                                                            " \"ValidationMethod\":"
                                                                            " \"SideBySideRelativeC"
                                                                            "omparison\"}]"));
    static const char *const expected[] = {"0=fill:0 x 4096", "1=random x (64+32-1) * min(by, 2)",
                                           "2=7", "3=local:16*(bx)", "4=@problems/in.bin"};
    assert_int_equal(p.settings.arguments.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(p.settings.arguments.texts[i], expected[i]);
    assert_string_equal(p.settings.expectations.texts[0], "0=@/data/y.bin");
    assert_string_equal(p.settings.tolerance, "0,0.5");
    t1_free(&p);
}

static void what_has_to_be_evaluated(void **state)
{
    refuse(T1(PARAMETER("w", "\"[i for i in range(3,35,2)]\""), "", ""),
           "TuningParameters[0]: list the values of \"w\" instead of [i for i in "
           "range(3,35,2)]");
    refuse(T1(PARAMETER("w", "\"list(range(3))\""), "", ""),
           "TuningParameters[0]: list the values of \"w\" instead of list(range(3))");
    refuse(T1(PARAMETER("w", "\"[2**3]\""), "", ""),
           "TuningParameters[0]: list the values of \"w\" instead of [2**3]");
    refuse(T1(PARAMETER("w", "[]"), "", ""), "TuningParameters[0]: \"w\" has no values");
    refuse(T1(PARAMETER("w", "[[1]]"), "", ""),
           "TuningParameters[0]: \"w\" has a value that is neither number nor "
           "text");
    refuse(T1(BLOCKS, CONDITION("bx / 3 == 2"), ""),
           "Conditions[0]: \"/ 3 == 2\": / makes fractions; // is whole division");
}

static void what_is_not_known(void **state)
{
    refuse("{", "it is no JSON: line 1, column 1: string or '}' expected near end of file");
    refuse("[]", "it is no object");
    refuse("{}", "\"KernelSpecification\" is missing");
    refuse(T1(BLOCKS, "", ", \"Streams\": 2"), "KernelSpecification: \"Streams\" is not known");
    refuse(T1(BLOCKS, "", ", \"SharedMemory\": 64"),
           "KernelSpecification: \"SharedMemory\" is not 0, which is not supported");
    refuse(T1(BLOCKS, "", ", \"CompilerOptions\": [\"-use_fast_math\"]"),
           "KernelSpecification: \"CompilerOptions\" has \"-use_fast_math\"; -D, -std and -O are "
           "read");
    refuse(T1(BLOCKS, "", ", \"ProblemSize\": [0]"),
           "KernelSpecification: \"ProblemSize\" is no size of 1 or more");
    refuse(T1(BLOCKS, "", ARGUMENTS("{\"Type\": \"float\", \"MemoryType\": \"Symbol\"}")),
           "Arguments[0]: \"MemoryType\" is \"Symbol\": Vector, Scalar and "
           "Local are read");
    refuse(T1(BLOCKS, "", ARGUMENTS("{\"Type\": \"float3\", \"MemoryType\": \"Scalar\"}")),
           "Arguments[0]: \"Type\" is \"float3\", which is not known");
    refuse(T1(BLOCKS, "",
              ARGUMENTS("{\"Type\": \"float\", \"MemoryType\": \"Vector\","
                        " \"FillType\": \"Generator\", \"DataSource\": \"f(i)\"}")),
           "Arguments[0]: \"FillType\" is \"Generator\": Constant, Random and "
           "BinaryRaw are read");
    refuse(T1(BLOCKS, "",
              ARGUMENTS("{\"Type\": \"float\", \"MemoryType\": \"Vector\","
                        " \"FillValue\": 1, \"Size\": \"ProblemSize[0]\"}")),
           "Arguments[0]: \"ProblemSize[0]\" is no number of ProblemSize");
}

static void files(void **state)
{
    t1_problem problem;
    assert_int_equal(t1_read("/nowhere/x.json", &problem, reason), -1);
    assert_string_equal(reason, "/nowhere/x.json cannot be read: No such file or directory");
    t1_free(&problem);
    assert_int_equal(t1_read("/", &problem, reason), -1);
    assert_string_equal(reason, "/ cannot be read: Is a directory");
    t1_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_and_its_parameters),
        cmocka_unit_test(groups_of_a_problem),
        cmocka_unit_test(arguments),
        cmocka_unit_test(what_has_to_be_evaluated),
        cmocka_unit_test(what_is_not_known),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
