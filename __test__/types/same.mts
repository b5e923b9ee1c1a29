// Both module systems are given the same functions, of the same types.
import * as imported from '../../index.mjs';
import required = require('../../index.js');

const one: typeof required = imported;
const other: typeof imported = required;
void [one, other];
