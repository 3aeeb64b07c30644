import { Command as CommanderCommand, type Option } from 'commander';

/** A command of one of the programs: its options are given together, and its help ends with an example. */
export class Command extends CommanderCommand {
  addOptions(...options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  example(commandLine: string): this {
    return this.addHelpText('after', `\nExample: ${commandLine}`);
  }
}

/** Wrong usage of the command line. The message names the option and its rule, never the value. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
