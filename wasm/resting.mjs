// lib/session/resting.ts without Node.js: a worker refuses timers outside of a request, and lives no longer than its work.
export const used = () => {};
