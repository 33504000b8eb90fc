'use strict';
// Data files come after the scripts, so everything begins when the document is complete.
document.addEventListener('DOMContentLoaded', async () => {
  memplan.theme.start();
  memplan.tables.start();
  try {
    await memplan.ready();
  } catch (error) {
    const problem = document.createElement('p');
    problem.className = 'problem';
    problem.textContent = `This browser cannot unpack the data of the page: ${error.message}`;
    document.body.prepend(problem);
    return;
  }
  memplan.results.start();
  memplan.layouts.start();
  memplan.timelines.start();
  // What the scripts added has moved the place that the address names.
  const place = document.getElementById(location.hash.slice(1));
  if (place) {
    place.scrollIntoView();
  }
});
