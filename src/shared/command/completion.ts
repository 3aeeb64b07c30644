import { Argument, Command, type Option } from 'commander';
import { printText } from './terminal/print.ts';

/** For the program `keyroster`. Each asks this command what it offers for a line. Where that is nothing, the shell offers files. */
const scripts = {
  bash: `_keyroster() {
  local IFS=$'\\n'
  COMPREPLY=($(keyroster completion bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
}
complete -o default -F _keyroster keyroster
`,
  zsh: `#compdef keyroster
_keyroster() {
  local -a offered
  offered=(\${(f)"$(keyroster completion zsh "\${words[1,CURRENT]}" 2>/dev/null)"})
  if (( $#offered )); then compadd -- $offered; else _files; fi
}
if [[ $funcstack[1] == _keyroster ]]; then _keyroster "$@"; else compdef _keyroster keyroster; fi
`,
  fish: `function __keyroster_offered
    set -l offered (keyroster completion fish (commandline -cp) 2>/dev/null)
    if test (count $offered) -gt 0
        printf '%s\\n' $offered
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c keyroster -f -a '(__keyroster_offered)'
`,
} as const;

type Shell = keyof typeof scripts;

/** What an option may be given that only this machine knows, by its long name. */
export type OptionValues = Readonly<Record<string, () => Promise<readonly string[]>>>;

/** @param programOf the program with the command of this name, or with all where none has it. */
export function completionCommand(
  program: string,
  programOf: (called: string | undefined) => Promise<Command>,
  values: OptionValues = {},
): Command {
  return new Command('completion')
    .description('prints a script by which a shell completes commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .argument('[line]', 'for the script: print what completes the last word of this line')
    .addHelpText('after', `\nExample: ${program} completion bash >> ~/.bashrc`)
    .action(async (shell: Shell, line: string | undefined) => {
      if (line === undefined) return printText(scripts[shell].replaceAll('keyroster', program));
      const words = line.trimStart().split(/\s+/).slice(1);
      const offered = await offeredFor(words, await programOf(words[0]), values);
      printText(offered.map(word => `${word}\n`).join(''));
    });
}

async function offeredFor(
  words: readonly string[],
  program: Command,
  values: OptionValues,
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  let command = program;
  let option: Option | undefined; // whose value the next word is
  for (const word of words.slice(0, -1)) {
    const isValue = option !== undefined;
    option = isValue ? undefined : command.options.find(each => takesValue(each) && isOf(each, word));
    if (!isValue) command = command.commands.find(each => each.name() === word) ?? command;
  }
  const known = async ({ argChoices, long }: Option) => argChoices ?? (await values[String(long)]?.()) ?? [];
  const all = option ? await known(option) : wordsOf(command, current);
  return all.filter(word => word.startsWith(current));
}

/** Options only where one was begun: files are asked for more often. */
function wordsOf(command: Command, current: string): string[] {
  const help = command.createHelp();
  if (current.startsWith('-')) return help.visibleOptions(command).map(({ long, flags }) => long ?? flags);
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return [...help.visibleCommands(command).map(each => each.name()), ...choices];
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function isOf({ long, short }: Option, word: string): boolean {
  return word === long || word === short;
}
