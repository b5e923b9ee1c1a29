// What the package exports at its root, and for the package that it replaces.
import * as everything from '../../index.mjs';

export const palimpsest = { ...everything };
