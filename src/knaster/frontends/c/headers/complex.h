#pragma once
#define complex _Complex
#define _Complex_I 1.0fi
#define I _Complex_I
double cabs(double _Complex);
double creal(double _Complex);
double cimag(double _Complex);
