"use strict";
{
  const root = document.documentElement;
  root.classList.add("script");
  const articles = [...document.querySelectorAll("article")];
  const entries = [...document.querySelectorAll(".toc li")];
  const parts = [...document.querySelectorAll(".bar rect")];
  const filter = document.getElementById("filter");
  const place = article => article.querySelector(".place").textContent;
  const code = article => article.querySelector("code").textContent.replace(/\n$/, "");
  const texts = articles.map(article => `${article.querySelector("h3").textContent}\n${code(article)}`.toLowerCase());

  function narrow() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    articles.forEach((article, number) => {
      const out = !words.every(word => texts[number].includes(word));
      article.hidden = entries[number].hidden = out;
      parts[number].classList.toggle("out", out);
    });
    const shown = articles.filter(article => !article.hidden).length;
    document.querySelector("output").textContent = words.length ? `${shown} of ${articles.length}` : "";
    document.querySelector(".copy-all").textContent = words.length ? "Copy these" : "Copy all";
  }

  function markdown(article) {
    const text = code(article);
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(run => run[0].length + 1)));
    return `## ${place(article)}\n\n${fence}\n${text}\n${fence}\n`;
  }

  // Where a page may not write to the clipboard, a selection can be copied.
  function copySelected(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }

  async function copy(button, text) {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copied = copySelected(text);
    }
    const label = button.textContent;
    button.textContent = copied ? "Copied" : "Not copied";
    button.disabled = true;
    setTimeout(() => { button.textContent = label; button.disabled = false; }, 1200);
  }

  document.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    const article = button.closest("article");
    if (button.className === "copy-place") copy(button, place(article));
    else if (button.className === "copy-code") copy(button, code(article));
    else copy(button, articles.filter(one => !one.hidden).map(markdown).join("\n"));
  });
  // A link to an item that the filter hides shows everything again.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !target.hidden) return;
    filter.value = "";
    narrow();
    target.scrollIntoView();
  });
  if (filter) filter.addEventListener("input", narrow);
}
