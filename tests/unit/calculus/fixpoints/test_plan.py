"""Plans: early quantification, the one-point rule, shared and constant parts, few renamings; and allocation."""

from __future__ import annotations

import pytest

from knaster.bdd.store import Store
from knaster.calculus import Session, evaluate, parse
from knaster.calculus.fixpoints.allocate import Allocation, allocate
from knaster.calculus.fixpoints.compile import Compiler, compare
from knaster.calculus.fixpoints.plan import FALSE, GONE, Node, Op
from knaster.calculus.language.system import System
from support.calculus_plans import nodes

TYPES = "enum N { 0..15 }; enum M { 0..2 }; class C { N n; bool b; };\n"


def allocation_of(system: System) -> Allocation:
    closed = [request.formula for request in system.requests if request.formula is not None]
    return allocate(system.variables, system.predicates.values(), closed)


def plan(text: str, name: str, volatile: str = "") -> Node:
    system = parse(TYPES + text)
    allocation = allocation_of(system)
    compiler = Compiler(Store(allocation.count, 1 << 14), allocation, system.predicates)
    return compiler.body(system.predicates[name], frozenset(volatile.split()))


def count(root: Node, op: Op) -> int:
    return sum(node.op is op for node in nodes(root))


def test_an_equality_of_a_quantified_variable_becomes_an_argument() -> None:
    root = plan("bool R(N x, N y); bool f(N x) exists N y. R(x, y) & y = x;", "f")
    assert root.op is Op.CALL and root.reading is not None
    assert root.reading.actuals[:4] == root.reading.actuals[4:]


def test_a_constant_becomes_an_argument() -> None:
    root = plan("bool R(N x, N y); bool f(N x) exists N y. R(x, y) & y = 0;", "f")
    assert root.reading is not None and root.reading.actuals[4:] == (FALSE,) * 4


def test_a_variable_of_one_call_is_quantified_inside_it() -> None:
    root = plan("bool R(N x, N y); bool f(N x) exists N y. R(x, y);", "f")
    assert root.reading is not None and root.reading.actuals[4:] == (GONE,) * 4
    twice = plan("bool R(N x, N y); bool f(N x) exists N y. R(y, y);", "f")
    assert twice.op is Op.EXISTS and twice.operands[0].op is Op.CALL


def test_a_conjunction_under_a_quantifier_is_one_product() -> None:
    root = plan("bool T(N x, N y); mu bool R(N x) x = 0 | (exists N y. R(y) & T(y, x));", "R", "R")
    assert count(root, Op.PRODUCT) == 1 and count(root, Op.EXISTS) == 0


def test_quantifiers_go_as_deep_as_they_can() -> None:
    text = "bool A(N x, N y); bool B(N y, N z); bool D(N z, N w);"
    text += "bool f(N x, N w) exists N y, N z. A(x, y) & B(y, z) & D(z, w);"
    products = [node for node in nodes(plan(text, "f")) if node.op is Op.PRODUCT]
    assert len(products) == 2
    assert all(node.support.bit_count() <= 12 for product in products for node in product.operands)


def test_forall_of_an_implication_is_a_product_as_well() -> None:
    root = plan("bool T(N x, N y); mu bool A(N x) forall N y. T(x, y) -> A(y);", "A", "A")
    assert count(root, Op.PRODUCT) == 1 and count(root, Op.EXISTS) == 0


def test_a_quantifier_moves_into_a_disjunction() -> None:
    root = plan("bool A(N x); bool B(N x, N y); bool f(N x) exists N y. A(x) | B(x, y);", "f")
    assert root.op is Op.OR and all(operand.op is Op.CALL for operand in root.operands)


def test_equal_subformulas_are_one_node() -> None:
    text = "bool T(N x, N y); bool f(N x) (exists N y. T(x, y) & y != x) & (x = 3 | (exists N z. T(x, z) & z != x));"
    assert count(plan(text, "f"), Op.CALL) == 1


def test_constant_operands_are_grouped() -> None:
    text = "bool A(N x, N y); bool B(N x, N y); mu bool R(N x) exists N y. A(x, y) & R(y) & B(x, y);"
    root = plan(text, "R", "R")
    assert root.op is Op.PRODUCT
    constant = [operand for operand in root.operands if "R" not in operand.calls]
    assert [node.op for node in constant] == [Op.AND]


def test_invalid_codes_are_excluded_only_where_needed() -> None:
    text = "bool R(M x); bool f(bool b) exists M x. R(x); bool g(bool b) exists M x. b & x != 0 & x != 1 & x != 2;"
    assert plan(text, "f").op is Op.CALL
    assert evaluate(parse(TYPES + text + "\n#ons g;")).counts == {"g": 0}


def test_the_number_of_variables_is_that_of_the_largest_scope() -> None:
    text = "\n".join(f"bool p{i}(N x, N y) exists N z. x = z & z != y;" for i in range(50))
    assert allocation_of(parse(TYPES + text)).count == 12


def test_arguments_in_the_place_of_parameters_need_no_renaming() -> None:
    text = "bool T(N x, N y); bool I(N x); mu bool R(N x) I(x) | (exists N y. R(y) & T(x, y));"
    calls = [node.reading for node in nodes(plan(text, "R", "R")) if node.reading is not None]
    renamed = [reading.name for reading in calls if reading.formals != reading.actuals]
    assert renamed == ["R"]


@pytest.mark.parametrize(("hint", "size"), [("x ~- y", 9), ("x ~+ y", 6), ("", 6)])
def test_interleaving_is_a_matter_of_size(hint: str, size: int) -> None:
    text = f"enum N {{ 0..3 }}; bool R(N x, N y) {hint} x = y; #size R;"
    session = Session(parse(text))
    assert session.relation("R").size == size


def test_before_orders_blocks_and_copies() -> None:
    system = parse("enum N { 0..3 }; enum M { 0..3 }; bool R(N x, M y) y < x  1; bool Q(N a, N b) b < a  1;")
    levels = allocation_of(system).levels
    assert max(levels[1]) < min(levels[0])
    assert levels[3][0] < levels[2][0]


def test_members_of_a_class_are_arranged_by_its_constraints() -> None:
    system = parse("enum N { 0..3 }; class C { N a, b; bool c; } a ~+ b, c < a; bool R(C x) 1;")
    levels = allocation_of(system).levels[0]
    assert levels == (1, 3, 2, 4, 0)


def test_a_component_lies_in_the_rows_of_the_whole() -> None:
    text = TYPES + "bool P(N n) 1; bool f(C c) exists N m. P(c.n) & m = c.n;"
    levels = allocation_of(parse(text)).levels
    assert levels[0] == levels[1][:4]  # P's parameter where the member is
    assert [level - 1 for level in levels[2]] == list(levels[1][:4])  # m beside it


@pytest.mark.parametrize("shift", [-5, -1, 0, 1, 3])
@pytest.mark.parametrize("operator", ["=", "<", "<="])
def test_comparators(operator: str, shift: int) -> None:
    store = Store(5, 1 << 12)
    relation = {"=": int.__eq__, "<": int.__lt__, "<=": int.__le__}[operator]
    found = compare(store, operator, [0, 1, 2], [3, 4], shift)
    for left in range(8):
        for right in range(4):
            bits = {0: left & 4, 1: left & 2, 2: left & 1, 3: right & 2, 4: right & 1}
            value = found & store.assignment({level: bool(bit) for level, bit in bits.items()}) != store.false
            assert value == relation(left, right + shift)
