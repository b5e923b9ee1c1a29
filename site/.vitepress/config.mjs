import { defineConfig } from 'vitepress';
import { slugify } from '../../scripts/markdown.mjs';
import { REPOSITORY, sidebar } from '../pages.mjs';

/** Where GitHub serves the pages of this repository. */
const base = '/palimpsest/';

export default defineConfig({
  title: 'palimpsest',
  description: 'Makes an LLM agent’s conversation history small and gives it back byte for byte',
  lang: 'en',
  base,
  srcDir: 'pages',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  // Anchors are those of GitHub, so that links to headings work in both places.
  markdown: { anchor: { slugify }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Docs', link: '/docs/' },
      { text: 'Reference', link: '/docs/reference/' },
      { text: 'Results', link: '/benches/RESULTS' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
});
