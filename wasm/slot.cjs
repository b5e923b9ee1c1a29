'use strict';
// The engine of palimpsest/edge: lib/ takes its functions from here, in the place of lib/native.js. There are none before `init`.

const none = new Proxy(
  {},
  {
    get(_, name) {
      throw new Error(`palimpsest/edge has no engine yet: await init(wasm) before the first call (${String(name)})`);
    },
  },
);
module.exports = Object.create(none);
