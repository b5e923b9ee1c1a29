/**
 * Returns a function that says whether the shell in which npx started this process is gone: SIGTERM to npx kills that shell, which does not
 * pass it on. Started otherwise, a process may outlive its parent, as with nohup.
 */
export function orphaning(env: NodeJS.ProcessEnv) {
  const { ppid } = process;
  return () => env.npm_command !== undefined && process.ppid !== ppid;
}
