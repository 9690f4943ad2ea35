// A game in the browser. `seen` is what the server shows; `clicked` the squares clicked so far for the next move.
(() => {
  const of = (id) => document.getElementById(id);
  const make = (tag, text, properties) => Object.assign(document.createElement(tag), { textContent: text }, properties);
  let seen = null;
  let clicked = [];
  let began = 0; // when the engine began to think
  let isBusy = false;

  const fits = (move) => clicked.every((square, i) => move[1][i] === square);
  const matching = () => seen.moves.filter(fits);
  const isWhole = (move) => move[1].length === clicked.length;

  const send = async (order, more) => {
    if (isBusy) return;
    isBusy = true;
    try {
      const body = JSON.stringify({ order, position: seen.position, ...more });
      const answer = await fetch("order", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.ok) return show(await answer.json());
      const words = await answer.text();
      await look(true);
      complain(words);
    } catch { complain("Nobody answers: the command in the terminal has ended."); } finally { isBusy = false; }
  };
  const complain = (words) => { of("error").textContent = words; of("error").hidden = !words; };

  const click = (square) => {
    const next = new Set(matching().filter((move) => !isWhole(move)).map((move) => move[1][clicked.length]));
    if (next.has(square)) clicked.push(square);
    else if (clicked.includes(square)) clicked = [];
    else clicked = seen.moves.some((move) => move[1][0] === square) ? [square] : [];
    const found = matching();
    if (clicked.length && found.length === 1 && isWhole(found[0])) return play(found[0][0]);
    squares();
    choice();
    const first = of("choice").querySelector("button");
    if (first && clicked.length && found.every(isWhole)) first.focus();
  };
  const play = (move) => { clicked = []; send("move", { move }); };

  const squares = () => {
    const focused = document.activeElement && document.activeElement.dataset.square;
    const found = matching();
    const next = new Set(found.filter((move) => !isWhole(move)).map((move) => move[1][clicked.length]));
    const first = new Set(seen.moves.map((move) => move[1][0]));
    const boxes = seen.last.map((box) => place(make("div", "", { className: "last" }), box));
    Object.entries(seen.squares).forEach(([name, box]) => {
      const isTarget = next.has(name), isChosen = clicked.includes(name);
      const button = place(make("button", "", { type: "button", disabled: !(isTarget || isChosen || first.has(name)) }), box);
      button.dataset.square = name;
      button.classList.toggle("may", isTarget);
      button.classList.toggle("from", isTarget && !clicked.length);
      button.classList.toggle("chosen", isChosen);
      button.setAttribute("aria-label", `${name}${isChosen ? ", chosen" : isTarget ? ", possible" : ""}`);
      button.addEventListener("click", () => click(name));
      boxes.push(button);
    });
    of("squares").replaceChildren(...boxes);
    if (focused) { const again = of("squares").querySelector(`[data-square="${CSS.escape(focused)}"]`); if (again) again.focus(); }
  };
  const place = (element, [left, top, width, height]) => {
    Object.assign(element.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` });
    return element;
  };
  const moveButton = (move) => {
    const button = make("button", move[0], { type: "button" });
    button.addEventListener("click", () => play(move[0]));
    return button;
  };
  const choice = () => {
    const found = matching();
    const whole = found.filter(isWhole);
    const parts = clicked.length ? [make("span", `${clicked.join(" ")}:`, { className: "soft" })] : [];
    if (clicked.length && found.length > whole.length) parts.push(make("span", whole.length ? "a target, or" : "choose a target", { className: "soft" }));
    const plain = clicked.length ? [] : seen.moves.filter((move) => !move[1].length);
    const isList = Object.keys(seen.squares).length === 0;
    of("choice").replaceChildren(...parts, ...(clicked.length ? whole : isList ? [] : plain).map(moveButton));
  };

  const say = () => {
    const doing = seen.doing;
    const seconds = doing ? Math.round((Date.now() - began) / 1000) : 0;
    const first = doing && doing.is_compiling ? " (its code is compiled, the first time only: half a minute or so)" : "";
    const slow = seconds > 90 ? " If nothing comes, a function of the game may hang: see tunesmith check." : "";
    of("turn").textContent = doing && doing.what === "engine" ? `${seen.turn} It is thinking${first}: ${seconds} s.${slow}` : seen.turn;
    if (doing && doing.what === "hint") of("hint").textContent = `Looking for a hint${first}: ${seconds} s.${slow}`;
  };
  const show = (view) => {
    const isOther = !seen || seen.position !== view.position;
    if (!view.doing || !seen || !seen.doing || isOther) began = Date.now();
    seen = view;
    if (isOther) clicked = [];
    of("field").dataset.version = view.version;
    of("against").textContent = view.against;
    of("picture").hidden = !view.picture;
    if (view.picture) of("picture").src = view.picture;
    of("picture").alt = view.text;
    of("drawing").hidden = Boolean(view.picture);
    of("drawing").textContent = view.drawing;
    of("field").style.aspectRatio = view.picture && view.ratio ? String(view.ratio) : "";
    of("field").style.width = view.picture && view.ratio ? `min(100%, calc(72vh * ${view.ratio}))` : "";
    of("text").textContent = view.text;
    complain(view.error);
    const hint = view.hint;
    of("hint").replaceChildren(...(hint ? ["Hint: ", make("code", hint.move), ` (${hint.words})${hint.line.length ? `, then ${hint.line.join(" ")}` : ""}`] : []));
    const isMine = view.moves.length > 0 || view.is_over;
    of("order-hint_me").disabled = !view.moves.length || Boolean(view.doing);
    of("order-back").disabled = !view.may_go_back;
    of("order-again").hidden = !view.error || isMine;
    of("moves").replaceChildren(...view.moves.map(moveButton));
    if (view.moves.length && !Object.keys(view.squares).length) of("all").open = true;
    evaluation();
    const item = (move) => {
      const line = make("li", "");
      line.append(make("code", move.text), make("span", ` ${move.who}${move.note ? `: ${move.note}, in its view` : ""}`, { className: "soft" }));
      return line;
    };
    of("log").replaceChildren(...view.log.map(item));
    of("log").scrollTop = of("log").scrollHeight;
    squares();
    choice();
    say();
  };
  const evaluation = () => {
    const found = seen.evaluation;
    of("view").textContent = found ? `${found.view}. Together ${found.total}.` : "Shown when you are to move.";
    if (!found || !found.parts.length) return of("parts").replaceChildren(...(found ? [make("p", "No feature counts here.")] : []));
    const table = make("table", "");
    const head = table.createTHead().insertRow();
    ["feature", "value", "weight", "Elo"].forEach((word, i) => head.append(make("th", word, { scope: "col", className: i ? "n" : "" })));
    const body = table.createTBody();
    found.parts.forEach(([name, meaning, ...numbers]) => {
      const row = body.insertRow();
      row.append(make("th", name, { scope: "row", title: meaning }));
      numbers.forEach((number) => row.append(make("td", number, { className: "n" })));
    });
    of("parts").replaceChildren(table);
  };

  const look = async (isForced) => {
    try {
      const view = await (await fetch("state")).json();
      if (isForced || !seen || view.version !== seen.version) show(view);
      else say();
    } catch { complain("Nobody answers: the command in the terminal has ended."); }
  };
  const watch = async () => {
    if (!document.hidden && !isBusy) await look(false);
    setTimeout(watch, seen && seen.doing ? 300 : 2000);
  };

  ["hint_me", "back", "again"].forEach((order) => of(`order-${order}`).addEventListener("click", () => send(order)));
  [0, 1].forEach((side) => of(`new-${side}`).addEventListener("click", () => send("new", { side })));
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && clicked.length) {
      const square = clicked.pop();
      clicked = [];
      squares();
      choice();
      return of("squares").querySelector(`[data-square="${CSS.escape(square)}"]`).focus();
    }
    const here = event.target.closest("#squares button"), step = ARROWS[event.key];
    if (!here || !step) return;
    event.preventDefault();
    const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(here);
    let best = null, least = Infinity;
    of("squares").querySelectorAll("button:enabled").forEach((button) => {
      const [a, b] = middle(button), ahead = (a - x) * step[0] + (b - y) * step[1];
      const away = Math.abs((a - x) * step[1]) + Math.abs((b - y) * step[0]);
      if (ahead > 1 && ahead + 2 * away < least) { best = button; least = ahead + 2 * away; }
    });
    if (best) best.focus();
  });
  document.addEventListener("visibilitychange", () => document.hidden || look(false));
  watch();
})();
