/* math_rows.h: one row a function: its name, what it promises, how to measure it. */
#ifndef WARPGLASS_TESTS_MATH_ROWS_H
#define WARPGLASS_TESTS_MATH_ROWS_H

#include <functional>
#include <string>
#include <vector>

#include "ulp.h"

struct Measured {
    double worst; /* ulp, or absolute where the row says so */
    double arguments[4];
};

struct Row {
    std::string name, where; /* where: the domain that the bound is for, empty when it is all */
    double bound;            /* ulp, or absolute */
    bool absolute;
    std::function<Measured(int count)> measure;
};

const std::vector<Row> &math_rows();

#endif
