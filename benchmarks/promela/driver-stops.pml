/* The driver without its bugs, one adder and one stopper, as in driver-fixed.pml: whoever stops it succeeds. */
bit flag, event, stopped;
short counter = 1;

inline leave() {
    d_step { counter--; now_at = counter; }
    if
    :: now_at == 0 -> event = 1
    :: else
    fi
}

active proctype adder() {
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

active proctype stopper() {
    short now_at;
    bit already;
    d_step { already = flag; flag = 1; }
    if
    :: !already -> leave(); event; stopped = 1
    :: else
    fi
}

ltl stops { <> stopped }
