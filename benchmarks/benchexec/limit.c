extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 10) {
    i++;
  }
  if (n == 41 && i == 10) {
    reach_error();
  }
  return 0;
}
