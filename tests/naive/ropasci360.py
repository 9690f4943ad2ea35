"""RoPaSci 360, slow and obvious: lists of tokens, one loop a rule, nothing shared with `games`.

A position is `{"tokens": [(side, symbol, (r, q)), ...], "throws": [u, l], "nturns": n}`; side 0 is Upper.
Actions are the texts of the notation. `features(position, side)` are seen from `side`."""

from functools import cache

BEATEN_BY = {"r": "p", "p": "s", "s": "r"}
DIRECTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
HEXES = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= r + q <= 4]


def from_fields(fields):
    tokens = [
        (int(letter.islower()), letter.lower(), (r, q))
        for r, q, letters in fields["board"]
        for letter in letters
    ]
    return {"tokens": sorted(tokens), "throws": list(fields["throws"]), "nturns": fields["nturns"]}


def to_fields(position):
    board = []
    for r, q in sorted({place for _, _, place in position["tokens"]}):
        here = [token for token in position["tokens"] if token[2] == (r, q)]
        letters = [symbol.upper() if side == 0 else symbol for side, symbol, _ in here]
        board.append([r, q, "".join(sorted(letters))])
    return {"board": board, "throws": position["throws"], "nturns": position["nturns"]}


@cache  # the only concession to speed
def neighbours(place):
    near = [(place[0] + r, place[1] + q) for r, q in DIRECTIONS]
    return [(r, q) for r, q in near if max(abs(r), abs(q), abs(r + q)) <= 4]


def distance(one, other):
    r, q = one[0] - other[0], one[1] - other[1]
    return max(abs(r), abs(q), abs(r + q))


def in_zone(position, side, place):
    made = position["throws"][side]
    if made == 9:
        return False
    return place[0] >= 4 - made if side == 0 else place[0] <= -4 + made


def slides(start):
    return set(neighbours(start))


def swings(start, own_places):
    found = set()
    for pivot in neighbours(start):
        if pivot in own_places:
            found |= {hex_ for hex_ in neighbours(pivot) if distance(hex_, start) == 2}
    return found


def places_of(position, side):
    return [place for owner, _, place in position["tokens"] if owner == side]


def written(kind, *places):
    return f"{kind}:" + ">".join(f"{r},{q}" for r, q in places)


def random_position(rng):
    """Throw counts and tokens at random, many of them close together and on shared hexes."""
    throws = [rng.choice([rng.randint(0, 9), 8, 9]) for _ in range(2)]
    centre, radius = rng.choice(HEXES), rng.choice([1, 2, 8])
    places = [hex_ for hex_ in HEXES if distance(hex_, centre) <= radius]
    symbols = {place: rng.choice("rps") for place in places}
    tokens = []
    for side in (0, 1):
        for _ in range(rng.randint(0, throws[side])):
            place = rng.choice(places)
            tokens.append((side, symbols[place], place))
    return {"tokens": sorted(tokens), "throws": throws, "nturns": rng.randint(0, 359)}


def legal(position, side):
    own = set(places_of(position, side))
    actions = {written(f"T{s}", hex_) for s in "rps" for hex_ in HEXES if in_zone(position, side, hex_)}
    for start in own:
        actions |= {written("L", start, hex_) for hex_ in slides(start)}
        actions |= {written("W", start, hex_) for hex_ in swings(start, own)}
    return sorted(actions)


def read(action):
    kind, _, rest = action.partition(":")
    return kind, [tuple(map(int, place.split(","))) for place in rest.split(">")]


def turn(position, upper_action, lower_action):
    tokens, throws = list(position["tokens"]), list(position["throws"])
    arrivals = []
    for side, action in enumerate((upper_action, lower_action)):
        kind, places = read(action)
        if kind[0] == "T":
            throws[side] += 1
            symbol = kind[1]
        else:
            token = next(t for t in position["tokens"] if t[0] == side and t[2] == places[0])
            tokens.remove(token)
            symbol = token[1]
        arrivals.append((side, symbol, places[-1]))
    tokens += arrivals
    for place in {place for _, _, place in arrivals}:
        here = {symbol for _, symbol, hex_ in tokens if hex_ == place}
        tokens = [t for t in tokens if t[2] != place or BEATEN_BY[t[1]] not in here]
    return {"tokens": sorted(tokens), "throws": throws, "nturns": position["nturns"] + 1}


def has_invincible(position, side):
    enemy = 1 - side
    if position["throws"][enemy] < 9:
        return False
    enemies = {symbol for owner, symbol, _ in position["tokens"] if owner == enemy}
    return any(BEATEN_BY[symbol] not in enemies for owner, symbol, _ in position["tokens"] if owner == side)


def result(position):
    """The end of the game after a turn, history and the turn limit aside; None while it goes on."""
    counts = [len(places_of(position, side)) for side in (0, 1)]
    spent = [position["throws"][side] == 9 for side in (0, 1)]
    out = [spent[side] and counts[side] == 0 for side in (0, 1)]
    if all(out):
        return "draw: no remaining tokens or throws"
    if any(out):
        return "winner: lower" if out[0] else "winner: upper"
    invincible = [has_invincible(position, side) for side in (0, 1)]
    if all(invincible):
        return "draw: both players have an invincible token"
    for side, name in enumerate(("upper", "lower")):
        if invincible[side] and spent[1 - side] and counts[1 - side] == 1:
            return f"winner: {name}"
    return None


# Features: `side` is the one that chooses.


def difference(measure):
    return lambda position, side: measure(position, side) - measure(position, 1 - side)


def of(position, side):
    return [(symbol, place) for owner, symbol, place in position["tokens"] if owner == side]


