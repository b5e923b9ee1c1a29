// Calls of agents' tools, and their results. Each operation becomes `{ name, args, result }`.
import { ROOT } from './files.mjs';

const numbered = (text, first = 1) =>
  text
    .split('\n')
    .map((line, index) => `${String(first + index).padStart(6)}\t${line}`)
    .join('\n');
const between = (text, [from, to]) =>
  text
    .split('\n')
    .slice(from - 1, to)
    .join('\n');
const full = (path) => `${ROOT}/${path}`;
const said = (blocks, failed = false) => ({ blocks, json: null, failed });

const plainRun = ({ output, code }) => (code === 0 ? said(output || '(no output)') : said(`Exit code ${code}\n${output}`, true));

/** Returns `path` as a call gives it: absolute, relative, or with a dot in front. */
const loosely = (path, random) => random.pick([path, path, `./${path}`, full(path)]);

const editor = {
  read: ({ path, lines, text }) => ({
    name: 'str_replace_editor',
    args: { command: 'view', path: full(path), ...(lines && { view_range: lines }) },
    result: said(
      `Here's the result of running \`cat -n\` on ${full(path)}:\n${numbered(lines ? between(text, lines) : text, lines?.[0])}\n`,
    ),
  }),
  write: ({ path, text }) => ({
    name: 'str_replace_editor',
    args: { command: 'create', path: full(path), file_text: text },
    result: said(`File created successfully at: ${full(path)}`),
  }),
  edit: ({ path, from, to }) => ({
    name: 'str_replace_editor',
    args: { command: 'str_replace', path: full(path), old_str: from, new_str: to },
    result: said(`The file ${full(path)} has been edited.`),
  }),
  badEdit: ({ path, from, to }) => ({
    name: 'str_replace_editor',
    args: { command: 'str_replace', path: full(path), old_str: from, new_str: to },
    result: said(`No replacement was performed, old_str did not appear verbatim in ${full(path)}.`, true),
  }),
  run: ({ command, ...ran }) => ({ name: 'bash', args: { command }, result: plainRun(ran) }),
};

const claude = {
  read: ({ path, lines, text }) => ({
    name: 'Read',
    args: { file_path: full(path), ...(lines && { offset: lines[0], limit: lines[1] - lines[0] + 1 }) },
    result: said(numbered(lines ? between(text, lines) : text, lines?.[0])),
  }),
  write: ({ path, text }) => ({
    name: 'Write',
    args: { file_path: full(path), content: text },
    result: said(`File created successfully at: ${full(path)}`),
  }),
  edit: ({ path, from, to }) => ({
    name: 'Edit',
    args: { file_path: full(path), old_string: from, new_string: to },
    result: said(`The file ${full(path)} has been updated.`),
  }),
  badEdit: ({ path, from, to }) => ({
    name: 'Edit',
    args: { file_path: full(path), old_string: from, new_string: to },
    result: said('<tool_use_error>String to replace not found in file.</tool_use_error>', true),
  }),
  run: ({ command, ...ran }) => ({ name: 'Bash', args: { command, description: 'Runs it' }, result: plainRun(ran) }),
  search: ({ pattern, output }) => ({ name: 'Grep', args: { pattern, path: ROOT }, result: said(output) }),
};

const gemini = {
  read: ({ path, lines, text }) => ({
    name: 'read_file',
    args: { absolute_path: full(path), ...(lines && { offset: lines[0] - 1, limit: lines[1] - lines[0] + 1 }) },
    result: said(lines ? between(text, lines) : text),
  }),
  write: ({ path, text }) => ({
    name: 'write_file',
    args: { file_path: full(path), content: text },
    result: said(`Successfully created and wrote to new file: ${full(path)}.`),
  }),
  edit: ({ path, from, to }) => ({
    name: 'replace',
    args: { file_path: full(path), old_string: from, new_string: to },
    result: said(`Successfully modified file: ${full(path)} (1 replacements).`),
  }),
  badEdit: ({ path, from, to }) => ({
    name: 'replace',
    args: { file_path: full(path), old_string: from, new_string: to },
    result: said('Failed to edit, could not find the string to replace.', true),
  }),
  run: ({ command, output, code }) => ({
    name: 'run_shell_command',
    args: { command, directory: '' },
    result: said(
      `Command: ${command}\nDirectory: (root)\nStdout: ${output || '(empty)'}\nStderr: (empty)\nError: (none)\nExit Code: ${code}\nSignal: (none)`,
    ),
  }),
  search: ({ pattern, output }) => ({ name: 'search_file_content', args: { pattern }, result: said(output) }),
};

