'use strict';
// Tables that are in the document as they were written get headings that sort them and, where they
// are long, a field that filters them. Where a table does not fit, each row becomes a card.
(() => {
  const { element, statusLine, text } = memplan;
  const leastFilteredRows = 20;

  // The number that a cell shows, NaN for none. Groups of digits have narrow spaces between them.
  function readNumber(cell) {
    const digits = cell.textContent.replace(/[\u202f\s]/g, '');
    return digits === '' || digits === text.dash ? NaN : Number(digits);
  }

  function compareCells(left, right) {
    const a = readNumber(left);
    const b = readNumber(right);
    const shown = [left.textContent.trim(), right.textContent.trim()];
    if (shown[0] === text.dash || shown[1] === text.dash) {
      return { last: (shown[0] === text.dash) - (shown[1] === text.dash), order: 0 };
    }
    if (!Number.isNaN(a) && !Number.isNaN(b)) {
      return { last: 0, order: a - b };
    }
    return { last: 0, order: shown[0].localeCompare(shown[1], 'en', { numeric: true }) };
  }

  function sortBy(table, column, direction) {
    const rows = [...table.rows].sort((a, b) => {
      const { last, order } = compareCells(a.element.cells[column], b.element.cells[column]);
      return last || direction * order || a.position - b.position;
    });
    table.body.append(...(direction ? rows : table.rows).map((row) => row.element));
  }

  function toggleSort(table, column) {
    const heading = table.headings[column];
    const next = { none: 'ascending', ascending: 'descending', descending: 'none' };
    const sort = next[heading.getAttribute('aria-sort')];
    table.headings.forEach((other) => other.setAttribute('aria-sort', 'none'));
    heading.setAttribute('aria-sort', sort);
    sortBy(table, column, { none: 0, ascending: 1, descending: -1 }[sort]);
  }

  function addButtons(table) {
    table.headings.forEach((heading, column) => {
      const button = element('button', { type: 'button', click: () => toggleSort(table, column) });
      button.append(...heading.childNodes);
      heading.append(button);
      heading.setAttribute('aria-sort', 'none');
    });
  }

  // Rows that hold every word of the filter stay.
  function filter(table, words, status) {
    const wanted = words.toLowerCase().split(/\s+/).filter((word) => word);
    let shown = 0;
    for (const row of table.rows) {
      row.element.hidden = !wanted.every((word) => row.lower.includes(word));
      shown += !row.element.hidden;
    }
    status.textContent = wanted.length === 0 ? ''
                         : `${text.count(shown)} of ${text.plural(table.rows.length, 'row')}`;
  }

  function addFilter(table) {
    const status = statusLine();
    const input = element('input', {
      type: 'search', placeholder: 'planner, instance, …',
      input: () => filter(table, input.value, status),
    });
    const caption = table.element.caption ? table.element.caption.textContent : 'this table';
    const label = element('label', { class: 'filter' },
                          element('span', {}, 'Rows with '), input);
    input.setAttribute('aria-label', `Only rows of “${caption}” with these words`);
    table.element.closest('.scroll').before(element('div', { class: 'bar' }, label, status));
  }

  // Words that are names and paths may be broken behind these characters; most cells have none.
  function addBreaks(cell) {
    const place = /(?<=[_/?&;=])(?=\S)/;
    for (const node of [...cell.childNodes]) {
      if (node.nodeType === Node.TEXT_NODE && place.test(node.data)) {
        node.replaceWith(...node.data.split(place).flatMap((piece, i) => (i ? [element('wbr'), piece] : [piece])));
      }
    }
  }

  // Says before each cell but the first what it is, for where its column is not to be seen: on cards.
  function labelCells(found) {
    const labels = [...found.tHead.rows[0].cells].map((heading) => heading.textContent);
    for (const row of found.rows) {
      [...row.cells].forEach((cell, column) => {
        const shown = cell.textContent.trim();
        if (shown === '' || shown === text.dash) {
          cell.dataset.missing = '';
        } else if (column > 0) {
          cell.dataset.label = labels[column];
        }
      });
    }
  }

  // Called when the box of a table gets its width, or another one: the first way that fits is taken.
  function fit(box) {
    if (box.clientWidth !== Number(box.dataset.width)) {
      box.dataset.width = box.clientWidth;
      for (const way of ['scroll', 'scroll tight', 'scroll cards']) {
        if (way === 'scroll cards' && box.dataset.labelled === undefined) {
          box.dataset.labelled = '';
          labelCells(box.firstElementChild);
        }
        box.className = way;
        if (box.scrollWidth <= box.clientWidth) {
          return;
        }
      }
    }
  }

  function enhance(found) {
    const body = found.tBodies[0];
    const rows = body ? [...body.rows].map((row, position) => ({
      element: row, position, lower: row.textContent.toLowerCase(),
    })) : [];
    if (rows.length < 2) {
      return;
    }
    const headings = [...found.tHead.rows[0].cells];
    const table = { element: found, body, rows, headings };
    addButtons(table);
    if (rows.length >= leastFilteredRows) {
      addFilter(table);
    }
  }

  function start() {
    const fitting = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
    document.querySelectorAll('.scroll > table').forEach((found) => {
      found.querySelectorAll('th, td').forEach(addBreaks);
      enhance(found);
      fitting.observe(found.parentElement);
    });
    // On paper nothing can be unfolded.
    window.addEventListener('beforeprint', () => {
      document.querySelectorAll('details.verdicts').forEach((found) => { found.open = true; });
    });
  }

  memplan.tables = { start };
})();
