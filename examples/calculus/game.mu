// Take one or two matches, in turns; who takes the last match wins. From which heaps does the player to move win?
enum Heap { 0..9 };

bool Take(Heap h, Heap k) h = k + 1 | h = k + 2;

// To win is to have a move after which every answer leads back to a heap from which one wins.
mu bool Win(Heap h)
  exists Heap k. Take(h, k) & (forall Heap l. Take(k, l) -> Win(l));

#ons Win;
Win(0);
Win(1);
Win(3);
Win(9);