const original = {
  read: ({ path, lines, text }, random) => ({
    name: 'file_read',
    args: { path: loosely(path, random), ...(lines && { start_line: lines[0], end_line: lines[1] }) },
    result: said(lines ? between(text, lines) : text),
  }),
  write: ({ path, text }, random) => ({ name: 'file_new', args: { path: loosely(path, random), content: text }, result: said('ok') }),
  edit: ({ path, from, to }, random) => ({
    name: 'file_edit',
    args: { path: loosely(path, random), old_string: from, new_string: to },
    result: said('ok'),
  }),
  badEdit: ({ path, from, to }, random) => ({
    name: 'file_edit',
    args: { path: loosely(path, random), old_string: from, new_string: to },
    result: said('Error: old_string not found', true),
  }),
  run: ({ command, ...ran }) => ({ name: 'bash_tool', args: { cmd: command }, result: plainRun(ran) }),
};

const mcp = {
  read: ({ path, lines, text }) => ({
    name: 'read_text_file',
    args: { path: full(path), ...(lines && { head: lines[1] }) },
    result: said(lines ? between(text, [1, lines[1]]) : text),
  }),
  write: ({ path, text }) => ({
    name: 'write_file',
    args: { path: full(path), content: text },
    result: said(`Successfully wrote to ${full(path)}`),
  }),
  edit: ({ path, from, to }) => ({
    name: 'edit_file',
    args: { path: full(path), edits: [{ oldText: from, newText: to }] },
    result: said(`\`\`\`diff\n-${from.split('\n').join('\n-')}\n+${to.split('\n').join('\n+')}\n\`\`\``),
  }),
  badEdit: ({ path, from, to }) => ({
    name: 'edit_file',
    args: { path: full(path), edits: [{ oldText: from, newText: to }] },
    result: said('Error: Could not find exact match for edit', true),
  }),
  run: ({ command, output, code }) => ({
    name: 'run_command',
    args: { command },
    result: { blocks: output, json: { exit_code: code, output }, failed: code !== 0 },
  }),
};

const hunk = ({ path, from, to }) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n${from
    .split('\n')
    .map((line) => `-${line}`)
    .join('\n')}\n${to
    .split('\n')
    .map((line) => `+${line}`)
    .join('\n')}\n*** End Patch`;
const codexRun = (command, output, code = 0) => ({
  name: 'shell',
  args: { command: ['bash', '-lc', command], workdir: ROOT },
  result: { blocks: output, json: { output, metadata: { exit_code: code, duration_seconds: 0.1 } }, failed: false },
});
const codex = {
  read: ({ path, lines, text }) =>
    codexRun(lines ? `sed -n '${lines[0]},${lines[1]}p' ${path}` : `cat ${path}`, lines ? between(text, lines) : text),
  write: ({ path, text }) => ({
    name: 'apply_patch',
    args: {
      input: `*** Begin Patch\n*** Add File: ${path}\n${text
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n')}\n*** End Patch`,
    },
    result: said(`Success. Updated the following files:\nA ${path}`),
  }),
  edit: (edit) => ({
    name: 'apply_patch',
    args: { input: hunk(edit) },
    result: said(`Success. Updated the following files:\nM ${edit.path}`),
  }),
  badEdit: (edit) => ({
    name: 'apply_patch',
    args: { input: hunk(edit) },
    result: said(`apply_patch verification failed: Failed to find expected lines in ${edit.path}`, true),
  }),
  run: ({ command, output, code }) => codexRun(command, output, code),
};

export const DIALECTS = { claude, codex, gemini, editor, original, mcp };
