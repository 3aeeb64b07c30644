import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  quoted,
} from './completed-command.ts';

/** A script for zsh, to be sourced, or put into a folder of `fpath` as `_keyroster`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef keyroster
# Completes keyroster in zsh.
_keyroster() {
  local called= word
  local -i at=2 first=2
  for (( ; at < CURRENT; at++ )); do
    case "$called $words[at]" in
${commands
  .filter(({ call }) => call !== '')
  .map(calledCase)
  .join('')}    esac
  done
  words=("$called" "\${(@)words[first,-1]}")
  (( CURRENT -= first - 2 ))
  case "$called" in
${commands.map(commandCase).join('')}  esac
}
if [[ $funcstack[1] == _keyroster ]]; then _keyroster "$@"; else compdef _keyroster keyroster; fi
`;
}

function calledCase({ call }: CompletedCommand): string {
  return `      ${quoted(call.includes(' ') ? call : ` ${call}`)}) called=${quoted(call)}; first=$((at + 1)) ;;\n`;
}

function commandCase({ call, subcommands, options, argument }: CompletedCommand): string {
  const described = subcommands.map(({ name, description }) => quoted(`${escaped(name)}:${description}`));
  const below =
    subcommands.length === 0
      ? ''
      : `      local -a below=(${described.join(' ')})\n      (( CURRENT == 2 )) && _describe command below\n`;
  const specs = [
    ...options.map(optionSpec),
    ...(argument === 'none' ? [] : [quoted(`*${actionOf(argument)}`)]),
  ];
  return `    ${quoted(call)})\n${below}      _arguments -S ${specs.join(' ')} ;;\n`;
}

function optionSpec({ names, description, value }: CompletedOption): string {
  const text = `[${description.replaceAll(/[[\]\\:]/g, '\\$&')}]`;
  const others = names.length > 1 ? quoted(`(${names.join(' ')})`) : '';
  const each = names.map(name => (value === 'none' ? name : `${name}${name.startsWith('--') ? '=' : ''}`));
  const spec = quoted(`${text}${actionOf(value)}`);
  return each.length > 1 ? `${others}{${each.join(',')}}${spec}` : `${each[0]}${spec}`;
}

function actionOf(value: CompletedValue): string {
  if (value === 'none') return '';
  if (value === 'file') return ':file:_files';
  return value === 'text' ? ':value: ' : `:value:(${value.join(' ')})`;
}

const escaped = (name: string) => name.replaceAll(':', '\\:');
