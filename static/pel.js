// Live pages: when a case moves, its parts are fetched again and put in place. Everything works
// without this file; a plain reload shows the same.
(() => {
  "use strict";
  const root = document.querySelector("[data-live]");
  if (!root || !window.EventSource || !window.fetch) return;
  const parts = ["ladder", "gate", "stages", "evidence", "acts", "canary"];
  let timer = 0;
  let busy = false;
  let again = false;

  // A details element is known by the section it is in and its place there.
  const folds = (part) => [...part.querySelectorAll("details")];
  const nameOf = (details, i) => details.id || (details.closest("[id]") || {}).id + "/" + details.className + "/" + i;
  const openOnes = (part) => new Set(folds(part).map((d, i) => (d.open ? nameOf(d, i) : "")));

  const isTouched = (part) =>
    [...part.querySelectorAll("input:not([type=hidden]), textarea")].some((f) => f.value !== f.defaultValue) ||
    (part.contains(document.activeElement) && document.activeElement.matches("select, input, textarea"));

  function swap(old, fresh) {
    if (old.innerHTML === fresh.innerHTML || isTouched(old)) return;
    const open = openOnes(old);
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const href = focused && focused.getAttribute("href");
    const verdict = old.querySelector(":scope > .verdict");
    const said = fresh.querySelector(":scope > .verdict");
    if (verdict && said) {
      // The line that is announced stays in the page while its text changes.
      const kids = [...fresh.childNodes];
      const at = kids.indexOf(said);
      [...old.childNodes].forEach((n) => { if (n !== verdict) n.remove(); });
      verdict.before(...kids.slice(0, at));
      verdict.after(...kids.slice(at + 1));
      if (verdict.textContent !== said.textContent) verdict.textContent = said.textContent;
    } else {
      old.replaceChildren(...fresh.childNodes);
    }
    folds(old).forEach((d, i) => { if (open.has(nameOf(d, i))) d.open = true; });
    if (!focused) return;
    const back = href ? [...old.querySelectorAll("a")].find((a) => a.getAttribute("href") === href) : null;
    (back || old.querySelector("a, button, summary") || old).focus({ preventScroll: true });
  }

  async function refresh() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.pathname + location.search, { credentials: "same-origin", redirect: "error" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of parts) {
        const old = document.getElementById(id);
        const fresh = page.getElementById(id);
        if (old && fresh) swap(old, fresh);
      }
    } catch (error) {
      // Signed out or offline: the page stays as it is, a reload says why.
    } finally {
      busy = false;
      if (again) { again = false; refresh(); }
    }
  }

  const source = new EventSource(root.dataset.live);
  // What moved between the page and the stream, or while the stream was away, was told to nobody.
  source.addEventListener("hello", refresh);
  source.addEventListener("moved", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, 250);
  });
  addEventListener("pagehide", () => source.close());
})();
