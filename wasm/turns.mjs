// The turns of lib/turns.ts for a worker: each caller waits for a timer of its own. A worker cancels a request that waits for nothing but what
// another request has to do, so no request may wait behind others.

const turn = () => new Promise((resolve) => void setTimeout(resolve));

export { turn };
