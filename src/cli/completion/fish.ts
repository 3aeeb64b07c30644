import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  quoted,
} from './completed-command.ts';

/** A script for fish, to be sourced, or put into `~/.config/fish/completions/keyroster.fish`. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completes keyroster in fish.
function __keyroster_calls
    set -l called
    for word in (commandline -opc)[2..-1]
        switch "$called $word"
${commands
  .filter(({ call }) => call !== '')
  .map(calledCase)
  .join('')}        end
    end
    test "$called" = "$argv[1]"
end
complete -c keyroster -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function calledCase({ call }: CompletedCommand): string {
  return `            case ${fishQuoted(call.includes(' ') ? call : ` ${call}`)}\n                set called ${fishQuoted(call)}\n`;
}

function linesOf({ call, subcommands, options, argument }: CompletedCommand): string[] {
  const start = `complete -c keyroster -n ${fishQuoted(`__keyroster_calls ${quoted(call)}`)}`;
  return [
    ...subcommands.map(
      ({ name, description }) => `${start} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
    ),
    ...options.map(option => `${start} ${optionWords(option)}`),
    ...(argument === 'file' ? [`${start} -F`] : []),
    ...(typeof argument === 'string' ? [] : [`${start} -a ${fishQuoted(argument.join(' '))}`]),
  ];
}

function optionWords({ names, description, value }: CompletedOption): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...valueWords(value), '-d', fishQuoted(description)].join(' ');
}

function valueWords(value: CompletedValue): string[] {
  if (value === 'none') return [];
  if (value === 'file') return ['-r', '-F'];
  return value === 'text' ? ['-x'] : ['-x', '-a', fishQuoted(value.join(' '))];
}

/** Within single quotes fish knows `\'` and `\\`. */
const fishQuoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
