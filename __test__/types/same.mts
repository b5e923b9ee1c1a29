// Both module systems are given the same functions, of the same types.
import * as imported from 'palimpsest';
import required = require('palimpsest');

const one: typeof required = imported;
const other: typeof imported = required;
void [one, other];
