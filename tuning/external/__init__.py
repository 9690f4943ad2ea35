"""How are other people's engines tuned and proved?

- `chess_rules`: Chess for engines that speak UCI: rules, openings and games
- `config`: What a study of chess engines says, checked against the engines themselves before the first game
- `engine`: An engine that speaks UCI, as a child process that cannot keep us waiting
- `match`: Pairs of chess games between two engines: threads play, engines are processes, games are lines of a
  file
- `process_tree`: What has an engine started, and how does all of it end with the engine?
- `report`: What did a study of chess engines find?
- `study`: A study of chess engines: a match of two, or a search over the options of one with a proof of what
  it found
- `words`: What came of a study of chess engines, in words

To add a setting of such studies, edit `config`; a way to adjudicate games, `chess_rules`."""
