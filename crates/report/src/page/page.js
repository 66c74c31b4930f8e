// The page about answers of Riata: all verdicts, and each run step by step.
//
// The data are the objects that `riata check --json` prints, in the element `data`. Text reaches the page only as text,
// never as markup. Rows are made when they come into view, so that a run of thousands of steps opens at once.
//
// A run is a path, or a lasso: then the position may go on for ever, and `Run.fold` says which state it is in. So going
// back is always the inverse of going forward.
'use strict';

const riata = (() => {
    // ---- Elements -------------------------------------------------------------------------------------------------

    const SVG = 'http://www.w3.org/2000/svg';

    /// Gives an element its attributes and children; what begins with `on` is a listener.
    function dress(element, attributes, children) {
        for (const [name, value] of Object.entries(attributes || {})) {
            if (value === undefined || value === null || value === false) continue;
            if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
            else element.setAttribute(name, value === true ? '' : value);
        }
        element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
        return element;
    }
    const el = (tag, attributes, ...children) => dress(document.createElement(tag), attributes, children);
    const svg = (tag, attributes, ...children) => dress(document.createElementNS(SVG, tag), attributes, children);

    const cut = (text, most) => (text.length <= most ? text : text.slice(0, Math.max(1, most - 1)) + '…');
    const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
    const amount = (n) => (n < 1e12 ? grouped(Math.round(n)) : n.toExponential(2));
    const bytes = (n) => {
        const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
        let unit = 0;
        while (n >= 1024 && unit < 4) {
            n /= 1024;
            unit += 1;
        }
        return `${unit ? n.toFixed(1) : n} ${units[unit]}`;
    };
    const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', '));
    const base = (file) => file.split(/[/\\]/).pop();

    // ---- A run ----------------------------------------------------------------------------------------------------

    /// The names and values of a state; what is inside of an object has its own line.
    function flat(state) {
        if (state === null || typeof state !== 'object' || Array.isArray(state)) return [['state', shown(state)]];
        return Object.entries(state).flatMap(([name, value]) =>
            value !== null && typeof value === 'object' && !Array.isArray(value)
                ? Object.entries(value).map(([inner, v]) => [inner, shown(v)])
                : [[name, shown(value)]],
        );
    }

    class Run {
        constructor(answer) {
            const { lasso, trace } = answer;
            const states = lasso ? [...lasso.stem, ...lasso.cycle] : trace || [];
            this.length = states.length;
            /// The state after the last one, if the run goes on for ever.
            this.back = lasso ? lasso.stem.length : null;
            this.steps = answer.steps || [];
            this.lanes = answer.chart ? answer.chart.lanes : [];
            this.rows = answer.chart ? answer.chart.rows : [];
            this.messages = answer.messages || [];
            this.inputs = new Set(answer.input_variables || []);
            this.automaton = answer.automaton || null;
            /// Names of variables, in the order in which they first occur; for each state its values in this order.
            this.names = [];
            this.values = [];
            const number = new Map();
            states.forEach((state, i) => {
                const values = [];
                for (const [name, value] of flat(state)) {
                    if (!number.has(name)) {
                        number.set(name, this.names.length);
                        this.names.push(name);
                    }
                    // No step leaves the last state of a path, and so nothing is put in there.
                    const unsaid = this.back === null && i + 1 === states.length && this.inputs.has(name);
                    values[number.get(name)] = unsaid ? undefined : value;
                }
                this.values.push(values);
            });
            this.owners = this.names.map((name) => this.owner(name));
            this.groups = [...new Set(this.owners)];
            // What is shared comes first, then the processes in their order.
            const rank = (group) => (group === '' ? -2 : this.lanes.findIndex((lane) => lane.name === group));
            this.groups.sort((a, b) => rank(a) - rank(b));
            this.order = this.names.map((_, v) => v);
            const place = new Map(this.groups.map((group, i) => [group, i]));
            this.order.sort((a, b) => place.get(this.owners[a]) - place.get(this.owners[b]) || a - b);
            /// For each state what is new in it; at `length` what the step back to the loop changes.
            this.news = this.values.map((_, i) => (i ? this.difference(i - 1, i) : []));
            if (this.back !== null) this.news.push(this.difference(this.length - 1, this.back));
            // After a run-time error there is no state any more.
            const failed = number.get('error');
            this.news.forEach((news, i) => {
                if (i < this.length && news.includes(failed)) this.news[i] = [failed];
            });
            this.printed = new Map();
            for (const row of this.rows.filter((r) => r.event === 'print')) {
                this.printed.set(row.step, [...(this.printed.get(row.step) || []), row.text.trimEnd()]);
            }
        }

        /// The process, or the part of the model, that a variable belongs to; '' if it is shared.
        owner(name) {
            const lane = this.lanes.find((l) => name === l.name || name.startsWith(`${l.name}.`));
            if (lane) return lane.name;
            const dot = name.indexOf('.');
            return this.lanes.length || dot < 1 ? '' : name.slice(0, dot);
        }

        difference(a, b) {
            const [before, after] = [this.values[a], this.values[b]];
            const changed = [];
            for (let v = 0; v < this.names.length; v += 1) {
                // An input that is not said any more is no change.
                const unsaid = after[v] === undefined && this.inputs.has(this.names[v]);
                if (before[v] !== after[v] && !unsaid) changed.push(v);
            }
            return changed;
        }

        /// The state at a position.
        fold(at) {
            if (at < this.length || this.back === null) return Math.min(at, this.length - 1);
            return this.back + ((at - this.back) % (this.length - this.back));
        }

        /// How often the loop was gone round before a position.
        round(at) {
            return this.back === null || at < this.back ? 0 : Math.floor((at - this.back) / (this.length - this.back));
        }

        last() {
            return this.back === null ? this.length - 1 : Infinity;
        }

        /// The row of the list of steps at a position: the step that closes the loop has one of its own.
        row(at) {
            if (at < this.length || this.back === null) return this.fold(at);
            const state = this.fold(at);
            return state === this.back ? this.length : state;
        }

        /// The step that leads to a row; none to the first.
        taken(row) {
            return row ? this.steps[row - 1] : undefined;
        }

        movers(row) {
            const step = this.taken(row);
            return step ? [step, step.receiver].filter((s) => s && s.process) : [];
        }

        statement(row) {
            if (!row) return 'initial state';
            const step = this.taken(row);
            if (!step) return '';
            const one = (s) => (s.process ? `${s.process}: ${s.statement}` : s.statement);
            return [step, step.receiver].filter(Boolean).map(one).join('  ‖  ');
        }

        /// The state of the property's automaton at a position, whether it looks at that state at all, and the edge that it takes.
        property(at) {
            const { run, taken, back } = this.automaton;
            const place = at < run.length ? at : back + ((at - back) % (run.length - back));
            for (let i = place; i >= 0; i -= 1) {
                if (run[i] !== null) return { state: run[i], looks: i === place, taken: i === place ? taken[i] : null };
            }
            return { state: null, looks: false, taken: null };
        }
    }

    // ---- What is shown --------------------------------------------------------------------------------------------

    /// Processes and words that the reader chose; everything if none is chosen.
    class Filter {
        constructor() {
            this.groups = new Set();
            this.words = [];
            this.folds = false;
        }

        get any() {
            return this.groups.size > 0 || this.words.length > 0;
        }

        shows(run, v) {
            const name = run.names[v].toLowerCase();
            return (
                (!this.groups.size || this.groups.has(run.owners[v])) &&
                (!this.words.length || this.words.some((word) => name.includes(word)))
            );
        }

        /// Does a row have something to do with what is shown? Where a process is does not count by itself.
        concerns(run, row) {
            if (!row) return true;
            if (this.groups.size && !this.words.length && run.movers(row).some((m) => this.groups.has(m.process)))
                return true;
            const place = (v) => run.owners[v] === run.names[v] && !this.words.length;
            return run.news[row].some((v) => this.shows(run, v) && !place(v));
        }
    }

    /// A list of which only the rows in view are in the page.
    class List {
        constructor(box, render) {
            this.box = box;
            this.render = render;
            this.count = 0;
            this.made = new Map();
            this.body = el('div', { class: 'rows' });
            box.append(this.body);
            box.addEventListener('scroll', () => this.later(), { passive: true });
            new ResizeObserver(() => this.later()).observe(box);
        }

        get height() {
            return parseFloat(getComputedStyle(this.box).getPropertyValue('--row')) || 22;
        }

        fill(count) {
            this.count = count;
            this.clear();
            this.draw();
        }

        clear() {
            this.made.forEach((row) => row.remove());
            this.made.clear();
        }

        later() {
            if (this.asked) return;
            this.asked = requestAnimationFrame(() => {
                this.asked = 0;
                this.draw();
            });
        }

        draw() {
            const { height, box } = this;
            if (height !== this.drawn) this.clear();
            this.drawn = height;
            this.body.style.height = `${this.count * height}px`;
            const first = Math.max(0, Math.floor(box.scrollTop / height) - 6);
            const end = Math.min(this.count, Math.ceil((box.scrollTop + box.clientHeight) / height) + 6);
            for (const [i, row] of this.made)
                if (i < first || i >= end) {
                    row.remove();
                    this.made.delete(i);
                }
            for (let i = first; i < end; i += 1) {
                if (this.made.has(i)) continue;
                const row = this.render(i);
                row.style.top = `${i * height}px`;
                this.made.set(i, row);
                this.body.append(row);
            }
        }

        /// Brings a row into view, with some rows around it.
        reveal(i) {
            const { height, box } = this;
            const margin = Math.min(3 * height, box.clientHeight / 3);
            const [top, bottom] = [i * height, (i + 1) * height];
            if (top - margin < box.scrollTop) box.scrollTop = top - margin;
            else if (bottom + margin > box.scrollTop + box.clientHeight)
                box.scrollTop = bottom + margin - box.clientHeight;
            this.draw();
        }
    }

    /// A picture of which only what is in view is drawn. `size` tells its extent, `draw` gives the shapes for a view.
    class Picture {
        constructor(box, size, draw) {
            Object.assign(this, { box, size, draw });
            this.svg = svg('svg', { class: 'picture' });
            this.inner = el('div', { class: 'extent' }, this.svg);
            box.append(this.inner);
            box.addEventListener('scroll', () => this.later(), { passive: true });
            new ResizeObserver(() => this.later()).observe(box);
        }

        later() {
            if (this.asked) return;
            this.asked = requestAnimationFrame(() => {
                this.asked = 0;
                this.refresh();
            });
        }

        refresh() {
            const { box } = this;
            const [w, h] = [box.clientWidth, box.clientHeight];
            if (!w || !h) return;
            const { width, height } = this.size(w);
            this.inner.style.width = `${Math.max(width, w)}px`;
            this.inner.style.height = `${Math.max(height, h)}px`;
            this.svg.setAttribute('width', w);
            this.svg.setAttribute('height', h);
            this.svg.replaceChildren(...this.draw({ x: box.scrollLeft, y: box.scrollTop, w, h }));
        }

        /// Brings a span of the picture into view: along x, or along y.
        reveal(axis, from, to, before) {
            const { box } = this;
            // Its extent may be another one than before.
            this.refresh();
            const [scroll, client] = axis === 'x' ? ['scrollLeft', 'clientWidth'] : ['scrollTop', 'clientHeight'];
            const room = box[client] - before;
            if (from < box[scroll] + 10) box[scroll] = from - room / 3;
            else if (to > box[scroll] + room - 10) box[scroll] = to - (2 * room) / 3;
            this.refresh();
        }
    }

    // ---- Panels ---------------------------------------------------------------------------------------------------

    /// A part of the page with a heading that stays, and a box that scrolls.
    function panel(name, title, ...more) {
        const box = el('div', { class: 'box', tabindex: 0, role: 'region', 'aria-label': title });
        const head = el('div', { class: 'bar' }, el('h2', {}, title), ...more);
        return { section: el('section', { class: `panel ${name}`, id: name }, head, box), box, head };
    }

    /// The steps: number, statement, what is new.
    class Steps {
        constructor(page) {
            this.page = page;
            Object.assign(this, panel('steps', 'Steps'));
            this.columns = el(
                'div',
                { class: 'step columns' },
                ...['step', 'place', 'statement', 'what is new'].map((t) => el('span', {}, t)),
            );
            this.head.after(this.columns);
            this.list = new List(this.box, (i) => this.render(this.items[i]));
            this.open = new Set();
            this.items = [];
        }

        /// Which rows there are: steps, and stretches of steps that are folded.
        fill() {
            const { run, filter } = this.page;
            const rows = run.length + (run.back === null ? 0 : 1);
            this.items = [];
            for (let row = 0; row < rows; row += 1) {
                const last = this.items[this.items.length - 1];
                if (!filter.folds || filter.concerns(run, row) || row === rows - 1) this.items.push({ row });
                else if (last && last.to !== undefined) last.to = row + 1;
                else this.items.push({ row, to: row + 1 });
            }
            this.items = this.items.flatMap((item) => {
                if (item.to === undefined || (item.to > item.row + 1 && !this.open.has(item.row))) return [item];
                return Array.from({ length: item.to - item.row }, (_, i) => ({ row: item.row + i }));
            });
            this.list.fill(this.items.length);
            this.box.dataset.rows = this.items.length;
        }

        find(row) {
            let [low, high] = [0, this.items.length];
            while (high - low > 1) {
                const middle = (low + high) >> 1;
                if (this.items[middle].row <= row) low = middle;
                else high = middle;
            }
            return low;
        }

        render({ row, to }) {
            const { page } = this;
            const { run, filter } = page;
            const loop = run.back !== null && row >= run.back ? ' loop' : '';
            if (to !== undefined) {
                const inside = page.row >= row && page.row < to ? ' now' : '';
                const unfold = () => {
                    this.open.add(row);
                    this.fill();
                };
                const text = `${to - row} steps that change nothing shown: ${row} to ${to - 1}`;
                return el(
                    'div',
                    { class: `step folded${loop}${inside}`, onclick: unfold, title: 'unfold' },
                    el('span', {}, '⋯'),
                    el('span', {}),
                    el('span', {}, text),
                );
            }
            const now = row === page.row ? ' now' : '';
            const closes = row === run.length;
            const places = [run.taken(row), (run.taken(row) || {}).receiver].map((s) => s && s.place).filter(Boolean);
            const said = (run.printed.get(row) || []).map((text) => el('i', { class: 'said' }, ` » ${text}`));
            const news = (row ? run.news[row] : run.order).filter((v) => filter.shows(run, v));
            const state = closes ? run.back : row;
            // Where processes are comes last: it is the least of the news.
            const place = (v) => run.owners[v] === run.names[v];
            const changes = [...news.filter((v) => !place(v)), ...news.filter(place)].map((v) => {
                const value = run.values[state][v];
                const marks = `${place(v) ? ' at' : ''}${v === page.chosen ? ' chosen' : ''}`;
                return el(
                    'span',
                    { class: `change${marks}` },
                    value === undefined ? `${run.names[v]} †` : `${run.names[v]}=${value}`,
                );
            });
            const statement = run.statement(row);
            const whole = [places.join(', '), statement, ...changes.map((c) => c.textContent)]
                .filter(Boolean)
                .join('\n');
            return el(
                'div',
                { class: `step${loop}${now}`, 'data-row': row, onclick: () => page.go(row), title: whole },
                el('span', { class: 'number' }, closes ? `→ ${run.back}` : String(row)),
                el('span', { class: 'place' }, places.join(', ')),
                el('span', { class: 'statement' }, statement, ...said),
                el('span', { class: 'new' }, ...changes.flatMap((change) => [change, ' '])),
            );
        }

        show() {
            this.list.clear();
            this.list.reveal(this.find(this.page.row));
        }
    }

    /// The whole state at the position.
    class State {
        constructor(page) {
            this.page = page;
            Object.assign(this, panel('state', 'State'));
            this.list = new List(this.box, (i) => this.render(this.items[i]));
            this.items = [];
        }

        fill() {
            const { run, filter } = this.page;
            const grouped = run.groups.length > 1;
            let group = null;
            this.items = [];
            for (const v of run.order.filter((u) => filter.shows(run, u))) {
                const owner = run.owners[v];
                if (grouped && owner !== group) {
                    group = owner;
                    const place = owner === run.names[v] ? v : null;
                    this.items.push({ group: owner || 'shared', place });
                    if (place !== null) continue;
                }
                this.items.push({ v, bare: grouped && owner ? run.names[v].slice(owner.length + 1) : run.names[v] });
            }
            this.section.style.setProperty('--lines', this.items.length);
            this.list.fill(this.items.length);
        }

        render(item) {
            const { run, at, chosen } = this.page;
            const state = run.fold(at);
            const changed = (v) => at > 0 && run.news[this.page.row].includes(v);
            const pick = (v) => ({
                onclick: () => this.page.choose(v),
                title: `${run.names[v]}: click to jump along its changes`,
            });
            const value = (v) => (run.values[state][v] === undefined ? '–' : run.values[state][v]);
            if (item.group !== undefined) {
                const v = item.place;
                if (v === null) return el('div', { class: 'group' }, el('b', {}, item.group), el('span', {}));
                const marks = `${changed(v) ? ' changed' : ''}${v === chosen ? ' chosen' : ''}`;
                return el(
                    'div',
                    { class: `group${marks}`, ...pick(v) },
                    el('b', {}, item.group),
                    el('span', { class: 'value' }, value(v)),
                );
            }
            const { v } = item;
            const before = changed(v) ? run.values[run.fold(at - 1)][v] : undefined;
            const was = before === undefined ? null : el('s', {}, before);
            const input = run.inputs.has(run.names[v]) ? ' input' : '';
            return el(
                'div',
                {
                    class: `variable${changed(v) ? ' changed' : ''}${v === chosen ? ' chosen' : ''}${input}`,
                    'data-name': run.names[v],
                    ...pick(v),
                },
                el('span', {}, item.bare),
                el('span', { class: 'value' }, value(v), was),
            );
        }

        show() {
            this.list.clear();
            this.list.draw();
        }
    }

    const LANE_HEAD = 30;
    const CHART_ROW = 28;
    /// Where the first row begins: what is written above its arrow needs room.
    const CHART_TOP = LANE_HEAD + 7;
    const NUMBERS = 52;

    /// The message sequence chart: a lifeline for each process, an arrow for each message.
    class Chart {
        constructor(page, box) {
            this.page = page;
            this.box = box;
            this.picture = new Picture(
                box,
                (w) => this.size(w),
                (view) => this.draw(view),
            );
            box.addEventListener('click', (event) => {
                const y = event.clientY - box.getBoundingClientRect().top + box.scrollTop - CHART_TOP;
                const row = this.rows && this.rows[Math.floor(y / CHART_ROW)];
                if (row && y >= 0) page.go(row.step);
            });
        }

        fill() {
            const { run, filter } = this.page;
            const shows = (lane) => !filter.groups.size || filter.groups.has(run.lanes[lane].name);
            this.lanes = run.lanes.map((_, lane) => lane).filter(shows);
            this.place = new Map(this.lanes.map((lane, i) => [lane, i]));
            // The lanes of each message: two processes may have had the same name, one after the other.
            this.ends = run.messages.map(() => ({ from: null, to: null }));
            for (const row of run.rows) {
                if (row.event === 'send' || row.event === 'meet') this.ends[row.message].from = row.lane;
                if (row.event === 'receive') this.ends[row.message].to = row.lane;
                if (row.event === 'meet') this.ends[row.message].to = row.to;
            }
            const touches = (row) => {
                const ends = row.message === undefined ? null : this.ends[row.message];
                return this.place.has(row.lane) || (ends && (this.place.has(ends.from) || this.place.has(ends.to)));
            };
            this.rows = run.rows.filter(touches);
            /// For each message the rows in which it is sent and received.
            this.spans = new Map();
            this.rows.forEach((row, i) => {
                if (row.message === undefined) return;
                const span = this.spans.get(row.message) || {};
                if (row.event === 'send' || row.event === 'meet') span.sent = i;
                if (row.event === 'receive' || row.event === 'meet') span.received = i;
                this.spans.set(row.message, span);
            });
        }

        size(w) {
            const lanes = Math.max(1, this.lanes.length);
            this.lane = Math.min(200, Math.max(88, (w - NUMBERS - 24) / lanes));
            return { width: NUMBERS + lanes * this.lane + 24, height: CHART_TOP + (this.rows.length + 1) * CHART_ROW };
        }

        draw(view) {
            const { run, filter } = this.page;
            const { rows } = this;
            const x = (lane) => NUMBERS + (this.place.get(lane) + 0.5) * this.lane - view.x;
            const y = (i) => CHART_TOP + (i + 0.5) * CHART_ROW - view.y;
            const first = Math.max(0, Math.floor(view.y / CHART_ROW) - 1);
            const end = Math.min(rows.length, Math.ceil((view.y + view.h) / CHART_ROW) + 1);
            const [back, lines, labels, notes] = [[], [], [], []];
            const room = Math.floor((this.lane - 12) / 6.6);
            const current = this.page.row;
            // What is written has an edge in the colour of what is behind it, so that no line strikes it through.
            const behind = (step) => (step === current ? ' on' : run.back !== null && step > run.back ? ' in' : '');
            const label = (i, px, py, text, anchor = 'middle') =>
                labels.push(
                    svg(
                        'text',
                        { x: px, y: py, 'text-anchor': anchor, class: `label${behind(rows[i].step)}` },
                        cut(text, anchor === 'start' ? room + 4 : room),
                    ),
                );
            const note = (i, text) => label(i, x(rows[i].lane) + 7, y(i) + 4, text, 'start');
            const text = (m) => `${run.messages[m].channel}: ${run.messages[m].message}`;
            if (run.back !== null) {
                const into = rows.findIndex((row) => row.step > run.back);
                const top = into < 0 ? y(rows.length) - CHART_ROW / 2 : y(into) - CHART_ROW / 2;
                back.push(
                    svg('rect', {
                        class: 'loop',
                        x: 4,
                        y: top,
                        width: Math.max(0, view.w - 8),
                        height: Math.max(CHART_ROW, y(rows.length) + CHART_ROW / 2 - top),
                    }),
                );
                notes.push(
                    svg(
                        'text',
                        { x: 10, y: y(rows.length) + 4, class: 'loopnote' },
                        `the run goes on after step ${run.back}`,
                    ),
                );
            }
            for (let i = first; i < end; i += 1) {
                if (rows[i].step === current)
                    back.push(
                        svg('rect', { class: 'now', x: 0, y: y(i) - CHART_ROW / 2, width: view.w, height: CHART_ROW }),
                    );
            }
            // Lifelines, from where a process starts to where it ends.
            for (const lane of this.lanes) {
                const starts = run.lanes[lane].there ? -1 : rows.findIndex((r) => r.event === 'start' && r.to === lane);
                const ends = rows.findIndex((r) => r.event === 'end' && r.lane === lane);
                const [top, bottom] = [
                    starts < 0 ? LANE_HEAD : Math.max(LANE_HEAD, y(starts)),
                    y(ends < 0 ? rows.length - 0.5 : ends),
                ];
                if (bottom > LANE_HEAD) lines.push(svg('path', { class: 'life', d: `M${x(lane)},${top}V${bottom}` }));
            }
            const arrow = (from, to, [i, j], dashed, word, whole) => {
                const [y1, y2] = [y(i), y(j)];
                const [x1, x2] = [x(from), x(to)];
                const way = Math.sign(x2 - x1);
                const slope = (y2 - y1) / Math.max(1, Math.abs(x2 - x1));
                lines.push(
                    svg(
                        'path',
                        { class: dashed ? 'arrow dashed' : 'arrow', d: `M${x1},${y1}L${x2},${y2}` },
                        svg('title', {}, whole),
                    ),
                );
                const angle = Math.atan2(y2 - y1, x2 - x1);
                const point = (turn) => `${x2 - 9 * Math.cos(angle + turn)},${y2 - 9 * Math.sin(angle + turn)}`;
                lines.push(svg('path', { class: 'tip', d: `M${x2},${y2}L${point(0.4)}L${point(-0.4)}z` }));
                // In the last gap before the head: above a flat arrow, as high as its line comes, and beside a steep one.
                const gap = Math.min(this.lane / 2, Math.abs(x2 - x1) / 2);
                const [px, py] = [x2 - way * gap, y2 - slope * gap];
                const half = cut(word, room).length * 3.3;
                if (slope < 0.45) label(j, px, py - 5 - slope * half, word);
                else label(j, px + way * 8, py - 2, word, way > 0 ? 'start' : 'end');
            };
            for (const [m, span] of this.spans) {
                const { from, to } = this.ends[m];
                if (span.received === undefined || span.sent === undefined || from === to) continue;
                if (span.received < first || span.sent >= end || !this.place.has(from) || !this.place.has(to)) continue;
                arrow(
                    from,
                    to,
                    [span.sent, span.received],
                    false,
                    text(m),
                    `${text(m)}, sent in step ${run.messages[m].sent}, received in step ${run.messages[m].received}`,
                );
            }
            for (let i = first; i < end; i += 1) {
                const row = rows[i];
                const number = !i || rows[i - 1].step !== row.step;
                if (number)
                    notes.push(
                        svg(
                            'text',
                            { x: 42, y: y(i) + 4, 'text-anchor': 'end', class: row.step === current ? '' : 'dim' },
                            String(row.step),
                        ),
                    );
                const ends = row.message === undefined ? {} : this.ends[row.message];
                const here = this.place.has(row.lane);
                if (row.event === 'send' && here) {
                    lines.push(svg('circle', { class: 'dot', cx: x(row.lane), cy: y(i), r: 3.5 }));
                    const away = ends.to !== null && ends.to !== row.lane && this.place.has(ends.to);
                    if (!away) {
                        const m = run.messages[row.message];
                        note(i, `${m.channel}!${m.message}${ends.to === null ? '' : ` → ${m.to}`}`);
                    }
                } else if (row.event === 'receive' && here && (ends.from === row.lane || !this.place.has(ends.from))) {
                    const m = run.messages[row.message];
                    lines.push(svg('circle', { class: 'ring', cx: x(row.lane), cy: y(i), r: 3.5 }));
                    note(i, `${m.channel}?${m.message}${ends.from === row.lane ? '' : ` ← ${m.from}`}`);
                } else if (row.event === 'peek' && here) {
                    const m = run.messages[row.message];
                    lines.push(svg('circle', { class: 'ring', cx: x(row.lane), cy: y(i), r: 3.5 }));
                    note(i, `${m.channel}?<${m.message}>`);
                } else if (row.event === 'meet' && !(this.place.has(ends.from) && this.place.has(ends.to))) {
                    const m = run.messages[row.message];
                    const lane = this.place.has(ends.from) ? ends.from : ends.to;
                    const word =
                        lane === ends.from
                            ? `${m.channel}!${m.message} → ${m.to}`
                            : `${m.channel}?${m.message} ← ${m.from}`;
                    lines.push(svg('circle', { class: 'dot', cx: x(lane), cy: y(i), r: 3.5 }));
                    label(i, x(lane) + 7, y(i) + 4, word, 'start');
                } else if (row.event === 'print' && here) {
                    note(i, `» ${row.text.trimEnd()}`);
                } else if (row.event === 'start' && here) {
                    if (this.place.has(row.to))
                        arrow(row.lane, row.to, [i, i], true, 'run', `starts ${run.lanes[row.to].name}`);
                    else note(i, `run ${run.lanes[row.to].name}`);
                } else if (row.event === 'end' && here) {
                    lines.push(
                        svg('path', { class: 'ended', d: `M${x(row.lane) - 5},${y(i) - 5}l10,10m0,-10l-10,10` }),
                    );
                }
            }
            // The numbers of the steps stay at the left.
            const margin = [svg('rect', { class: 'margin', x: 0, y: LANE_HEAD, width: NUMBERS - 4, height: view.h })];
            const head = [svg('rect', { class: 'head', x: 0, y: 0, width: view.w, height: LANE_HEAD })];
            for (const lane of this.lanes) {
                const active = run.movers(current).some((m) => m.process === run.lanes[lane].name) ? ' active' : '';
                if (x(lane) > NUMBERS)
                    head.push(
                        svg(
                            'text',
                            { x: x(lane), y: 19, 'text-anchor': 'middle', class: `lane${active}` },
                            cut(run.lanes[lane].name, room),
                            svg('title', {}, run.lanes[lane].name),
                        ),
                    );
            }
            if (!rows.length)
                head.push(
                    svg(
                        'text',
                        { x: 16, y: LANE_HEAD + 24, class: 'dim' },
                        filter.any ? 'no messages of what is shown' : 'no messages',
                    ),
                );
            return [...back, ...lines, ...labels, ...margin, ...notes, ...head];
        }

        show() {
            // The row of the step, or the last one before it.
            let at = -1;
            this.rows.forEach((row, i) => {
                if (row.step <= this.page.row) at = i;
            });
            if (at < 0) return this.picture.refresh();
            this.picture.reveal('y', at * CHART_ROW, (at + 1) * CHART_ROW, LANE_HEAD);
            // Who moves is in view, too.
            const mover = this.page.run.movers(this.page.row)[0];
            const lane = mover ? this.lanes.findIndex((l) => this.page.run.lanes[l].name === mover.process) : -1;
            if (lane >= 0) this.picture.reveal('x', lane * this.lane, (lane + 1) * this.lane, NUMBERS);
            return undefined;
        }
    }

    const WAVE_ROW = 26;
    const WAVE_HEAD = 24;

    /// Values over time: a row for each variable, a column for each state. Booleans are lines, other values boxes.
    class Waves {
        constructor(page, box) {
            this.page = page;
            this.picture = new Picture(
                box,
                () => this.size(),
                (view) => this.draw(view),
            );
            box.addEventListener('click', (event) => {
                const frame = box.getBoundingClientRect();
                const x = event.clientX - frame.left - this.left;
                const state = Math.floor((x + box.scrollLeft) / this.column);
                if (x >= 0 && state < page.run.length) page.go(state);
                const v = this.rows[Math.floor((event.clientY - frame.top + box.scrollTop - WAVE_HEAD) / WAVE_ROW)];
                if (x < 0 && v !== undefined) page.choose(v);
            });
        }

        fill() {
            const { run, filter } = this.page;
            this.rows = run.order.filter((v) => filter.shows(run, v));
            const bit = (value) => value === undefined || value === 'true' || value === 'false';
            this.bits = new Set(this.rows.filter((v) => run.values.every((values) => bit(values[v]))));
            let longest = 3;
            for (const v of this.rows) {
                if (this.bits.has(v)) continue;
                for (const values of run.values)
                    if (values[v] !== undefined) longest = Math.max(longest, values[v].length);
            }
            this.column = Math.min(140, longest * 7 + 14);
            const widest = Math.max(6, ...this.rows.map((v) => run.names[v].length));
            this.left = Math.min(200, widest * 7 + 16);
        }

        size() {
            return {
                width: this.left + this.page.run.length * this.column + 20,
                height: WAVE_HEAD + this.rows.length * WAVE_ROW + 12,
            };
        }

        draw(view) {
            const { run } = this.page;
            if (view.w < 520) this.left = Math.min(this.left, 120);
            const x = (state) => this.left + state * this.column - view.x;
            const first = Math.max(0, Math.floor(view.x / this.column));
            const end = Math.min(run.length, Math.ceil((view.x + view.w - this.left) / this.column) + 1);
            const from = Math.max(0, Math.floor((view.y - WAVE_HEAD) / WAVE_ROW));
            const to = Math.min(this.rows.length, Math.ceil((view.y + view.h) / WAVE_ROW) + 1);
            const y = (row) => WAVE_HEAD + row * WAVE_ROW - view.y;
            const shapes = [];
            if (run.back !== null && end > run.back) {
                shapes.push(
                    svg('rect', {
                        class: 'loop',
                        x: x(Math.max(first, run.back)),
                        y: 0,
                        width: Math.max(0, x(end) - x(Math.max(first, run.back))),
                        height: view.h,
                    }),
                );
            }
            shapes.push(
                svg('rect', { class: 'now', x: x(run.fold(this.page.at)), y: 0, width: this.column, height: view.h }),
            );
            for (let row = from; row < to; row += 1) {
                const v = this.rows[row];
                if (this.bits.has(v)) this.line(shapes, v, y(row), x, first, end);
                else this.boxes(shapes, v, y(row), x, first, end);
            }
            shapes.push(svg('rect', { class: 'head', x: 0, y: 0, width: view.w, height: WAVE_HEAD }));
            const every = Math.ceil(34 / this.column);
            for (let i = first; i < end; i += 1) {
                if (i % every === 0)
                    shapes.push(
                        svg(
                            'text',
                            { x: x(i) + this.column / 2, y: 16, 'text-anchor': 'middle', class: 'dim' },
                            String(i),
                        ),
                    );
            }
            shapes.push(svg('rect', { class: 'head', x: 0, y: 0, width: this.left, height: view.h }));
            for (let row = from; row < to; row += 1) {
                const v = this.rows[row];
                const name = run.names[v];
                const marks = `${v === this.page.chosen ? ' chosen' : ''}${run.inputs.has(name) ? ' dim' : ''}`;
                if (y(row) > WAVE_HEAD - WAVE_ROW / 2)
                    shapes.push(
                        svg(
                            'text',
                            { x: this.left - 8, y: y(row) + 17, 'text-anchor': 'end', class: `name${marks}` },
                            cut(name, Math.floor((this.left - 12) / 6.8)),
                            svg('title', {}, name),
                        ),
                    );
            }
            shapes.push(
                svg('rect', { class: 'head', x: 0, y: 0, width: this.left, height: WAVE_HEAD }),
                svg('text', { x: this.left - 8, y: 16, 'text-anchor': 'end', class: 'dim' }, 'state'),
            );
            return shapes;
        }

        line(shapes, v, y, x, first, end) {
            let path = '';
            let drawn = false;
            for (let i = first; i < end; i += 1) {
                const value = this.page.run.values[i][v];
                if (value === undefined) {
                    drawn = false;
                    continue;
                }
                const level = value === 'true' ? y + 6 : y + WAVE_ROW - 6;
                path += `${drawn ? 'V' : `M${x(i)},`}${level}H${x(i + 1)}`;
                drawn = true;
            }
            if (path) shapes.push(svg('path', { class: 'bit', d: path }));
        }

        /// A box for each stretch of equal values; the place where the loop begins cuts it.
        boxes(shapes, v, y, x, first, end) {
            const { run } = this.page;
            for (let i = first; i < end;) {
                let j = i + 1;
                while (j < end && run.values[j][v] === run.values[i][v] && j !== run.back) j += 1;
                const value = run.values[i][v];
                if (value !== undefined) {
                    const width = x(j) - x(i) - 3;
                    const text = cut(value, Math.floor((width - 4) / 6.8));
                    shapes.push(
                        svg(
                            'rect',
                            { class: 'boxed', x: x(i) + 1.5, y: y + 4, width, height: WAVE_ROW - 8, rx: 4 },
                            svg('title', {}, `${run.names[v]} = ${value}`),
                        ),
                    );
                    shapes.push(
                        svg('text', { x: (x(i) + x(j)) / 2, y: y + 17, 'text-anchor': 'middle', class: 'inbox' }, text),
                    );
                }
                i = j;
            }
        }

        show() {
            const state = this.page.run.fold(this.page.at);
            this.picture.reveal('x', state * this.column, (state + 1) * this.column, this.left);
        }
    }

    /// Messages and values: two views of the run in one panel.
    class Views {
        constructor(page) {
            this.page = page;
            this.tabs = {
                messages: el('button', { onclick: () => this.pick('messages') }, 'Messages'),
                values: el('button', { onclick: () => this.pick('values') }, 'Values'),
            };
            const part = panel(
                'views',
                'Messages and values',
                el('div', { class: 'tabs', role: 'group', 'aria-label': 'view' }, this.tabs.messages, this.tabs.values),
            );
            Object.assign(this, part);
            this.boxes = {
                messages: this.box,
                values: el('div', { class: 'box', tabindex: 0, role: 'region', 'aria-label': 'Values' }),
            };
            this.box.classList.add('chart');
            this.boxes.values.classList.add('waves');
            this.section.append(this.boxes.values);
            this.chart = new Chart(page, this.boxes.messages);
            this.waves = new Waves(page, this.boxes.values);
        }

        /// The messages, if there are any.
        begin() {
            const { run } = this.page;
            this.tabs.messages.hidden = !run.lanes.length;
            const usual = run.messages.length ? 'messages' : 'values';
            this.view = this.picked === 'values' || (this.picked && run.lanes.length) ? this.picked : usual;
            this.head.querySelector('h2').textContent = run.lanes.length ? 'Messages and values' : 'Values';
            this.head.querySelector('.tabs').hidden = !run.lanes.length;
        }

        pick(view) {
            [this.view, this.picked] = [view, view];
            this.fill();
            this.show();
        }

        fill() {
            for (const [name, box] of Object.entries(this.boxes)) box.hidden = name !== this.view;
            for (const [name, tab] of Object.entries(this.tabs)) tab.setAttribute('aria-pressed', name === this.view);
            (this.view === 'messages' ? this.chart : this.waves).fill();
        }

        show() {
            (this.view === 'messages' ? this.chart : this.waves).show();
        }
    }

    /// The automaton of the property, with the state that it is in.
    class Automaton {
        constructor(page) {
            this.page = page;
            Object.assign(this, panel('automaton', 'Automaton'));
            this.note = el('span', { class: 'note' });
            this.head.append(this.note);
            this.list = new List(this.box, (i) => this.render(this.items[i]));
            this.items = [];
        }

        fill() {
            const { automaton } = this.page.run;
            this.section.hidden = !automaton;
            this.items = [];
            if (!automaton) return this.list.fill(0);
            for (let q = 0; q < automaton.states; q += 1) {
                this.items.push({ q });
                automaton.edges.filter((e) => e.from === q).forEach((edge) => this.items.push({ edge }));
            }
            this.note.textContent = `of the runs ${automaton.of}`;
            this.note.title = `It accepts the runs ${automaton.of}: those that take an edge of each acceptance set infinitely often.`;
            this.section.style.setProperty('--lines', Math.min(9, this.items.length + 1));
            return this.list.fill(this.items.length);
        }

        render({ q, edge }) {
            const { run, at } = this.page;
            const now = run.property(at);
            if (edge) {
                const taken = edge === run.automaton.edges[now.taken] ? ' taken' : '';
                const sets = (edge.sets || []).map((s) =>
                    el('b', { class: 'set', title: `acceptance set ${s}` }, `${s}`),
                );
                return el(
                    'div',
                    { class: `edge${taken}`, title: edge.label },
                    el('span', {}, '→ ', String(edge.to)),
                    el('span', { class: 'guard' }, edge.label === '1' ? 'always' : edge.label),
                    el('span', {}, ...sets),
                );
            }
            const here = q === now.state ? ' now' : '';
            return el(
                'div',
                { class: `automatonstate${here}`, 'data-q': q },
                el('b', {}, `state ${q}`),
                el('span', {}, here ? (now.looks ? 'here' : 'here (does not look at this step)') : ''),
            );
        }

        show() {
            if (!this.page.run.automaton) return;
            this.list.clear();
            const { state } = this.page.run.property(this.page.at);
            this.list.reveal(
                Math.max(
                    0,
                    this.items.findIndex((item) => item.q === state),
                ),
            );
        }
    }

    /// The text of the model, with the lines of the step, of the property and those that no run reaches.
    class Source {
        constructor(page) {
            this.page = page;
            this.select = el('select', { 'aria-label': 'file', onchange: () => this.open(Number(this.select.value)) });
            Object.assign(this, panel('source', 'Source', this.select));
            this.list = new List(this.box, (i) => this.render(i));
            this.files = [];
            this.lines = [];
        }

        begin(sources, { location }, statements) {
            const same =
                sources.length === this.files.length &&
                sources.every((s, i) => s.file === this.files[i].name && s.text === this.files[i].text);
            this.files = sources.map((s) => ({
                text: s.text,
                name: s.file,
                lines: s.text.replace(/\n$/, '').split(/\r\n|\r|\n/),
            }));
            this.section.hidden = !this.files.length;
            this.select.hidden = this.files.length < 2;
            this.select.replaceChildren(...this.files.map((file, i) => el('option', { value: i }, file.name)));
            this.property = location;
            this.unreached = (statements && statements.unreached) || [];
            if (!same) this.open(0);
        }

        open(file) {
            this.file = file;
            this.select.value = file;
            this.lines = this.files[file] ? this.files[file].lines : [];
            this.head.querySelector('h2').textContent =
                this.files.length === 1 ? `Source: ${base(this.files[0].name)}` : 'Source';
            this.list.fill(this.lines.length);
        }

        fill() {
            this.list.fill(this.lines.length);
        }

        /// The places of the present step: file and line. `m.pml:12` is the line 12 of the file of that name.
        places() {
            return this.page.run
                .movers(this.page.row)
                .filter((m) => m.place)
                .map((m, i) => {
                    const [, name, line] = m.place.match(/^(.*):(\d+)/) || [];
                    return {
                        file: this.files.findIndex((f) => base(f.name) === name),
                        line: Number(line),
                        receives: i > 0,
                    };
                })
                .filter((p) => p.file >= 0);
        }

        render(i) {
            const here = this.places().find((p) => p.file === this.file && p.line === i + 1);
            const name = this.files[this.file].name;
            const is = (p) => p && p.file === name && p.line === i + 1;
            const marks = [
                here && (here.receives ? 'now receives' : 'now'),
                is(this.property) && 'property',
                this.unreached.some(is) && 'unreached',
            ];
            const title = this.unreached.some(is) ? 'no run reaches this' : undefined;
            return el(
                'div',
                { class: `line ${marks.filter(Boolean).join(' ')}`, 'data-line': i + 1, title },
                el('span', { class: 'number' }, String(i + 1)),
                el('code', {}, this.lines[i]),
            );
        }

        show() {
            const [first] = this.places();
            if (first && first.file !== this.file) this.open(first.file);
            this.list.clear();
            if (first) this.list.reveal(first.line - 1);
            else this.list.draw();
        }
    }

    /// Lines over time: what a search held while it ran.
    function plots(samples) {
        const [W, H, L, B] = [300, 130, 62, 22];
        const series = [
            ['states', 'states', amount],
            ['bytes', 'memory', bytes],
            ['frontier', 'frontier', amount],
            ['depth', 'depth', amount],
            ['nodes', 'BDD nodes', amount],
        ];
        const one = ([field, title, show]) => {
            const points = samples.filter((s) => s[field] !== undefined);
            const top = Math.max(...points.map((s) => s[field]));
            if (points.length < 3 || !(top > 0)) return null;
            const end = points[points.length - 1].seconds || 1;
            const x = (s) => L + (s.seconds / end) * (W - L - 8);
            const y = (s) => H - B - (s[field] / top) * (H - B - 12);
            const path = points.map((s, i) => `${i ? 'L' : 'M'}${x(s).toFixed(1)},${y(s).toFixed(1)}`).join('');
            const picture = svg(
                'svg',
                { class: 'plot', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${title} over time` },
                svg('path', { class: 'axis', d: `M${L},8V${H - B}H${W - 8}` }),
                svg('path', { class: 'curve', d: path }),
                svg('text', { x: L - 6, y: 16, 'text-anchor': 'end' }, show(top)),
                svg('text', { x: L - 6, y: H - B, 'text-anchor': 'end' }, '0'),
                svg('text', { x: W - 8, y: H - 6, 'text-anchor': 'end' }, `${end.toFixed(1)} s`),
            );
            return el('figure', {}, el('figcaption', {}, title), picture);
        };
        return series.map(one).filter(Boolean);
    }

    /// What is said of one answer besides its run: formula, reasons, warnings, counters, coverage, plots.
    function about(page, { answer }) {
        const parts = [];
        const jump = (step, text) =>
            el('button', { class: 'jump', onclick: () => page.go(step) }, text || `step ${step}`);
        const line = (...content) => parts.push(el('p', {}, ...content));
        if (answer.formula)
            line(
                el('code', {}, answer.formula),
                answer.location
                    ? el('span', { class: 'dim' }, `  ${answer.location.file}:${answer.location.line}`)
                    : null,
            );
        if (answer.value !== undefined) line(`value: ${shown(answer.value)}`);
        for (const r of answer.reasons || []) {
            const code = el('code', {}, r.formula);
            if (r.kind === 'never fulfilled')
                line(code, ' is owed since ', jump(r.step), ' and never fulfilled in the loop');
            else if (r.kind === 'broken') line(code, ' is owed since ', jump(r.step), ' and broken at ', jump(r.end));
            else line(code, ' does not hold at ', jump(r.step));
        }
        const said = (answer.explanation || '')
            .split('\n')
            .map((t) => t.trim())
            .filter(Boolean);
        if (!(answer.reasons || []).length)
            (said.length ? said : [answer.reason]).filter(Boolean).forEach((text) => line(text));
        if (answer.unfair_initial_states) line('Initial states without a fair path do not count.');
        for (const warning of answer.warnings || []) parts.push(el('p', { class: 'warning' }, `warning: ${warning}`));
        const counters = answer.counters || {};
        const facts = [
            ['algorithm', answer.algorithm, answer.why],
            ['engine', answer.engine],
            ['store', answer.store],
            ['strength', answer.strength],
            [
                'states',
                answer.reachable_states === undefined
                    ? counters.states && amount(counters.states)
                    : amount(answer.reachable_states),
            ],
            ['transitions', counters.transitions && amount(counters.transitions)],
            ['deepest', counters.max_depth && amount(counters.max_depth)],
            ['levels', counters.levels],
            ['deadlocks', counters.deadlocks],
            ['iterations', answer.external_iterations],
            ['peak nodes', answer.peak_nodes && amount(answer.peak_nodes)],
            ['memory', answer.memory_bytes && bytes(answer.memory_bytes)],
            ['time', answer.cpu_seconds !== undefined && `${answer.cpu_seconds.toFixed(3)} s`],
        ].filter(([, value]) => value !== undefined && value !== '' && value !== 0 && value !== false);
        if (facts.length)
            parts.push(
                el(
                    'dl',
                    { class: 'facts' },
                    ...facts.flatMap(([name, value, why]) => [
                        el('dt', {}, name),
                        el('dd', { title: why }, String(value)),
                    ]),
                ),
            );
        return parts;
    }

    /// Which statements no run reaches, if that was asked.
    function coverage(statements) {
        if (!statements) return [];
        if (!statements.complete) return [el('p', {}, 'Not known: the search ended early.')];
        const unreached = statements.unreached || [];
        const names = (statements.processes || []).map((p) => p.name);
        const known = names.length ? names : [...new Set(unreached.map((u) => u.process))];
        const lines = known.map((name) => {
            const mine = unreached.filter((u) => u.process === name);
            const all = ((statements.processes || []).find((p) => p.name === name) || {}).statements;
            const text = mine.length
                ? `${name}: ${mine.length}${all ? ` of ${all}` : ''} statements are not reached`
                : `${name}: all ${all} statements are reached`;
            return el(
                'details',
                { open: mine.length > 0 && mine.length < 20 },
                el('summary', {}, text),
                ...mine.map((u) =>
                    el(
                        'p',
                        {},
                        el('span', { class: 'dim' }, `${base(u.file)}:${u.line}  `),
                        el('code', {}, u.statement),
                    ),
                ),
            );
        });
        const constant = (statements.constant || []).map((c) =>
            el('p', {}, el('code', {}, c.proposition), ` is ${c.value} in every state`),
        );
        return [...lines, ...constant];
    }

    // ---- The page -------------------------------------------------------------------------------------------------

    const KEYS = [
        ['→ ↓ j', 'next step'],
        ['← ↑ k', 'step before'],
        ['Home', 'first state'],
        ['End', 'last state'],
        ['o', 'where the loop begins'],
        ['n', 'next change of the chosen variable, or of anything shown'],
        ['p', 'the change before'],
        ['f', 'fold steps that change nothing shown'],
        ['/', 'filter'],
        ['Esc', 'no filter, no chosen variable'],
        ['[ ]', 'verdict before, next verdict'],
        ['?', 'this help'],
    ];

    class Page {
        constructor(root) {
            this.root = root;
            this.filter = new Filter();
            this.entries = [];
            this.at = 0;
            this.chosen = null;
            this.verdicts = el('div', { class: 'box verdicts', tabindex: 0, role: 'region', 'aria-label': 'Verdicts' });
            this.verdictHead = el(
                'div',
                { class: 'verdict columns' },
                ...['property', 'verdict', 'formula', 'by', 'states', 'time', 'run'].map((t) => el('span', {}, t)),
            );
            this.verdictList = new List(this.verdicts, (i) => this.verdict(i));
            this.about = el('div', { class: 'about' });
            this.tools = this.toolbar();
            this.panels = [new Steps(this), new Views(this), new State(this), new Automaton(this), new Source(this)];
            [this.steps, this.views, this.state, this.automaton, this.source] = this.panels;
            const side = el('div', { class: 'side' }, this.state.section, this.automaton.section, this.source.section);
            this.work = el('div', { class: 'work' }, this.steps.section, this.views.section, side);
            this.coverage = el('section', { class: 'below' });
            this.plots = el('section', { class: 'below' });
            this.help = el(
                'dialog',
                { class: 'help' },
                el('h2', {}, 'Keys'),
                el('dl', {}, ...KEYS.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
                el('button', { onclick: () => this.help.close() }, 'close'),
            );
            this.answers = el(
                'section',
                { class: 'panel answers' },
                el('div', { class: 'bar' }, el('h2', {}, 'Verdicts'), (this.count = el('span', { class: 'note' }))),
                this.verdictHead,
                this.verdicts,
            );
            root.append(this.answers, this.about, this.tools, this.work, this.coverage, this.plots, this.help);
            document.addEventListener('keydown', (event) => this.key(event));
            // Until there is a run.
            [this.answers.hidden, this.tools.hidden, this.work.hidden] = [true, true, true];
        }

        toolbar() {
            const button = (id, text, title, act) =>
                el('button', { id, title, 'aria-label': title, onclick: act }, text);
            this.slider = el('input', {
                id: 'slider',
                type: 'range',
                min: 0,
                value: 0,
                'aria-label': 'step',
                oninput: () => this.go(Number(this.slider.value)),
            });
            this.where = el('output', { id: 'where', 'aria-live': 'polite' });
            this.words = el('input', {
                id: 'filter',
                type: 'search',
                placeholder: 'filter',
                'aria-label': 'filter variables: words, separated by commas or spaces',
                oninput: () => this.narrow(),
            });
            this.chips = el('span', { class: 'chips', role: 'group', 'aria-label': 'filter processes' });
            this.folder = el(
                'button',
                {
                    id: 'fold',
                    title: 'fold steps that change nothing shown (f)',
                    'aria-pressed': 'false',
                    onclick: () => this.fold(),
                },
                'fold',
            );
            this.loops = button('loop', '↻', 'where the loop begins (o)', () => this.go(this.run.back));
            return el(
                'div',
                { class: 'tools', role: 'toolbar', 'aria-label': 'run' },
                el(
                    'span',
                    { class: 'buttons' },
                    button('first', '|◀', 'first state (Home)', () => this.go(0)),
                    button('back', '◀', 'step before (←)', () => this.go(this.at - 1)),
                    button('next', '▶', 'next step (→)', () => this.go(this.at + 1)),
                    button('last', '▶|', 'last state (End)', () => this.go(this.run.length - 1)),
                    this.loops,
                    button('before', '◁Δ', 'the change before (p)', () => this.change(-1)),
                    button('after', 'Δ▷', 'next change (n)', () => this.change(1)),
                ),
                this.slider,
                this.where,
                this.words,
                this.folder,
                button('keys', '?', 'keys (?)', () => this.help.showModal()),
                this.chips,
            );
        }

        /// Shows answers: the objects that `riata check --json` prints.
        open(documents) {
            this.several = documents.length > 1 || documents.some((d) => (d.inputs || []).length > 1);
            this.entries = documents.flatMap((document) =>
                (document.results || []).map((answer) => ({ document, answer, run: null })),
            );
            const words = ['violated', 'nonempty', 'inconclusive', 'holds', 'empty', 'complete'];
            const counts = words
                .map((word) => [this.entries.filter((e) => e.answer.verdict === word).length, word])
                .filter(([n]) => n);
            this.count.textContent = counts.map(([n, word]) => `${n} ${word}`).join(', ');
            const problems = documents.flatMap((d) => [
                ...(d.errors || []).map((e) => ['error', e]),
                ...(d.warnings || []).map((w) => ['warning', w]),
            ]);
            const place = (p) => (p.file ? `${p.file}${p.line ? `:${p.line}` : ''}: ` : '');
            this.problems = problems.map(([kind, p]) => el('p', { class: kind }, `${kind}: ${place(p)}${p.message}`));
            this.answers.hidden = this.entries.every((e) => e.answer.verdict === undefined);
            this.verdicts.style.setProperty('--lines', Math.min(8, this.entries.length));
            this.verdictList.fill(this.entries.length);
            const has = (e) => e.answer.lasso || (e.answer.trace || []).length;
            const [entry, at] = (location.hash.match(/^#(\d+)(?:,(\d+))?$/) || []).slice(1).map(Number);
            const first = Math.max(0, this.entries.findIndex(has));
            this.select(this.entries[entry] ? entry : first, at || 0);
        }

        label({ document, answer }) {
            const name =
                answer.property ||
                answer.name ||
                (answer.index === undefined ? document.command : `${document.command} ${answer.index}`);
            const index =
                answer.index === undefined || !answer.property ? '' : `${answer.name || `automaton ${answer.index}`}: `;
            return `${this.several ? `${base(answer.input || document.input)}: ` : ''}${index}${name}`;
        }

        verdict(i) {
            const entry = this.entries[i];
            const { answer } = entry;
            const { lasso, trace } = answer;
            const run = lasso ? `${lasso.stem.length} + ${lasso.cycle.length}` : trace ? String(trace.length) : '';
            const counted =
                answer.reachable_states === undefined ? (answer.counters || {}).states : answer.reachable_states;
            const verdict = answer.exists && answer.verdict === 'violated' ? 'no run' : answer.verdict || '';
            const cells = [
                this.label(entry),
                verdict,
                answer.formula || '',
                answer.algorithm || '',
                counted === undefined ? '' : amount(counted),
                answer.cpu_seconds === undefined ? '' : `${answer.cpu_seconds.toFixed(3)} s`,
                run,
            ];
            const now = i === this.selected ? ' now' : '';
            return el(
                'div',
                {
                    class: `verdict ${answer.verdict || ''}${now}`,
                    'data-entry': i,
                    onclick: () => this.select(i, 0),
                    title: cells.join('\n'),
                },
                ...cells.map((cell) => el('span', {}, cell)),
            );
        }

        select(i, at) {
            const entry = this.entries[i];
            this.selected = i;
            this.verdictList.clear();
            this.verdictList.reveal(i);
            if (!entry) return this.about.replaceChildren(...this.problems);
            entry.run = entry.run || new Run(entry.answer);
            // What was chosen stays chosen if this run has it, too.
            const chosen = this.run && this.chosen !== null ? this.run.names[this.chosen] : null;
            this.run = entry.run;
            this.chosen = this.run.names.includes(chosen) ? this.run.names.indexOf(chosen) : null;
            this.filter.groups = new Set([...this.filter.groups].filter((group) => this.run.groups.includes(group)));
            const runs = this.run.length > 0;
            this.tools.hidden = !runs;
            this.work.hidden = !runs;
            this.about.replaceChildren(...this.problems, ...about(this, entry));
            // Coverage is asked once for a model, and one of the answers has it.
            const same = (e) => e.document === entry.document && e.answer.input === entry.answer.input;
            const { statements } = (this.entries.find((e) => same(e) && e.answer.statements) || {}).answer || {};
            const covered = coverage(statements);
            this.coverage.replaceChildren(...(covered.length ? [el('h2', {}, 'Coverage'), ...covered] : []));
            const drawn = plots(entry.answer.samples || []);
            this.plots.replaceChildren(
                ...(drawn.length
                    ? [el('h2', {}, 'The search over time'), el('div', { class: 'plots' }, ...drawn)]
                    : []),
            );
            if (!runs) return this.panels.forEach((part) => part.list && part.list.fill(0));
            const named = this.run.steps.length > 0 || this.run.lanes.length > 0;
            this.steps.section.classList.toggle('plain', !named);
            this.steps.head.querySelector('h2').textContent = named ? 'Steps' : 'States';
            this.slider.max = this.run.length - 1;
            this.loops.disabled = this.run.back === null;
            this.steps.open.clear();
            this.chipped();
            this.views.begin();
            const mine = (s) => !s.input || s.input === entry.answer.input;
            this.source.begin((entry.document.sources || []).filter(mine), entry.answer, statements);
            this.panels.forEach((part) => part.fill());
            return this.go(at);
        }

        /// A button for each process, or part of the model.
        chipped() {
            const groups = this.run.groups.length > 1 ? this.run.groups : [];
            this.chips.replaceChildren(
                ...groups.map((group) => {
                    const toggle = () => {
                        if (!this.filter.groups.delete(group)) this.filter.groups.add(group);
                        chip.setAttribute('aria-pressed', this.filter.groups.has(group));
                        this.narrow();
                    };
                    const chip = el(
                        'button',
                        {
                            class: 'chip',
                            'aria-pressed': String(this.filter.groups.has(group)),
                            'data-group': group,
                            onclick: toggle,
                        },
                        group || 'shared',
                    );
                    return chip;
                }),
            );
        }

        /// What is shown has changed.
        narrow() {
            this.filter.words = this.words.value
                .toLowerCase()
                .split(/[\s,]+/)
                .filter(Boolean);
            this.panels.forEach((part) => part.fill());
            this.go(this.at);
        }

        fold() {
            this.filter.folds = !this.filter.folds;
            this.folder.setAttribute('aria-pressed', this.filter.folds);
            this.steps.open.clear();
            this.steps.fill();
            this.steps.show();
        }

        /// The row of the list of steps at the present position.
        get row() {
            return this.run.row(this.at);
        }

        go(at) {
            const { run } = this;
            if (!run || !run.length || at === null) return;
            this.at = Math.max(0, Math.min(at, run.last()));
            const state = run.fold(this.at);
            const round = run.round(this.at);
            this.slider.value = state;
            const loop =
                run.back !== null && this.at >= run.back ? ` · loop${round ? `, round ${round + 1}` : ''}` : '';
            this.where.textContent = `${state} of ${run.length - 1}${loop}`;
            this.where.dataset.at = this.at;
            this.panels.forEach((part) => part.show());
            history.replaceState(null, '', `#${this.selected},${this.at}`);
        }

        /// Goes to the next change of the chosen variable, or of anything shown; in a loop at most once round.
        change(way) {
            const { run, filter } = this;
            const changes = (at) =>
                run.news[run.row(at)].some((v) => (this.chosen === null ? filter.shows(run, v) : v === this.chosen));
            for (let at = this.at + way, n = 0; at > 0 && at <= run.last() && n <= run.length; at += way, n += 1) {
                if (changes(at)) return this.go(at);
            }
            return undefined;
        }

        choose(v) {
            this.chosen = this.chosen === v ? null : v;
            this.go(this.at);
        }

        key(event) {
            const typing = event.target.closest('input[type=search], input[type=text], select, textarea');
            if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
            if (event.key === 'Escape') {
                this.words.value = '';
                this.words.blur();
                this.filter.groups.clear();
                this.chosen = null;
                if (this.run && this.run.length) {
                    this.chipped();
                    this.narrow();
                }
                return;
            }
            if (typing) return;
            const turn = (by) => {
                const i = this.selected + by;
                if (this.entries[i]) this.select(i, 0);
            };
            const acts = {
                ArrowRight: () => this.go(this.at + 1),
                ArrowDown: () => this.go(this.at + 1),
                j: () => this.go(this.at + 1),
                ArrowLeft: () => this.go(this.at - 1),
                ArrowUp: () => this.go(this.at - 1),
                k: () => this.go(this.at - 1),
                Home: () => this.go(0),
                End: () => this.go(this.run.length - 1),
                o: () => this.go(this.run.back),
                n: () => this.change(1),
                p: () => this.change(-1),
                f: () => this.fold(),
                '/': () => this.words.focus(),
                '?': () => this.help.showModal(),
                '[': () => turn(-1),
                ']': () => turn(1),
            };
            const act = acts[event.key];
            if (!act || !this.run) return;
            if (!this.run.length && !'[]?'.includes(event.key)) return;
            event.preventDefault();
            act();
        }
    }

    return { Page, el };
})();
