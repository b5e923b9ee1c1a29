// The tools that `prune` knows. Each is called as its agent calls it, with a result in its agent's form.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { prune } from 'palimpsest';

const page = (tag, count = 30) =>
  Array.from({ length: count }, (_, i) => `${tag} ${i} is the line of the page, as it was, word for word, and nobody has changed it since`);
const text = (tag) => page(tag).join('\n');
const numbered = (tag, format, first = 1) =>
  page(tag)
    .map((line, index) => format(first + index) + line)
    .join('\n');
const arrow = (n) => `${String(n).padStart(6)}→`;
const bar = (n) => `${n} | `;
const cline = (tag) => `<file_content path="x">\n${text(tag)}\n</file_content>`;
const blocks = (content) => `------- SEARCH\nold\n=======\n${content}\n+++++++ REPLACE`;
const patch = (path, content) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n${content
    .split('\n')
    .map((line) => `+${line}`)
    .join('\n')}\n*** End Patch\n`;

/**
 * Every agent's tools. Each is [name, arguments, result]: of a read by path and tag of the content; of a write and an edit by path and the
 * new content; of a command by the command. `failed` is the form in which the agent's harness tells that a command failed, unless a command
 * has its own; null where it tells it nowhere, or other agents have a tool of the name and tell it in other forms.
 */
const AGENTS = {
  original: {
    reads: [
      ['file_read', (path) => ({ path }), text],
      ['file_read', (file_path) => ({ file_path, start_line: 1, end_line: 30 }), text],
    ],
    writes: [
      ['file_new', (path, content) => ({ path, content }), 'created'],
      ['file_new', (file_path, content) => ({ file_path, content }), 'created'],
    ],
    edits: [
      ['file_edit', (path, new_string) => ({ path, old_string: 'x', new_string }), 'edited'],
      ['file_edit', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'edited'],
    ],
    commands: [
      ['bash_tool', (cmd) => ({ cmd })],
      ['bash_tool', (command) => ({ command, description: 'Runs it' })],
    ],
    failed: null,
  },
  claude_code: {
    reads: [
      ['Read', (file_path) => ({ file_path }), (tag) => numbered(tag, arrow)],
      ['Read', (file_path) => ({ file_path, offset: 1, limit: 2000 }), (tag) => numbered(tag, (n) => `${n}\t`)],
      ['NotebookRead', (notebook_path) => ({ notebook_path }), text],
      [
        'str_replace_editor',
        (path) => ({ command: 'view', path }),
        (tag) => `Here's the result of running \`cat -n\` on x:\n${numbered(tag, (n) => `${String(n).padStart(6)}\t`)}\n`,
      ],
      ['str_replace_based_edit_tool', (path) => ({ command: 'view', path, view_range: [1, -1] }), (tag) => numbered(tag, (n) => `${n}: `)],
    ],
    writes: [
      ['Write', (file_path, content) => ({ file_path, content }), 'The file has been updated successfully.'],
      ['str_replace_editor', (path, file_text) => ({ command: 'create', path, file_text }), 'File created successfully'],
      ['str_replace_based_edit_tool', (path, file_text) => ({ command: 'create', path, file_text }), 'File created successfully'],
      ['Edit', (file_path, new_string) => ({ file_path, old_string: '', new_string }), 'created'],
    ],
    edits: [
      ['Edit', (file_path, new_string) => ({ file_path, old_string: 'x', new_string, replace_all: false }), 'The file has been updated.'],
      ['MultiEdit', (file_path, new_string) => ({ file_path, edits: [{ old_string: 'x', new_string }] }), 'Applied 1 edit'],
      [
        'NotebookEdit',
        (notebook_path, new_source) => ({ notebook_path, cell_id: 'c1', new_source, cell_type: 'code', edit_mode: 'replace' }),
        'Updated cell c1',
      ],
      ['str_replace_editor', (path, new_str) => ({ command: 'str_replace', path, old_str: 'x', new_str }), 'edited'],
      ['str_replace_editor', (path, insert_text) => ({ command: 'insert', path, insert_line: 3, insert_text }), 'edited'],
      ['str_replace_based_edit_tool', (path, new_str) => ({ command: 'str_replace', path, old_str: 'x', new_str }), 'edited'],
      ['str_replace_based_edit_tool', (path, insert_text) => ({ command: 'insert', path, insert_line: 3, insert_text }), 'edited'],
    ],
    commands: [
      ['Bash', (command) => ({ command, description: 'Runs it', timeout: 1000 })],
      ['bash', (command) => ({ command }), null],
    ],
    searches: [
      ['Grep', { pattern: 'x', output_mode: 'content' }],
      ['Glob', { pattern: '**/*.ts' }],
      ['LS', { path: '/r' }],
    ],
    failed: (output) => `Exit code 1\n${output}`,
  },
  codex: {
    reads: [],
    writes: [],
    edits: [
      ['apply_patch', (path, content) => ({ input: patch(path, content) }), 'Success. Updated the following files:\nM x', 'diff'],
      ['apply_patch', (path, content) => ({ patch: patch(path, content) }), 'Success. Updated the following files:\nM x', 'diff'],
    ],
    commands: [
      ['shell', (command) => ({ command: ['bash', '-lc', command], workdir: '/r', timeout_ms: 1000 })],
      ['shell_command', (command) => ({ command, workdir: '/r' })],
      ['container.exec', (command) => ({ cmd: ['bash', '-lc', command], workdir: '/r' })],
      ['exec', (cmd) => ({ cmd })],
      [
        'exec_command',
        (cmd) => ({ cmd, workdir: '/r', yield_time_ms: 1000 }),
        (output) => `Chunk ID: a1b2c3\nWall time: 0.1000 seconds\nProcess exited with code 1\nOriginal token count: 40\nOutput:\n${output}`,
      ],
      ['local_shell', (command) => ({ command: ['bash', '-lc', command], working_directory: '/r' })],
    ],
    searches: [
      ['grep_files', { pattern: 'x', path: '/r' }],
      ['list_dir', { dir_path: '/r' }],
    ],
    failed: (output) => `Exit code: 1\nWall time: 1.2 seconds\nOutput:\n${output}`,
  },
  gemini_cli: {
    reads: [
      ['read_file', (absolute_path) => ({ absolute_path }), text],
      ['read_file', (file_path) => ({ file_path }), text],
      ['read_file', (file_path) => ({ file_path, start_line: 1 }), text],
      ['read_many_files', (path) => ({ include: [path] }), (tag) => `--- /r/x ---\n\n${text(tag)}\n\n--- End of content ---`, 'part'],
      ['read_many_files', (path) => ({ paths: [path] }), (tag) => `--- /r/x ---\n\n${text(tag)}\n\n--- End of content ---`, 'part'],
    ],
    writes: [['write_file', (file_path, content) => ({ file_path, content }), 'Successfully overwrote file']],
    edits: [
      [
        'replace',
        (file_path, new_string) => ({ file_path, instruction: 'Change it', old_string: 'x', new_string }),
        'Successfully modified file',
      ],
    ],
    commands: [
      ['run_shell_command', (command) => ({ command, description: 'Runs it', directory: '/r' })],
      [
        'run_shell_command',
        (command) => ({ command, dir_path: '/r' }),
        (output) => `Output: ${output}\nExit Code: 1\nProcess Group PGID: 4242`,
      ],
    ],
    searches: [
      ['search_file_content', { pattern: 'x' }],
      ['grep_search', { pattern: 'x', dir_path: '/r' }],
      ['glob', { pattern: '**/*.ts' }],
      ['list_directory', { dir_path: '/r' }],
    ],
    failed: (output) => `Command: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: 1\nSignal: (none)`,
  },
  opencode: {
    reads: [
      [
        'read',
        (filePath) => ({ filePath }),
        (tag) => `<file>\n${numbered(tag, (n) => `${String(n).padStart(5, '0')}| `)}\n\n(End of file - total 30 lines)\n</file>`,
      ],
      ['read', (filePath) => ({ filePath, offset: 0, limit: 2000 }), (tag) => `<content>\n${numbered(tag, (n) => `${n}: `)}\n</content>`],
    ],
    writes: [['write', (filePath, content) => ({ filePath, content }), 'Wrote file successfully.']],
    edits: [
      ['edit', (filePath, newString) => ({ filePath, oldString: 'x', newString }), 'Edit applied successfully.'],
      ['multiedit', (filePath, newString) => ({ filePath, edits: [{ filePath, oldString: 'x', newString }] }), 'done'],
      ['patch', (path, content) => ({ patchText: patch(path, content) }), 'Patch applied successfully', 'diff'],
      ['apply_patch', (path, content) => ({ patchText: patch(path, content) }), 'Success.', 'diff'],
    ],
    commands: [['bash', (command) => ({ command, workdir: '/r', description: 'Runs it' })]],
    searches: [
      ['grep', { pattern: 'x' }],
      ['glob', { pattern: '*.ts' }],
      ['list', { path: '/r' }],
      ['ls', { path: '/r' }],
    ],
    failed: null,
  },
  cline: {
    reads: [
      ['read_file', (path) => ({ path }), cline],
      ['read_file', (path) => ({ path, start_line: 1, end_line: 30 }), (tag) => numbered(tag, bar)],
      ['read_file', (path) => ({ path, offset: 1, limit: 30 }), (tag) => numbered(tag, bar)],
      ['read_file', (absolutePath) => ({ absolutePath }), cline],
      [
        'read_file',
        (path) => ({ files: [{ path }] }),
        (tag) => `<files>\n<file><path>x</path>\n<content lines="1-30">\n${numbered(tag, bar)}\n</content>\n</file>\n</files>`,
      ],
      [
        'read_file',
        (path) => ({ args: { file: [{ path }] } }),
        (tag) => `<files>\n<file><path>x</path>\n<content lines="1-30">\n${numbered(tag, bar)}\n</content>\n</file>\n</files>`,
      ],
      ['read_files', (path) => ({ files: [{ path }] }), text],
    ],
    writes: [
      ['write_to_file', (path, content) => ({ path, content, line_count: 30 }), 'The content was successfully saved.'],
      ['write_to_file', (absolutePath, content) => ({ absolutePath, content }), 'The content was successfully saved.'],
    ],
    edits: [
      ['apply_diff', (path, content) => ({ path, diff: blocks(content) }), 'Changes applied.', 'diff'],
      [
        'apply_diff',
        (path, content) => ({ args: { file: [{ path, diff: [{ content: blocks(content), start_line: 3 }] }] } }),
        'Changes applied.',
        'diff',
      ],
      ['replace_in_file', (path, content) => ({ path, diff: blocks(content) }), 'The content was successfully saved.', 'diff'],
      [
        'replace_in_file',
        (absolutePath, content) => ({ absolutePath, diff: blocks(content) }),
        'The content was successfully saved.',
        'diff',
      ],
      ['insert_content', (path, content) => ({ path, line: 3, content }), 'inserted'],
      ['search_and_replace', (path, replace) => ({ path, search: 'x', replace }), 'replaced'],
      ['search_replace', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'replaced'],
      ['edit_file', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'edited'],
      ['editor', (path, new_text) => ({ path, old_text: 'x', new_text }), 'Edited x'],
    ],
    commands: [
      ['execute_command', (command) => ({ command, requires_approval: false })],
      ['execute_command', (command) => ({ command, cwd: '/r' })],
    ],
    searches: [
      ['list_files', { path: '.', recursive: true }],
      ['search_files', { path: '.', regex: 'x' }],
      ['list_code_definition_names', { path: '.' }],
    ],
    failed: (output) =>
      `Command executed in terminal within working directory '/r'. Exit code: 1\nOutput:\n${output}`.replace(' Exit', '\nExit'),
  },
  swe_agent: {
    reads: [['open', (path) => ({ path }), (tag) => `[File: /r/x (30 lines total)]\n${numbered(tag, (n) => `${n}:`)}`]],
    writes: [['create', (filename) => ({ filename }), '[File: /r/x (1 lines total)]\n1:', 'no content']],
    // These change the file that is open.
    edits: [
      ['edit', (_, replace) => ({ search: 'x', replace, 'replace-all': false }), 'Text replaced.', 'open'],
      ['edit', (_, replacement_text) => ({ start_line: 1, end_line: 2, replacement_text }), 'File updated.', 'open'],
      ['edit', (_, text) => ({ text }), 'File updated.', 'open'],
      ['insert', (_, text) => ({ text, line: 3 }), 'Text inserted.', 'open'],
    ],
    commands: [['bash', (command) => ({ command })]],
    searches: [
      ['find_file', { file_name: 'x', dir: '/r' }],
      ['search_dir', { search_term: 'x' }],
      ['search_file', { search_term: 'x', file: '/r/x' }],
    ],
    failed: null,
  },
  openhands: {
    reads: [
      [
        'str_replace_editor',
        (path) => ({ command: 'view', path, security_risk: 'LOW' }),
        (tag) => numbered(tag, (n) => `${String(n).padStart(6)}\t`),
      ],
      [
        'file_editor',
        (path) => ({ command: 'view', path, view_range: [1, 30] }),
        (tag) => numbered(tag, (n) => `${String(n).padStart(6)}\t`),
      ],
      ['view', (path) => ({ path }), text],
    ],
    writes: [['file_editor', (path, file_text) => ({ command: 'create', path, file_text }), 'File created successfully']],
    edits: [
      ['file_editor', (path, new_str) => ({ command: 'str_replace', path, old_str: 'x', new_str }), 'edited'],
      ['edit_file', (path, content) => ({ path, start: 1, end: -1, content }), 'edited'],
    ],
    commands: [
      ['execute_bash', (command) => ({ command, is_input: 'false', security_risk: 'LOW' })],
      ['terminal', (command) => ({ command, is_input: false })],
      ['run', (command) => ({ command })],
    ],
    failed: (output) => `${output}\n[The command completed with exit code 1.]\n[Current working directory: /r]`,
  },
  cursor: {
    reads: [
      [
        'read_file',
        (target_file) => ({ target_file, should_read_entire_file: true, start_line_one_indexed: 1, end_line_one_indexed_inclusive: 10 }),
        text,
      ],
      [
        'read_file',
        (target_file) => ({ target_file, should_read_entire_file: false, start_line_one_indexed: 1, end_line_one_indexed_inclusive: 30 }),
        text,
      ],
      ['read_file', (target_file) => ({ target_file, offset: 1, limit: 30 }), text],
      ['Read', (path) => ({ path }), text],
    ],
    writes: [
      ['write', (file_path, contents) => ({ file_path, contents }), 'Wrote it'],
      ['Write', (path, contents) => ({ path, contents }), 'Wrote it'],
      ['delete_file', (target_file) => ({ target_file, explanation: 'x' }), 'Deleted it', 'no content'],
      ['Delete', (path) => ({ path }), 'Deleted it', 'no content'],
    ],
    edits: [
      [
        'edit_file',
        (target_file, code_edit) => ({ target_file, instructions: 'I change it', code_edit }),
        'The apply model made the following changes',
      ],
      ['search_replace', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'The file has been updated.'],
      ['StrReplace', (path, new_string) => ({ path, old_string: 'x', new_string }), 'The file has been updated.'],
    ],
    commands: [
      ['run_terminal_cmd', (command) => ({ command, is_background: false, require_user_approval: true, explanation: 'x' })],
      ['Shell', (command) => ({ command, working_directory: '/r', description: 'x' }), null],
    ],
    searches: [
      ['codebase_search', { query: 'x' }],
      ['grep', { pattern: 'x' }],
      ['file_search', { query: 'x' }],
      ['glob_file_search', { glob_pattern: '*.ts' }],
    ],
    failed: (output) => `Exit code: 1\n\nCommand output:\n\n${output}`,
  },
  mcp: {
    reads: [
      ['read_file', (path) => ({ path }), text],
      ['read_text_file', (path) => ({ path, head: 100 }), text],
      ['read_multiple_files', (path) => ({ paths: [path] }), text],
      ['read_file', (path) => ({ path, head: 100 }), text],
      ['read_file', (path) => ({ path, offset: 0, length: 30 }), text],
    ],
    writes: [
      ['write_file', (path, content) => ({ path, content }), 'Successfully wrote to x'],
      ['write_file', (path, content) => ({ path, content, mode: 'rewrite' }), 'Successfully wrote to x'],
    ],
    edits: [
      ['edit_file', (path, newText) => ({ path, edits: [{ oldText: 'x', newText }] }), '```diff\n-x\n+y\n```'],
      ['edit_file', (path, newText) => ({ path, edits: [{ oldText: 'x', newText }], dryRun: false }), '```diff\n-x\n+y\n```'],
      ['edit_block', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'Successfully applied 1 edit'],
    ],
    commands: [['start_process', (command) => ({ command, timeout_ms: 1000 })]],
    searches: [
      ['list_directory', { path: '/r' }],
      ['list_directory_with_sizes', { path: '/r' }],
      ['directory_tree', { path: '/r' }],
      ['search_files', { path: '/r', pattern: 'x' }],
      ['get_file_info', { path: '/r' }],
    ],
    failed: null,
  },
  pi: {
    reads: [['read', (path) => ({ path }), text]],
    writes: [['write', (path, content) => ({ path, content }), 'Successfully wrote 3 bytes to x']],
    edits: [
      ['edit', (path, newText) => ({ path, oldText: 'x', newText }), 'Successfully replaced 1 block(s) in x.'],
      ['edit', (path, newText) => ({ path, edits: [{ oldText: 'x', newText }] }), 'Successfully replaced 1 block(s) in x.'],
    ],
    commands: [['bash', (command) => ({ command, timeout: 5 })]],
    failed: null,
  },
  crush: {
    reads: [
      [
        'view',
        (file_path) => ({ file_path, offset: 0, limit: 30 }),
        (tag) => `<file>\n${numbered(tag, (n) => `${String(n).padStart(6)}|`)}\n</file>`,
      ],
    ],
    writes: [['write', (file_path, content) => ({ file_path, content }), '<result>\nFile successfully written: x\n</result>']],
    edits: [
      ['edit', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), '<result>\nContent replaced in file: x\n</result>'],
      [
        'multiedit',
        (file_path, new_string) => ({ file_path, edits: [{ old_string: 'x', new_string }] }),
        '<result>\nApplied 1 edits to file: x\n</result>',
      ],
    ],
    commands: [['bash', (command) => ({ command, description: 'Runs it', working_dir: '/r' })]],
    failed: (output) => `${output}\nExit code 1\n\n<cwd>/r</cwd>`,
  },
  goose: {
    reads: [['read', (path) => ({ path, line: 1, limit: 30 }), text]],
    writes: [['write', (path, content) => ({ path, content }), 'Wrote x']],
    edits: [['edit', (path, after) => ({ path, before: 'x', after }), 'Edited x (1 lines -> 2 lines)']],
    commands: [['shell', (command) => ({ command, timeout_secs: 5 })]],
    searches: [['tree', { path: '/r' }]],
    failed: (output) => `${output}\nCommand exited with code 1`,
  },
  editors: {
    reads: [
      ['read_file', (path) => ({ path, start_line: 1, end_line: 30 }), text],
      ['read_file', (filePath) => ({ filePath, startLine: 1, endLine: 30 }), text],
      ['read_file', (filePath) => ({ filePath, offset: 1, limit: 30 }), text],
    ],
    writes: [
      ['write_file', (path, content) => ({ path, content }), 'done'],
      ['create_file', (filePath, content) => ({ filePath, content }), 'done'],
    ],
    edits: [
      ['edit_file', (path, content) => ({ path, content }), 'done'],
      ['replace_string_in_file', (filePath, newString) => ({ filePath, oldString: 'x', newString }), 'done'],
      ['multi_replace_string_in_file', (filePath, newString) => ({ replacements: [{ filePath, oldString: 'x', newString }] }), 'done'],
      ['insert_edit_into_file', (filePath, code) => ({ filePath, code }), 'The following files were successfully edited:\nx'],
    ],
    commands: [
      ['terminal', (command) => ({ command, cd: '/r' }), (output) => `Command "x" failed with exit code 1.\n\n\`\`\`\n${output}\n\`\`\``],
      ['run_in_terminal', (command) => ({ command, explanation: 'Runs it', isBackground: false }), null],
      ['run_terminal_command', (command) => ({ command, waitForCompletion: true })],
      ['Bash', (command) => ({ command, timeout: 5 }), (output) => `Exit code 1\n${output}`],
    ],
    failed: (output) => `${output}\n[Status: Command failed with exit code 1]`,
  },
  copilot: {
    reads: [
      ['view', (path) => ({ path }), text],
      ['read_file', (file_path) => ({ file_path, offset: 0, limit: 30 }), text],
    ],
    writes: [
      ['create', (path, file_text) => ({ path, file_text }), 'Created file x', 'no content'],
      ['write_file', (file_path, content) => ({ file_path, content }), 'done'],
    ],
    edits: [
      ['edit', (path, new_str) => ({ path, old_str: 'x', new_str }), 'File x updated with changes.'],
      ['edit_file', (file_path, new_string) => ({ file_path, old_string: 'x', new_string }), 'done'],
    ],
    commands: [
      ['bash', (command) => ({ command, description: 'Runs it', mode: 'sync', initial_wait: 30 })],
      ['execute', (command) => ({ command }), (output) => `${output}\n[Command failed with exit code 1]`],
    ],
    failed: (output) => `${output}\n<shellId: 4 completed with exit code 1>`,
  },
};

