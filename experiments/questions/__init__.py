"""What did the reports leave open, and what is the answer? The parts of which questions are made.

- `ask`: Questions about games and searches, each answered by one command from one file
- `foreseen`: What is it worth to know the opponent's evaluation in the search?
- `page`: How is an answer shown: tables, and under each a sentence a row that says what its figures show
- `played`: Answers that come from games: matches, gauntlets, whole studies
- `ratio`: What share of another search's cost does a search take, and how sure is that?
- `searched`: Answers that need no games: what searches to a fixed depth cost, and whether an evaluation's
  form matters
- `terms`: What a question file may say

To add a question, write `NAME.toml`, with the terms of `terms`."""
