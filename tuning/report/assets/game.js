// Shows one board of the strip large. State is the number of that board; it is kept in the address (#12),
// under a name that no element has, so that the window stays where it is. On a page that holds more than the
// game, the address is left alone and keys count only inside the game.
(() => {
  const area = document.querySelector(".replay");
  if (!area) return;
  const isWhole = area.classList.contains("whole");
  const boards = [...area.querySelectorAll(".strip li")];
  const strip = area.querySelector(".strip");
  const of = (id) => document.getElementById(id);
  const last = boards.length - 1;
  const PACE = 900; // milliseconds a move
  let at = 0;
  let timer = null;

  const show = (number, smooth) => {
    at = Math.max(0, Math.min(last, number));
    boards.forEach((board, i) => {
      board.classList.toggle("here", i === at);
      i === at ? board.setAttribute("aria-current", "step") : board.removeAttribute("aria-current");
    });
    of("large").replaceChildren(boards[at].querySelector(".board").cloneNode(true));
    of("said").replaceChildren(...[...boards[at].querySelectorAll("figcaption > *")].map((part) => part.cloneNode(true)));
    of("said").querySelector("b").textContent = `${at} / ${last}`;
    of("at").value = at;
    of("at").setAttribute("aria-valuetext", boards[at].querySelector("figcaption").textContent);
    of("start").disabled = of("back").disabled = at === 0;
    of("next").disabled = of("end").disabled = at === last;
    const middle = boards[at].offsetLeft - (strip.clientWidth - boards[at].offsetWidth) / 2;
    strip.scrollTo({ left: middle, behavior: smooth ? "smooth" : "instant" });
    if (isWhole) try { history.replaceState(null, "", `#${at}`); } catch { /* some viewers forbid it */ }
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
    of("play").classList.remove("running");
    of("play").querySelector("path").setAttribute("d", "M8 5l11 7-11 7z");
  };
  const play = () => {
    if (timer !== null) return pause();
    if (at === last) show(0);
    of("play").classList.add("running");
    of("play").querySelector("path").setAttribute("d", "M8 5v14M16 5v14");
    timer = setInterval(() => {
      show(at + 1);
      if (at === last) pause();
    }, PACE);
  };
  const go = (number) => { pause(); show(number, true); };
  const ways = { start: () => go(0), back: () => go(at - 1), play, next: () => go(at + 1), end: () => go(last) };
  const keys = { Home: "start", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "end" };

  Object.entries(ways).forEach(([name, way]) => of(name).addEventListener("click", way));
  of("at").addEventListener("input", () => { pause(); show(Number(of("at").value)); });
  boards.forEach((board, i) => board.addEventListener("click", () => go(i)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!isWhole && !area.contains(event.target)) return;
    const board = event.target.closest(".strip li");
    if (event.key === "Enter" && board) return go(boards.indexOf(board));
    if (!(event.key in keys) || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    ways[keys[event.key]]();
  });
  const named = () => Number((location.hash.match(/^#(\d+)$/) || [0, 0])[1]);
  if (isWhole) addEventListener("hashchange", () => go(named()));
  area.querySelector(".stage").hidden = false;
  show(isWhole ? named() : 0);
})();
