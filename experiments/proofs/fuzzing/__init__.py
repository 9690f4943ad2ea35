"""What is damaged by `fuzz`, and how?

- `cases`: What is fuzzed: every kind of input with the command that reads it, and folders of studies in every
  state
- `mutations`: One change to a file: bits, cuts, types, sizes, names"""
