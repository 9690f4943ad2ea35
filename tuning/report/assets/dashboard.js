// Puts what is known of a study on top of its page in optuna-dashboard, and marks the panels that have nothing to show.
(() => {
  const TITLES = ["History", "Hyperparameter Importance", "Timeline", "Best Trial", "Intermediate"];
  const FRESH = 5000; // milliseconds
  const known = {};

  async function ask(id) {
    const found = (known[id] ??= { at: 0, html: "", trials: null });
    if (Date.now() - found.at < FRESH) return;
    found.at = Date.now();
    try {
      const answer = await fetch(`/tunesmith/studies/${id}`);
      if (answer.ok) Object.assign(found, await answer.json());
    } catch { /* the server has ended: what was shown stays */ }
    show();
  }

  function show() {
    const [, id, rest] = location.pathname.match(/^\/dashboard\/studies\/(\d+)\/?(.*)$/) ?? [];
    const main = document.querySelector("main");
    const found = id === undefined ? undefined : known[id];
    const isEmpty = found?.trials === 0;
    document.body.classList.toggle("tunesmith-no-trials", isEmpty);
    for (const card of document.querySelectorAll("main .MuiCard-root")) {
      const title = card.querySelector(".MuiTypography-root")?.textContent ?? "";
      const part = card.parentElement.matches(".MuiGrid-item") ? card.parentElement : card;
      const hides = isEmpty && TITLES.some((known) => title.startsWith(known));
      if (part.hasAttribute("data-tunesmith-empty") !== hides) part.toggleAttribute("data-tunesmith-empty", hides);
    }
    let card = document.querySelector(".tunesmith-card");
    if (!main || !found?.html || rest) return card?.remove();
    if (!card || card.parentElement !== main) {
      card?.remove();
      card = document.createElement("section");
      card.className = "tunesmith-card";
      main.insertBefore(card, main.children[1] ?? null); // the first child keeps the place of the bar above
    }
    if (card.dataset.shown !== found.html) card.innerHTML = card.dataset.shown = found.html;
  }

  function look() {
    const id = location.pathname.match(/^\/dashboard\/studies\/(\d+)/)?.[1];
    if (id !== undefined) ask(id);
    show();
  }

  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    setInterval(look, FRESH);
    look();
  });
})();
