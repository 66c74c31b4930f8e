// Walking a model by hand: what `riata explore --serve` adds to the page of a run.
//
// The server holds the walk. Each act is sent with the number of steps that the reader has seen, so that a click on an
// old page does nothing; what comes back is the run so far and the steps that are possible now.
'use strict';

(() => {
    const { Page, el } = riata;
    const main = document.querySelector('main');
    const says = el('output', { id: 'says', role: 'status' });
    const chosen = { state: null, busy: false };

    async function act(what) {
        if (chosen.busy) return;
        chosen.busy = true;
        says.textContent = '';
        try {
            const at = chosen.state ? chosen.state.steps : null;
            const answer = await fetch('act', {
                method: 'POST',
                headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify({ ...what, at }),
            });
            const told = await answer.json();
            if (told.error) says.textContent = told.error;
            if (told.choices) show(told);
        } catch (error) {
            says.textContent = 'the program has ended: start `riata explore --serve` again';
        } finally {
            chosen.busy = false;
        }
    }

    const count = el('input', { id: 'count', type: 'number', min: 0, value: 10, 'aria-label': 'number of steps' });
    const condition = el('input', { id: 'until', type: 'text', placeholder: 'condition', 'aria-label': 'condition' });
    const n = () => Math.max(0, Math.floor(Number(count.value) || 0));
    const button = (id, text, title, what) => el('button', { id, title, onclick: () => act(what()) }, text);
    const bar = el(
        'div',
        { class: 'walk' },
        button('undo', 'back', 'take the last step back (Backspace)', () => ({ back: 1 })),
        button('restart', 'begin again', 'go back to the first state', () => ({ goto: 0 })),
        button('random', 'by chance', 'take so many steps by chance', () => ({ random: n() })),
        count,
        button('goto', 'go to', 'go back to the state with this number', () => ({ goto: n() })),
        button('rununtil', 'until', 'go on by chance until the condition is true', () => ({ until: condition.value })),
        condition,
        says,
    );
    const box = el('div', { class: 'box', tabindex: 0, role: 'region', 'aria-label': 'possible steps' });
    const title = el('h2', {}, 'What can happen next');
    const note = el('span', { class: 'note' });
    const choices = el(
        'section',
        { class: 'panel choices', id: 'choices' },
        el('div', { class: 'bar' }, title, note),
        box,
    );
    main.append(choices, bar);
    const page = new Page(main);

    /// Shows the walk as the server tells it.
    function show(told) {
        chosen.state = told;
        const rows = told.choices.map((choice, i) =>
            el(
                'div',
                {
                    class: 'choice',
                    'data-choice': i,
                    role: 'button',
                    tabindex: 0,
                    title: [choice.place, choice.statement, choice.changes].filter(Boolean).join('\n'),
                    onclick: () => act({ take: i }),
                    onkeydown: (event) => {
                        if (event.key === 'Enter') act({ take: i });
                    },
                },
                el('b', {}, String(i)),
                el('span', { class: 'place' }, choice.place),
                el('span', {}, choice.statement || (told.steps === null ? 'initial state' : '')),
                el('span', { class: 'change' }, choice.changes),
            ),
        );
        box.style.setProperty('--lines', Math.max(1, Math.min(12, rows.length)));
        box.replaceChildren(el('div', { class: 'list' }, ...rows));
        title.textContent = told.steps === null ? 'Initial states' : 'What can happen next';
        note.textContent = !rows.length
            ? 'nothing can move here'
            : told.more
              ? 'there are more; these are the first'
              : `${rows.length}: click, or press 0 to ${Math.min(9, rows.length - 1)}`;
        if (told.document) {
            history.replaceState(null, '', `#0,${told.steps}`);
            page.open([told.document]);
        }
    }

    document.addEventListener('keydown', (event) => {
        if (event.target.closest('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'Backspace') act({ back: 1 });
        else if (/^[0-9]$/.test(event.key) && chosen.state && Number(event.key) < chosen.state.choices.length)
            act({ take: Number(event.key) });
        else return;
        event.preventDefault();
    });
    act({});
})();
