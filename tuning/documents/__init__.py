"""What stands in the JSON files of a study: one record for each kind of document, written and read here alone.

`Run.read(path)` gives a checked record or one line of error; `record.write(path)` writes the same fields. A new field
goes into the class of its document, with a default if folders that were made before it shall still be read.

- `document`: How a record becomes a file, and a file a record
- `matches`: Runs, verdict, generations, audits
- `fit`: What is written down about a fit
- `limits`: What more games would bring, and what a weighted sum does not say: facts of a fit
- `data`: What the positions that a fit sees look like
- `search`: What a search by playing has found
- `history`: How weights came about, and how they took the place of others
- `engines`: Games of chess engines, and what came of a study of them
- `tournaments`: What gauntlets and ladders come to
- `status`: What a study is made of, and how far it is"""
