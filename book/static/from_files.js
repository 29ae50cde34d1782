// Opened from files rather than from a server, a page may not read other pages: search finds them
// all the same, but cannot quote them. The search page says so.
const NO_QUOTES = {
  zh: "这个网站是从文件打开的：浏览器不许搜索从别的页里摘出句子，只能列出找到了哪些页。",
  en: "This site was opened from files: the browser lets search list the pages it finds, but not quote them.",
};

const results = document.getElementById("search-results");
if (results && location.protocol === "file:") {
  const said = document.createElement("p");
  said.className = "from-files";
  said.textContent = NO_QUOTES[document.documentElement.lang.slice(0, 2)];
  results.before(said);
  // The same that a missing page gives: the result stands without a quotation.
  window.fetch = () => Promise.resolve({ text: () => "" });
}
