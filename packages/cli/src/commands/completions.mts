import { optionsOf } from '../arguments.mjs';
import { Misuse } from '../errors.mjs';
import { COMMANDS } from './index.mjs';
import { defineCommand } from './index.mjs';
import type { Command } from './index.mjs';

const SHELLS = ['bash', 'zsh', 'fish'];

/** A text in single quotes, as all three shells read them. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Options of a command with their dashes. */
const dashed = (command: Command) =>
  Object.entries(optionsOf(command)).flatMap(([name, option]) => (option.short ? [`--${name}`, `-${option.short}`] : [`--${name}`]));

/** Options with a value. */
const withValues = (command: Command) => Object.entries(optionsOf(command)).filter(([, { type }]) => type !== 'boolean');

function bash(commands: Command[]) {
  const cases = commands.map((command) => {
    const values = withValues(command).map(([name, option]) => {
      const names = option.short ? `--${name}|-${option.short}` : `--${name}`;
      const words = option.choices
        ? `COMPREPLY=($(compgen -W ${quoted(option.choices.join(' '))} -- "$cur"))`
        : option.isFile
          ? 'COMPREPLY=($(compgen -f -- "$cur"))'
          : '';
      return `        ${names}) ${words ? `${words}; ` : ''}return ;;`;
    });
    return `    ${command.name})
      case "$prev" in
${values.join('\n')}
        *) ;;
      esac
      options=${quoted(dashed(command).join(' '))} ;;`;
  });
  return `_palimpsest() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" options=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))} -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$cur")); return ;;
    completions) [ "\${cur#-}" = "$cur" ] && COMPREPLY=($(compgen -W ${quoted(SHELLS.join(' '))} -- "$cur")) && return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _palimpsest palimpsest
`;
}

/** Text in the brackets of an option for \`_arguments\`. */
const bracketed = (text: string) => text.replace(/[[\]:\\]/g, '\\$&');

function zsh(commands: Command[]) {
  const cases = commands.map((command) => {
    const specs = Object.entries(optionsOf(command)).flatMap(([name, option]) => {
      const { short, type, value, choices, isFile, text } = option;
      const action = choices ? `(${choices.join(' ')})` : isFile ? '_files' : ' ';
      const after = type === 'boolean' ? '' : `:${(value ?? 'value').toLowerCase()}:${action}`;
      const names = short ? [`--${name}`, `-${short}`] : [`--${name}`];
      return names.map((dashes) => quoted(`(${names.join(' ')})${dashes}[${bracketed(text)}]${after}`));
    });
    const rest = command.name === 'completions' ? `1:shell:(${SHELLS.join(' ')})` : '*:file:_files';
    return `    ${command.name})
      _arguments ${[...specs, ...(command.positionals > 0 ? [quoted(rest)] : [])].join(' ')} ;;`;
  });
  return `#compdef palimpsest
_palimpsest() {
  local -a commands
  commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary.replaceAll(':', '\\:')}`)).join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _palimpsest ]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi
`;
}

function fish(commands: Command[]) {
  const lines = commands.map(({ name, summary }) => `complete -c palimpsest -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`);
  for (const command of commands) {
    const where = `-n '__fish_seen_subcommand_from ${command.name}'`;
    for (const [name, { short, type, choices, isFile, text }] of Object.entries(optionsOf(command))) {
      const value = type === 'boolean' ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : isFile ? ' -r -F' : ' -x';
      lines.push(`complete -c palimpsest ${where} -l ${name}${short ? ` -s ${short}` : ''}${value} -d ${quoted(text)}`);
    }
    if (command.name === 'completions') lines.push(`complete -c palimpsest ${where} -f -a ${quoted(SHELLS.join(' '))}`);
    else if (command.positionals === 0) lines.push(`complete -c palimpsest ${where} -f`);
  }
  return `${lines.join('\n')}\n`;
}

const WRITERS = { bash, zsh, fish };

export const command = defineCommand({
  name: 'completions',
  summary: 'Writes the completions for a shell',
  usage: SHELLS.join('|'),
  positionals: 1,
  options: {},
  examples: [
    ['source <(palimpsest completions bash)', 'in ~/.bashrc'],
    ['source <(palimpsest completions zsh)', 'in ~/.zshrc, after compinit'],
    ['palimpsest completions fish > ~/.config/fish/completions/palimpsest.fish', 'for fish'],
  ],
  async run({ positionals: [shell], io }) {
    if (shell === undefined || !SHELLS.includes(shell))
      throw new Misuse(`completions needs a shell: ${SHELLS.join(', ')}${shell === undefined ? '' : `; got ${JSON.stringify(shell)}`}`);
    const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
    io.stdout.write(WRITERS[shell as keyof typeof WRITERS](commands));
  },
});
