// Steps through a run: reads the columns that `steps.py` and `heap_pictures.py` write, and fills the panels.
"use strict";
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const escaped = text => String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
const main = one("main"), ROW = 24, EVERY = 64;
let data, N, now = 0, chosen = -1, started = false;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// ---- the run: activations, and the values of each

let activation, caller = [], own = [], holds;  // of each step; the calling step and the steps of each activation
function findActivations() {
  const stacks = new Map();
  activation = new Int32Array(N);
  holds = new Uint8Array(N);
  for (let k = 0; k < N; k++) {
    const who = thread(k), depth = data.depth[k];
    if (!stacks.has(who)) stacks.set(who, []);
    const stack = stacks.get(who);
    if (stack.length > depth + 1) stack.length = depth + 1;
    while (stack.length <= depth) {
      const outer = stack.length ? own[stack[stack.length - 1]].at(-1) ?? -1 : -1;
      if (outer >= 0) holds[outer] = 1;
      caller.push(outer);
      own.push([]);
      stack.push(caller.length - 1);
    }
    activation[k] = stack[depth];
    own[stack[depth]].push(k);
  }
}
const thread = k => data.thread ? data.thread[k] : 1;
const context = k => data.context ? data.context[k] : 0;

class Log {  // the values of one scope after each of its steps, with a copy every so often
  constructor(steps, isGlobal) { this.steps = steps; this.isGlobal = isGlobal; this.copies = [new Map()]; }
  at(count) {
    const nearest = Math.floor(count / EVERY);
    for (let copy = this.copies.length; copy <= nearest; copy++)
      this.copies.push(this.play(new Map(this.copies[copy - 1]), (copy - 1) * EVERY, copy * EVERY));
    return this.play(new Map(this.copies[nearest]), nearest * EVERY, count);
  }
  play(values, from, to) {
    for (let index = from; index < to; index++) {
      const changes = data.changes[this.steps ? this.steps[index] : index];
      for (let i = 0; i < changes.length; i += 2) {
        if (data.names[changes[i]][1] !== this.isGlobal) continue;
        if (changes[i + 1] < 0) values.delete(changes[i]); else values.set(changes[i], changes[i + 1]);
      }
    }
    return values;
  }
}
let globals;
const logs = new Map();
function localsAt(number, step) {
  const steps = own[number];
  if (!logs.has(number)) logs.set(number, new Log(steps, 0));
  let low = 0, high = steps.length;
  while (low < high) { const middle = (low + high) >> 1; if (steps[middle] <= step) low = middle + 1; else high = middle; }
  return logs.get(number).at(low);
}

// ---- moves

const moves = {
  first: () => 0,
  last: () => N - 1,
  back: () => Math.max(0, now - 1),
  next: () => now < N - 1 ? now + 1 : data.cycle ?? now,
  over: () => search(k => thread(k) === thread(now) && data.depth[k] <= data.depth[now]) ?? moves.next(),
  out: () => search(k => thread(k) === thread(now) && data.depth[k] < data.depth[now]) ?? N - 1,
  switch: () => search(k => context(k) !== context(now)) ?? now,
  change: () => chosen < 0 ? now : search(k => changesOf(k, chosen)) ?? now,
};
function search(fits) {
  for (let k = now + 1; k < N; k++) if (fits(k)) return k;
}
function changesOf(k, name) {
  const changes = data.changes[k];
  for (let i = 0; i < changes.length; i += 2) if (changes[i] === name && changes[i + 1] >= 0) return true;
  return false;
}
const KEYS = {ArrowRight: "next", ArrowDown: "next", j: "next", ArrowLeft: "back", ArrowUp: "back", k: "back",
  n: "over", u: "out", s: "switch", c: "change", Home: "first", End: "last"};
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = one("input[type=search]"), dialog = one("dialog");
  if (event.key === "Escape" && document.activeElement === field) { field.value = ""; count(); field.blur(); return; }
  if (document.activeElement === field || dialog?.open) return;
  if (event.key === "/") { field.focus(); field.select(); event.preventDefault(); return; }
  if (event.key === "?" && dialog) { dialog.showModal(); event.preventDefault(); return; }
  const tree = one("[role=tree]");
  if (N && document.activeElement === tree && (event.key === "Enter" || event.key === " ")) { toggle(now); event.preventDefault(); return; }
  if (N && KEYS[event.key]) { go(moves[KEYS[event.key]]()); event.preventDefault(); }
}

