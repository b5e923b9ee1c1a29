// Preloaded by scripts/test.mjs into each process and worker thread: index.js and the subpaths of the work tree are those of the package as
// it is published, in the folder that PALIMPSEST_PUBLISHED names. A test that imports from lib/, scripts/ or benches/ looks inside: it and all
// that it starts stay on the sources, so that there is one engine.
'use strict';

const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, relative, sep } = require('node:path');

const root = join(__dirname, '../..');
const [, file = ''] = process.argv;
if (/\.test\.mjs$/.test(file) && /['`](?:\.\.\/)+(?:lib|scripts|benches)\//.test(readFileSync(file, 'utf8')))
  delete process.env.PALIMPSEST_PUBLISHED;
const published = process.env.PALIMPSEST_PUBLISHED;

if (published) {
  // What the other entries load: an `index.mjs` is the same in both places, and requires this.
  const isEntry = (path) => /^(?:index|(?:integrations|store)\/[\w-]+)\.js$/.test(path);
  const load = Module._extensions['.js'];
  Module._extensions['.js'] = (module, filename) => {
    const path = relative(root, filename).split(sep).join('/');
    if (path === 'lib/native.js')
      throw new Error('A test on the published package gets lib/ from another file: it has to import from lib/ itself');
    if (isEntry(path)) module.exports = module.require(join(published, path));
    else load(module, filename);
  };
}
