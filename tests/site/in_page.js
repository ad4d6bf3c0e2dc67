// What check_pages.py asks of a page that it has opened. Each function returns sentences, or plain values.
window.siteCheck = (() => {
  const FOCUSABLE = 'a[href], area[href], button, input, select, textarea, summary, audio[controls], video[controls],' +
                    ' [tabindex], [contenteditable]';
  const NO_TEXT = 'script, style, noscript, template, option, title, desc';

  const isShown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});

  function nameOf(element) {
    const words = (element.getAttribute('aria-label') || element.textContent || '').trim().replace(/\s+/g, ' ');
    const id = element.id ? '#' + element.id : '';
    const kind = element.classList.length > 0 ? '.' + element.classList[0] : '';
    return `<${element.localName}${id || kind}>` + (words ? ` "${words.slice(0, 40)}"` : '');
  }

  // Layout and scripts have followed what was changed: two frames, and the transitions that it began.
  async function settle() {
    for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(transitions.map((animation) => animation.finished.catch(() => {})));
  }

  // A step page has decompressed its data when it shows its first step; any other page is usable once it is loaded.
  const usable = new Promise((resolve) => addEventListener('load', () => {
    const where = document.querySelector('#where');
    const observer = new MutationObserver(look);
    function look() {
      if (where && !where.textContent) return;
      observer.disconnect();
      resolve(performance.now());
    }
    if (where) observer.observe(where, {childList: true, characterData: true, subtree: true});
    look();
  }));

  // Milliseconds from the page's first byte.
  const untilUsable = async () => await usable - performance.getEntriesByType('navigation')[0].responseStart;

  async function open(selector) {
    for (const details of document.querySelectorAll(selector)) details.open = true;
    await settle();
  }

  // The elements around this one that cut or scroll what is in them, from the inside.
  function clippersOf(element, known) {
    if (!element) return [];
    if (!known.has(element)) {
      const around = clippersOf(element.parentElement, known);
      const style = getComputedStyle(element);
      const isPage = element === document.documentElement || element === document.body;
      const cuts = !isPage && (style.overflowX !== 'visible' || style.overflowY !== 'visible');
      const box = cuts ? element.getBoundingClientRect() : null;
      // What is made tiny is meant for screen readers only.
      const isTiny = cuts && (box.width <= 1 || box.height <= 1);
      known.set(element, cuts && !isTiny ? [{box, x: style.overflowX, y: style.overflowY}, ...around] :
                isTiny ? null : around);
    }
    return known.get(element);
  }

  function isCut(rect, clippers) {
    let scrolls = {x: false, y: false};
    for (const {box, x, y} of clippers) {
      if (!scrolls.x && /hidden|clip/.test(x) && (rect.left < box.left - 1 || rect.right > box.right + 1)) return true;
      if (!scrolls.y && /hidden|clip/.test(y) && (rect.top < box.top - 1 || rect.bottom > box.bottom + 1)) return true;
      scrolls = {x: scrolls.x || /auto|scroll/.test(x), y: scrolls.y || /auto|scroll/.test(y)};
    }
    return !scrolls.x && (rect.left < -1 || rect.right > document.documentElement.clientWidth + 1);
  }

  // A skip link waits outside of the page until it has the focus.
  const waitsOutside = (element, rect) => element.closest(FOCUSABLE) && (rect.right <= 0 || rect.bottom + scrollY <= 0);

  function cutTexts() {
    const found = [];
    const known = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const element = text.parentElement;
      if (!text.data.trim() || element.closest(NO_TEXT) || !isShown(element)) continue;
      const clippers = clippersOf(element, known);
      if (!clippers) continue;
      range.selectNodeContents(text);
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
      if (rects.some((rect) => !waitsOutside(element, rect) && isCut(rect, clippers))) {
        found.push(`the text of ${nameOf(element)} is cut off`);
      }
    }
    for (const input of document.querySelectorAll('input')) {
      const isCutOff = isShown(input) && input.scrollWidth > input.clientWidth;
      if (isCutOff) found.push(`the text of ${nameOf(input)} is cut off`);
    }
    const page = document.scrollingElement;
    if (page.scrollWidth > page.clientWidth) {
      found.push(`the page scrolls sideways: it is ${page.scrollWidth} pixels wide`);
    }
    return found;
  }

  // Where there is room, source of 100 columns has no scroll bar; and its line numbers are no stops of Tab.
  function sourceFaults() {
    const found = [];
    for (const source of document.querySelectorAll('main .source')) {
      const isShort = [...source.querySelectorAll('code')].every(({textContent}) => textContent.length <= 100);
      if (isShort && source.scrollWidth > source.clientWidth) {
        found.push(`${nameOf(source)} has a scroll bar, although its lines have at most 100 columns`);
      }
      const numbers = source.querySelectorAll('.line > a:not([tabindex="-1"])').length;
      if (numbers > 0) found.push(`${numbers} line numbers of ${nameOf(source)} are stops of Tab`);
    }
    return found;
  }

  // A picture that takes its room only when it has come moves what a reader has just been led to.
  function pictureFaults() {
    const pictures = [...document.querySelectorAll('img, video')];
    const broken = [...document.images].filter((image) => image.complete && image.src && image.naturalWidth === 0);
    return [
      ...broken.map(({src}) => `${src} is no picture`),
      ...pictures.filter((picture) => !picture.hasAttribute('width') || !picture.hasAttribute('height'))
        .map((picture) => `${picture.src || picture.outerHTML} has no width or height: the page jumps when it comes`),
    ];
  }

  // The elements that Tab has to stop at, in order. Radio buttons with one name are one stop.
  function tabStops() {
    const groups = new Set();
    return [...document.querySelectorAll(FOCUSABLE)].filter((element) => {
      if (element.tabIndex < 0 || element.disabled || !isShown(element) || element.closest('[inert]')) return false;
      if (element.localName === 'summary' && element.parentElement?.localName !== 'details') return false;
      if (element.type !== 'radio') return true;
      const group = [...document.querySelectorAll('input[type=radio]')].filter(({name}) => name === element.name);
      const isStop = element === (group.find(({checked}) => checked) || group[0]);
      return isStop && !groups.has(element.name) && groups.add(element.name);
    });
  }

  const looks = (element) => {
    const {outlineStyle, outlineWidth, outlineColor, boxShadow} = getComputedStyle(element);
    const isClear = outlineColor === 'transparent' || outlineColor.endsWith(', 0)');
    return {outline: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && !isClear, boxShadow};
  };

  let stops = [];
  let visited = [];

  // Menus, which open() has opened all at once, may cover what is not in them.
  const isInMenu = (element, target) => element.closest('details') && !element.closest('details').contains(target);

  // Looks at the middle of what is seen of each of its boxes.
  function isCovered(target) {
    const onTop = [...target.getClientRects()].map(({left, right, top, bottom}) => document.elementFromPoint(
      (Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2));
    return onTop.length > 0 && !onTop.some((element) => element && (target.contains(element) ||
      element.contains(target) || element.closest('label')?.control === target || isInMenu(element, target)));
  }

  // Returns how often Tab has to be pressed. Chromium stops also at what scrolls and has nothing to stop at in it.
  function watchFocus() {
    stops = tabStops();
    visited = [];
    const before = new Map(stops.map((element) => [element, looks(element)]));
    document.addEventListener('focusin', ({target}) => {
      const was = before.get(target);
      const is = looks(target);
      visited.push({target, isSeen: !was || (is.outline && !was.outline) || is.boxShadow !== was.boxShadow});
    });
    // Before the focus goes on.
    addEventListener('keydown', () => {
      const last = visited.at(-1);
      if (last && last.target === document.activeElement) last.isCovered = isCovered(last.target);
    }, {capture: true});
    document.documentElement.style.scrollBehavior = 'auto';
    const scrollers = [...document.querySelectorAll('body *')].filter((element) =>
      /auto|scroll/.test(getComputedStyle(element).overflow) && element.tabIndex < 0 &&
      (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight));
    return stops.length + scrollers.length + 1;
  }

  async function focusFaults() {
    const found = [];
    const reached = visited.map(({target}) => target).filter((target) => stops.includes(target));
    const missed = stops.filter((element) => !reached.includes(element));
    found.push(...missed.map((element) => `Tab does not reach ${nameOf(element)}`));
    const order = stops.filter((element) => reached.includes(element));
    const wrong = order.findIndex((element, index) => element !== reached[index]);
    if (wrong >= 0) found.push(`Tab goes to ${nameOf(reached[wrong])} before ${nameOf(order[wrong])}`);
    for (const {target, isSeen, isCovered: wasCovered} of visited.slice(0, stops.length)) {
      if (!isSeen) found.push(`the focus on ${nameOf(target)} is not seen`);
      if (!wasCovered) continue;
      target.focus();  // once more: the next key may have come before the page had scrolled
      await settle();
      if (isCovered(target)) found.push(`${nameOf(target)} is covered or out of sight while it has the focus`);
    }
    return found;
  }

  // Why the keyboard cannot do what a click on this element does, or nothing. (aria-keyshortcuts: some key does.)
  function clickFault(element) {
    if (!(element instanceof Element) || element === document.documentElement || element === document.body) return '';
    if (!isShown(element)) return '';
    const isReached = element.closest(`${FOCUSABLE}, label, [aria-keyshortcuts]`) ||
                      element.querySelector(FOCUSABLE);  // a listener for all that is in it
    return isReached ? '' : `the keyboard does not reach ${nameOf(element)}, which can be clicked`;
  }

  const pointedAt = () => [...document.querySelectorAll('body *')]
    .filter((element) => getComputedStyle(element).cursor === 'pointer').map(clickFault).filter(Boolean);

  async function accessibility(rules) {
    const {violations} = await axe.run(document, {resultTypes: ['violations'], preload: false, ...rules});
    return violations.map(({id, help, nodes}) => {
      const first = nodes[0];
      const reason = [...first.any, ...first.all, ...first.none].map(({message}) => message)[0] || '';
      return `${help} (${id}), ${nodes.length} times, first ${first.target.flat().join(' ')}: ${reason}`;
    });
  }

  return {settle, untilUsable, open, cutTexts, sourceFaults, pictureFaults, watchFocus, focusFaults, clickFault,
          pointedAt, accessibility};
})();