// ---- showing a step

function go(step) {
  now = Math.max(0, Math.min(N - 1, step));
  main.dataset.step = now + 1;
  const where = `#step=${now + 1}`;
  try { if (started && location.hash !== where) history.replaceState(null, "", where); } catch { /* in a frame */ }
  one("input[type=range]").value = now + 1;
  const routine = data.procedures[data.procedure[now]], who = data.lanes ? `, thread ${thread(now)}` : "";
  const said = data.said[now] ? `; ${data.said[now]}` : "";
  const round = data.cycle != null && now >= data.cycle ? ", in the cycle" : "";
  const deeper = round && data.deeper ? "; the stack grows each time" : "";
  one("[aria-live]").textContent = `step ${now + 1} of ${N}, line ${data.line[now]}, ${routine}${who}${round}${said}${deeper}`;
  showSource();
  showTree(true);
  showValues();
  if (data.lanes) showLanes();
  if (data.heap) showHeap();
}

function bring(element, box) {  // scrolls the box and nothing else
  const top = element.offsetTop, bottom = top + element.offsetHeight;
  if (top < box.scrollTop + ROW) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
  else if (bottom > box.scrollTop + box.clientHeight - ROW) box.scrollTop = bottom - box.clientHeight * 2 / 3;
}

let lines, marked;
function showSource() {
  marked?.removeAttribute("aria-current");
  marked = lines[data.line[now] - 1];
  if (!marked) return;
  marked.setAttribute("aria-current", "step");
  bring(marked, marked.parentElement);
}

// ---- the tree of calls: as many rows as the window shows

const folded = new Set();
let visible, rowOf;
function layOut() {
  const hidden = new Uint8Array(N);
  visible = [];
  rowOf = new Int32Array(N);
  for (let k = 0; k < N; k++) {
    const call = caller[activation[k]];
    hidden[k] = call >= 0 && (folded.has(call) || hidden[call]) ? 1 : 0;
    if (hidden[k]) { rowOf[k] = rowOf[call]; continue; }
    rowOf[k] = visible.length;
    visible.push(k);
  }
  one("[role=tree] .size").style.height = `${visible.length * ROW}px`;
}
function toggle(step) {
  if (!holds[step]) return;
  if (folded.has(step)) folded.delete(step); else folded.add(step);
  layOut();
  if (visible[rowOf[now]] !== now) go(visible[rowOf[now]]); else showTree(false);
}
function foldAll(wanted) {
  folded.clear();
  if (wanted) {
    for (let k = 0; k < N; k++) if (holds[k]) folded.add(k);
    for (let call = caller[activation[now]]; call >= 0; call = caller[activation[call]]) folded.delete(call);
  }
  layOut();
  showTree(true);
}
function unfoldTo(step) {
  let opened = false;
  for (let call = caller[activation[step]]; call >= 0; call = caller[activation[call]]) opened = folded.delete(call) || opened;
  if (opened) layOut();
}
function showTree(bringing) {
  const tree = one("[role=tree]"), list = one(".rows", tree);
  unfoldTo(now);
  if (bringing) {
    const top = rowOf[now] * ROW;
    if (top < tree.scrollTop + ROW || top > tree.scrollTop + tree.clientHeight - 2 * ROW)
      tree.scrollTop = Math.max(0, top - tree.clientHeight / 2);
  }
  const first = Math.max(0, Math.floor(tree.scrollTop / ROW) - 20);
  const last = Math.min(visible.length, first + Math.min(380, Math.ceil(tree.clientHeight / ROW) + 60));
  list.style.transform = `translateY(${first * ROW}px)`;
  list.innerHTML = visible.slice(first, last).map(row).join("");
  tree.setAttribute("aria-activedescendant", `t${now}`);
}
function row(k) {
  const isCycle = data.cycle != null && k >= data.cycle;
  const marks = [isCycle ? "data-cycle" : "", k === now ? 'aria-current="step"' : "",
    holds[k] ? `aria-expanded="${!folded.has(k)}"` : "",
    data.context && k && context(k) !== context(k - 1) ? "data-switch" : ""].join(" ");
  const depth = data.depth[k], indent = Math.min(depth, 8), deep = depth > 8 ? `[${depth}] ` : "";
  const who = data.lanes ? `<b class="t${(thread(k) - 1) % 8}">${thread(k)}</b>` : "";
  const turn = k === data.cycle ? '<em>again and again from here</em>' : "";
  return `<div role="treeitem" id="t${k}" data-row="${k}" aria-level="${depth + 1}" aria-selected="${k === now}" ${marks}>` +
    `<i>${data.line[k]}</i>${who}<span class="text" style="padding-left:${indent}em">` +
    `<span class="fold" aria-hidden="true">${holds[k] ? folded.has(k) ? "▸" : "▾" : ""}</span>` +
    `${escaped(deep + (data.texts[data.text[k]] || data.procedures[data.procedure[k]]))}</span>${turn}</div>`;
}