/** Tools of which a conversation tells too little for a rule. */
const NOT_JUDGED = ['PowerShell', 'powershell', 'write_stdin', 'run_commands'];

// ---- Judging ------------------------------------------------------------------------------------------------------

/** Prunes calls in OpenAI's chat: a pair of arguments and result for each. */
function pruned(...calls) {
  const messages = calls.flatMap(([name, args, content], index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content },
  ]);
  const out = prune(messages, { keep: { recent: 0 } }).messages;
  return calls.map((_, index) => ({
    call: out[2 * index].tool_calls[0].function.arguments,
    result: out[2 * index + 1].content,
    untouched: out[2 * index] === messages[2 * index] && out[2 * index + 1] === messages[2 * index + 1],
  }));
}

const stale = /^\[palimpsest:\w+ stale read of /;
const A = '/r/src/a.ts';
const B = '/r/src/b.ts';
const reading = ([name, args, result], path, tag) => [name, args(path), result(tag)];
/** A change. If the tool changes the open file, the result names it. */
const changing = ([name, args, result, how], path, content) => [
  name,
  args(path, content),
  how === 'open' ? `${result}\n(Open file: ${path})\n(Current directory: /r)` : result,
];
/** Whether a read asks for some lines. */
const selects = (read) => /start|offset|view_range|head|length|line/.test(label(read));
const label = ([name, args]) => `${name} ${Object.keys(typeof args === 'function' ? args('x', 'y') : args)}`;

for (const [agent, { reads, writes, edits, commands, searches = [], failed }] of Object.entries(AGENTS)) {
  describe(agent, () => {
    const changes = [...writes, ...edits];
    for (const read of reads) {
      test(`read: ${label(read)}`, () => {
        for (const change of changes) {
          const [first, other] = pruned(reading(read, A, 'old'), reading(read, B, 'other'), changing(change, A, text('new')));
          // Two reads without a common file: only the one whose file changed is stale.
          assert.match(first.result, stale, label(change));
          assert.ok(other.untouched, label(change));
        }
        const [first, second] = pruned(reading(read, A, 'old'), reading(read, A, 'new'));
        if (read[3] === 'part') assert.ok(first.untouched, 'what may have left something out replaces nothing');
        else if (selects(read)) {
          // Lines that say something else now may stand at another place of the file.
          assert.ok(first.untouched || stale.test(first.result));
          assert.match(pruned(reading(read, A, 'old'), reading(read, A, 'old'))[0].result, stale, 'the same lines');
        } else assert.match(first.result, stale, 'read again');
        assert.ok(second.untouched);
      });
    }
    for (const write of writes) {
      test(`write: ${label(write)}`, () => {
        const before = ['Write', { file_path: A, content: text('old') }, 'done'];
        const [first, other] = pruned(before, ['Write', { file_path: B, content: text('other') }, 'done'], changing(write, A, text('new')));
        assert.match(first.call, /superseded change of /);
        assert.ok(other.untouched);
        if (write[3] !== 'no content')
          assert.match(
            pruned(changing(write, A, text('old')), ['Write', { file_path: A, content: text('new') }, 'done'])[0].call,
            /superseded change of /,
          );
      });
    }
    for (const edit of edits) {
      test(`edit: ${label(edit)}`, () => {
        const write = ['Write', { file_path: A, content: text('new') }, 'done'];
        assert.match(pruned(changing(edit, A, text('old')), write)[0].call, /superseded change of /);
        assert.ok(pruned(write, changing(edit, A, text('old')))[0].untouched, 'it is no whole write');
        assert.ok(
          pruned(changing(edit, A, text('a')), changing(edit, A, text('b')))[0].untouched,
          'the state could not be told without it',
        );
        if (edit[3] === 'diff') return;
        // The edit is held by a later read of some lines that shows its result.
        const shows = (tag) => ['Read', { file_path: A, offset: 101, limit: 30 }, numbered(tag, arrow, 101)];
        assert.match(pruned(changing(edit, A, text('new')), shows('new'))[0].call, /superseded change of /);
        assert.ok(pruned(changing(edit, A, text('new')), shows('old'))[0].untouched);
      });
    }
    for (const [name, args, fails = failed] of commands) {
      test(`command: ${label([name, args])}`, () => {
        const [first, other, last] = pruned(
          [name, args('npm test'), text('old')],
          [name, args('npm run lint'), text('lint')],
          [name, args('npm test'), text('new')],
        );
        assert.match(first.result, /^\[palimpsest:\w+ run again later, 30 lines\]$/);
        assert.ok(other.untouched && last.untouched);
        if (fails !== null) {
          const output = `${page('made', 4).join('\n')}\nsrc/a.ts:3:1: error: it is undefined\n${page('and', 4).join('\n')}`;
          const [broken, again] = pruned([name, args('npm test'), fails(output)], [name, args('npm run lint'), text('lint')]);
          // The line in which the harness tells it stays above or below.
          const [mark, ...left] = broken.result.split(/(?<=lines\] )|\n/);
          assert.match(mark, /^\[palimpsest:\w+ failed, \d+ lines\] $/);
          assert.equal(left.length, 2, broken.result);
          assert.ok(left.includes('src/a.ts:3:1: error: it is undefined') && left.some((line) => /exit(?:ed with)? code:? 1/i.test(line)));
          assert.ok(again.untouched);
          assert.ok(
            pruned([name, args('npm test'), text('old')], [name, args('npm test'), fails(output)])[0].untouched,
            'a run that failed replaces none',
          );
        }
        // A file that a command prints, and one that it could not delete.
        assert.match(pruned([name, args(`cat ${A}`), text('old')], ['Write', { file_path: A, content: 'x' }, 'done'])[0].result, stale);
        const shown = ['Read', { file_path: A }, numbered('old', arrow)];
        if (fails !== null) assert.ok(pruned(shown, [name, args(`rm ${A}`), fails('rm: it is locked')])[0].untouched);
      });
    }
    for (const [name, args] of searches) {
      test(`search: ${label([name, args])}`, () => {
        const [first, other, last] = pruned(
          [name, args, text('old')],
          [name, { ...args, other: 1 }, text('other')],
          [name, args, text('new')],
        );
        assert.match(first.result, /^\[palimpsest:\w+ searched again later, 30 lines\]$/);
        assert.ok(other.untouched && last.untouched);
      });
    }
  });
}

