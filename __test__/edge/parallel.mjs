// A worker whose requests run in parallel in one isolate. Its URL chooses what each request does.
import * as palimpsest from '@palimpsest/engine-wasm32-wasi/edge';
import wasm from '@palimpsest/engine-wasm32-wasi/palimpsest.wasm32-wasi.wasm';
import { conversation, work } from 'work.mjs';

const { createSession, init } = palimpsest;

// The engine's memory, which nothing else tells of.
let memory;
const { Memory } = WebAssembly;
WebAssembly.Memory = class extends Memory {
  constructor(size) {
    super(size);
    memory = this;
  }
};

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/bytes') return Response.json(await init(await request.arrayBuffer()).catch(({ message }) => message));
    const started = await init(wasm).catch(({ message }) => message);
    if (started !== undefined) return new Response(started, { status: 500 });
    if (pathname === '/sessions') {
      for (let count = Number(searchParams.get('count')); count > 0; count--)
        createSession({ limit: 5000, tokenizer: 'estimate' }).next(conversation(count));
      gc();
      return Response.json(memory.buffer.byteLength);
    }
    return Response.json(await work(palimpsest, searchParams.get('verb'), Number(searchParams.get('seed')), searchParams.get('answer')));
  },
};
