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

  // A table with every combination of some quantities becomes a slider for each of them and the row that is chosen.
  for (const table of document.querySelectorAll("table[data-inputs]")) {
    const count = Number(table.dataset.inputs);
    const heads = [...table.querySelectorAll("thead th")];
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.cells]);
    const word = (cell) => cell.textContent.trim();
    const chooser = document.createElement("div");
    chooser.className = "chooser";
    const sliders = heads.slice(0, count).map((head, column) => {
      const values = [...new Set(rows.map((row) => word(row[column])))];
      const label = document.createElement("label");
      const slider = document.createElement("input");
      Object.assign(slider, { type: "range", min: 0, max: values.length - 1, step: 1, value: Math.floor(values.length / 2) });
      const shown = document.createElement("span");
      shown.className = "number";
      const name = document.createElement("span");
      name.append(...[...head.childNodes].map((node) => node.cloneNode(true)));
      label.append(name, slider, shown);
      chooser.append(label);
      return { slider, shown, values };
    });
    const found = document.createElement("dl");
    found.className = "found";
    found.setAttribute("aria-live", "polite");
    const show = () => {
      const wanted = sliders.map(({ slider, shown, values }) => {
        const value = values[slider.value];
        shown.textContent = value;
        slider.setAttribute("aria-valuetext", value);
        return value;
      });
      const row = rows.find((cells) => wanted.every((value, column) => word(cells[column]) === value));
      found.replaceChildren(...heads.slice(count).map((head, i) => {
        const pair = document.createElement("div");
        const title = document.createElement("dt");
        title.append(...[...head.childNodes].map((node) => node.cloneNode(true)));
        const value = document.createElement("dd");
        value.append(...[...row[count + i].childNodes].map((node) => node.cloneNode(true)));
        pair.append(title, value);
        return pair;
      }));
    };
    chooser.append(found);
    chooser.addEventListener("input", show);
    const region = table.closest(".scroll");
    const all = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = `All ${rows.length} combinations`;
    region.before(chooser, all);
    all.append(summary, region);
    show();
  }

  const form = document.querySelector(".filters");
  if (!form) return;
  // The page of all claims: rows are made for what matches, a hundred at a time.
  const step = 100;
  const at = Object.fromEntries(columns.map((name, i) => [name, i]));
  const table = document.querySelector(".index");
  const body = table.querySelector("tbody");
  const badges = document.getElementById("badges").content;
  const find = document.getElementById("find");
  const shown = form.querySelector(".shown");
  const nothing = document.querySelector(".nothing");
  const further = document.querySelector(".further");
  const names = ["verdict", ...[...form.querySelectorAll("select")].map((select) => select.name)];
  const heads = claims.map((row) => [row[at.title], row[at.id], row[at.where], row[at.refs]].join(" ").toLowerCase());
  const texts = claims.map((row, i) => `${heads[i]} ${row[at.words]} ${names.map((name) => row[at[name]]).join(" ")}`.toLowerCase());
  let matches = [];
  let visible = 0;

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const made = (row) => {
    const value = (name) => row[at[name]];
    const file = value("file") || value("id").replaceAll(":", "--");
    const link = element("a", { href: `claim/${file}.html` }, value("title"));
    const name = element("th", { scope: "row" }, link, " ", element("code", { class: "id" }, value("id")));
    if (value("words")) name.append(element("span", { class: "sub" }, value("words")));
    const kinds = [value("kind"), value("category"), value("scope") === "in full" ? "" : value("scope")];
    const about = element("span", { class: "sub" }, kinds.filter(Boolean).join(" · "));
    const badge = badges.querySelector(`.badge.${value("verdict")}`).cloneNode(true);
    return element("tr", { class: value("verdict"), "data-verdict": value("verdict") },
      element("td", {}, badge), name,
      element("td", { class: "place" }, `${value("source")}, ${value("where")}`, about),
      element("td", { class: value("checked") ? "kinds" : "kinds none" }, value("checked") || "–"));
  };
  const more = () => {
    body.append(...matches.slice(visible, visible + step).map((i) => made(claims[i])));
    visible = Math.min(visible + step, matches.length);
    further.hidden = visible === matches.length;
    further.firstElementChild.textContent = `Show ${Math.min(step, matches.length - visible)} more`;
  };
  // How well a claim fits: first the one that is called so (`theorem-1`), then those that name it in their id, title
  // or place, then those with the words there, then the rest.
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const ranked = (found, text, words) => {
    const whole = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "u"));
    const name = new RegExp(`(^|[:-])${escaped(words.join("-"))}($|-)`);
    const score = (i) => {
      const id = claims[i][at.id];
      const called = name.exec(id);
      const naming = called ? (called[1] === "-" || called[2] ? 1 : 2) : 0;
      return (2 * naming + (heads[i].includes(text) ? 1 : 0)) * (words.length + 1) + whole.filter((word) => word.test(heads[i])).length;
    };
    const scores = new Map(found.map((i) => [i, score(i)]));
    return found.sort((i, j) => scores.get(j) - scores.get(i) || i - j);
  };
  const update = () => {
    const text = find.value.toLowerCase().trim();
    const words = text.split(/\s+/).filter(Boolean);
    const chosen = names.map((name) => [at[name], form.elements[name].value]).filter(([, value]) => value);
    const fits = (row, i) => chosen.every(([column, value]) => row[column] === value) && words.every((word) => texts[i].includes(word));
    matches = ranked([...claims.keys()].filter((i) => fits(claims[i], i)), text, words);
    body.replaceChildren();
    visible = 0;
    more();
    table.hidden = matches.length === 0;
    nothing.hidden = matches.length > 0;
    shown.textContent = matches.length === claims.length ? `all ${claims.length} claims` : `${matches.length} of ${claims.length} claims`;
    const wanted = new URLSearchParams();
    for (const name of names) if (form.elements[name].value) wanted.set(name, form.elements[name].value);
    if (find.value) wanted.set("text", find.value);
    const hash = wanted.toString();
    if (hash !== location.hash.slice(1) || location.search) history.replaceState(null, "", hash ? `${location.pathname}#${hash}` : location.pathname);
  };
  const restore = () => {
    // The search on the other pages arrives behind a question mark, a link of this page behind a hash.
    const wanted = new URLSearchParams(location.hash.slice(1) || location.search);
    for (const name of names) {
      const value = wanted.get(name) ?? "";
      const field = form.elements[name];
      if (field instanceof HTMLSelectElement) field.value = [...field.options].some((option) => option.value === value) ? value : "";
      else for (const input of field) input.checked = input.value === value;
    }
    find.value = wanted.get("text") ?? "";
    update();
  };
  form.hidden = false;
  document.querySelector(".by-section").hidden = true;
  for (const event of ["input", "change"]) form.addEventListener(event, update);
  form.addEventListener("submit", (event) => event.preventDefault());
  further.firstElementChild.addEventListener("click", more);
  document.querySelector(".reset").addEventListener("click", () => { form.reset(); find.value = ""; update(); });
  window.addEventListener("hashchange", restore);
  restore();
})();
