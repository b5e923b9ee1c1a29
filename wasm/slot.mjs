// The engine of the edge entry: lib/ takes its functions from here, in the place of lib/native.ts. There are none before `init`.

const none = new Proxy(
  {},
  {
    get() {
      const message = 'there is no engine yet: await init(wasm) before the first call';
      throw Object.assign(new Error(message), { code: 'ERR_PALIMPSEST_LOAD' });
    },
  },
);
export default Object.create(none);
