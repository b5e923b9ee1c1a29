// What GitHub makes of a page: the anchors of its headings, and where its links lead.
import { posix } from 'node:path';

/** The page without its blocks of code. */
export const withoutCode = (text) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchor of a heading, if no heading before it has the same. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

/** The anchors of a page's headings: repeated ones get a number. */
export function anchorsOf(text) {
  const seen = new Map();
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const slug = slugify(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/**
 * Replaces the links of a page that lead to files, images included, outside of blocks of code.
 * `place` gets the path of the file from the root, the anchor with its `#` or '', and whether it is an image; it returns the new link.
 */
export function withLinks(text, page, place) {
  const replaced = (link, isImage) => {
    if (/^(?:https?:|mailto:|#)/.test(link)) return link;
    const [path, anchor] = link.split('#');
    return place(posix.join(posix.dirname(page), path), anchor === undefined ? '' : `#${anchor}`, isImage);
  };
  return text
    .split(/(^```[\s\S]*?^```$)/gm)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/(!?)(\[[^\]]*\])\(([^)\s]+)\)/g, (_, image, label, link) => `${image}${label}(${replaced(link, image === '!')})`)
            .replace(/(src|srcset)="([^"]+)"/g, (_, attribute, link) => `${attribute}="${replaced(link, true)}"`),
    )
    .join('');
}

/** The address of a repository, from `repository` of a manifest. */
export const repositoryAddress = ({ url }) => url.replace(/^git\+|\.git$/g, '');

/** Where a file of the repository is on the web: `ref` is a tag or a branch. */
export const onTheWeb = (repository, ref) => (path, anchor, isImage) =>
  isImage
    ? `${repository.replace('//github.com/', '//raw.githubusercontent.com/')}/${ref}/${path}`
    : `${repository}/blob/${ref}/${path}${anchor}`;
