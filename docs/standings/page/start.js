'use strict';
// Data files come after the scripts, so everything begins when the document is complete.
document.addEventListener('DOMContentLoaded', () => {
  memplan.theme.start();
  memplan.tables.start();
  memplan.results.start();
  memplan.layouts.start();
  memplan.timelines.start();
});
