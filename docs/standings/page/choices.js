'use strict';
// A folded list of check boxes, with a field that shortens it: which planners, which policies.
(() => {
  const { element, text } = memplan;
  const leastSearched = 12;

  // The boxes are made when the list is first opened: there may be thousands.
  function fill(choice) {
    if (choice.boxes.length === 0) {
      choice.list.append(...choice.names.map((name) => makeBox(choice, name)));
      tell(choice);
    }
  }

  function tell(choice) {
    const chosen = choice.chosen;
    const names = chosen.size === 0 ? 'all'
                  : chosen.size <= 2 ? [...chosen].join(', ') : text.plural(chosen.size, 'name');
    choice.summary.textContent = `${choice.title}: ${names}`;
    choice.details.classList.toggle('active', chosen.size > 0);
    choice.boxes.forEach((box) => {
      box.checked = chosen.has(box.value);
    });
  }

  function makeBox(choice, name) {
    const box = element('input', {
      type: 'checkbox',
      change: () => {
        choice.chosen[box.checked ? 'add' : 'delete'](name);
        tell(choice);
        choice.onChange();
      },
    });
    box.value = name;
    choice.boxes.push(box);
    return element('label', {}, box, ` ${name === '' ? '(none)' : name}`);
  }

  function makeSearch(choice) {
    const input = element('input', {
      type: 'search',
      'aria-label': `Find a ${choice.title}`,
      placeholder: 'find',
      input: () => {
        for (const label of choice.list.children) {
          label.hidden = !label.textContent.toLowerCase().includes(input.value.toLowerCase());
        }
      },
    });
    return input;
  }

  function clear(choice) {
    choice.chosen.clear();
    tell(choice);
    choice.onChange();
  }

  // One list is open at a time; Escape and a click elsewhere close it.
  function listen(details) {
    details.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && details.open) {
        details.open = false;
        details.firstChild.focus();
      }
    });
    document.addEventListener('click', (event) => {
      if (!details.contains(event.target)) {
        details.open = false;
      }
    });
  }

  // Of several names any; none chosen means all. chosen is a set that onChange's caller reads, and
  // set(names) chooses others without calling it.
  function create(title, names, onChange) {
    const choice = { title, names, onChange, chosen: new Set(), boxes: [] };
    choice.list = element('div', { class: 'list' });
    choice.summary = element('summary', {});
    const none = element('button', { type: 'button', click: () => clear(choice) }, 'all');
    choice.details = element('details', { class: 'choice' }, choice.summary,
                             element('div', { class: 'panel', role: 'group', 'aria-label': title },
                                     names.length >= leastSearched ? makeSearch(choice) : null,
                                     none, choice.list));
    choice.details.addEventListener('toggle', () => fill(choice));
    listen(choice.details);
    tell(choice);
    return {
      element: choice.details,
      chosen: choice.chosen,
      set: (wanted) => {
        choice.chosen.clear();
        wanted.filter((name) => names.includes(name)).forEach((name) => choice.chosen.add(name));
        tell(choice);
      },
    };
  }

  memplan.choices = { create };
})();
