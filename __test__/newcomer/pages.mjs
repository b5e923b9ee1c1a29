// What a newcomer copies from README.md and docs/integrations.md: each program, and the command above it that installs what it imports.
import { readPage } from '../support/pages.mjs';

const INSTALL = /npm install palimpsest([^`\n]*)/g;

/** The last command before a place in a page: names of packages. */
const installedBefore = (text) => [...text.matchAll(INSTALL)].at(-1)[1].trim().split(' ').filter(Boolean);

const readme = readPage('README.md');
const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)];

/** Programs of the README, by what they are: `{ install, code, file }`. */
export const ofReadme = Object.fromEntries(
  ['an agent', 'a route', 'a loop'].map((name, index) => {
    const { 1: code, index: at } = blocks[index];
    return [name, { install: installedBefore(readme.slice(0, at)), code, file: 'agent.mjs' }];
  }),
);

/** The first program of each section of docs/integrations.md, by subpath. */
export const ofIntegrations = Object.fromEntries(
  readPage('docs/integrations.md')
    .split(/^(?=## )/m)
    .filter((section) => /^## .*`palimpsest\//.test(section))
    .map((section) => {
      const { 1: code, index } = section.match(/^```ts\n([\s\S]*?)^```$/m);
      return [
        section.match(/^## .*`palimpsest\/([\w-]+)`/)[1],
        { install: installedBefore(section.slice(0, index)), code, file: 'agent.mts' },
      ];
    }),
);
