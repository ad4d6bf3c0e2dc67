// The page of ./run --step: a kernel's block, step by step. A step is a source line that lanes of
// one warp execute together.
//
// The recorder (../src/step*.cpp) writes steps.html with this file, steps.css and its data in place
// of three lines of it. Nothing is replayed here: the data is indexed once (who used which word,
// who waits when), and what a step shows is looked up in the index, so that step 40,000 is as near
// as step 1. No text of the data is ever taken for markup: it becomes nodes only through
// textContent.
'use strict';

const find = (id) => document.getElementById(id);
const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// ---- 1. the data, and its index ----

const data = JSON.parse(find('steps').textContent);
const accesses = ['load', 'store', 'atomic'];
const markedEvents = ['barrier', 'opens', 'branch'];  // which always have a mark
const kinds = ['mistake', 'conflict', 'uncoalesced', 'serialized', 'divergence', 'barrier'];
const kindName = (kind) => (kind === 'conflict' ? 'bank conflict' : kind);
const glyphs = {
  mistake: '▲',
  conflict: '■',
  uncoalesced: '▭',
  serialized: '●',
  divergence: '◆',
  barrier: '‖'
};
const bitOf = (kind) => 1 << kinds.indexOf(kind);

// The launch that is shown:
let launch, steps, objects, warpCount;
let stepsOfWarp;  // of each warp, its steps
let ended;        // of each warp, [step, mask from this step on], and so on
let atBarrier;    // likewise: who waits for the block
let atOperation;  // likewise: who waits for other lanes of the warp
let marksOf;      // of each step, a bit per kind
let stepsOfLine;  // "file:line" -> its steps
let findingsOf;   // step -> findings that name it
let uses;         // of each object, word -> its accesses in their order, each as one number (useOf)
let initial;      // of each object, word -> what it held before the first step

const useOf = (step, event, position) => (step * 128 + event) * 32 + position;
const stepOf = (use) => Math.floor(use / 4096);
const eventOf = (use) => steps[stepOf(use)].e[Math.floor(use / 32) % 128];
const positionOf = (use) => use % 32;

const maskOf = (hex) => parseInt(hex, 16) >>> 0;
function lanesOf(mask) {
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane)
    if (mask >>> lane & 1) lanes.push(lane);
  return lanes;
}
const allLanes = (warp) => {
  const lanes = Math.min(32, launch.threads - warp * 32);
  return lanes === 32 ? 0xffffffff : (1 << lanes) - 1;
};

// Undoes what makes lists by lane short.
function fillList(list, n) {
  if (!Array.isArray(list)) return Array.from({length: n}, (_, i) => list.from + i * list.by);
  return list.length === 1 && n > 1 ? Array(n).fill(list[0]) : list;
}

// How many entries of `list`, which is sorted by key(entry), have a key up to `limit`.
function countUpTo(list, limit, key = (x) => x) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Masks that change: entries [step, mask from this step on].
const maskAt = (list, step) => list[countUpTo(list, step, (entry) => entry[0]) - 1]?.[1] ?? 0;
const change = (list, step, mask) => list.push([step, mask >>> 0]);
const newest = (list) => list[list.length - 1]?.[1] ?? 0;

const spaceOf = (event) => objects[event.o]?.space ?? '';
const isAccess = (event) => accesses.includes(event.k);
const isMistake = (finding) => finding.kind !== 'note';
const wordsOf = (offset, bytes) => {
  const words = [];
  for (let word = offset >> 2; word <= (offset + bytes - 1) >> 2; ++word) words.push(word);
  return words;
};

// The entry of a map, made where it is missing.
function entry(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

function index(chosenLaunch) {
  launch = chosenLaunch;
  ({steps, objects} = launch);
  warpCount = Math.ceil(launch.threads / 32);
  const perWarp = () => Array.from({length: warpCount}, () => []);
  stepsOfWarp = perWarp();
  ended = perWarp();
  atBarrier = perWarp();
  atOperation = perWarp();
  marksOf = new Uint8Array(steps.length);
  stepsOfLine = new Map();
  findingsOf = new Map();
  uses = objects.map(() => new Map());
  initial = objects.map(() => new Map());
  steps.forEach(indexStep);

  for (const finding of launch.findings) {
    for (const s of new Set([finding.step, finding.other?.step ?? finding.step])) {
      if (isMistake(finding)) marksOf[s] |= bitOf('mistake');
      entry(findingsOf, s).push(finding);
    }
  }
  objects.forEach((object, o) => {
    for (const [start, texts] of object.initial ?? []) {
      let offset = start;
      for (const text of texts) {
        const [, bytes] = cellAt(object, offset);
        if (text !== null)
          for (const word of wordsOf(offset, bytes))
            entry(initial[o], word).push({offset, bytes, text, use: -1});
        offset = nextCell(object, offset);
      }
    }
  });
}

function indexStep(step, s) {
  stepsOfWarp[step.w].push(s);
  entry(stepsOfLine, `${step.f}:${step.l}`).push(s);
  if (!step.e) step.e = [];
  if (step.mask === undefined) {  // the first time that this launch is shown
    step.mask = maskOf(step.m);
    step.ended = step.end ? maskOf(step.end) : 0;
    for (const event of step.e) {
      event.mask = event.m ? maskOf(event.m) : step.mask;
      event.lanes = lanesOf(event.mask);
      for (const name of ['a', 'v', 'r', 'from'])
        if (event[name]) event[name] = fillList(event[name], event.lanes.length);
      if (event.k === 'branch')
        event.to = event.to.map(([f, l, mask]) => ({f, l, mask: maskOf(mask)}));
    }
  }
  // Lanes that could run and do not: the warp takes one path after the other.
  const held = newest(ended[step.w]) | newest(atBarrier[step.w]) | newest(atOperation[step.w]);
  step.idle = (allLanes(step.w) & ~held & ~step.mask) >>> 0;
  if (step.idle) marksOf[s] |= bitOf('divergence');

  step.e.forEach((event, e) => {
    const mask = event.mask;
    if (isAccess(event) && e < 128) {
      event.a.forEach((offset, position) => {
        for (const word of wordsOf(offset, event.b))
          entry(uses[event.o], word).push(useOf(s, e, position));
      });
    }
    if (event.t !== undefined) marksOf[s] |= bitOf(kindOf(event));
    if (event.k === 'branch' && event.to.length > 1) marksOf[s] |= bitOf('divergence');
    if (event.k === 'barrier') {
      marksOf[s] |= bitOf('barrier');
      change(atBarrier[step.w], s + 1, newest(atBarrier[step.w]) | mask);
    }
    if (event.k === 'opens') {
      marksOf[s] |= bitOf('barrier');
      for (const list of atBarrier)
        if (newest(list)) change(list, s + 1, 0);
    }
    if (event.k === 'waits') change(atOperation[step.w], s + 1, newest(atOperation[step.w]) | mask);
    if (event.k === 'warp') change(atOperation[step.w], s + 1, newest(atOperation[step.w]) & ~mask);
  });
  if (step.ended) change(ended[step.w], s + 1, newest(ended[step.w]) | step.ended);
}

// What an event with something to say about it is: one of `kinds`.
function kindOf(event) {
  if (event.k === 'branch') return 'divergence';
  if (event.k === 'barrier' || event.k === 'opens') return 'barrier';
  return {wavefronts: 'conflict', sectors: 'uncoalesced'}[event.unit] ?? 'serialized';
}

// ---- 2. what is where at a step ----

// Each lane of a warp while step `s` runs: its state, and the step (so the line) where it stands:
// that which it runs or will run next; of one that waits, the step in which it came there.
function warpAt(warp, s) {
  const own = stepsOfWarp[warp];
  const all = allLanes(warp);
  const waits = maskAt(atBarrier[warp], s);
  const waitsForLanes = maskAt(atOperation[warp], s);
  const gone = maskAt(ended[warp], s);
  const runs = steps[s].w === warp ? steps[s].mask : 0;
  const next = countUpTo(own, s - 1);
  const ready = steps[s].w !== warp && next < own.length ? steps[own[next]].mask : 0;
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane) {
    let state = 'off';
    if (!(all >>> lane & 1))
      state = 'none';
    else if (gone >>> lane & 1)
      state = 'ended';
    else if (runs >>> lane & 1)
      state = 'run';
    else if ((waits | waitsForLanes) >>> lane & 1)
      state = 'waits';
    else if (ready >>> lane & 1)
      state = 'ready';
    lanes.push({state, step: -1});
  }
  const place = (mask, step) => {
    for (const lane of lanesOf((steps[step].mask & mask) >>> 0)) lanes[lane].step = step;
    return (mask & ~steps[step].mask) >>> 0;
  };
  let open = (all & ~gone & (runs | ~(waits | waitsForLanes))) >>> 0;
  for (let i = next; i < own.length && open; ++i) open = place(open, own[i]);
  let behind = (open | (all & ~gone & ~runs & (waits | waitsForLanes))) >>> 0;
  for (let i = next - 1; i >= 0 && behind; --i) behind = place(behind, own[i]);
  return lanes;
}

