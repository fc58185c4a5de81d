#include "tracers/common/collect.h"