// ---- values

function showValues() {
  const scopes = [["globals", globals.at(now + 1), now]], stack = [];
  for (let number = activation[now], step = now; ; ) {
    stack.push([number, step]);
    const call = caller[number];
    if (call < 0) break;
    number = activation[call];
    step = call;
  }
  const shown = stack.length > 30 ? [...stack.slice(0, 24), null, ...stack.slice(-6)] : stack;
  for (const frame of shown) {
    if (frame === null) { scopes.push([`${stack.length - 30} frames are left out`, new Map(), -1]); continue; }
    const [number, step] = frame, name = data.procedures[data.procedure[own[number][0]]];
    scopes.push([frame === stack[0] ? name : `${name}, line ${data.line[step]}`, localsAt(number, now), frame === stack[0] ? now : -1]);
  }
  const fresh = new Set();
  for (let i = 0; i < data.changes[now].length; i += 2) fresh.add(data.changes[now][i]);
  one(".values").innerHTML = scopes.filter(([, values, at], index) => values.size || (index && at >= 0) || at < 0).map(
    ([title, values, at]) => `<table><caption>${escaped(title)}</caption><tbody>` +
      [...values].map(([name, value]) => valueRow(name, value, at === now && fresh.has(name))).join("") + "</tbody></table>",
  ).join("") || "<p>No value matters here.</p>";
  showHistory();
}
function valueRow(name, value, changed) {
  const mark = changed ? '<span class="new">new</span>' : "";
  return `<tr${changed ? " data-changed" : ""}><th scope="row"><button type="button" data-name="${name}" ` +
    `aria-pressed="${name === chosen}">${escaped(data.names[name][0])}</button></th><td>${escaped(data.values[value])}${mark}</td></tr>`;
}
function showHistory() {
  const box = one(".history");
  box.hidden = chosen < 0;
  if (chosen < 0) return;
  const found = [];
  for (let k = 0; k < N && found.length < 200; k++) {
    const changes = data.changes[k];
    for (let i = 0; i < changes.length; i += 2) if (changes[i] === chosen && changes[i + 1] >= 0) found.push([k, changes[i + 1]]);
  }
  box.innerHTML = `<p>${escaped(data.names[chosen][0])} is new at ${found.length === 200 ? "the first 200 of its changes" : `${found.length} steps`}:</p><ul>` +
    found.map(([k, value]) => `<li><a href="#step=${k + 1}"${k === now ? ' aria-current="step"' : ""}>step ${k + 1}</a> ${escaped(data.values[value])}</li>`).join("") + "</ul>";
}

