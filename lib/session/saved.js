'use strict';
const readSaved = (saved) => saved; const takeUp = function* () {}; const writeSaved = () => ({});
module.exports = { readSaved, takeUp, writeSaved };
