"""The check of a table of states between transactions: the transactions are run again, by the interpreter.

No code of the engines is used.  In reading order: `lock_use` (which statics the text uses as locks), `touches` (what a
step of the interpreter reads and writes), `channel_use` (who sends and receives), `protection` (whether that commutes
with other threads), `frozen` (memories as values, and what a callee sees of them), `calls` (what is known of a call),
`steps` (one step inside a transaction), `inside` (all calls inside transactions), `transaction_table` (every
transaction of every row leads to a row).
"""