// The cell of an object that begins at or holds `offset`: [its offset, bytes, member's name].
function cellAt(object, offset) {
  const start = Math.floor(offset / object.element) * object.element;
  const cell =
      object.cells.find(([at, bytes]) => offset - start < at + bytes) ?? [0, object.element, ''];
  return [start + cell[0], cell[1], cell[2]];
}

// Where the cell after the one at `offset` begins; between two members may be a gap.
function nextCell(object, offset) {
  const start = Math.floor(offset / object.element) * object.element;
  const cell = object.cells.find(([at]) => at > offset - start);
  return cell ? start + cell[0] : start + object.element;
}

// An access's value by cells, if it covers whole ones: each { offset, bytes, text, use }.
function partsOf(use) {
  const event = eventOf(use);
  const object = objects[event.o];
  const offset = event.a[positionOf(use)];
  const text = event.v[positionOf(use)];
  const texts = text.split(' ');
  const whole = {offset, bytes: event.b, text, use};
  if (texts.length < 2) return [whole];
  const parts = [];
  for (let at = offset; at < offset + event.b && parts.length < texts.length;
       at = nextCell(object, at))
    parts.push({offset: at, bytes: cellAt(object, at)[1], text: texts[parts.length], use});
  return parts.length === texts.length ? parts : [whole];
}

// What a word holds after step `s`: the values that lie in it, each { offset, bytes, text, use };
// use -1: it was so before the first step. Empty: nobody has written it.
function wordAt(object, word, s) {
  const found = [];
  let missing = 4;
  const add = (value) => {
    const from = Math.max(value.offset, word * 4);
    const to = Math.min(value.offset + value.bytes, word * 4 + 4);
    if (from >= to ||
        found.some(
            (other) => value.offset < other.offset + other.bytes &&
                other.offset < value.offset + value.bytes))
      return;
    found.push(value);
    missing -= to - from;
  };
  const list = uses[object].get(word) ?? [];
  for (let i = countUpTo(list, s, stepOf) - 1; i >= 0 && missing > 0; --i) {
    if (eventOf(list[i]).k === 'load' || eventOf(list[i]).v[positionOf(list[i])] === '') continue;
    partsOf(list[i]).forEach(add);
  }
  (initial[object].get(word) ?? []).forEach(add);
  return found.sort((a, b) => a.offset - b.offset);
}

// ---- 3. names ----

const threadOf = (warp, lane) => {
  const [x, y, z] = launch.block;
  const t = warp * 32 + lane;
  if (y === 1 && z === 1) return `${t}`;
  return `(${t % x}, ${Math.floor(t / x) % y}${z > 1 ? `, ${Math.floor(t / x / y)}` : ''})`;
};

// "lanes 0-15", "lane 3", "lanes 0, 2, …, 30", "lanes 1, 4, 6-9".
function laneWords(lanes) {
  if (lanes.length === 0) return 'no lane';
  if (lanes.length === 1) return `lane ${lanes[0]}`;
  const gap = lanes[1] - lanes[0];
  const isEven = lanes.every((lane, i) => i === 0 || lane - lanes[i - 1] === gap);
  if (gap === 1 || lanes.length < 4 || !isEven) return 'lanes ' + ranges(lanes, 6);
  return `lanes ${lanes[0]}, ${lanes[1]}, …, ${lanes[lanes.length - 1]}`;
}

// Ascending numbers as "0-3, 7", at most `most` ranges of them.
function ranges(numbers, most = 99) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) ++end;
    if (end === i)
      parts.push(`${numbers[i]}`);
    else
      parts.push(`${numbers[i]}${end === i + 1 ? ', ' : '–'}${numbers[end]}`);
    i = end + 1;
  }
  return parts.length > most ? parts.slice(0, most).join(', ') + ', …' : parts.join(', ');
}

const warpWords = (warps) => (warps.length === 1 ? `warp ${warps[0]}` : `warps ${ranges(warps)}`);

// As in C, after an object's name: [3][5], [17].x, or nothing, for `bytes` at an offset.
function elementOf(o, offset, bytes = 0) {
  const object = objects[o];
  const {element, extents} = object;
  let number = Math.floor(offset / element);
  const [, , member] = cellAt(object, offset);
  const end = bytes < element && member ? `.${member}` : '';
  if (extents.length === 0 && object.bytes === element && number === 0) return end;
  const indices = [];
  for (const extent of extents.slice(1).reverse()) {
    indices.unshift(number - extent * Math.floor(number / extent));
    number = Math.floor(number / extent);
  }
  return [number, ...indices].map((i) => `[${i}]`).join('') + end;
}
const elementName = (o, offset, bytes) => objects[o].name + elementOf(o, offset, bytes);

const bankOf = (o, offset) => ((objects[o].bank_offset + offset) >> 2) & 31;

// "warp:lane" of who wrote a value.
const writerName = ({use}) =>
    (use < 0 ? 'before' : `${steps[stepOf(use)].w}:${eventOf(use).lanes[positionOf(use)]}`);

// A value in so few characters that it fits a cell: 0.25 -> .25, 1234567 -> 1e6.
function brief(text, room) {
  if (text.length <= room) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return '';  // several values in a word: the table has them
  for (let digits = 6; digits > 0; --digits) {
    for (const form
             of [String(Number(value.toPrecision(digits))), value.toExponential(digits - 1)]) {
      const short = form.replace(/^(-?)0\./, '$1.').replace('e+', 'e');
      if (short.length <= room) return short;
    }
  }
  return room >= 2 ? '…' : '';
}

// ---- 4. the sentences ----

const whoWords = (lanes) => (lanes.length === 32 ? 'All 32 lanes' : capital(laneWords(lanes)));
const verb = (lanes, singular, plural) => (lanes.length === 1 ? singular : plural);

// The sentences about a step, each {kind, text, go}: `go`, if not -1, is a step to go to.
function sentencesOf(s) {
  const step = steps[s];
  const list = [];
  const say = (kind, text, go = -1) => {
    if (text && !list.some((other) => other.text === text)) list.push({kind, text, go});
  };
  for (const finding of findingsOf.get(s) ?? []) {
    const other = finding.step === s ? finding.other?.step ?? -1 : finding.step;
    say(isMistake(finding) ? 'mistake' : '', data.texts[finding.text], other === s ? -1 : other);
    if (['barrier', 'deadlock'].includes(finding.kind)) say('explain', whoWaits(s));
  }
  for (const event of step.e) {
    if (isAccess(event) && event.k === 'load') say('mistake', unwrittenWords(s, event));
  }
  for (const event of step.e) {
    say(event.t === undefined && !markedEvents.includes(event.k) ? '' : kindOf(event),
        eventWords(s, event));
    if (event.k === 'store') say('', togetherWords(event));
  }
  for (const event of step.e) {
    if (event.t !== undefined) say('explain', data.texts[event.t]);
  }
  const idle = lanesOf(step.idle);
  if (idle.length > 0) {
    say('divergence',
        `Divergence: ${laneWords(idle)} ${verb(idle, 'is', 'are')} inactive, because ` +
            `${
                verb(
                    idle, 'it takes',
                    'they take')} another path; the warp runs one path after the other.`);
  }
  const gone = lanesOf(step.ended);
  if (step.ended === allLanes(step.w)) {
    say('', `Warp ${step.w} has ended.`);
  } else if (gone.length > 0) {
    say('', `${whoWords(gone)} ${verb(gone, 'has', 'have')} ended.`);
  }
  if (list.length === 0)
    say('', 'No memory is touched: what is computed here stays in registers, which are not shown.');
  return list;
}

