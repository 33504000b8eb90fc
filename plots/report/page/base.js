'use strict';
// The namespace of the page: data files add to it, and each script takes from it what it needs. It is
// the only name that the page defines.
const memplan = (() => {
  const packed = new Map();
  const unpacked = new Map();
  const loading = new Map();
  let unpacking = null;

  // Called by data files, with JSON that is compressed by gzip and written as base64.
  function add(name, text) {
    packed.set(name, text);
  }

  // A column of texts that has no codes has another text in each row.
  function addCodes(columns) {
    for (const column of Object.values(columns)) {
      if (column && column.names && !column.codes) {
        column.codes = [...column.names.keys()];
      }
    }
  }

  async function unpack(name) {
    const bytes = Uint8Array.from(atob(packed.get(name)), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const value = await new Response(stream).json();
    packed.delete(name);
    [value, ...(value.shapes || [])].forEach(addCodes);
    unpacked.set(name, value);
    return value;
  }

  // A promise that all data that came with the page is unpacked, when `get` has it.
  function ready() {
    unpacking = unpacking || Promise.all([...packed.keys()].map(unpack));
    return unpacking;
  }

  // The data of that name, or null where no file brought them.
  function get(name) {
    return unpacked.get(name) || null;
  }

  // A page that was opened from a file may not fetch, but it may add a script.
  function addScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `data/${name}.js`;
      script.onload = () => resolve(unpack(name));
      script.onerror = () => reject(new Error(`the file data/${name}.js is missing`));
      document.head.append(script);
    });
  }

  // A promise of the data of data/NAME.js, which is loaded at most once.
  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, addScript(name));
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

  return { add, ready, get, load, element, statusLine };
})();
