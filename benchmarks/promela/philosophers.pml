/* The philosophers of benchmarks/philosophers.py for Spin, step by step: N is given on the command line. */
bool taken[N];

proctype eat(byte left; byte right) {
    do
    ::  atomic { !taken[left] -> taken[left] = true }
        atomic { !taken[right] -> taken[right] = true }
        taken[right] = false;
        taken[left] = false
    od
}

init {
    atomic {
        byte i = 0;
        do
        :: i < N - 1 -> run eat(i, i + 1); i++
        :: else -> break
        od;
        run eat(0, N - 1)
    }
}