function eventWords(s, event) {
  const {k, what, lanes} = event;
  const who = whoWords(lanes);
  if (isAccess(event)) return accessWords(event);
  if (k === 'barrier') {
    const missing = missingAt(s);
    const arrives = `${who} ${verb(lanes, 'arrives', 'arrive')} at \`${what}\``;
    if (missing.length === 0) return `${arrives}.`;
    return `${arrives} and ${verb(lanes, 'waits', 'wait')} for ${warpWords(missing)}.`;
  }
  if (k === 'opens') {
    const came = steps[s].e.some((other) => other.k === 'barrier');
    const reason = came ? 'The last has come' : 'The threads that are missing have ended';
    return `${reason}: \`${what}\` opens, and all that wait go on. ` +
        'What was written before it may be read after it.';
  }
  if (k === 'waits') {
    const waits = `${verb(lanes, 'waits', 'wait')} for other lanes of the warp`;
    return `${who} ${verb(lanes, 'has', 'have')} come to \`${what}\` and ${waits}.`;
  }
  if (k === 'warp') {
    const table = event.r ? '; the table shows what each gives and gets' : '';
    return `${who} ${verb(lanes, 'does', 'do')} \`${what}\` together${table}.`;
  }
  if (k === 'branch') {
    const sides = event.to.map(({f, l, mask}) => {
      const file = f === steps[s].f ? '' : ` of ${data.sources[f].file}`;
      return `${laneWords(lanesOf(mask))} go on in line ${l}${file}`;
    });
    const again = event.to.length > 1 ? meetingWords(s, event.mask) : '';
    return `The lanes part: ${sides.join(', ')}.${again}`;
  }
  const places = count(new Set(event.a).size, 'place');  // a texture or a surface
  const bytes = what.startsWith('surf') ? ', where x counts bytes' : '';
  return `${who} ${verb(lanes, 'calls', 'call')} \`${what}\`, at ${places}${bytes}: ` +
      'the table has coordinates and values.';
}

// Where lanes that have parted in step `s` go on together.
function meetingWords(s, mask) {
  const own = stepsOfWarp[steps[s].w];
  const after = countUpTo(own, s);
  const both = ' The warp runs these ways one after the other';
  for (let i = after; i < own.length && i < after + 1000; ++i) {
    const left = (mask & ~maskAt(ended[steps[s].w], own[i])) >>> 0;
    if (left === 0) break;
    if ((steps[own[i]].mask & left) >>> 0 === left)
      return `${both}; they meet again in line ${steps[own[i]].l}, step ${own[i] + 1}.`;
  }
  return `${both}.`;
}

// Who waits at the barrier of step `s`, who has ended, and who is elsewhere: as a sentence.
function whoWaits(s) {
  const groups = new Map();  // "waits in line 7" -> its threads
  let barrier = '__syncthreads()';
  for (let warp = 0; warp < warpCount; ++warp) {
    const own = stepsOfWarp[warp];
    const isNow = steps[s].w === warp;
    let waiting = maskAt(atBarrier[warp], s);
    for (const event of isNow ? steps[s].e : []) {
      if (event.k !== 'barrier') continue;
      waiting |= event.mask;
      barrier = event.what;
    }
    const gone = maskAt(ended[warp], s);
    for (const lane of lanesOf(allLanes(warp))) {
      let i = countUpTo(own, s) - 1;
      while (i >= 0 && !(steps[own[i]].mask >>> lane & 1)) --i;
      const line = i < 0 ? '' : ` in line ${steps[own[i]].l}`;
      const state = waiting >>> lane & 1 ? `at \`${barrier}\`${line}` :
          gone >>> lane & 1              ? `ended${line}` :
                                           `elsewhere${line}`;
      entry(groups, state).push(warp * 32 + lane);
    }
  }
  if (groups.size < 2) return '';
  const parts = [...groups].map(([state, threads]) => {
    const who = `${count(threads.length, 'thread')} (${
        warpWords([...new Set(threads.map((thread) => thread >> 5))])})`;
    const one = threads.length === 1;
    if (state.startsWith('at ')) return `${who} ${one ? 'waits' : 'wait'} ${state}`;
    if (state.startsWith('ended')) return `${who} ${one ? 'has' : 'have'} ${state} and will not come`;
    return `${who} ${one ? 'is' : 'are'} ${state}`;
  });
  return `${parts.join('; ')}. A barrier is for all threads of the block: it stands where each of ` +
      'them comes, after the `if` and not inside it, and no thread returns before it.';
}

function accessWords(event) {
  const {k, o, lanes} = event;
  const act = {
    load: verb(lanes, 'reads', 'read'),
    store: verb(lanes, 'writes', 'write'),
    atomic: verb(lanes, 'does an atomic operation on', 'do an atomic operation on'),
  }[k];
  const what = lanes.length === 1 ? elementName(o, event.a[0], event.b) : objects[o].name;
  return `${whoWords(lanes)} ${act} \`${what}\` in ${spaceOf(event)} memory${costWords(event)}`;
}

// What an access took, and how little would do.
function costWords({unit, n, least, ...event}) {
  if (n === undefined) return '.';
  if (unit === 'words') {
    return n === 1 ? ': one word, a broadcast.' : `: ${n} different words, one after another.`;
  }
  if (unit === 'lanes at one address') {
    return n === 1 ? '.' : `: ${n} lanes at one address, one after another.`;
  }
  const cost =
      unit === 'sectors' ? `: ${count(n, 'sector')} of 32 bytes` : `: ${count(n, 'wavefront')}`;
  if (n <= least) return `${cost}.`;
  return `${cost}; ${least} would do.${unit === 'wavefronts' ? conflictWords(event) : ''}`;
}

// Which lanes collide in which bank.
function conflictWords(event) {
  const banks = banksOf([event]);
  const worst = Math.max(...banks.map((bank) => bank.words.size));
  if (worst < 2) return '';
  const crowded = banks.filter((bank) => bank.words.size === worst);
  const lanes = [...crowded[0].lanes].sort((a, b) => a - b);
  const others = crowded.length - 1;
  let rest = '.';
  if (others === 1) rest = '; another bank is as busy.';
  if (others > 1) rest = `; ${others === 31 ? 'all' : others} other banks are as busy.`;
  return ` In bank ${banks.indexOf(crowded[0])} ${laneWords(lanes)} access ` +
      `${worst} different words, and a bank serves one per wavefront${rest}`;
}

// For each of the 32 banks: the lanes and words of these accesses to shared memory.
function banksOf(events) {
  const banks = Array.from({length: 32}, () => ({lanes: new Set(), words: new Set()}));
  for (const event of events) {
    event.lanes.forEach((lane, i) => {
      for (const word of wordsOf(event.a[i], event.b)) {
        const bank = banks[bankOf(event.o, word * 4)];
        bank.lanes.add(lane);
        bank.words.add(`${event.o}:${word}`);
      }
    });
  }
  return banks;
}

function unwrittenWords(s, event) {
  if (spaceOf(event) !== 'shared') return '';
  const lanes = event.lanes.filter((_, i) => wordAt(event.o, event.a[i] >> 2, s - 1).length === 0);
  if (lanes.length === 0) return '';
  const reads = verb(lanes, 'reads a word', 'read words');
  return `${whoWords(lanes)} ${reads} of \`${objects[event.o].name}\` that no thread has written yet.`;
}

// Where several lanes write one element: the most that do.
function togetherWords(event) {
  const groups = new Map();
  event.lanes.forEach((lane, i) => entry(groups, event.a[i]).push(lane));
  const lanes = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  if (lanes.length < 2) return '';
  const element = elementName(event.o, event.a[event.lanes.indexOf(lanes[0])], event.b);
  return `${whoWords(lanes)} write the same element, \`${element}\`: ` +
      `one value stays, here that of lane ${lanes[lanes.length - 1]}.`;
}

// The warps that a barrier still waits for in step `s`.
function missingAt(s) {
  const missing = [];
  if (steps[s].e.some(({k}) => k === 'opens')) return missing;
  for (let warp = 0; warp < warpCount; ++warp) {
    const there = maskAt(atBarrier[warp], s) | maskAt(ended[warp], s);
    if (warp !== steps[s].w && (allLanes(warp) & ~there) !== 0) missing.push(warp);
  }
  return missing;
}

// ---- 5. colors of lanes ----

const viridis = [
  '#482475', '#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151', '#bddf26',
  '#fde725'
];
function laneColor(lane) {
  const place = (lane / 31) * (viridis.length - 1);
  const low = Math.min(Math.floor(place), viridis.length - 2);
  const channel = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [0, 1, 2].map(
      (i) => Math.round(
          channel(viridis[low], i) +
          (place - low) * (channel(viridis[low + 1], i) - channel(viridis[low], i))));
}
const sheet = make('style');
for (let lane = 0; lane < 32; ++lane) {
  const [r, g, b] = laneColor(lane);
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 125;
  sheet.textContent += `.lane${lane}{--c:rgb(${r},${g},${b});--t:${bright ? '#000' : '#fff'}}\n`;
}
document.head.append(sheet);
find('ramp').style.background = `linear-gradient(90deg, ${viridis.join(', ')})`;

