"""One door to three solvers: terms by their names in SMT-LIB, and a question whether formulas can hold together.

Bitwuzla decides bit-vectors and arrays (A. Niemetz and M. Preiner, CAV 2023), cvc5 integers as well (H. Barbosa and
others, TACAS 2022), z3 both (L. de Moura and N. Bjørner, TACAS 2008).  Whoever asks says how much work a question is
worth: calls of a callback, resource units, resource units; so two runs say the same.  A spent time limit raises
`OutOfBudget`, Ctrl-C `KeyboardInterrupt`.  Each library is imported when its door is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from importlib.util import find_spec
from typing import Any, Protocol

from knaster.base.deferred_interrupt import DeferredInterrupt
from knaster.base.limits import Budget

Formula = Any  # a term of the solver behind the door
Sort = str | tuple[Any, ...]  # "Bool", "Int", ("BitVec", 8), ("Array", index, element)
EASY, HARD = 1, 20  # how much work a question is worth
SEED = 1

_BITS = {
    "bvadd": "ADD",
    "bvsub": "SUB",
    "bvmul": "MUL",
    "bvsdiv": "SDIV",
    "bvudiv": "UDIV",
    "bvsrem": "SREM",
    "bvurem": "UREM",
    "bvand": "AND",
    "bvor": "OR",
    "bvxor": "XOR",
    "bvshl": "SHL",
    "bvlshr": "LSHR",
    "bvashr": "ASHR",
    "bvslt": "SLT",
    "bvsle": "SLE",
    "bvult": "ULT",
    "bvule": "ULE",
    "extract": "EXTRACT",
    "sign_extend": "SIGN_EXTEND",
    "zero_extend": "ZERO_EXTEND",
}
_FLOATS = {
    "fp.add": "FP_ADD",
    "fp.sub": "FP_SUB",
    "fp.mul": "FP_MUL",
    "fp.div": "FP_DIV",
    "fp.fma": "FP_FMA",
    "fp.sqrt": "FP_SQRT",
    "fp.roundToIntegral": "FP_RTI",
    "fp.isNaN": "FP_IS_NAN",
    "fp.abs": "FP_ABS",
    "fp.eq": "FP_EQUAL",
    "fp.lt": "FP_LT",
    "fp.leq": "FP_LEQ",
    "fp.to_sbv": "FP_TO_SBV",
    "fp.to_ubv": "FP_TO_UBV",
    "to_fp": "FP_TO_FP_FROM_FP",
    "to_fp_bits": "FP_TO_FP_FROM_BV",
    "to_fp_signed": "FP_TO_FP_FROM_SBV",
    "to_fp_unsigned": "FP_TO_FP_FROM_UBV",
}  # `to_fp` of SMT-LIB has three meanings
_PLAIN = {"not": "NOT", "and": "AND", "or": "OR", "xor": "XOR", "=": "EQUAL", "=>": "IMPLIES", "ite": "ITE"}


class Answer(Enum):
    """What a solver says."""

    SATISFIABLE = "sat"
    UNSATISFIABLE = "unsat"
    UNKNOWN = "unknown"


class Door(Protocol):
    """A solver, and how its terms are made."""

    name: str
    has_integers: bool

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable that may have any value."""

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable for `exists`."""

    def truth(self, value: bool) -> Formula:
        """Return true or false."""

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""

    def integer(self, value: int) -> Formula:
        """Return a number."""

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return an operator of SMT-LIB applied to operands; `and` and `or` have two at least."""

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Return that some values of bound variables satisfy a formula."""

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Tell whether formulas can hold together, and if so which of the formulas in `shown` do then."""


class ExplainingDoor(Door, Protocol):
    """A solver that says why formulas cannot hold together."""

    def core(self, formulas: Sequence[Formula], assumptions: Sequence[Formula], work: int) -> tuple[Answer, list[int]]:
        """Tell whether formulas and assumptions (literals) can hold together; if not, which of these are to blame."""


