// Someone who begins: an empty folder, a home without settings or cache, the packed tarball, and a program that is copied from a page.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root, run } from '../packed/project.mjs';
import { node22 } from '../support/node22.mjs';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** The version that is tested, so that a release of an SDK changes no result; of a package that only stands beside one, the newest. */
const pinned = (name) => (packages[`node_modules/${name}`] ? `${name}@${packages[`node_modules/${name}`].version}` : name);

/** Settings of this process that a newcomer has, too: where programs are, and how to reach a registry. */
const KEPT =
  /^(?:path|systemroot|comspec|temp|tmp|tmpdir|lang|(?:https?|no)_proxy|npm_config_(?:registry|cafile|proxy|https_proxy|noproxy)|node_extra_ca_certs|ssl_cert_file)$/i;

/** Packs the package, and returns `begin`, which makes a folder of its own for each program. */
export async function welcome() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-newcomer-')));
  const tarball = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), folder], root)).trim();
  const home = join(folder, 'home');
  mkdirSync(home);
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)));
  // `npm` runs under the first `node` in the path, and takes versions of packages that fit it.
  const environment = { ...kept, PATH: `${dirname(node22)}${delimiter}${process.env.PATH}`, HOME: home, USERPROFILE: home };
  let count = 0;
  return {
    tarball,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    /** Installs what a page says, and saves the program. `files` are others beside it; `versions` are of packages in place of those that are tested. */
    async begin({ install, code, file }, files = {}, versions = {}) {
      const project = join(folder, `project-${++count}`);
      mkdirSync(project);
      const execute = (command, args, env = {}) =>
        promisify(execFile)(command, args, {
          cwd: project,
          env: { ...environment, ...env },
          maxBuffer: 1 << 26,
          timeout: 600_000,
          shell: process.platform === 'win32' && command === 'npm',
        }).catch((error) => {
          throw new Error(`${[command, ...args].join(' ')} failed: ${error.message}\n${error.stdout}`);
        });
      const began = Date.now();
      const said = await execute('npm', [
        'install',
        tarball,
        ...install.map((name) => (name in versions ? `${name}@${versions[name]}` : pinned(name))),
      ]);
      for (const [name, text] of Object.entries({ ...files, ...(file && { [file]: code }) })) writeFileSync(join(project, name), text);
      return {
        project,
        /** ms that the installation took, and what npm said. */
        took: Date.now() - began,
        said: said.stdout + said.stderr,
        /** Runs a file, or one with arguments; returns what it prints. */
        run: async (args, env, node = node22) => (await execute(node, [args].flat(), env)).stdout,
      };
    },
  };
}