// ---- threads: a lane for each, a block for each context

let blocks;
function findBlocks() {
  blocks = [];
  for (let k = 0; k < N; k++) {
    if (!k || context(k) !== context(k - 1)) blocks.push({first: k, last: k, thread: thread(k)});
    else blocks.at(-1).last = k;
  }
}
function showLanes() {
  const at = blocks.findIndex(block => block.last >= now), first = Math.max(0, at - 40), some = blocks.slice(first, first + 80);
  const cut = first || some.length < blocks.length - first ? `<p>${blocks.length} contexts; those near this step are shown.</p>` : "";
  const box = one(".lanes");
  box.innerHTML = `${cut}<div class="grid">` + data.lanes.map(([number, name]) =>
    `<div data-lane="${number}" class="lane"><h3 class="t${(number - 1) % 8}">${number}: ${escaped(name)}</h3>` +
    `<div class="blocks" style="grid-template-rows:repeat(${some.length},2rem)">` + some.map((block, index) => block.thread !== number ? "" :
      `<button type="button" class="t${(number - 1) % 8}" data-go="${block.first}" style="grid-row:${index + 1}"${first + index === at ? ' aria-current="step"' : ""} ` +
      `aria-label="context ${first + index + 1}, thread ${number}, step ${block.first + 1}">` +
      `${data.line[block.first]}${data.line[block.last] !== data.line[block.first] ? `–${data.line[block.last]}` : ""}</button>`).join("") + "</div></div>").join("") + "</div>";
  const current = one("button[aria-current]", box);
  if (current) bring(current, box);
}

// ---- heap

function showHeap() {
  const heap = data.heap, view = one(".heap"), index = now - heap.first;
  if (index < 0) { view.innerHTML = `<p>The heap is drawn from step ${heap.first + 1} on.</p>`; return; }
  const [width, height, caption, boxes, paths] = heap.steps[index];
  const scale = Math.max(0.6, Math.min(1, (view.clientWidth - 4) / width));
  view.innerHTML = `<svg role="img" aria-label="${escaped(caption)}" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}">` +
    `<title>${escaped(caption)}</title><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">` +
    `<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs><text class="caption" x="20" y="22">${escaped(caption)}</text>` +
    boxes.map(number => record(heap, heap.placed[number])).join("") +
    paths.map(number => `<path class="arrow" marker-end="url(#tip)" d="${heap.paths[number]}"/>`).join("") + "</svg>";
}
function record(heap, [box, x, y]) {
  const [kind, title, width, height, rows] = heap.boxes[box];
  let out = `<rect class="${kind}${rows.some(row => row[1]) ? " changed" : ""}" x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>` +
    `<text class="title" x="${x + heap.padding}" y="${y + 14}">${escaped(title)}</text>`;
  rows.forEach(([shown, changed], index) => {
    const top = y + (index + 1) * heap.row + 2;
    if (changed) out += `<rect class="mark" x="${x + 1}" y="${top}" width="${width - 2}" height="${heap.row}"/>`;
    out += `<text x="${x + heap.padding}" y="${top + 13}">${escaped(shown)}</text>`;
  });
  return out;
}

// ---- search: over source, statements and values

