"""The command line: one file per sub-command, which parses its arguments and prints.

Each sub-command offers `add(subparsers)`, which must be quick, and a `run(args)` that returns the exit status
and imports what is heavy only then: `--help` is instant.
"""