// ---- Parts of files -----------------------------------------------------------------------------------------------

/** Reads of lines 1 to 30 and of others, and of lines 1 to 30 again, by tools whose results have no numbers. */
const PARTS = {
  file_read: (path, first, last) => ({ path, start_line: first, end_line: last }),
  Read: (file_path, first, last) => ({ file_path, offset: first, limit: last - first + 1 }),
  'Read of Cursor': (path, first, last) => ({ path, offset: first, limit: last - first + 1 }),
  str_replace_editor: (path, first, last) => ({ command: 'view', path, view_range: [first, last] }),
  file_editor: (path, first, last) => ({ command: 'view', path, view_range: [first, last] }),
  view: (path, first, last) => ({ path, view_range: [first, last] }),
  'read_file of Gemini CLI': (absolute_path, first, last) => ({ absolute_path, offset: first - 1, limit: last - first + 1 }),
  'read_file of Gemini CLI, lines': (file_path, first, last) => ({ file_path, start_line: first, end_line: last }),
  'read_file of Roo': (path, first, last) => ({ path, start_line: first, end_line: last }),
  'read_file of Desktop Commander': (path, first, last) => ({ path, offset: first - 1, length: last - first + 1 }),
  'read_file of Cursor': (target_file, first, last) => ({
    target_file,
    should_read_entire_file: false,
    start_line_one_indexed: first,
    end_line_one_indexed_inclusive: last,
  }),
  'read_file of Cursor, counted': (target_file, first, last) => ({ target_file, offset: first, limit: last - first + 1 }),
  read: (filePath, first, last) => ({ filePath, offset: first - 1, limit: last - first + 1 }),
};
for (const [tool, args] of Object.entries(PARTS)) {
  test(`some lines: ${tool}`, () => {
    const name = tool.split(' ')[0];
    const file = { a: page('a', 100), b: page('b', 100) };
    const read = (first, last, tag) => [name, args(A, first, last), file[tag].slice(first - 1, last).join('\n')];
    assert.ok(
      pruned(read(31, 60, 'a'), read(61, 90, 'b')).every(({ untouched }) => untouched),
      'the lines behind',
    );
    assert.ok(
      pruned(read(61, 90, 'a'), read(31, 60, 'b')).every(({ untouched }) => untouched),
      'the lines before',
    );
    assert.match(pruned(read(31, 60, 'a'), read(31, 60, 'a'))[0].result, stale, 'the same lines');
    assert.ok(pruned(read(31, 60, 'a'), read(31, 60, 'b'))[0].untouched, 'what they said may stand elsewhere now');
    const overlapping = pruned(read(31, 60, 'a'), read(51, 80, 'a'))[0].result.split('\n');
    assert.deepEqual(overlapping.slice(1), [...file.a.slice(30, 50), '[… 10 lines]'], 'the lines that are not read again stay');
  });
}

