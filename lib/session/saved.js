'use strict';
const readSaved = () => {};
const writeSaved = () => ({});
module.exports = { readSaved, writeSaved };
