"""Reasons: why a cell is safe or a mine, why nobody can know, why a board contradicts itself.

From the bottom: `facts` (what a proof starts from), `cores` (which of them are needed, by SAT), `sums`,
`refutation` and `totals` (ways to put a proof into words), `arguments` (which way to take), `named_rules`,
and on top `explanation` and `conflict`, which answer.
"""