test('a read of one part of a file replaces no other part', () => {
  for (const [name, whole, ...parts] of [
    ['Read', { file_path: '/r/a.pdf' }, { file_path: '/r/a.pdf', pages: '1-5' }, { file_path: '/r/a.pdf', pages: '6-10' }],
    [
      'NotebookRead',
      { notebook_path: '/r/a.ipynb' },
      { notebook_path: '/r/a.ipynb', cell_id: 'a' },
      { notebook_path: '/r/a.ipynb', cell_id: 'b' },
    ],
    [
      'read_file',
      { files: [{ path: A }] },
      { files: [{ path: A, line_ranges: [[1, 30]] }] },
      { files: [{ path: A, line_ranges: [[31, 60]] }] },
    ],
    [
      'read_file',
      { args: { file: [{ path: A }] } },
      { args: { file: [{ path: A, line_range: '1-30' }] } },
      { args: { file: [{ path: A, line_range: ['31-60'] }] } },
    ],
    ['read_file', { path: A }, { path: A, offset: -30 }, { path: A, head: 3 }],
    ['read_text_file', { path: A }, { path: A, tail: 30 }, { path: A, head: 3 }],
  ]) {
    const calls = [whole, ...parts].map((args, index) => [name, args, text(`part ${index}`)]);
    assert.ok(
      pruned(...calls).every(({ untouched }) => untouched),
      `${name} ${Object.keys(parts[0])}`,
    );
    assert.ok(
      pruned(...calls, [name, whole, text('new')])
        .slice(0, 3)
        .every(({ result }) => stale.test(result)),
      'all of it, read again',
    );
  }
});

