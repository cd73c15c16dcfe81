"""Zing models that have nearly everything: exceptions, conditions that call, channels, sets, arrays, interfaces."""

EXCEPTIONS = """\
class Start {
  static int x;
  static bool open;
  static activate void main() {
    async work();
    try { risky(1); x = 3; } with { E1 -> x = 1; * -> x = 2; }
    assert(x > 0);
    open = true;
  }
  static void risky(int n) { inner(n); }
  static void inner(int n) { if (n > 0) { raise E1; } raise E2; }
  static bool ready() { bool b; b = open; return b; }
  static void work() { select { wait(ready()) -> x = 5; } assert(x == 5); }
};
"""
DATA = """\
interface Shape { int size(int k); };
class Square : Shape { int side = 2; int size(int k) { return side * side + k; } };
class Line : Shape { int length; Square corner; int size(int k) { return length - k; } };
struct Pair { int a; bool b; };
enum Color { Red, Green };
range Small 0..2;
chan Post int;
set Bag int;
array Row[3] int;
array Any[] bool;
class Main {
  static Post post;
  static Bag bag;
  static Pair pair;
  static Color color;
  static Shape shape;
  static int total;
  static int count = 1 + 2;
  static activate void main() {
    Row row; Any many; Square s; Line l; int i; int j; Pair p; Small r;
    post = new Post; bag = new Bag; row = new Row; many = new Any[2]; s = new Square; l = new Line;
    l.length = 7 % 4 + 9 / -2; l.corner = s; s.side = 3;
    row[0] = 5; row[count - 1] = row[0] << 1;
    many[1] = row[2] > 9 && !(row[1] != 0 || false);
    assert(many[1] && sizeof(row) == 3);
    bag = bag + 1; bag = bag + 2; bag = bag - 1;
    assert(2 in bag && !(1 in bag) && sizeof(bag) == 1);
    p.a = 4; p.b = true; pair = p; p.a = 1;
    assert(pair.a == 4 && pair.b);
    r = choose(Small);
    if (r == 1) { color = Color.Green; }
    shape = s; i = shape.size(1);
    shape = l; j = shape.size(2);
    assert(i == 10 && j == (7 % 4 + 9 / -2) - 2);
    async listen(self);
    send(post, i); send(post, -j);
    twice(r, out total);
    foreach (int e in bag) { total = total + e; }
    assert(total == 2 * r + 2);
  }
  static void twice(int n, out int m) { m = n * 2; }
  static void listen(int who) {
    int got; int more;
    select end { receive(post, got) -> more = got | 1; wait(count > 9) -> more = 0; }
    select first { receive(post, more) -> trace("got {0}", more); timeout -> more = 100; }
    assert(got == 10 && (more > 1) && who == 1 && self == 2);
  }
};
"""
