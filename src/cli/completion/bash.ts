import { type CompletedCommand, type CompletedValue, quoted } from './completed-command.ts';

/** A script for bash 4 and newer. Of `--option=value` bash makes three words. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completes keyroster in bash.
_keyroster() {
  local called= words= word current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$called $word" in
${commands
  .filter(({ call }) => call !== '')
  .map(calledCase)
  .join('')}    esac
  done
  case "$called $previous" in
${commands.flatMap(valueCases).join('')}  esac
  case "$called" in
${commands.map(wordsCase).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _keyroster keyroster
`;
}

function calledCase({ call }: CompletedCommand): string {
  return `      ${quoted(call.includes(' ') ? call : ` ${call}`)}) called=${quoted(call)} ;;\n`;
}

function valueCases({ call, options }: CompletedCommand): string[] {
  return options
    .filter(({ value }) => value !== 'none')
    .map(({ names, value }) => {
      const patterns = names.map(name => quoted(`${call} ${name}`)).join(' | ');
      return `    ${patterns}) ${completionOf(value)} return ;;\n`;
    });
}

function completionOf(value: CompletedValue): string {
  if (value === 'file') return 'compopt -o default;';
  return typeof value === 'string'
    ? ''
    : `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$current"));`;
}

function wordsCase({ call, subcommands, options, argument }: CompletedCommand): string {
  const values = typeof argument === 'string' ? [] : argument;
  const names = [...subcommands.map(({ name }) => name), ...options.flatMap(each => each.names)];
  const files = argument === 'file' ? ' [[ $current == -* ]] || words=; compopt -o default' : '';
  return `    ${quoted(call)}) words=${quoted([...values, ...names].join(' '))};${files} ;;\n`;
}
