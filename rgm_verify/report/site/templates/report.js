"use strict";
// Progressive enhancement only: everything on the pages can be read without this file.
(() => {
  for (const block of document.querySelectorAll("pre.snippet")) {
    if (!navigator.clipboard) break;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    });
    block.after(button);
  }

  const form = document.querySelector(".filters");
  if (!form) return;
  const rows = [...document.querySelectorAll(".index tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const find = document.getElementById("find");
  const shown = form.querySelector(".shown");
  const nothing = document.querySelector(".nothing");
  const names = ["verdict", "source", "kind"];
  for (const hidden of form.querySelectorAll("[hidden]")) hidden.hidden = false;

  const update = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    const count = rows.filter((row) => row.getClientRects().length > 0).length;
    shown.textContent = count === rows.length ? `all ${count} claims` : `${count} of ${rows.length} claims`;
    nothing.hidden = count > 0;
    const wanted = new URLSearchParams();
    for (const name of names) if (form.elements[name].value) wanted.set(name, form.elements[name].value);
    if (find.value) wanted.set("text", find.value);
    const hash = wanted.toString();
    if (hash !== location.hash.slice(1)) history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
  };
  const restore = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of names) {
      for (const input of form.elements[name]) input.checked = input.value === (wanted.get(name) ?? "");
    }
    find.value = wanted.get("text") ?? "";
    update();
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".reset").addEventListener("click", () => { form.reset(); find.value = ""; update(); });
  window.addEventListener("hashchange", restore);
  restore();
})();
