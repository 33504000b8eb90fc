'use strict';
// Light or dark: as the system says, until the switch says otherwise.
(() => {
  const { element } = memplan;
  const key = 'memplan-theme';
  const choices = [['system', 'as the system'], ['light', 'light'], ['dark', 'dark']];
  const listeners = [];

  // Storage may be forbidden for pages that were opened from a file.
  function readChoice() {
    try {
      return localStorage.getItem(key) || 'system';
    } catch (error) {
      return 'system';
    }
  }

  function writeChoice(choice) {
    try {
      localStorage.setItem(key, choice);
    } catch (error) {
      // The choice then lasts as long as the page is open.
    }
  }

  function apply(choice) {
    if (choice === 'system') {
      document.documentElement.removeAttribute('data-theme');
    } else {
      document.documentElement.setAttribute('data-theme', choice);
    }
    listeners.forEach((listener) => listener());
  }

  // Calls the listener whenever colours change, for what draws with them.
  function onChange(listener) {
    listeners.push(listener);
  }

  // The value of a custom property of the style sheet, such as "--ink".
  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function makeSwitch() {
    const select = element('select', {
      id: 'theme',
      change: () => {
        writeChoice(select.value);
        apply(select.value);
      },
    }, ...choices.map(([value, label]) => element('option', { value }, label)));
    select.value = readChoice();
    return element('label', { class: 'theme' }, 'Colours ', select);
  }

  function start() {
    apply(readChoice());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(readChoice()));
    document.querySelector('header').append(makeSwitch());
  }

  memplan.theme = { start, onChange, colour };
})();
