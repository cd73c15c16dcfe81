// A lamp with a switch that sticks: which states can it get into?
enum Lamp { off, dim, bright, broken };

bool Step(Lamp s, Lamp t)
    (s = off & t = dim)
  | (s = dim & t = bright)
  | (s = bright & (t = off | t = bright));

mu bool Reach(Lamp t)
    t = off
  | (exists Lamp s. Reach(s) & Step(s, t));

#ons Reach;
Reach(broken);
exists Lamp s. Reach(s) & s = bright;
