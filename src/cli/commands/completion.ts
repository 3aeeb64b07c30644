import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { type CompletedCommand, completedCommands } from '../completion/completed-command.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { printText } from '../terminal/print.ts';

const scripts = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} satisfies Record<string, (commands: readonly CompletedCommand[]) => string>;

/** @param allCommands the whole command line. */
export function completionCommand(allCommands: () => Promise<Command>): Command {
  return new Command('completion')
    .description('prints a script by which a shell completes commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', '\nExample: keyroster completion bash >> ~/.bashrc')
    .action(async (shell: keyof typeof scripts) => {
      printText(scripts[shell](completedCommands(await allCommands())));
    });
}