// ---- Misleading names ---------------------------------------------------------------------------------------------

test('a file that is written in several calls keeps them', () => {
  const write = (mode, tag) => ['write_file', { path: A, content: text(tag), mode }, 'Successfully wrote'];
  assert.ok(pruned(write('rewrite', 'a'), write('append', 'b'), write('append', 'c')).every(({ untouched }) => untouched));
  const [a, b] = pruned(write('rewrite', 'a'), write('append', 'b'), write('rewrite', 'c'));
  assert.ok([a, b].every(({ call }) => call.includes('superseded change')));
});

test('a dry run of an edit changes nothing', () => {
  const edit = (dryRun) => ['edit_file', { path: A, edits: [{ oldText: 'x', newText: 'y' }], dryRun }, '```diff\n-x\n+y\n```'];
  assert.ok(pruned(['read_file', { path: A }, text('a')], edit(true))[0].untouched);
  assert.match(pruned(['read_file', { path: A }, text('a')], edit(false))[0].result, stale);
});

test('input to a running program does not run a command', () => {
  for (const [name, args] of [
    ['execute_bash', { command: '', is_input: 'true' }],
    ['execute_bash', { command: '' }],
    ['terminal', { command: 'y', is_input: true }],
    ['BashOutput', { bash_id: 'b1' }],
    ['write_stdin', { session_id: 1, chars: '' }],
  ]) {
    assert.ok(
      pruned([name, args, text('a')], [name, args, text('b')]).every(({ untouched }) => untouched),
      `${name} ${JSON.stringify(args)}`,
    );
  }
});

