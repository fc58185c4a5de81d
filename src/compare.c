/* compare.c - what changed, and how surely: numbers in, verdicts out. */
#include <kerntime/compare.h>

const char *kt_verdict_name(kt_verdict verdict)
{
    static const char *const names[] = {"none", "same", "faster", "slower", "inconclusive"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "unknown";
}
