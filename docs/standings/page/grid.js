'use strict';
// A table of any number of rows, of which only those in view are in the document. A column is
//   { key, heading, unit, numeric, width, sortKey(row), text(row), content(row) }
// where a row is an index into data that the caller has, sortKey gives a number (NaN for none), text
// what is shown, and content, if there, an element to show instead.
(() => {
  const { element } = memplan;
  const rowHeight = 28;
  const rowsBeyondView = 8;
  const mostPrintedRows = 500;
  const narrowPage = 600;
  const narrowColumn = 18;

  function makeHeading(grid, column) {
    const unit = column.unit ? element('span', { class: 'unit' }, ` (${column.unit})`) : null;
    const button = element('button', { type: 'button', click: () => toggleSort(grid, column) },
                           column.heading, unit);
    return element('th', {
      scope: 'col',
      class: column.numeric ? 'number' : null,
      'aria-sort': 'none',
    }, button);
  }

  function makeCell(grid, row, column, isFirst) {
    const content = column.content ? column.content(row) : null;
    const text = column.text(row);
    return element(isFirst ? 'th' : 'td', {
      scope: isFirst ? 'row' : null,
      class: column.numeric ? 'number' : null,
      title: content || text.length <= column.width ? null : text,
    }, content || text);
  }

  function makeRow(grid, position) {
    const row = grid.order[position];
    const cells = grid.columns.map((column, i) => makeCell(grid, row, column, i === 0));
    return element('tr', { 'aria-rowindex': position + 2 }, ...cells);
  }

  // Spacers keep the scroll bar as long as all rows would make it.
  function makeSpacer(grid) {
    const cell = element('td', { colspan: grid.columns.length });
    return element('tr', { 'aria-hidden': 'true', class: 'spacer' }, cell);
  }

  function setHeight(spacer, rows) {
    spacer.hidden = rows === 0;
    spacer.firstChild.style.height = `${rows * rowHeight}px`;
  }

  function forgetRows(grid, first, end) {
    for (const [position, row] of grid.shown) {
      if (position < first || position >= end) {
        row.remove();
        grid.shown.delete(position);
      }
    }
  }

  // Rows that stay in view keep their elements, and with them the focus.
  function showRows(grid, first, end) {
    forgetRows(grid, first, end);
    let next = grid.below;
    for (let position = end - 1; position >= first; position--) {
      let row = grid.shown.get(position);
      if (!row) {
        row = makeRow(grid, position);
        grid.shown.set(position, row);
        grid.body.insertBefore(row, next);
      }
      next = row;
    }
    setHeight(grid.above, first);
    setHeight(grid.below, grid.order.length - end);
  }

  function update(grid) {
    const top = Math.floor(grid.view.scrollTop / rowHeight);
    const height = Math.ceil(grid.view.clientHeight / rowHeight);
    const first = Math.max(0, Math.min(top, grid.order.length) - rowsBeyondView);
    showRows(grid, first, Math.min(grid.order.length, top + height + rowsBeyondView));
  }

  function compareBy(keys, direction) {
    return (a, b) => {
      const left = keys[a];
      const right = keys[b];
      if (left === right) {
        return a - b;
      }
      if (Number.isNaN(left) || Number.isNaN(right)) {
        return Number.isNaN(left) - Number.isNaN(right) || a - b;
      }
      return direction * (left - right);
    };
  }

  function sortKeys(grid, column) {
    if (!grid.keys.has(column.key)) {
      const keys = new Float64Array(grid.count);
      for (let row = 0; row < grid.count; row++) {
        keys[row] = column.sortKey(row);
      }
      grid.keys.set(column.key, keys);
    }
    return grid.keys.get(column.key);
  }

  function arrange(grid) {
    grid.order = Uint32Array.from(grid.chosen);
    if (grid.sort) {
      grid.order.sort(compareBy(sortKeys(grid, grid.sort.column), grid.sort.direction));
    }
    grid.table.setAttribute('aria-rowcount', grid.order.length + 1);
    forgetRows(grid, 0, 0);
    update(grid);
  }

  function tellSort(grid) {
    grid.columns.forEach((column, i) => {
      const isSorted = grid.sort && grid.sort.column === column;
      const direction = isSorted && grid.sort.direction < 0 ? 'descending' : 'ascending';
      grid.headings[i].setAttribute('aria-sort', isSorted ? direction : 'none');
    });
  }

  function setSort(grid, key, direction) {
    const column = grid.columns.find((known) => known.key === key);
    grid.sort = column ? { column, direction } : null;
    tellSort(grid);
    arrange(grid);
  }

  // First as it rises, then as it falls, then as the rows came.
  function toggleSort(grid, column) {
    const before = grid.sort && grid.sort.column === column ? grid.sort.direction : 0;
    setSort(grid, before < 0 ? null : column.key, before === 0 ? 1 : -1);
    grid.view.scrollTop = 0;
    grid.onSort(grid.sort && grid.sort.column.key, grid.sort && grid.sort.direction);
  }

  // In a narrow window a long first column would leave no room for the others.
  function widthOf(column, i) {
    return (i === 0 && innerWidth <= narrowPage ? Math.min(narrowColumn, column.width) : column.width) + 3;
  }

  function makeTable(grid, caption) {
    grid.headings = grid.columns.map((column) => makeHeading(grid, column));
    grid.above = makeSpacer(grid);
    grid.below = makeSpacer(grid);
    grid.body = element('tbody', {}, grid.above, grid.below);
    const widths = grid.columns.map(widthOf);
    grid.table = element('table', { class: 'grid' },
                         element('caption', {}, caption),
                         element('colgroup', {}, ...widths.map((width) => element('col', { style: `width: ${width}ch` }))),
                         element('thead', {}, element('tr', {}, ...grid.headings)), grid.body);
    grid.table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}ch`;
  }

  // Paper has no scroll bar: as many rows as a reader would look through are printed.
  function print(grid, isPrinting) {
    grid.view.classList.toggle('printing', isPrinting);
    if (isPrinting) {
      showRows(grid, 0, Math.min(grid.order.length, mostPrintedRows));
      grid.above.hidden = true;
      grid.below.hidden = true;
    } else {
      update(grid);
    }
  }

  function listen(grid) {
    let isWaiting = false;
    const updateSoon = () => {
      if (!isWaiting) {
        isWaiting = true;
        requestAnimationFrame(() => {
          isWaiting = false;
          update(grid);
        });
      }
    };
    grid.view.addEventListener('scroll', updateSoon, { passive: true });
    new ResizeObserver(updateSoon).observe(grid.view);
    addEventListener('beforeprint', () => print(grid, true));
    addEventListener('afterprint', () => print(grid, false));
  }

  // Makes the table inside the host. setRows takes the rows to show, setData other data altogether.
  function create(host, { caption, columns, count, onSort }) {
    const grid = { columns, count, onSort: onSort || (() => {}), shown: new Map(), keys: new Map() };
    grid.chosen = Uint32Array.from({ length: count }, (_, row) => row);
    grid.order = grid.chosen;
    grid.sort = null;
    makeTable(grid, caption);
    grid.view = element('div', {
      class: 'view', tabindex: 0, role: 'region', 'aria-label': `${caption}, scrollable`,
    }, grid.table);
    host.append(grid.view);
    listen(grid);
    arrange(grid);
    return {
      setRows: (rows) => {
        grid.chosen = rows;
        arrange(grid);
      },
      setData: (length) => {
        grid.count = length;
        grid.keys.clear();
        grid.chosen = Uint32Array.from({ length }, (_, row) => row);
        arrange(grid);
      },
      setSort: (key, direction) => setSort(grid, key, direction),
      redraw: () => arrange(grid),
    };
  }

  memplan.grid = { create };
})();