// ---- 6. the source ----

const lineRows = new Map();  // "file:line" -> its row
const sourceRows = [];       // those that can be walked
const tokens = new RegExp(
    [
      String.raw`(//.*|/\*.*?(?:\*/|$))`,
      String.raw`("(?:[^"\\]|\\.)*")`,
      String.raw`\b(__\w+__|auto|bool|break|case|char|class|const|constexpr|continue|default|do|double|else|enum|extern|false|float` +
          String
              .raw`|for|if|int|long|namespace|return|short|signed|sizeof|static|struct|switch|template|true|typename|unsigned` +
          String
              .raw`|using|void|volatile|while|size_t|half|(?:float|u?int|u?char|double)[1-4]|dim3)\b`,
      String.raw`(\b\d[\w.]*)`,
    ].join('|'),
    'g');

function paintLine(cell, text) {
  let done = 0;
  for (const match of text.matchAll(tokens)) {
    cell.append(text.slice(done, match.index));
    cell.append(make('span', match[1] ? 'c' : match[3] ? 'w' : 'd', match[0]));
    done = match.index + match[0].length;
  }
  cell.append(text.slice(done));
}

function buildSource() {
  data.sources.forEach((source, f) => {
    if (data.sources.length > 1) find('code').append(make('div', 'file', source.file));
    source.lines.forEach((text, i) => {
      const key = `${f}:${source.first + i}`;
      const row = make('div', 'l');
      row.id = `line-${f}-${source.first + i}`;
      row.setAttribute('role', 'option');
      const code = make('span', 't');
      paintLine(code, text);
      row.append(make('span', 'who'), make('span', 'n', source.first + i), code, make('span', 'k'));
      row.addEventListener('click', () => goToLine(key));
      lineRows.set(key, row);
      find('code').append(row);
    });
  });
}

// Which lines this launch has steps in, with the marks of those steps.
function markSource() {
  sourceRows.length = 0;
  for (const [key, row] of lineRows) {
    const own = stepsOfLine.get(key);
    row.className = own ? 'l steps' : 'l';
    row.title = own ? `${count(own.length, 'step')}: click for the next` : '';
    const bits = own?.reduce((all, s) => all | marksOf[s], 0) ?? 0;
    row.lastChild.replaceChildren(...kinds.filter((kind) => bits & bitOf(kind))
                                      .map((kind) => make('span', kind, glyphs[kind])));
    if (own) sourceRows.push(key);
  }
}

let litRows = [];
function drawSource(s, warps) {
  for (const row of litRows) {
    row.classList.remove('here', 'there', 'party');
    row.firstChild.textContent = '';
    row.removeAttribute('aria-selected');
  }
  const standing = new Map();  // line -> its warps
  warps.forEach((lanes, warp) => {
    for (const {step} of lanes) {
      if (step < 0) continue;
      const list = entry(standing, `${steps[step].f}:${steps[step].l}`);
      if (!list.includes(warp)) list.push(warp);
    }
  });
  const here = `${steps[s].f}:${steps[s].l}`;
  litRows = [];
  for (const [key, who] of standing) {
    const row = lineRows.get(key);
    row.classList.add(key === here ? 'here' : 'there');
    row.firstChild.textContent = 'w' + ranges(who);
    litRows.push(row);
  }
  for (const finding of findingsOf.get(s) ?? []) {
    for (const party of [finding.step, finding.other?.step]) {
      if (party === undefined) continue;
      const row = lineRows.get(`${steps[party].f}:${steps[party].l}`);
      row.classList.add('party');
      litRows.push(row);
    }
  }
  find('source-title').textContent = data.sources[steps[s].f].file;
  const row = lineRows.get(here);
  row.setAttribute('aria-selected', 'true');
  scrollWithin(find('code'), row, find('code').clientHeight / 4);
}

// Scrolls `panel`, and nothing else, until `row` inside of it is at least `margin` from its edges.
function scrollWithin(panel, row, margin) {
  const top = row.offsetTop;
  const bottom = top + row.offsetHeight;
  if (top - margin < panel.scrollTop)
    panel.scrollTop = top - margin;
  else if (bottom + margin > panel.scrollTop + panel.clientHeight)
    panel.scrollTop = Math.min(top, bottom + margin - panel.clientHeight);
}

// ---- 7. the threads ----

let laneCells = [];   // [warp][lane]
let followed = null;  // { warp, lane }

function buildThreads() {
  laneCells = [];
  find('warps').replaceChildren();
  for (let warp = 0; warp < warpCount; ++warp) {
    const row = make('div');
    row.setAttribute('role', 'row');
    row.append(make('span', 'name', `w${warp}`));
    laneCells.push(Array.from({length: 32}, (_, lane) => {
      const cell = make('i', 'cell');
      cell.id = `lane-${warp}-${lane}`;
      cell.setAttribute('role', 'gridcell');
      row.append(cell);
      return cell;
    }));
    row.append(make('span', 'at'));
    find('warps').append(row);
  }
}

const stateWords = {
  run: 'runs',
  ready: 'is ready',
  off: 'is inactive: its warp runs another path',
  waits: 'waits',
  ended: 'has ended',
};

function laneLabel(warp, lane) {
  const {state, step} = warpAt(warp, now)[lane];
  if (state === 'none') return 'no thread';
  return `thread ${threadOf(warp, lane)}, warp ${warp}, lane ${lane}: ${stateWords[state]}` +
      (step >= 0 ? `, line ${steps[step].l}` : '');
}

