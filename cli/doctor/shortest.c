/* The shortest kernel that can be ranked: what all the other checks come to. */
#include "doctor.h"

kt_status doctor_check_shortest(doctor *d)
{
    (void)d;
    return KT_OK;
}
