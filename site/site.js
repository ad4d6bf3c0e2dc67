// What the pages do: the theme, the search, films that play while they are seen.
'use strict';

const find = (id) => document.getElementById(id);
const rootOf = document.querySelector('script[src$="site.js"]').getAttribute('src').replace('site.js', '');

// ---- the theme

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark';

function nameTheme() {
  find('theme').textContent = isDark() ? 'Light' : 'Dark';
}

find('theme').addEventListener('click', () => {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Then the theme is not kept.
  }
  nameTheme();
});
systemIsDark.addEventListener('change', nameTheme);
nameTheme();

// ---- the search

const most = 12;
const field = find('search');
const found = find('found');

// How well an entry fits all words: 0 means not at all.
function fit([title, kind, , words], wanted) {
  const name = title.toLowerCase();
  const all = `${name} ${kind} ${words}`.toLowerCase();
  let total = 0;
  for (const word of wanted) {
    if (!all.includes(word)) return 0;
    total += name === word ? 8 : name.startsWith(word) ? 4 : name.includes(word) ? 2 : 1;
  }
  return total;
}

function search() {
  const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const best = wanted.length === 0 ? [] :
      searchIndex.map((entry) => [fit(entry, wanted), entry]).filter(([points]) => points > 0)
          .sort((one, other) => other[0] - one[0]).slice(0, most);
  found.replaceChildren(...best.map(([, [title, kind, address]]) => {
    const link = document.createElement('a');
    link.href = rootOf + address;
    link.textContent = title;
    const note = document.createElement('small');
    note.textContent = kind;
    const item = document.createElement('li');
    link.append(' ', note);
    item.append(link);
    return item;
  }));
  found.hidden = best.length === 0;
  find('found-count').textContent = wanted.length === 0 ? '' : `${best.length} found`;
}

field.addEventListener('input', search);
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') found.querySelector('a')?.click();
  if (event.key === 'ArrowDown') found.querySelector('a')?.focus();
});
found.addEventListener('keydown', (event) => {
  const step = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
  if (!step) return;
  event.preventDefault();
  (event.target.closest('li')[step]?.firstElementChild ?? field).focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    found.hidden = true;
    for (const menu of document.querySelectorAll('details.menu[open]')) menu.open = false;
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) found.hidden = true;
  for (const menu of document.querySelectorAll('details.menu[open]'))
    if (!menu.contains(event.target)) menu.open = false;
});

// ---- films: they play while they are seen, and never where the reader wants less motion

if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  const watcher = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) {
      if (isIntersecting && !target.dataset.stopped)
        target.play().catch(() => {});
      else
        target.pause();
    }
  }, {threshold: 0.5});
  for (const film of document.querySelectorAll('video')) {
    const button = document.createElement('button');
    button.type = 'button';
    const name = () => {
      button.textContent = film.paused ? 'Play' : 'Pause';
      button.setAttribute('aria-label', `${button.textContent} the film: ${film.getAttribute('aria-label')}`);
    };
    button.addEventListener('click', () => {
      film.dataset.stopped = film.paused ? '' : 'yes';
      if (film.paused)
        film.play().catch(() => {});
      else
        film.pause();
    });
    film.addEventListener('play', name);
    film.addEventListener('pause', name);
    film.removeAttribute('controls');
    film.after(button);
    name();
    watcher.observe(film);
  }
}

// An anchor in a folded answer, or a link to it: the fold opens.
function unfold() {
  const place = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = place?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
}
addEventListener('hashchange', unfold);
unfold();