let asked = "", matches = [];
function textOf(k) {
  let text = `${lines[data.line[k] - 1]?.textContent ?? ""}\n${data.texts[data.text[k]]}\n${data.said[k] ?? ""}`;
  const changes = data.changes[k];
  for (let i = 0; i < changes.length; i += 2)
    if (changes[i + 1] >= 0) text += `\n${data.names[changes[i]][0]}=${data.values[changes[i + 1]]}`;
  return text.toLowerCase();
}
function count() {
  const field = one("input[type=search]");
  asked = field.value.trim().toLowerCase();
  matches = [];
  if (asked && N) for (let k = 0; k < N; k++) { if (textOf(k).includes(asked)) matches.push(k); }
  else if (asked) lines.forEach((line, k) => { if (line.textContent.toLowerCase().includes(asked)) matches.push(k); });
  lines.forEach(line => line.classList.toggle("hit", Boolean(asked) && line.textContent.toLowerCase().includes(asked)));
  one(".count").textContent = asked ? `${matches.length} ${N ? "steps" : "lines"}` : "";
}
let lineNow = -1;
function nextMatch(back) {
  if (!matches.length) return;
  const here = N ? now : lineNow;
  const index = back ? matches.findLastIndex(k => k < here) : matches.findIndex(k => k > here);
  const at = index >= 0 ? index : back ? matches.length - 1 : 0;
  one(".count").textContent = `${at + 1} of ${matches.length} ${N ? "steps" : "lines"}`;
  if (N) { go(matches[at]); return; }
  lineNow = matches[at];
  bring(lines[lineNow], lines[lineNow].parentElement);
}

// ---- tables that sort

function sortBy(button) {
  const head = button.closest("th"), body = one("tbody", head.closest("table")), index = head.cellIndex;
  const down = head.getAttribute("aria-sort") === "ascending";
  all("th", head.parentElement).forEach(each => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.cells[index].dataset.key ?? row.cells[index].textContent;
  const rows = [...body.rows].sort((a, b) => key(a).localeCompare(key(b), "en", {numeric: true}));
  body.append(...(down ? rows.reverse() : rows));
}

// ---- beginning

function stepOfAddress() {
  const found = /^#step=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) - 1 : null;
}
function onClick(event) {
  const on = selector => event.target.closest(selector);
  let found;
  if ((found = on("[data-move]"))) go(moves[found.dataset.move]());
  else if ((found = on("[data-go]"))) go(Number(found.dataset.go));
  else if ((found = on("[data-help]"))) one("dialog").showModal();
  else if ((found = on("[data-sort]"))) sortBy(found);
  else if ((found = on("[data-name]"))) {
    const name = Number(found.dataset.name);
    chosen = chosen === name ? -1 : name;
    showValues();
    one(`[data-name="${name}"]`)?.focus();
  } else if ((found = on("[data-fold]"))) {
    const wanted = found.getAttribute("aria-pressed") !== "true";
    found.setAttribute("aria-pressed", wanted);
    foldAll(wanted);
  } else if ((found = on("[data-row]"))) {
    if (on(".fold")) toggle(Number(found.dataset.row));
    else go(Number(found.dataset.row));
  } else if ((found = on("[data-line]")) && N) {
    const line = Number(found.dataset.line), step = search(k => data.line[k] === line) ?? data.line.indexOf(line);
    if (step >= 0) go(step);
  }
}
async function begin() {
  document.documentElement.classList.add("live");
  document.addEventListener("click", onClick);
  const element = one("#data");
  if (!element) return;
  data = JSON.parse(element.textContent);
  if (data.packed) data = await unpack(data.packed);
  N = data.line?.length ?? 0;
  lines = all("[data-line]");
  document.addEventListener("keydown", onKey);
  one("input[type=search]").addEventListener("input", count);
  one("input[type=search]").addEventListener("keydown", event => {
    if (event.key === "Enter") { nextMatch(event.shiftKey); event.preventDefault(); }
  });
  if (!N) return;
  findActivations();
  globals = new Log(null, 1);
  if (data.lanes) findBlocks();
  const tree = one("[role=tree]"), slider = one("input[type=range]");
  tree.innerHTML = '<div class="size" role="none"><div class="rows" role="none"></div></div>';
  tree.addEventListener("scroll", () => requestAnimationFrame(() => showTree(false)));
  slider.max = N;
  slider.addEventListener("input", () => go(Number(slider.value) - 1));
  one("[data-move=switch]").hidden = !data.lanes;
  window.addEventListener("hashchange", () => { const step = stepOfAddress(); if (step !== null) go(step); });
  window.addEventListener("resize", () => go(now));
  layOut();
  go(stepOfAddress() ?? 0);
  started = true;
}
begin();
