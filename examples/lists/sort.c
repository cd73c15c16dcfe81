// Sorts a list of any length by insertion.
// expect: TRUE --property memory --engine shapes
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *build(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *item = malloc(sizeof *item);
    item->data = __VERIFIER_nondet_int();
    item->next = head;
    head = item;
  }
  return head;
}

static void drop(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

static struct node *sort(struct node *list) {
  struct node *sorted = NULL;
  while (list) {
    struct node *item = list;
    list = list->next;
    if (sorted == NULL || item->data <= sorted->data) {
      item->next = sorted;
      sorted = item;
    } else {
      struct node *at = sorted;
      while (at->next && at->next->data < item->data) at = at->next;
      item->next = at->next;
      at->next = item;
    }
  }
  return sorted;
}

int main(void) {
  drop(sort(build()));
  return 0;
}