def count(position, side, symbol):
    return sum(s == symbol for s, _ in of(position, side))


def left(position, side):
    return 9 - position["throws"][side]


def prey_distances(position, side):
    """For each own token that has prey, the distance to the nearest."""
    nearest = []
    for symbol, place in of(position, side):
        prey = [hex_ for other, hex_ in of(position, 1 - side) if BEATEN_BY[other] == symbol]
        if prey:
            nearest.append(min(distance(place, hex_) for hex_ in prey))
    return nearest


def moves_of(place, others):
    """Where a token gets from `place`, the other own tokens standing on `others`."""
    return slides(place) | swings(place, set(others))


def reached(position, side, moves):
    """Pairs (symbol, hex): own token of that symbol can land on the hex within so many of its moves."""
    own, pairs = of(position, side), set()
    for i, (symbol, start) in enumerate(own):
        others = [place for j, (_, place) in enumerate(own) if j != i]
        layer, seen = {start}, set()
        for _ in range(moves):
            layer = {hex_ for place in layer for hex_ in moves_of(place, others)}
            seen |= layer
        pairs |= {(symbol, hex_) for hex_ in seen}
    return pairs


def attacked(position, side, moves):
    """Own tokens that predators can land on within so many moves."""
    enemy = reached(position, 1 - side, moves)
    return [(symbol, place) for symbol, place in of(position, side) if (BEATEN_BY[symbol], place) in enemy]


def clusters(position, side):
    rest, found = set(places_of(position, side)), []
    while rest:
        cluster, frontier = set(), {next(iter(rest))}
        while frontier:
            cluster |= frontier
            frontier = {hex_ for place in frontier for hex_ in neighbours(place)} & rest - cluster
        found.append(cluster)
        rest -= cluster
    return found


def zone_targets(position, side):
    return sum(in_zone(position, side, place) for place in places_of(position, 1 - side))


def deficit(position, side):
    return -sum(max(0, count(position, 1 - side, BEATEN_BY[s]) - count(position, side, s)) for s in "rps")


def unanswered(position, side):
    return -sum(count(position, side, BEATEN_BY[symbol]) == 0 for symbol, _ in of(position, 1 - side))


def near_invincible(position, side):
    symbols = {s for s, _ in of(position, side) if count(position, 1 - side, BEATEN_BY[s]) == 0}
    return len(symbols) / (1 + left(position, 1 - side))


def duplicates(position, side):
    return -sum(max(0, count(position, side, s) - 1) for s in "rps")


def stacked(position, side):
    places = places_of(position, side)
    return -sum(places.count(place) > 1 for place in places)


def edge(position, side):
    return -sum(len(neighbours(place)) < 6 for place in places_of(position, side))


def advance(position, side):
    rows = [4 - r if side == 0 else r + 4 for r, _ in places_of(position, side)]
    return sum(rows) / len(rows) if rows else 0.0


def last_throw_kept(position, side):
    return int(left(position, side) == 1 and left(position, 1 - side) == 0)


def mobility(position, side):
    own = set(places_of(position, side))
    return sum(len(slides(place) | swings(place, own)) for place in own)


def pairs(position, side):
    places = set(places_of(position, side))
    return sum(hex_ in places for place in places for hex_ in neighbours(place)) / 2


def attack_mean(position, side):
    nearest = prey_distances(position, side)
    return 1 - sum(nearest) / len(nearest) / 8 if nearest else 0.0


def attack_min(position, side):
    nearest = prey_distances(position, side)
    return 1 - min(nearest) / 8 if nearest else 0.0


def attack_now(position, side):
    return len(attacked(position, 1 - side, 1))


def attack_two(position, side):
    return len(attacked(position, 1 - side, 2))


def guarded(position, side):
    guards = reached(position, side, 1)
    return sum((BEATEN_BY[BEATEN_BY[s]], place) in guards for s, place in attacked(position, side, 1))


def cluster_variety(position, side):
    own = of(position, side)
    return sum(len({s for s, place in own if place in cluster}) - 1 for cluster in clusters(position, side))


FEATURES = {
    "tokens": difference(lambda position, side: len(of(position, side))),
    "throws": difference(left),
    "zone_targets": difference(zone_targets),
    "symbol_deficit": difference(deficit),
    "unanswered": difference(unanswered),
    "invincible": difference(lambda position, side: int(has_invincible(position, side))),
    "near_invincible": difference(near_invincible),
    "duplicates": difference(duplicates),
    "stacked": difference(stacked),
    "edge": difference(edge),
    "advance": difference(advance),
    "last_throw_kept": difference(last_throw_kept),
    "mobility": difference(mobility),
    "pairs": difference(pairs),
    "attack_mean": difference(attack_mean),
    "attack_min": difference(attack_min),
    "attack_now": difference(attack_now),
    "attack_two": difference(attack_two),
    "guarded": difference(guarded),
    "cluster_variety": difference(cluster_variety),
}


def features(position, side):
    return {name: float(measure(position, side)) for name, measure in FEATURES.items()}


def is_quiet(position):
    return not any(attacked(position, side, 1) for side in (0, 1))


def captures(position, side):
    """The legal actions that land on an enemy token they beat."""
    targets = {(BEATEN_BY[symbol], place) for symbol, place in of(position, 1 - side)}
    symbols = {place: symbol for symbol, place in of(position, side)}
    found = []
    for action in legal(position, side):
        kind, places = read(action)
        symbol = kind[1] if kind[0] == "T" else symbols[places[0]]
        if (symbol, places[-1]) in targets:
            found.append(action)
    return found
