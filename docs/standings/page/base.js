'use strict';
// The namespace of the page: data files add to it, and each script takes from it what it needs. It is
// the only name that the page defines.
const memplan = (() => {
  const texts = new Map();
  const parsed = new Map();
  const loading = new Map();

  // Called by data files. Their text is parsed when it is first asked for.
  function add(name, text) {
    texts.set(name, text);
  }

  // The data of that name, or null where no file brought them.
  function get(name) {
    if (!parsed.has(name) && texts.has(name)) {
      parsed.set(name, JSON.parse(texts.get(name)));
      texts.delete(name);
    }
    return parsed.has(name) ? parsed.get(name) : null;
  }

  // A page that was opened from a file may not fetch, but it may add a script.
  function addScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `data/${name}.js`;
      script.onload = () => resolve(get(name));
      script.onerror = () => reject(new Error(`the file data/${name}.js is missing`));
      document.head.append(script);
    });
  }

  // A promise of the data of data/NAME.js, which is loaded at most once.
  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, get(name) ? Promise.resolve(get(name)) : addScript(name));
    }
    return loading.get(name);
  }

  // An element with attributes and children. Texts become text nodes, so that nothing in them is
  // markup. An attribute that is a function is a listener; false and null leave it out.
  function element(tag, attributes, ...children) {
    const created = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === 'function') {
        created.addEventListener(name, value);
      } else if (value !== false && value !== null && value !== undefined) {
        created.setAttribute(name, value === true ? '' : String(value));
      }
    }
    created.append(...children.filter((child) => child !== null && child !== undefined));
    return created;
  }

  // A line that screen readers read out when its text changes.
  function statusLine() {
    return element('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  }

  return { add, get, load, element, statusLine };
})();