class BitwuzlaDoor:
    """Bitwuzla: bit-vectors and arrays of them."""

    name = "Bitwuzla"
    has_integers = False

    def __init__(self, budget: Budget) -> None:
        import bitwuzla

        self.library: Any = bitwuzla
        self.budget = budget
        self.manager: Any = bitwuzla.TermManager()
        kind = bitwuzla.Kind
        spelled = {"LSHR": "SHR"}
        self.kinds = {name: getattr(kind, f"BV_{spelled.get(word, word)}") for name, word in _BITS.items()}
        self.kinds |= {name: getattr(kind, word) for name, word in _PLAIN.items()}
        self.kinds |= {"select": kind.ARRAY_SELECT, "store": kind.ARRAY_STORE}
        self.kinds |= {name: getattr(kind, word) for name, word in _FLOATS.items()}

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case "Bool":
                return self.manager.mk_bool_sort()
            case ("BitVec", width):
                return self.manager.mk_bv_sort(width)
            case ("Array", index, element):
                return self.manager.mk_array_sort(self._sort(index), self._sort(element))
        raise ValueError(sort)

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable that may have any value."""
        return self.manager.mk_const(self._sort(sort), name)

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable for `exists`."""
        return self.manager.mk_var(self._sort(sort), name)

    def truth(self, value: bool) -> Formula:
        """Return true or false."""
        return self.manager.mk_true() if value else self.manager.mk_false()

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), str(value % (1 << width)), 10)

    def rounding(self, mode: str) -> Formula:
        """Return a mode in which floating-point numbers are rounded, by its short name in SMT-LIB."""
        return self.manager.mk_rm_value(getattr(self.library.RoundingMode, mode))

    def integer(self, value: int) -> Formula:
        """Refuse: there are none."""
        raise ValueError(value)

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""
        return self.manager.mk_const_array(self._sort(sort), element)

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return an operator of SMT-LIB applied to operands."""
        return self.manager.mk_term(self.kinds[operator], list(operands), list(indices))

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Return that some values of bound variables satisfy a formula."""
        return self.manager.mk_term(self.library.Kind.EXISTS, [*variables, body])

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Tell whether formulas can hold together, and if so which of the formulas in `shown` do then."""
        self.budget.check()
        options = self.library.Options()
        options.set(self.library.Option.SEED, SEED)
        if shown:
            options.set(self.library.Option.PRODUCE_MODELS, True)
        solver = self.library.Bitwuzla(self.manager, options)
        for formula in formulas:
            solver.assert_formula(formula)
        found = ask_patiently(solver, 200 * work, self.budget)
        answer = Answer(found) if found in ("sat", "unsat") else Answer.UNKNOWN
        true = self.manager.mk_true()
        return answer, [solver.get_value(one) == true for one in shown] if answer is Answer.SATISFIABLE else []

    def core(self, formulas: Sequence[Formula], assumptions: Sequence[Formula], work: int) -> tuple[Answer, list[int]]:
        """Tell whether formulas and assumptions can hold together; if not, which assumptions are to blame."""
        self.budget.check()
        options = self.library.Options()
        options.set(self.library.Option.SEED, SEED)
        options.set(self.library.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        solver = self.library.Bitwuzla(self.manager, options)
        for formula in formulas:
            solver.assert_formula(formula)
        found = ask_patiently(solver, 200 * work, self.budget, assumptions)
        if found != "unsat":
            return Answer(found) if found == "sat" else Answer.UNKNOWN, []
        return Answer.UNSATISFIABLE, [n for n, one in enumerate(assumptions) if solver.is_unsat_assumption(one)]


class Patience:
    """Ends a question of Bitwuzla after so many looks, at the end of the time, or at Ctrl-C.

    Nothing may be raised here: Bitwuzla would print it and go on.  So Ctrl-C is noted by `interrupt`.
    """

    def __init__(self, looks: int, budget: Budget, interrupt: DeferredInterrupt) -> None:
        self.left = looks
        self.budget = budget
        self.interrupt = interrupt

    def __call__(self) -> bool:
        """Tell whether it is time to stop."""
        self.left -= 1
        late = self.left % 64 == 0 and self.budget.seconds_left is not None and self.budget.seconds_left <= 0
        return self.left < 0 or late or self.interrupt.came


def ask_patiently(solver: Any, looks: int, budget: Budget, assumptions: Sequence[Formula] = ()) -> str:
    """Return what Bitwuzla says of its assertions and assumptions, after so many looks at the clock at most."""
    with DeferredInterrupt(patient=True) as interrupt:
        solver.configure_terminator(Patience(looks, budget, interrupt))
        found = str(solver.check_sat(*assumptions))
    if interrupt.came:
        raise KeyboardInterrupt
    budget.check()
    return found


class Cvc5Door:
    """cvc5: integers, bit-vectors and arrays."""

    name = "cvc5"
    has_integers = True

    def __init__(self, budget: Budget) -> None:
        import cvc5

        self.library: Any = cvc5
        self.budget = budget
        self.manager: Any = cvc5.TermManager()
        kind = cvc5.Kind
        spelled = {"MUL": "MULT"}
        self.kinds = {name: getattr(kind, f"BITVECTOR_{spelled.get(word, word)}") for name, word in _BITS.items()}
        self.kinds |= {name: getattr(kind, word) for name, word in _PLAIN.items()}
        self.kinds |= {"select": kind.SELECT, "store": kind.STORE, "+": kind.ADD, "-": kind.SUB, "*": kind.MULT}
        self.kinds |= {"div": kind.INTS_DIVISION, "mod": kind.INTS_MODULUS, "<": kind.LT, "<=": kind.LEQ}

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case "Bool":
                return self.manager.getBooleanSort()
            case "Int":
                return self.manager.getIntegerSort()
            case ("BitVec", width):
                return self.manager.mkBitVectorSort(width)
            case ("Array", index, element):
                return self.manager.mkArraySort(self._sort(index), self._sort(element))
        raise ValueError(sort)

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable that may have any value."""
        return self.manager.mkConst(self._sort(sort), name)

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable for `exists`."""
        return self.manager.mkVar(self._sort(sort), name)

    def truth(self, value: bool) -> Formula:
        """Return true or false."""
        return self.manager.mkBoolean(value)

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""
        return self.manager.mkBitVector(width, str(value % (1 << width)), 10)

    def integer(self, value: int) -> Formula:
        """Return a number."""
        return self.manager.mkInteger(str(value))

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""
        return self.manager.mkConstArray(self._sort(sort), element)

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return an operator of SMT-LIB applied to operands."""
        kind = self.kinds[operator]
        return self.manager.mkTerm(self.manager.mkOp(kind, *indices) if indices else kind, *operands)

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Return that some values of bound variables satisfy a formula."""
        kind = self.library.Kind
        return self.manager.mkTerm(kind.EXISTS, self.manager.mkTerm(kind.VARIABLE_LIST, *variables), body)

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Tell whether formulas can hold together, and if so which of the formulas in `shown` do then."""
        solver = self._solver(work, "produce-models" if shown else "")
        try:
            for formula in formulas:
                solver.assertFormula(formula)
            found = solver.checkSat()
        except RuntimeError:  # something that it does not do
            return Answer.UNKNOWN, []
        self.budget.check()
        if found.isUnsat():
            return Answer.UNSATISFIABLE, []
        if not found.isSat():
            return Answer.UNKNOWN, []
        return Answer.SATISFIABLE, [bool(solver.getValue(one).getBooleanValue()) for one in shown]

    def _solver(self, work: int, more: str) -> Any:
        """Return a solver without assertions, with one more option where it is named."""
        self.budget.check()
        solver = self.library.Solver(self.manager)
        solver.setOption("seed", str(SEED))
        solver.setOption("rlimit-per", str(20_000 * work))
        if self.budget.seconds_left is not None:
            solver.setOption("tlimit-per", str(max(1, int(1000 * self.budget.seconds_left))))
        if more:
            solver.setOption(more, "true")
        solver.setOption("arrays-exp", "true")  # arrays that are filled
        solver.setLogic("ALL")
        return solver

    def core(self, formulas: Sequence[Formula], assumptions: Sequence[Formula], work: int) -> tuple[Answer, list[int]]:
        """Tell whether formulas and assumptions can hold together; if not, which assumptions are to blame."""
        solver = self._solver(work, "produce-unsat-assumptions")
        try:
            for formula in formulas:
                solver.assertFormula(formula)
            found = solver.checkSatAssuming(*assumptions)
            self.budget.check()
            if not found.isUnsat():
                return Answer.SATISFIABLE if found.isSat() else Answer.UNKNOWN, []
            blamed = set(solver.getUnsatAssumptions())
        except RuntimeError:  # something that it does not do
            return Answer.UNKNOWN, []
        return Answer.UNSATISFIABLE, [number for number, one in enumerate(assumptions) if one in blamed]


