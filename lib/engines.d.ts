// The engine's packages, one for each platform. A clone has none of them: it builds its own.
declare module '@palimpsest/engine-*' {
  const engine: typeof import('../binding');
  export = engine;
}
