"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const $ = id => document.getElementById(id);
  const steps = film.shots.length;
  const nodes = film.states.map((_, i) => $("n" + i));
  const notes = film.states.map((_, i) => $("t" + i));
  const arcs = [];
  for (let a; (a = $("a" + arcs.length)); ) arcs.push(a);
  const code = [...$("code").children];

  // What is seen: the sum of the changes so far, always from the beginning.
  const fresh = () => ({
    paint: film.states.map(() => film.ground), notes: film.states.map(() => ""), arcs: {},
    lists: film.lists.map(() => []), counts: film.counters.map(() => 0),
  });
  const apply = (scene, shot) => {
    for (const [kind, i, x, y] of shot.c || []) {
      const list = scene.lists[i];
      if (kind === "p") scene.paint[i] = x;
      else if (kind === "n") scene.notes[i] = x;
      else if (kind === "d") scene.arcs[i] = x;
      else if (kind === "+") list.push(x);
      else if (kind === "-") list.length = Math.max(0, list.length - x);
      else if (kind === "=") { if (list.length) list[list.length - 1] = x; }
      else if (kind === "e") {
        const at = list.findIndex(e => e.split(" ")[0] === x);
        list[at < 0 ? list.length : at] = x + " " + y;
      } else if (kind === "c") scene.counts[i] = x;
    }
  };
  const after = n => {
    const scene = fresh();
    for (let i = 0; i < n; i++) apply(scene, film.shots[i]);
    return scene;
  };

  let at = 0, scene = fresh(), zoom = 1, timer = 0, chosen = -1;
  const lists = film.lists.map(name => {
    const box = document.createElement("div"), head = document.createElement("h2"), ol = document.createElement("ol");
    box.className = "list"; head.textContent = name; box.append(head, ol); $("lists").append(box);
    return [head, ol, name];
  });
  const counters = film.counters.map(name => {
    const row = document.createElement("div"), dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name; row.append(dt, dd); $("counters").append(row);
    return dd;
  });
  for (const [paint, text] of film.legend) {
    const li = document.createElement("li"), i = document.createElement("i");
    i.className = paint; li.append(i, text); $("legend").append(li);
  }

  const render = () => {
    const shot = at > 0 ? film.shots[at - 1] : {};
    const focus = new Set(shot.f || []);
    nodes.forEach((node, i) => {
      const name = "node " + scene.paint[i] + (focus.has(i) ? " now" : "") + (i === chosen ? " chosen" : "");
      if (node.getAttribute("class") !== name) node.setAttribute("class", name);
      if (notes[i] && notes[i].textContent !== scene.notes[i]) notes[i].textContent = scene.notes[i];
    });
    arcs.forEach((arc, i) => {
      const paint = scene.arcs[i] || (film.grows ? "hidden" : "");
      const name = "arc " + paint + (shot.a === i ? " now" : "");
      if (arc.getAttribute("class") !== name) arc.setAttribute("class", name);
    });
    code.forEach((line, i) => { line.className = shot.l === i ? "now" : ""; });
    lists.forEach(([head, ol, name], i) => {
      head.textContent = name + " (" + scene.lists[i].length + ")";
      ol.replaceChildren(...scene.lists[i].slice().reverse().map(text => {
        const li = document.createElement("li"); li.textContent = text; return li;
      }));
    });
    counters.forEach((dd, i) => { dd.textContent = scene.counts[i]; });
    $("says").textContent = at > 0 ? shot.s : "Before the first step.";
    $("bar").value = at;
    $("at").value = at;
    $("first").disabled = $("back").disabled = at === 0;
    $("last").disabled = $("step").disabled = at === steps;
    const line = code[shot.l];
    if (line) show(line, $("code"));
    // Before the first step, what that one looks at.
    const first = nodes[(at > 0 ? shot.f || [] : film.shots[0]?.f || [])[0]];
    if (first) show(first, $("stage"));
    $("state").hidden = chosen < 0;
    if (chosen >= 0) $("state").textContent = film.states[chosen] + (scene.notes[chosen] ? "\n" + scene.notes[chosen] : "");
  };
  // Scrolls a box, never the page.
  const show = (part, box) => {
    const p = part.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (p.top < b.top || p.bottom > b.bottom) box.scrollTop += (p.top + p.bottom - b.top - b.bottom) / 2;
    if (p.left < b.left || p.right > b.right) box.scrollLeft += (p.left + p.right - b.left - b.right) / 2;
  };

  const go = n => {
    n = Math.min(steps, Math.max(0, Math.round(n) || 0));
    if (n >= at) for (; at < n; at++) apply(scene, film.shots[at]);
    else { scene = after(n); at = n; }
    render();
  };
  const stop = () => { clearTimeout(timer); timer = 0; $("play").textContent = "▶ play"; $("play").setAttribute("aria-label", "Play"); };
  const delay = () => 1600 * Math.pow(0.62, Number($("speed").value));
  const tick = () => {
    if (at >= steps) return stop();
    go(at + 1);
    timer = setTimeout(tick, delay());
  };
  const play = () => {
    if (timer) return stop();
    if (at >= steps) go(0);
    $("play").textContent = "⏸ stop"; $("play").setAttribute("aria-label", "Stop");
    timer = setTimeout(tick, 0);
  };
  const by = n => { stop(); go(at + n); };
  const svg = $("graph"), size = svg ? [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height] : [1, 1];
  const scale = z => {
    zoom = Math.min(4, Math.max(0.05, z));
    if (svg) { svg.setAttribute("width", size[0] * zoom); svg.setAttribute("height", size[1] * zoom); }
  };
  const fit = () => Math.min($("stage").clientWidth / size[0], $("stage").clientHeight / size[1], 1.5);

  $("first").onclick = () => { stop(); go(0); };
  $("back").onclick = () => by(-1);
  $("play").onclick = play;
  $("step").onclick = () => by(1);
  $("last").onclick = () => { stop(); go(steps); };
  $("bar").oninput = e => { stop(); go(e.target.valueAsNumber); };
  $("at").onchange = e => { stop(); go(e.target.valueAsNumber); };
  $("in").onclick = () => scale(zoom * 1.25);
  $("out").onclick = () => scale(zoom / 1.25);
  $("fit").onclick = () => scale(fit());
  nodes.forEach((node, i) => node.addEventListener("click", () => { chosen = chosen === i ? -1 : i; render(); }));
  const faster = n => { $("speed").valueAsNumber += n; };
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.id === "at") return;
    const act = {
      " ": play, ArrowRight: () => by(1), ArrowLeft: () => by(-1), PageDown: () => by(10), PageUp: () => by(-10),
      Home: () => { stop(); go(0); }, End: () => { stop(); go(steps); },
      "+": () => scale(zoom * 1.25), "-": () => scale(zoom / 1.25), "0": () => scale(fit()),
      "<": () => faster(-1), ">": () => faster(1),
    }[e.key];
    // A button that has the focus would be pressed by the space, too.
    if (act) { e.preventDefault(); if (e.target.tagName === "BUTTON") e.target.blur(); act(); }
  });
  // Small pictures are shown whole, large ones so that they can be read.
  scale(Math.max(fit(), Math.min(1, 0.6)));
  go(0);
  go(Number((location.hash.match(/^#(\d+)$/) || [])[1] || 0));
  // For tests, and for who likes the console.
  window.riata = { film, go, after, get at() { return at; }, get scene() { return scene; }, get playing() { return !!timer; } };
})();
