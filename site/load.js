// Unpacks the data of a page of steps, which its own script has left in `packedSteps`, and starts
// steps.js. Nothing is fetched, so it also works from a folder on disk.
'use strict';

const panelOf = (id) => document.getElementById(id);

// The words of global memory, which steps.js shows anew at each step, are one stop of Tab. There the arrows go from word to
// word, and Enter lists who used one.
function reachWords() {
  const others = panelOf('others');
  const words = () => [...others.querySelectorAll('.word')];
  const mark = () => words().forEach((word, i) => {
    word.tabIndex = i === 0 ? 0 : -1;
    word.setAttribute('role', 'button');
    if (!word.textContent) word.setAttribute('aria-label', `word ${i}`);
  });
  others.addEventListener('keydown', (event) => {
    const all = words();
    const way = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -32, ArrowDown: 32}[event.key];
    if (way)
      all[Math.max(0, Math.min(all.length - 1, all.indexOf(event.target) + way))].focus();
    else if (event.key === 'Enter')
      event.target.click();
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  });
  new MutationObserver(mark).observe(others, {childList: true});
  mark();
  for (const id of ['code', 'warps', 'lanes', 'rows', 'others'])  // what a click does there, keys do as well
    panelOf(id).setAttribute('aria-keyshortcuts', 'ArrowUp ArrowDown Enter');
}

(async () => {
  try {
    // The theme that the reader chose for the site.
    const theme = localStorage.getItem('theme');
    if (theme && !sessionStorage.getItem('theme')) sessionStorage.setItem('theme', theme);
  } catch {
    // A page that is a file may have no storage; then the system's theme is shown.
  }
  const bytes = Uint8Array.from(atob(packedSteps), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  panelOf('steps').textContent = await new Response(stream).text();
  const script = document.createElement('script');
  script.src = 'steps.js';
  script.onload = reachWords;
  document.body.append(script);
})();