class Z3Door:
    """z3: integers, bit-vectors and arrays, in a context of its own."""

    name = "z3"
    has_integers = True

    def __init__(self, budget: Budget) -> None:
        from knaster.smt.library import z3
        from knaster.smt.solver import Session

        self.library: Any = z3
        self.session = Session(budget)
        self.context = self.session.context
        self.operators: dict[str, Callable[..., Formula]] = {
            "not": z3.Not,
            "and": z3.And,
            "or": z3.Or,
            "xor": z3.Xor,
            "=>": z3.Implies,
            "=": lambda a, b: a == b,
            "ite": z3.If,
            "bvadd": lambda a, b: a + b,
            "bvsub": lambda a, b: a - b,
            "bvmul": lambda a, b: a * b,
            "bvsdiv": lambda a, b: a / b,
            "bvudiv": z3.UDiv,
            "bvsrem": z3.SRem,
            "bvurem": z3.URem,
            "bvand": lambda a, b: a & b,
            "bvor": lambda a, b: a | b,
            "bvxor": lambda a, b: a ^ b,
            "bvshl": lambda a, b: a << b,
            "bvlshr": z3.LShR,
            "bvashr": lambda a, b: a >> b,
            "bvslt": lambda a, b: a < b,
            "bvsle": lambda a, b: a <= b,
            "bvult": z3.ULT,
            "bvule": z3.ULE,
            "extract": lambda a, high, low: z3.Extract(high, low, a),
            "sign_extend": lambda a, more: z3.SignExt(more, a),
            "zero_extend": lambda a, more: z3.ZeroExt(more, a),
            "select": z3.Select,
            "store": z3.Store,
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
            "div": lambda a, b: a / b,
            "mod": lambda a, b: a % b,
            "<": lambda a, b: a < b,
            "<=": lambda a, b: a <= b,
            **self._float_operators(),
        }

    def _float_operators(self) -> dict[str, Callable[..., Formula]]:
        """Return the operators of floating-point numbers; z3 has to be told in which context they are."""
        z3, context = self.library, self.context

        def form(exponent: int, digits: int) -> Any:
            return z3.FPSort(exponent, digits, context)

        return {
            "fp.add": lambda mode, a, b: z3.fpAdd(mode, a, b, ctx=context),
            "fp.sub": lambda mode, a, b: z3.fpSub(mode, a, b, ctx=context),
            "fp.mul": lambda mode, a, b: z3.fpMul(mode, a, b, ctx=context),
            "fp.div": lambda mode, a, b: z3.fpDiv(mode, a, b, ctx=context),
            "fp.fma": lambda mode, a, b, c: z3.fpFMA(mode, a, b, c, ctx=context),
            "fp.sqrt": lambda mode, a: z3.fpSqrt(mode, a, ctx=context),
            "fp.roundToIntegral": lambda mode, a: z3.fpRoundToIntegral(mode, a, ctx=context),
            "fp.isNaN": lambda a: z3.fpIsNaN(a, context),
            "fp.abs": lambda a: z3.fpAbs(a, context),
            "fp.eq": lambda a, b: z3.fpEQ(a, b, context),
            "fp.lt": lambda a, b: z3.fpLT(a, b, context),
            "fp.leq": lambda a, b: z3.fpLEQ(a, b, context),
            "fp.to_sbv": lambda mode, a, width: z3.fpToSBV(mode, a, z3.BitVecSort(width, context), context),
            "fp.to_ubv": lambda mode, a, width: z3.fpToUBV(mode, a, z3.BitVecSort(width, context), context),
            "to_fp": lambda mode, a, *two: z3.fpFPToFP(mode, a, form(*two), context),
            "to_fp_bits": lambda a, *two: z3.fpBVToFP(a, form(*two), context),
            "to_fp_signed": lambda mode, a, *two: z3.fpSignedToFP(mode, a, form(*two), context),
            "to_fp_unsigned": lambda mode, a, *two: z3.fpUnsignedToFP(mode, a, form(*two), context),
        }

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case "Bool":
                return self.library.BoolSort(self.context)
            case "Int":
                return self.library.IntSort(self.context)
            case ("BitVec", width):
                return self.library.BitVecSort(width, self.context)
            case ("Array", index, element):
                return self.library.ArraySort(self._sort(index), self._sort(element))
        raise ValueError(sort)

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable that may have any value."""
        return self.library.Const(name, self._sort(sort))

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Return a variable for `exists`."""
        return self.variable(name, sort)

    def truth(self, value: bool) -> Formula:
        """Return true or false."""
        return self.library.BoolVal(value, self.context)

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""
        return self.library.BitVecVal(value, width, self.context)

    def rounding(self, mode: str) -> Formula:
        """Return a mode in which floating-point numbers are rounded."""
        return getattr(self.library, mode)(self.context)

    def integer(self, value: int) -> Formula:
        """Return a number."""
        return self.library.IntVal(value, self.context)

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""
        assert isinstance(sort, tuple)
        return self.library.K(self._sort(sort[1]), element)

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return an operator of SMT-LIB applied to operands."""
        return self.operators[operator](*operands, *indices)

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Return that some values of bound variables satisfy a formula."""
        return self.library.Exists(list(variables), body)

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Tell whether formulas can hold together, and if so which of the formulas in `shown` do then."""
        solver = self.session.solver()
        solver.add(formulas)
        found = solver.check(units=100_000 * work)
        if found is not Answer.SATISFIABLE or not shown:
            return found, []
        model = solver.model()
        return found, [self.library.is_true(model.eval(one, model_completion=True)) for one in shown]

    def core(self, formulas: Sequence[Formula], assumptions: Sequence[Formula], work: int) -> tuple[Answer, list[int]]:
        """Tell whether formulas and assumptions can hold together; if not, which assumptions are to blame."""
        solver = self.session.solver()
        solver.add(formulas)
        found = solver.check(list(assumptions), units=100_000 * work)
        blamed = {one.get_id() for one in solver.core()} if found is Answer.UNSATISFIABLE else set()
        return found, [number for number, one in enumerate(assumptions) if one.get_id() in blamed]


FloatDoor = BitwuzlaDoor | Z3Door  # those that are asked about floating-point numbers
Opener = type[BitwuzlaDoor] | type[Cvc5Door] | type[Z3Door]


def find_doors() -> list[Opener]:
    """Return the solvers that are installed: those that find no proofs here come first, z3 last."""
    doors: list[Opener] = []
    if find_spec("bitwuzla") is not None:
        doors.append(BitwuzlaDoor)
    if find_spec("cvc5") is not None:
        doors.append(Cvc5Door)
    return [*doors, Z3Door]