test("a command in another directory is another command, whatever the argument's name", () => {
  for (const [name, cwd] of [
    ['bash_tool', 'cwd'],
    ['bash', 'workdir'],
    ['shell', 'workdir'],
    ['shell_command', 'workdir'],
    ['local_shell', 'working_directory'],
    ['run_shell_command', 'directory'],
    ['run_shell_command', 'dir_path'],
    ['execute_command', 'cwd'],
    ['Shell', 'working_directory'],
  ]) {
    const run = (directory, tag) => [name, { command: 'npm test', [cwd]: directory }, text(tag)];
    assert.ok(
      pruned(run('/r/a', 'a'), run('/r/b', 'b')).every(({ untouched }) => untouched),
      `${name} ${cwd}`,
    );
    assert.match(pruned(run('/r/a', 'a'), run('/r/a/', 'b'))[0].result, /run again later/, `${name} ${cwd}`);
    const print = [name, { command: 'cat a.ts', [cwd]: '/r/src' }, text('a')];
    assert.match(pruned(print, ['Write', { file_path: A, content: 'x' }, 'done'])[0].result, stale, `${name} ${cwd}`);
  }
});

// ---- Every known tool is tested -------------------------------------------------------------------------------------

test('every tool and argument name of the engine is covered above', () => {
  const said = new Map();
  const add = (name, args) => said.set(name, [...(said.get(name) ?? []), JSON.stringify(args)]);
  for (const { reads, writes, edits, commands, searches = [] } of Object.values(AGENTS)) {
    for (const [name, args] of [...reads, ...writes, ...edits, ...commands]) add(name.split('__').at(-1), args('x', 'y'));
    for (const [name, args] of searches) add(name, args);
  }
  for (const [tool, args] of Object.entries(PARTS)) add(tool.split(' ')[0], args('x', 1, 2));
  const rooms = new URL('../../crates/world/src/tools/', import.meta.url);
  let entries = 0;
  const shared = ['mod.rs', 'tool.rs', 'harness.rs', 'reports.rs', 'shell.rs'];
  for (const file of readdirSync(rooms).filter((file) => file.endsWith('.rs') && !shared.includes(file))) {
    assert.ok(file.replace('.rs', '') in AGENTS, `${file} has no tools above`);
    const source = readFileSync(new URL(file, rooms), 'utf8');
    for (const [entry, name] of source.matchAll(/Tool::\w+\(\s*"([^"]+)"[^;]*?\)(?=,\n|,?\s*\}?;)|name: "([^"]+)"/g)) {
      const tool = name ?? entry.match(/"([^"]+)"/)[1];
      entries++;
      if (NOT_JUDGED.includes(tool)) continue;
      assert.ok(said.has(tool), `${tool} of ${file}`);
      // Names of arguments. Each is in a call above; those for a part of a file are tested below.
      const names = [...entry.replace(/Lines::Part\([^)]*\)|\.others\([^)]*\)/g, '').matchAll(/"([^"]*)"/g)]
        .slice(1)
        .flatMap(([, names]) => names.split('.'))
        .filter(Boolean);
      for (const each of names) {
        if (['head', 'tail', 'workdir', 'cwd'].includes(each)) continue;
        assert.ok(
          said.get(tool).some((args) => args.includes(`"${each}":`)),
          `${tool}: ${each}`,
        );
      }
    }
  }
  assert.ok(entries > 90, `${entries} entries`);
});
