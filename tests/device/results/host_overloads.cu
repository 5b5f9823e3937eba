/* A file that includes no header of mathematics has nvcc's overloads on the host, too: functions of a float
 * are floats, so that plain C beside a kernel rounds as the kernel does. */
#include "check.h"

int main() {
    float x = -0.75f, y = 2;
    CHECK(sizeof sqrt(y) == sizeof(float) && sizeof pow(x, y) == sizeof(float) &&
          sizeof exp(x) == sizeof(float));
    CHECK(sizeof fabs(x) == sizeof(float) && fabs(x) == 0.75f && sizeof fmax(x, y) == sizeof(float));
    CHECK(sizeof abs(x) == sizeof(float) && abs(x) == 0.75f && sizeof sqrt(2.0) == sizeof(double));
    CHECK(sqrt(y) == sqrtf(y) && pow(y, 2) == 4);
    return finish();
}