function setClass(element, className) {
  if (element.className !== className) element.className = className;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function drawThreads(s, warps) {
  const parties = new Set();  // lanes of the accesses that a finding is about
  for (const finding of findingsOf.get(s) ?? []) {
    for (const side of [finding, finding.other])
      if (side?.lanes)
        for (const lane of lanesOf(maskOf(side.lanes)))
          parties.add(`${steps[side.step].w}:${lane}`);
  }
  warps.forEach((lanes, warp) => {
    lanes.forEach(({state}, lane) => {
      let className = `cell ${state}`;
      if (state === 'run') className += ` lane${lane}`;
      if (followed && followed.warp === warp && followed.lane === lane) className += ' followed';
      if (parties.has(`${warp}:${lane}`)) className += ' party';
      if (cursors.warps === laneCells[warp][lane].id) className += ' cursor';
      setClass(laneCells[warp][lane], className);
    });
    const row = find('warps').children[warp];
    setClass(row, steps[s].w === warp ? 'now' : '');
    const lines = new Map();
    for (const {step} of lanes)
      if (step >= 0) lines.set(steps[step].l, (lines.get(steps[step].l) ?? 0) + 1);
    const text = [...lines].sort((a, b) => b[1] - a[1]).map(([line]) => line).join(' · ');
    // A warp without any step: a fault ended the kernel before its turn, or it had nothing to do.
    const none = lanes.some(({state}) => state === 'ended') ? 'ended' : 'no step';
    setText(row.lastChild, lines.size === 0 ? none : lines.size === 1 ? `line ${text}` : text);
  });
}

// A row for each lane of the step, and for each event columns: what the lane reads, writes, gives
// and gets.
function drawLanes(s) {
  const step = steps[s];
  const table = make('table');
  table.append(make('caption', '', `What warp ${step.w} does in line ${step.l}`));
  const head = make('tr');
  const addHead = (text) => head.append(make('th', '', text));
  addHead('lane');
  addHead('thread');
  const columns = [];  // of each event, a function that gives a lane's cells
  step.e.forEach((event, e) => {
    if (isAccess(event))
      columns.push([event, accessColumns(s, event, step.e.slice(0, e), addHead)]);
    else if (event.k === 'warp' && event.v) {
      addHead('gives');
      addHead('gets');
      if (event.from) addHead('from lane');
      columns.push([
        event,
        (i) => [event.v[i], event.r[i], ...(event.from ? [event.from[i]] : [])].map(
            (text) => make('td', '', text))
      ]);
    } else if (event.a) {
      addHead(`${event.what} at`);
      addHead('value');
      columns.push([event, (i) => [event.a[i], event.v[i]].map((text) => make('td', '', text))]);
    } else if (event.k === 'branch') {
      addHead('goes on in');
      columns.push([
        event,
        (i) => [make(
            'td', '', `line ${event.to.find(({mask}) => mask >>> event.lanes[i] & 1)?.l ?? '?'}`)]
      ]);
    }
  });
  if (columns.length === 0) {
    find('lanes').replaceChildren(table, make('p', 'empty', 'No memory is touched.'));
    return;
  }
  table.append(head);
  for (const lane of lanesOf(step.e.reduce((mask, event) => mask | event.mask, step.mask) >>> 0)) {
    const row = make(
        'tr', followed && followed.warp === step.w && followed.lane === lane ? 'followed' : '');
    const first = make('td');
    const chip = make('span', `lane lane${lane}`, lane);
    chip.addEventListener('click', () => follow(step.w, lane));
    first.append(chip);
    row.append(first, make('td', '', threadOf(step.w, lane)));
    for (const [event, cellsOf] of columns) {
      const i = event.lanes.indexOf(lane);
      row.append(...(i >= 0 ? cellsOf(i) : cellsOf(0).map(() => make('td'))));
    }
    table.append(row);
  }
  find('lanes').replaceChildren(table);
}

// Heads of an access's columns; gives what makes a lane's cells. The element is not named again
// where the lanes have just accessed the same ones (x += 1).
function accessColumns(s, event, earlier, addHead) {
  const {name} = objects[event.o];
  const isShared = spaceOf(event) === 'shared';
  const again = earlier.some(
      (other) => isAccess(other) && other.o === event.o && String(other.a) === String(event.a));
  const withBank = isShared && !again && event.n > 1;
  const withWriter = isShared && event.k === 'load';
  addHead({load: 'reads', store: 'writes', atomic: 'atomic on'}[event.k] + ` ${name}`);
  if (withBank) addHead('bank');
  if (!again) addHead(event.k === 'atomic' ? 'old → new' : 'value');
  if (withWriter) addHead('from');
  return (i) => {
    const offset = event.a[i];
    const cells = [];
    const value =
        make('td', '', event.k === 'atomic' ? `${event.r[i]} → ${event.v[i]}` : event.v[i]);
    if (!again) cells.push(make('td', '', elementOf(event.o, offset, event.b) || name));
    if (withBank) cells.push(make('td', '', bankOf(event.o, offset)));
    cells.push(value);
    if (withWriter) {
      const before =
          wordAt(event.o, offset >> 2, s - 1).find((part) => part.offset + part.bytes > offset);
      cells.push(before ? make('td', '', writerName(before)) : make('td', 'unwritten', 'none'));
    }
    return cells;
  };
}

// ---- 8. memory ----

let sharedObjects;     // by their place
let sharedRows;        // of 32 words
let pool = [];         // the rows that can be seen, each { row, element, name, cells }
let chosen = null;     // { object, word }
let room = 3;          // how many characters fit a word's cell
const rowHeight = 18;  // as --row in steps.css

// The object and its word at word `place` of shared memory, or undefined.
function sharedAt(place) {
  const object = sharedObjects.find(
      (o) => place * 4 + 3 >= objects[o].bank_offset &&
          place * 4 < objects[o].bank_offset + objects[o].bytes);
  return object === undefined ?
      undefined :
      {object, word: Math.max(0, place * 4 - objects[object].bank_offset) >> 2};
}

function buildShared() {
  sharedObjects = [...objects.keys()]
                      .filter((o) => objects[o].space === 'shared')
                      .sort((a, b) => objects[a].bank_offset - objects[b].bank_offset);
  const bytes = sharedObjects.reduce(
      (most, o) => Math.max(most, objects[o].bank_offset + objects[o].bytes), 0);
  sharedRows = Math.ceil(bytes / 128);
  find('shared').hidden = sharedRows === 0;
  const names = sharedObjects.map((o) => `${objects[o].type} ${objects[o].name}`);
  find('shared-note').textContent = `${count(launch.shared_bytes, 'byte')}: ${names.join(', ')}`;
  // The rows' names get as much room as the longest of them needs, and leave the rest to the words.
  const longest = Math.max(0, ...objects.map(({bytes: size, element, name, space}, o) => {
    const index = elementOf(o, Math.max(0, size - element));
    return index.length + (space === 'shared' && sharedObjects.length > 1 ? name.length : 0);
  }));
  const wide = Math.min(74, Math.max(38, 7 * longest));
  document.documentElement.style.setProperty('--name', `${wide}px`);
  find('room').replaceChildren();
  find('room').style.height = `${sharedRows * rowHeight}px`;
  find('rows').style.height = `${Math.min(sharedRows, 33) * rowHeight}px`;
  find('rows').scrollTop = 0;
  pool = [];
}

// Puts as many rows where they can be seen as fit; others are not there.
function layRows() {
  const wanted = Math.min(sharedRows, Math.ceil(find('rows').clientHeight / rowHeight) + 2);
  while (pool.length < wanted) {
    const element = make('div', 'words');
    element.setAttribute('role', 'row');
    const name = make('span', 'name');
    const cells = Array.from({length: 32}, () => {
      const cell = make('span');
      cell.setAttribute('role', 'gridcell');
      return cell;
    });
    element.append(name, ...cells);
    find('room').append(element);
    pool.push({row: -1, element, name, cells});
  }
  const first = Math.max(
      0, Math.min(Math.floor(find('rows').scrollTop / rowHeight), sharedRows - pool.length));
  pool.forEach((line, i) => {
    if (line.row === first + i) return;
    line.row = first + i;
    line.element.style.top = `${line.row * rowHeight}px`;
    line.element.setAttribute('aria-rowindex', line.row + 1);
    const words = line.cells.map((_, bank) => sharedAt(line.row * 32 + bank));
    line.cells.forEach((cell, bank) => {
      cell.id = words[bank] ? `word-${words[bank].object}-${words[bank].word}` : '';
    });
    const {object, word} = words.find(Boolean);
    const index = elementOf(object, word * 4, objects[object].element);
    line.name.title = objects[object].name + index;
    // A name that is too long loses its beginning: its end is what tells rows apart.
    const shown = sharedObjects.length > 1 ? line.name.title : index;
    setText(line.name, shown.length > 10 ? '…' + shown.slice(-9) : shown);
  });
}

// Which words a step touches: "object:word" -> the lane that does, the last where several do.
function touchedBy(s) {
  const touched = new Map();
  for (const event of steps[s].e) {
    if (!isAccess(event)) continue;
    event.lanes.forEach((lane, i) => {
      for (const word of wordsOf(event.a[i], event.b)) touched.set(`${event.o}:${word}`, lane);
    });
  }
  return touched;
}

function wrongWords(s) {
  const found = (findingsOf.get(s) ??
                 []).filter((finding) => finding.o !== undefined && finding.a !== undefined);
  return new Set(found.map((finding) => `${finding.o}:${finding.a >> 2}`));
}

// Class and text of a word's cell.
function wordCell(cell, object, word, s, touched, wrong) {
  const key = `${object}:${word}`;
  const values = wordAt(object, word, s);
  const lane = touched.get(key);
  let className = 'word';
  if (lane !== undefined) className += ` hot lane${lane}`;
  if (values.length === 0)
    className += ' never';
  else if (lane === undefined && values[0].use >= 0)
    className += ` by lane${eventOf(values[0].use).lanes[positionOf(values[0].use)]}`;
  if (wrong.has(key)) className += ' bad';
  if (chosen && chosen.object === object && chosen.word === word) className += ' chosen';
  if (cell.id && cell.id === cursors.rows) className += ' cursor';
  setClass(cell, className);
  let text = '';
  if (room > 0 && values.length > 0) {
    if (find('writers').checked)
      text = values[0].use < 0 ? '' : writerName(values[0]);
    else if (values[0].offset >= word * 4 && values.length === 1)
      text = brief(values[0].text, room);
    else if (values[0].offset >= word * 4)
      text = brief(values.map((value) => value.text).join(' '), room);
  }
  setText(cell, text);
}

const cursors = {
  warps: '',
  rows: '',
  code: ''
};  // ids of the cells where the keyboard stands

function drawShared(s) {
  const touched = touchedBy(s);
  const wrong = wrongWords(s);
  for (const line of pool) {
    line.cells.forEach((cell, bank) => {
      const at = sharedAt(line.row * 32 + bank);
      if (at)
        wordCell(cell, at.object, at.word, s, touched, wrong);
      else
        setClass(cell, 'word absent');
    });
  }
}

// Above the columns: how many words of each bank the busiest access of this step needs.
function drawBanks(s) {
  const shared = steps[s].e.filter((event) => isAccess(event) && spaceOf(event) === 'shared');
  const most = shared.reduce((a, b) => (a && a.n >= b.n ? a : b), undefined);
  const banks = banksOf(most ? [most] : []);
  banks.forEach(({words}, bank) => {
    const cell = find('banks').children[34 + bank];
    setClass(cell, words.size > 1 ? 'crowded' : '');
    setText(cell, words.size === 0 ? '' : `×${words.size}`);
  });
}

// Scrolls to the words that the step touches, if none of them is seen.
function showTouched(s) {
  const rows =
      steps[s]
          .e.filter((event) => isAccess(event) && spaceOf(event) === 'shared')
          .flatMap(
              (event) => event.a.map((offset) => (objects[event.o].bank_offset + offset) >> 7));
  if (rows.length === 0) return;
  const panel = find('rows');
  const top = panel.scrollTop / rowHeight;
  const bottom = (panel.scrollTop + panel.clientHeight) / rowHeight - 1;
  if (!rows.some((row) => row >= top && row <= bottom))
    panel.scrollTop = (Math.min(...rows) - 1) * rowHeight;
}

// Global and constant memory: the lines of 128 bytes that an access touches, by sectors of 32.
function drawOthers(s) {
  const touched = touchedBy(s);
  const wrong = wrongWords(s);
  const sections = steps[s]
                       .e.filter((event) => isAccess(event) && spaceOf(event) !== 'shared')
                       .map((event) => sectionOf(s, event, touched, wrong));
  if (sections.length === 0)
    sections.push(make('p', 'empty', 'This step touches no global memory.'));
  find('others').replaceChildren(...sections);
}

function sectionOf(s, event, touched, wrong) {
  const object = objects[event.o];
  const base =
      parseInt(object.address.slice(-2), 16);  // where in a line of 128 bytes the object begins
  const bytes =
      new Set(event.a.flatMap((offset) => Array.from({length: event.b}, (_, i) => offset + i)));
  const sectors = new Set([...bytes].map((byte) => (byte + base) >> 5));
  const lines = [...new Set([...sectors].map((sector) => sector >> 2))].sort((a, b) => a - b);
  const section = make('section');
  const act = {load: 'is read', store: 'is written', atomic: 'is changed by atomics'}[event.k];
  const title = make('h3', '', `${capital(object.space)} memory: ${object.name} ${act} `);
  title.append(make('small', '', [object.type, object.origin].filter(Boolean).join(', ')));
  const share = Math.round((100 * bytes.size) / (sectors.size * 32));
  const used = `${count(bytes.size, 'byte')} of them (${share} %) are used`;
  const moved = object.space === 'constant' ?
      count(event.n ?? 1, 'word') :
      `${count(sectors.size, 'sector')} of 32 bytes: ${used}`;
  section.append(title, make('p', '', moved));
  const most = 32;
  for (const line of lines.slice(0, most)) {
    const row = make('div', 'words lines');
    row.append(
        make('span', 'name', elementOf(event.o, Math.max(0, line * 128 - base), object.element)));
    for (let i = 0; i < 32; ++i) {
      const offset = line * 128 + i * 4 - base;
      const word = offset >> 2;
      const cell = make('span');
      cell.dataset.word = `${event.o}-${word}`;
      if (!sectors.has((offset + base) >> 5))
        setClass(cell, 'word absent');
      else if (touched.has(`${event.o}:${word}`))
        wordCell(cell, event.o, word, s, touched, wrong);
      else
        setClass(cell, 'word');
      row.append(cell);
    }
    section.append(row);
  }
  if (lines.length > most)
    section.append(make('p', '', `and ${count(lines.length - most, 'row')} more`));
  return section;
}

// One word: who wrote and read it.
function choose(object, word) {
  chosen = chosen && chosen.object === object && chosen.word === word ? null : {object, word};
  draw();
  if (chosen) find('cell').scrollIntoView({block: 'nearest'});
}

function drawCell(s) {
  find('cell').hidden = !chosen;
  if (!chosen) return;
  const {object, word} = chosen;
  const {space, type, name} = objects[object];
  const values = wordAt(object, word, s);
  const held = values.length > 0 ? `= ${values.map((value) => value.text).join(', ')}` :
                                   'has not been written';
  find('cell-title').textContent =
      `${elementName(object, values[0]?.offset ?? word * 4, values[0]?.bytes)} ${held}`;
  find('cell-note').textContent = `${type ? `${type}, ` : ''}${space} memory` +
      (space === 'shared' ? `, bank ${bankOf(object, word * 4)}` : '') +
      `, byte ${word * 4} of ${name}`;
  const list = uses[object].get(word) ?? [];
  const at = countUpTo(list, s, stepOf);
  const from = Math.max(0, at - 40);
  const items = list.slice(from, at + 60).map((use) => useItem(use, s));
  if (from > 0) items.unshift(make('li', 'empty', `${count(from, 'use')} before`));
  if (at + 60 < list.length)
    items.push(make('li', 'empty', `${count(list.length - at - 60, 'use')} after`));
  if (list.length === 0) items.push(make('li', 'empty', 'No step uses it.'));
  find('cell-list').replaceChildren(...items);
  find('cell-list').querySelector('.here')?.scrollIntoView({block: 'nearest'});
}

function useItem(use, s) {
  const event = eventOf(use);
  const position = positionOf(use);
  const target = stepOf(use);
  const step = steps[target];
  const lane = event.lanes[position];
  const act = {load: 'reads', store: 'writes', atomic: 'changes it to'}[event.k];
  const thread = `thread ${threadOf(step.w, lane)} (warp ${step.w}, lane ${lane})`;
  const button = make(
      'button', '', `step ${target + 1}, line ${step.l}: ${thread} ${act} ${event.v[position]}`);
  button.type = 'button';
  button.addEventListener('click', () => go(target));
  const item = make('li', target === s ? 'here' : '');
  item.append(button);
  return item;
}

// Characters are made as large as lets four of them fit a cell, if that can be read, and counted.
function measureCells() {
  const style = getComputedStyle(document.documentElement);
  const name = parseFloat(style.getPropertyValue('--name'));
  const wide = (find('memory').clientWidth - name - 56) / 32;
  const context = find('marks').getContext('2d');
  context.font = `100px ${style.getPropertyValue('--narrow')}`;
  const letter = context.measureText('0').width / 100;
  const size = Math.max(8, Math.min(11, (wide - 1.5) / 4 / letter));
  document.documentElement.style.setProperty('--letters', `${size}px`);
  room = wide < 11 ? 0 : Math.floor((wide + 0.5) / (letter * size));
}

// ---- 9. the time line ----

let shownKinds;
let stripHeight;

function buildTime() {
  shownKinds = kinds.filter((kind) => marksOf.some((bits) => bits & bitOf(kind)));
  const labels = shownKinds.map((kind) => {
    const button = make('button', kind);
    const marks = marksOf.reduce((n, bits) => n + (bits & bitOf(kind) ? 1 : 0), 0);
    button.type = 'button';
    button.append(
        make('span', 'glyph', glyphs[kind]), `${kindName(kind)} (${marks.toLocaleString('en')})`);
    button.title = 'The next step with this mark';
    button.addEventListener('click', () => goToMark(bitOf(kind), 1));
    return button;
  });
  stripHeight = Math.max(16, Math.min(64, warpCount * 4));
  const strip = make('span', 'warps', warpCount === 1 ? 'warp 0' : `warps 0–${warpCount - 1}`);
  strip.style.height = `${stripHeight}px`;
  find('kinds').replaceChildren(...labels, strip);
  find('line').setAttribute('aria-valuemax', steps.length);
}

// The step under the pointer; in the row of a mark, the nearest step with that mark.
function stepUnder(event) {
  const box = find('line').getBoundingClientRect();
  const s = Math.max(
      0,
      Math.min(
          steps.length - 1, Math.floor(((event.clientX - box.left) / box.width) * steps.length)));
  const kind = shownKinds[Math.floor((event.clientY - box.top) / 16)];
  if (!kind || event.type !== 'pointerdown') return s;
  for (let d = 0; d < steps.length; ++d) {
    if (marksOf[s + d] & bitOf(kind)) return s + d;
    if (marksOf[s - d] & bitOf(kind)) return s - d;
  }
  return s;
}

function drawTime() {
  if (!shownKinds) return;
  const canvas = find('marks');
  const box = find('line').getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  canvas.width = box.width * scale;
  canvas.height = box.height * scale;
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  const wide = box.width / steps.length;  // of a step
  const colorOf = (name) => getComputedStyle(find('kinds').querySelector('.' + name)).color;
  context.font = '11px sans-serif';
  context.textAlign = 'center';
  shownKinds.forEach((kind, row) => {
    context.fillStyle = colorOf(kind);
    context.globalAlpha = 0.25;
    context.fillRect(0, row * 16 + 8, box.width, 1);
    context.globalAlpha = 1;
    let last = -1;
    marksOf.forEach((bits, s) => {
      if (!(bits & bitOf(kind))) return;
      const x = (s + 0.5) * wide;
      if (wide >= 8) {
        context.fillText(glyphs[kind], x, row * 16 + 12);
      } else if (x - last >= 0.5) {
        context.fillRect(x - Math.max(wide, 1) / 2, row * 16 + 3, Math.max(wide * 0.8, 1), 11);
        last = x;
      }
    });
  });
  // Below them: which warp runs, fainter where it runs without some of its lanes.
  const top = shownKinds.length * 16;
  const high = stripHeight / warpCount;
  const last = Array(warpCount).fill(-1);
  context.fillStyle = colorOf('warps');
  steps.forEach((step, s) => {
    const x = s * wide;
    if (x - last[step.w] < 0.5) return;
    last[step.w] = x;
    context.globalAlpha = step.mask === allLanes(step.w) ? 1 : 0.5;
    context.fillRect(x, top + step.w * high, Math.max(wide, 0.7), Math.max(high - 1, 1.5));
  });
  context.globalAlpha = 1;
}

// ---- 10. going ----

let now = 0;
let timer = 0;    // of playing
let pending = 0;  // timer of the address

function draw() {
  const step = steps[now];
  const warps = Array.from({length: warpCount}, (_, warp) => warpAt(warp, now));
  drawSource(now, warps);
  drawThreads(now, warps);
  drawLanes(now);
  layRows();
  drawBanks(now);
  drawShared(now);
  drawOthers(now);
  drawCell(now);

  const partly = step.mask === allLanes(step.w) ? '' : `, with ${laneWords(lanesOf(step.mask))}`;
  const file = data.sources.length > 1 ? ` of ${data.sources[step.f].file}` : '';
  find('where').textContent =
      `Step ${now + 1} of ${steps.length}: warp ${step.w} runs line ${step.l}${file}${partly}`;
  find('sentences').replaceChildren(...sentencesOf(now).map(sentenceItem));
  find('happens').scrollTop = 0;
  find('number').value = now + 1;
  find('now').style.left = `${((now + 0.5) / steps.length) * 100}%`;
  find('line').setAttribute('aria-valuenow', now + 1);
  find('line').setAttribute('aria-valuetext', find('where').textContent);
  find('unfollow').hidden = !followed;
  if (followed)
    find('unfollow').textContent = `following thread ${threadOf(followed.warp, followed.lane)} ✕`;
}

function sentenceItem({kind, text, go: target}) {
  const item = make('li', kind);
  // `names` of the program, as in Markdown
  text.split('`').forEach((part, i) => item.append(i % 2 === 1 ? make('code', '', part) : part));
  if (target >= 0) {
    const button = make('button', '', `the other access: step ${target + 1}`);
    button.type = 'button';
    button.addEventListener('click', () => go(target));
    item.append(' ', button);
  }
  return item;
}

function go(s) {
  now = Math.max(0, Math.min(steps.length - 1, s || 0));
  showTouched(now);
  draw();
  clearTimeout(pending);  // browsers allow few changes of the address a second
  pending = setTimeout(() => history.replaceState(null, '', address()), 300);
}

const address = () => `#launch=${data.launches.indexOf(launch) + 1}&step=${now + 1}`;

// Goes to the next step in a direction for which `wanted` holds; stays where there is none. Whether
// there was one.
function goNext(direction, wanted, from = now) {
  for (let s = from + direction; s >= 0 && s < steps.length; s += direction) {
    if (wanted(s)) {
      go(s);
      return true;
    }
  }
  return false;
}

const goToMark = (bits, direction) => {
  const isMarked = (s) => (marksOf[s] & bits) !== 0;
  return goNext(direction, isMarked) ||
      goNext(direction, isMarked, direction > 0 ? -1 : steps.length);
};

const isFollowed = (s) =>
    !followed || (steps[s].w === followed.warp && (steps[s].mask >>> followed.lane & 1) === 1);

function goToLine(key) {
  const own = stepsOfLine.get(key);
  if (!own) return;
  pause();
  go(own[countUpTo(own, now) % own.length]);
}

function follow(warp, lane) {
  if (!(allLanes(warp) >>> lane & 1)) return;
  followed = followed && followed.warp === warp && followed.lane === lane ? null : {warp, lane};
  draw();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  find('play').textContent = '▶ Play';
  find('happens').setAttribute('aria-live', 'polite');
}

function play() {
  if (timer) {
    pause();
    return;
  }
  if (now === steps.length - 1) go(0);
  find('play').textContent = 'Pause';
  find('happens').setAttribute('aria-live', 'off');
  timer = setInterval(() => {
    if (!goNext(1, isFollowed)) pause();
  }, 1000 / Number(find('speed').value));
}

// ---- 11. keys and mouse ----

const themes = ['system', 'light', 'dark'];
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  find('theme').textContent = `Theme: ${name}`;
  try {
    sessionStorage.setItem('theme', name);
  } catch {
    // A page that is a file may have no storage; then the theme is not kept.
  }
  drawTime();
}
const nextTheme = () =>
    setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]);

