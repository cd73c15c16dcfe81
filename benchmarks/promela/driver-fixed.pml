/* examples/threads/driver-fixed.bp for Spin, step by step: ADDERS and STOPPERS are given on the command line.
   Calls are inlined; entering a procedure, returning and coming back are no steps of their own here. */
bit flag, event, stopped;
short counter = 1;

inline leave() {
    d_step { counter--; now_at = counter; }
    if
    :: now_at == 0 -> event = 1
    :: else
    fi
}

proctype adder() {
    short now_at;
    bit granted;
    counter++;
    if
    :: flag -> leave(); granted = 0
    :: else -> granted = 1
    fi;
    if
    :: granted -> assert(!stopped); leave()
    :: else
    fi
}

proctype stopper() {
    short now_at;
    bit already;
    d_step { already = flag; flag = 1; }
    if
    :: !already -> leave(); event; stopped = 1
    :: else
    fi
}

init {
    byte number;
    atomic {
        for (number : 1 .. ADDERS) { run adder(); }
        for (number : 1 .. STOPPERS) { run stopper(); }
    }
}
