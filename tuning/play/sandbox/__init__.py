"""How does a game that hangs, crashes or breaks a rule take nobody else along?

- `admission`: Is a game fit to be played at all?
- `contract`: The contract check in a process of its own, so that no game can hang or crash the one that asks
- `deadline`: A game's own code may never come back: whoever waits for it here gets an error instead of
  waiting for ever; a batch that hangs ends its worker
- `process`: How a worker process begins, before it imports anything heavy: it must not outlive its parent
- `recorder`: What was played before a fault struck?
- `rule_check`: Did a played game keep the rules, as the game's plain Python functions tell them?"""