// A grid that the arrows walk while it has the focus: `move(dx, dy)` returns id and label of the
// cell where they are then, `choose()` is for Enter.
function walk(id, move, enter) {
  const grid = find(id);
  grid.addEventListener('keydown', (event) => {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [
                   0, 1
                 ]}[event.key];
    if (way) {
      find(cursors[id])?.classList.remove('cursor');
      const [cellId, label] = move(...way);
      cursors[id] = cellId;
      find(cellId)?.classList.add('cursor');
      find(cellId)?.setAttribute('aria-label', label);
      grid.setAttribute('aria-activedescendant', cellId);
    } else if (event.key === 'Enter') {
      enter();
    } else if (event.key === 'Escape') {
      grid.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener('blur', () => {
    find(cursors[id])?.classList.remove('cursor');
    cursors[id] = '';
  });
  // Who clicks goes on stepping with the arrows; only who comes by Tab walks the grid.
  grid.addEventListener('click', () => grid.blur());
}

const within = (value, end) => Math.max(0, Math.min(end - 1, value));

function buildWalks() {
  let warp = 0;
  let lane = -1;
  walk('warps', (dx, dy) => {
    lane = within(lane + dx, 32);
    warp = within(warp + dy, warpCount);
    return [`lane-${warp}-${lane}`, laneLabel(warp, lane)];
  }, () => follow(warp, within(lane, 32)));

  let row = 0;
  let bank = -1;
  walk(
      'rows',
      (dx, dy) => {
        bank = within(bank + dx, 32);
        row = within(row + dy, sharedRows);
        const panel = find('rows');
        panel.scrollTop = Math.min(
            row * rowHeight, Math.max(panel.scrollTop, (row + 1) * rowHeight - panel.clientHeight));
        layRows();
        drawShared(now);
        const at = sharedAt(row * 32 + bank);
        if (!at) return ['', ''];
        const values = wordAt(at.object, at.word, now);
        const held = values.length > 0 ?
            `${values.map((value) => value.text).join(', ')}, written by ${writerName(values[0])}` :
            'never written';
        return [
          `word-${at.object}-${at.word}`,
          `${elementName(at.object, at.word * 4)}, bank ${bank}: ${held}`
        ];
      },
      () => {
        const at = sharedAt(row * 32 + within(bank, 32));
        if (at) choose(at.object, at.word);
      });

  let line = -1;
  walk('code', (_, dy) => {
    line = within(line + dy, sourceRows.length);
    const element = lineRows.get(sourceRows[line]);
    scrollWithin(find('code'), element, 20);
    return [element.id, element.textContent];
  }, () => goToLine(sourceRows[within(line, sourceRows.length)]));
}

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || find('keys').open) return;
  if (['INPUT', 'SELECT'].includes(event.target.tagName) && event.key !== 'Escape') return;
  const isOwn = (s) => steps[s].w === steps[now].w;
  const jump = Math.max(1, Math.round(steps.length / 20));
  const anyMark = bitOf('barrier') - 1;  // those before it in `kinds`
  const acts = {
    ArrowLeft: () => goNext(-1, isFollowed),
    ArrowRight: () => goNext(1, isFollowed),
    ArrowUp: () => goNext(-1, isOwn),
    ArrowDown: () => goNext(1, isOwn),
    PageUp: () => go(now - jump),
    PageDown: () => go(now + jump),
    Home: () => go(0),
    End: () => go(steps.length - 1),
    n: () => goToMark(anyMark, 1),
    p: () => goToMark(anyMark, -1),
    t: nextTheme,
    '?': () => find('keys').showModal(),
    Escape: () => {
      followed = chosen = null;
      event.target.blur?.();
      draw();
    },
  };
  if (event.key === ' ') {
    if (event.target.tagName === 'BUTTON') return;  // which the key presses
    play();
  } else if (acts[event.key]) {
    pause();
    acts[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

function buildControls() {
  const onClick = (id, act) => find(id).addEventListener('click', act);
  const paused = (act) => () => {
    pause();
    act();
  };
  onClick('first', paused(() => go(0)));
  onClick('back', paused(() => goNext(-1, isFollowed)));
  onClick('forward', paused(() => goNext(1, isFollowed)));
  onClick('last', paused(() => go(steps.length - 1)));
  onClick('play', play);
  onClick('theme', nextTheme);
  onClick('help', paused(() => find('keys').showModal()));
  onClick('unfollow', () => {
    followed = null;
    draw();
  });
  find('number').addEventListener('change', paused(() => go(Number(find('number').value) - 1)));
  find('speed').addEventListener('change', () => {
    if (!timer) return;
    pause();
    play();
  });
  find('writers').addEventListener('change', draw);
  find('rows').addEventListener('scroll', () => {
    layRows();
    drawShared(now);
  });
  find('line').addEventListener('pointerdown', (event) => {
    pause();
    find('line').setPointerCapture(event.pointerId);
    go(stepUnder(event));
  });
  find('line').addEventListener('pointermove', (event) => {
    if (event.buttons & 1) go(stepUnder(event));
  });
  const laneUnder = (event) => event.target.id.match(/^lane-(\d+)-(\d+)$/)?.slice(1).map(Number);
  onClick('warps', (event) => {
    if (laneUnder(event)) follow(...laneUnder(event));
  });
  find('warps').addEventListener('mouseover', (event) => {
    if (laneUnder(event)) event.target.title = laneLabel(...laneUnder(event));
  });
  const wordUnder = (event) => (event.target.dataset.word ?? event.target.id.replace(/^word-/, ''))
                                   .match(/^(\d+)-(\d+)$/)
                                   ?.slice(1)
                                   .map(Number);
  onClick('memory', (event) => {
    if (wordUnder(event)) choose(...wordUnder(event));
  });
  find('memory').addEventListener('mouseover', (event) => {
    if (!wordUnder(event)) return;
    const [object, word] = wordUnder(event);
    const lines = wordAt(object, word, now).map((value) => {
      const name = elementName(object, value.offset, value.bytes);
      return `${name} = ${value.text}, written by ${writerName(value)}`;
    });
    event.target.title = lines.join('\n') || `${elementName(object, word * 4)}: not known here`;
  });
  document.addEventListener('keydown', pressed);
}

// ---- 12. the page ----

// "16 × 16": the extents up to the last that is not 1.
const extentWords = (extents) =>
    extents.filter((_, i) => i === 0 || extents.slice(i).some((n) => n > 1)).join(' × ');

// A kernel's name, with the launch where others of it are shown, too.
function launchName(number) {
  const {kernel, launch: own} = data.launches[number];
  const isOther = (other, i) => i !== number && other.kernel === kernel;
  return data.launches.some(isOther) ? `${kernel}, launch ${own}` : kernel;
}

function showLaunch(number) {
  index(data.launches[number]);
  followed = chosen = null;
  document.title = `${launch.kernel}, step by step`;
  find('kernel').textContent = launch.kernel;
  find('launches').value = number;
  const block = `block (${launch.shown.join(', ')}) of ${extentWords(launch.grid)}`;
  const all = data.launches.length;
  const ofPage = all > 1 ? `${number + 1} of ${all} kernels; ` : '';
  find('launch').textContent = `${ofPage}${block}, ${extentWords(launch.block)} threads` +
      (launch.launches > 1 ? `; launch ${launch.launch} of ${launch.launches}` : '') +
      (launch.called ? `; launched in line ${launch.called.l}` : '');
  for (const [id, text] of [['limit', launch.limit], ['wanted', data.wanted]]) {
    find(id).textContent = text;
    find(id).hidden = !text;
  }
  const elsewhere = elsewhereItems();
  find('elsewhere').hidden = elsewhere.length === 0;
  find('elsewhere').replaceChildren(...elsewhere);
  const before = launch.before > 0 ? `, after ${launch.before.toLocaleString('en')} left out` : '';
  find('count').textContent = `of ${steps.length.toLocaleString('en')}${before}`;
  find('number').max = steps.length;
  markSource();
  buildThreads();
  buildShared();
  buildTime();
  drawTime();
  measureCells();
  layRows();
}

// The mistakes of the page's other launches, with a button; and those that it does not show, by the
// command for the page that does.
function elsewhereItems() {
  const items = [];
  data.launches.forEach((other, number) => {
    const found = other === launch ? [] : other.findings.filter(isMistake);
    const texts = [...new Set(found.map((finding) => data.texts[finding.text]))];
    if (texts.length === 0) return;
    const item = make('li', '', 'In another kernel of this page: ');
    const button = make('button', '', launchName(number));
    button.type = 'button';
    button.addEventListener('click', () => {
      pause();
      showLaunch(number);
      go(found[0].step);
    });
    const more = texts.length > 1 ? ` … and ${texts.length - 1} more` : '';
    item.append(button, make('p', '', texts[0] + more));
    items.push(item);
  });
  const shownBy = new Map();
  for (const {text, command} of data.elsewhere) entry(shownBy, command).push(text);
  for (const [command, texts] of shownBy) {
    const item = make('li');
    if (command)
      item.append('Not on this page, but on that of ', make('code', '', command));
    else
      item.append('After the last step of this page:');
    item.append(...texts.map((text) => make('p', '', text)));
    items.push(item);
  }
  return items;
}

function wantedPlace() {
  const number = (name) =>
      Number(new RegExp(`\\b${name}=(\\d+)`).exec(location.hash)?.[1] ?? 0) - 1;
  const wantedLaunch = Math.max(0, Math.min(data.launches.length - 1, number('launch')));
  const wantedStep = number('step');
  return [wantedLaunch, wantedStep >= 0 ? wantedStep : data.launches[wantedLaunch].start];
}

function build() {
  find('command').textContent = data.command;
  find('order').textContent = data.order;
  find('launches').hidden = data.launches.length === 1;
  data.launches.forEach(({findings}, i) => {
    const mark = findings.some(isMistake) ? ` ${glyphs.mistake}` : '';
    const option = make('option', '', launchName(i) + mark);
    option.value = i;
    find('launches').append(option);
  });
  find('kernel').hidden = data.launches.length > 1;
  find('launches').addEventListener('change', () => {
    pause();
    showLaunch(Number(find('launches').value));
    go(launch.start);
  });
  for (const name of ['bank', 'words']) {
    find('banks').append(make('span', 'name', name));
    for (let bank = 0; bank < 32; ++bank)
      find('banks').append(make('span', '', name === 'bank' ? bank : ''));
  }
  buildSource();
  buildControls();
  buildWalks();
  let theme = 'system';
  try {
    theme = sessionStorage.getItem('theme') ?? theme;
  } catch {
    // As in setTheme.
  }
  const goToPlace = () => {
    const [wantedLaunch, wantedStep] = wantedPlace();
    if (data.launches[wantedLaunch] !== launch) showLaunch(wantedLaunch);
    go(wantedStep);
  };
  goToPlace();
  setTheme(theme);
  window.addEventListener('hashchange', goToPlace);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawTime);
  new ResizeObserver(drawTime).observe(find('line'));
  new ResizeObserver(() => {
    measureCells();
    layRows();
    drawShared(now);
    drawOthers(now);
  }).observe(find('memory'));
}

build();
