import { defineConfig } from 'vitepress';
import { slugify } from '../../scripts/markdown.mjs';
import { REPOSITORY, sidebar } from '../pages.mjs';

export default defineConfig({
  title: 'palimpsest',
  description: 'Makes an LLM agent’s conversation history small and gives it back byte for byte',
  lang: 'en',
  // Where GitHub serves the pages of this repository.
  base: '/palimpsest/',
  srcDir: 'pages',
  // Anchors are those of GitHub, so that links to headings work in both places.
  markdown: { anchor: { slugify } },
  themeConfig: {
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
