// The table of samples. Rows are made as they come into view, and what a sample opens to when it is opened, so that
// the page is up at once however many samples there are. Every text goes in as text, never as HTML.
(() => {
  const samples = JSON.parse(document.getElementById('data').textContent);
  const CHUNK = 100;
  const COLUMNS = [
    { title: 'Outcome', width: '126px', of: (s) => s.outcome },
    { title: 'Sample', width: '262px', of: (s) => s.id },
    { title: 'Question', width: '', of: (s) => s.question },
    { title: 'Failed by', width: '214px', of: (s) => s.error, optional: true },
    { title: 'Difficulty', width: '96px', of: (s) => s.difficulty, optional: true },
    {
      title: 'Calls',
      width: '64px',
      of: (s) => s.calls ?? -1,
      show: (s) => `${s.calls ?? '–'}/${s.goldCalls}`,
    },
  ];
  const FILTERS = [
    ['outcome', 'All outcomes', (s) => s.outcome],
    ['formulation', 'All formulations', (s) => s.formulation],
    ['db', 'All domains', (s) => s.db],
    ['difficulty', 'All difficulties', (s) => s.difficulty],
    ['error', 'All classes of error', (s) => s.error],
    ['construct', 'All constructs', (s) => s.constructs],
  ];

  /** make('td', {class: 'n'}, 'text', element) */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  const words = (name) => name.replaceAll('_', ' ');
  const collator = new Intl.Collator('en', { numeric: true });
  const section = document.getElementById('samples');
  const search = make('input', {
    type: 'search',
    placeholder: 'Search id, question, tools, SQL',
    'aria-label': 'Search',
  });
  const selects = new Map(FILTERS.map(([name, title, of]) => [name, makeSelect(title, of)]));
  const count = make('span', { class: 'note', role: 'status' });
  const body = make('tbody');
  const headers = COLUMNS.map((column, i) => {
    const button = make('button', { type: 'button' }, column.title);
    button.addEventListener('click', () => sortBy(i));
    return button;
  });
  const more = make('div');
  const table = make(
    'table',
    { class: 'list' },
    make(
      'colgroup',
      null,
      ...COLUMNS.map(({ width, optional }) =>
        make('col', { style: width && `width:${width}`, class: optional ? 'optional' : '' }),
      ),
    ),
    make(
      'thead',
      null,
      make(
        'tr',
        null,
        ...headers.map((button, i) =>
          make('th', { scope: 'col', class: COLUMNS[i].optional ? 'optional' : '' }, button),
        ),
      ),
    ),
    body,
  );
  section.append(
    make('h2', null, 'Samples '),
    make('div', { class: 'controls' }, search, ...selects.values()),
    table,
    more,
  );
  section.querySelector('h2').append(count);

  let shown = samples;
  let drawn = 0;
  let sorted = { column: null, descending: false };
  const texts = samples.map(searchText);
  const indexOf = new Map(samples.map((sample, i) => [sample, i]));

  function makeSelect(title, of) {
    const values = [...new Set(samples.flatMap(of))].filter(Boolean).sort(collator.compare);
    const select = make('select', { 'aria-label': title }, make('option', { value: '' }, title));
    for (const value of values) select.append(make('option', { value }, words(value)));
    if (values.length < 2) select.hidden = true;
    select.addEventListener('change', refresh);
    return select;
  }

  function searchText(s) {
    const calls = s.lines
      .flat()
      .map((call) => (call === null ? '' : `${call.name} ${call.args.map((a) => a[1]).join(' ')}`));
    return `${s.id}\n${s.question}\n${s.query}\n${calls.join('\n')}`.toLowerCase();
  }

  function refresh() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = FILTERS.map(([name, , of]) => [selects.get(name).value, of]).filter(
      ([value]) => value !== '',
    );
    shown = samples.filter(
      (s) =>
        chosen.every(([value, of]) => (Array.isArray(of(s)) ? of(s).includes(value) : of(s) === value)) &&
        wanted.every((word) => texts[indexOf.get(s)].includes(word)),
    );
    if (sorted.column !== null) {
      const { of } = COLUMNS[sorted.column];
      const sign = sorted.descending ? -1 : 1;
      shown.sort((a, b) => sign * collator.compare(of(a), of(b)) || indexOf.get(a) - indexOf.get(b));
    }
    count.textContent =
      shown.length === samples.length ? `${samples.length}` : `${shown.length} of ${samples.length}`;
    body.replaceChildren();
    drawn = 0;
    draw();
  }

  function sortBy(column) {
    sorted = { column, descending: sorted.column === column && !sorted.descending };
    for (const button of headers) button.removeAttribute('aria-sort');
    headers[column].setAttribute('aria-sort', sorted.descending ? 'descending' : 'ascending');
    refresh();
  }

  function draw() {
    const rows = shown.slice(drawn, drawn + CHUNK).map(makeRow);
    drawn += rows.length;
    body.append(...rows);
  }

  function makeRow(s) {
    const cells = COLUMNS.map(({ of, show, optional }, i) => {
      const value = show ? show(s) : words(String(of(s)));
      const cell = make('td', {
        class: optional ? 'optional' : i === 5 ? 'n' : '',
        title: i === 1 || i === 2 ? of(s) : '',
      });
      if (i === 0) cell.append(make('i', { class: `dot ${s.outcome}` }));
      cell.append(i === 1 ? s.id.slice(s.id.indexOf('/') + 1) : i === 2 ? s.question : value);
      return cell;
    });
    const row = make('tr', { class: 'sample', tabindex: '0', 'aria-expanded': 'false' }, ...cells);
    row.addEventListener('click', () => toggle(row, s));
    row.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle(row, s);
    });
    return row;
  }

  function toggle(row, s) {
    const open = row.classList.toggle('open');
    row.setAttribute('aria-expanded', String(open));
    if (!open) row.nextElementSibling.remove();
    else {
      row.after(make('tr', { class: 'detail' }, make('td', { colspan: String(COLUMNS.length) }, detail(s))));
      history.replaceState(null, '', `#${encodeURIComponent(s.id)}`);
    }
  }

  function detail(s) {
    const parts = [make('p', { class: 'question' }, s.question)];
    if (s.evidence) parts.push(make('p', { class: 'note' }, `Hint: ${s.evidence}`));
    parts.push(make('pre', null, s.query));
    parts.push(
      make(
        'div',
        { class: 'beside' },
        make('h3', null, 'Gold calls'),
        make('h3', null, `Predicted calls${s.parsed ? '' : ' – none could be read'}`),
      ),
    );
    for (const [gold, predicted] of s.lines) {
      parts.push(make('div', { class: 'beside' }, callBox(gold, 'gold'), callBox(predicted, 'predicted')));
    }
    if (s.transcript.length > 0) {
      const head = ['call', 'status', 'code', 'handle', 'rows', 'latency', 'refused'];
      const line = (cell, texts) => make('tr', null, ...texts.map((text) => make(cell, null, text)));
      parts.push(make('h3', null, 'Transcript'));
      parts.push(
        make(
          'table',
          { class: 'cells' },
          line('th', head),
          ...s.transcript.map((texts) => line('td', texts)),
        ),
      );
    }
    if (s.sql) parts.push(folded('SQL of the agent', s.sql));
    if (s.raw) parts.push(folded('What the model wrote', s.raw));
    const from =
      { answer: ' (answer)', replay: ' (calls replayed)', gold_calls: ' (same calls as gold)' }[s.source] ??
      '';
    parts.push(
      make(
        'div',
        { class: 'beside' },
        make(
          'div',
          null,
          make('h3', null, `Gold result, ${rowsText(s.goldRowCount)}${s.ordered ? ', ordered' : ''}`),
          rowsTable(s.goldRows, s.goldRowCount, s.rows, 'gold', s),
        ),
        make(
          'div',
          null,
          make('h3', null, s.rows === null ? 'No result' : `Result${from}, ${rowsText(s.rowCount)}`),
          s.rows === null ? null : rowsTable(s.rows, s.rowCount, s.goldRows, 'predicted', s),
        ),
      ),
    );
    if (s.note) parts.push(make('h3', null, 'Note'), make('pre', null, s.note));
    const scores = [
      ...s.scores,
      ['constructs', s.constructs.map(words).join(', ')],
      ['flags', s.flags.map(words).join(', ')],
    ];
    parts.push(make('h3', null, 'Scores'));
    parts.push(
      make(
        'p',
        { class: 'scores' },
        ...scores
          .filter(([, v]) => v)
          .map(([name, value]) => make('span', null, `${name} `, make('b', null, value))),
      ),
    );
    return make('div', null, ...parts);
  }

  function folded(title, text) {
    return make('details', null, make('summary', null, title), make('pre', null, text));
  }

  function callBox(call, side) {
    if (call === null) return make('div', { class: 'call none' });
    const label = call.label ? make('em', null, `${call.label} = `) : null;
    const lines = call.args.map(([key, value, differs]) =>
      make(
        'span',
        null,
        make('em', null, `${key}: `),
        make('code', { class: differs ? 'differs' : '' }, value),
      ),
    );
    return make(
      'div',
      { class: `call ${side}${call.wrong ? ' wrong' : ''}` },
      label,
      make('b', null, call.name),
      ...lines,
    );
  }

  const rowsText = (n) => `${n} ${n === 1 ? 'row' : 'rows'}`;

  function rowsTable(rows, whole, other, side, s) {
    const key = (row) =>
      JSON.stringify(row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell)));
    const known = new Map();
    for (const row of other ?? []) known.set(key(row), (known.get(key(row)) ?? 0) + 1);
    // Where either result is cut, a row that is not shown on the other side may still be there.
    const comparable =
      other !== null &&
      whole === rows.length &&
      s.goldRowCount === s.goldRows.length &&
      s.rowCount === s.rows?.length;
    const lines = rows.map((row) => {
      const left = known.get(key(row)) ?? 0;
      if (left > 0) known.set(key(row), left - 1);
      const cells = row.map((cell) =>
        make('td', { class: cell === null ? 'null' : '' }, cell === null ? 'NULL' : String(cell)),
      );
      return make('tr', { class: comparable && left === 0 ? 'differs' : '' }, ...cells);
    });
    const cut = whole > rows.length ? make('p', { class: 'note' }, `${whole - rows.length} more`) : null;
    return make('div', null, make('table', { class: `cells ${side}` }, ...lines), cut);
  }

  let waiting = 0;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
  });
  for (const button of document.querySelectorAll('[data-error]')) {
    button.addEventListener('click', () => {
      selects.get('error').value = button.dataset.error;
      refresh();
      section.scrollIntoView();
    });
  }
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && draw(), {
    rootMargin: '600px',
  }).observe(more);
  refresh();

  const linked = decodeURIComponent(location.hash.slice(1));
  if (linked && samples.some((s) => s.id === linked)) {
    search.value = linked;
    refresh();
    body.querySelector('tr.sample')?.click();
    section.scrollIntoView();
  }
})();
