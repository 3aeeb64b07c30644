import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { exactOption } from '../../../shared/command/options.ts';
import { isOnStandardInput } from '../connection/admin-key-source.ts';
import { connect, refuseServiceOptions, type ServiceFlags, serviceOptions } from '../connection/connect.ts';
import { type DirectoryFlags, directoryOf, directoryOptions } from '../connection/directory-file.ts';
import { walkPages } from '../connection/walk-pages.ts';
import { DIFFERENCE_FORMATS, type DifferenceFormat, tellDifference } from '../diff/print-difference.ts';
import type { Side } from '../diff/roster-difference.ts';
import { savedRoster } from '../saved/saved-roster.ts';

interface DiffFlags extends ServiceFlags, DirectoryFlags {
  readonly format: DifferenceFormat;
  readonly exact?: boolean;
}

export function diffCommand(): Command {
  return new Command('diff')
    .description(
      `tells how a saved roster differs from another one, or from the service now; exits with ${EXIT_CODES.needsALook} when it does`,
    )
    .argument('<old>', 'a file that list or export wrote, plain or gzip; - for standard input')
    .argument('[new]', 'another one; without it the service is asked')
    .addOption(new Option('--format <format>', 'what to print').choices(DIFFERENCE_FORMATS).default('table'))
    .addOptions(
      exactOption('CSV that is read: it was written with --exact'),
      ...directoryOptions(),
      ...serviceOptions(),
    )
    .example('keyroster-admin diff last-week.jsonl.gz')
    .action(async (old: string, current: string | undefined, flags: DiffFlags, command: Command) => {
      if (old === '-' && (current === undefined ? isOnStandardInput(flags.adminKeyFile) : current === '-'))
        throw new UsageError('standard input can be only one of the rosters and the admin key');
      if (current !== undefined)
        refuseServiceOptions(command, 'is of a service, and two saved rosters are compared without one');
      const directory = directoryOf(flags);
      const sides = {
        old: savedRoster(old, flags.exact),
        new: current === undefined ? await serviceSide(flags) : savedRoster(current, flags.exact),
      };
      await tellDifference(sides, { format: flags.format, directory, exitCode: true });
    });
}

async function serviceSide(flags: DiffFlags): Promise<Side> {
  const service = await connect(flags);
  const records = async function* () {
    for await (const { data } of walkPages(service)) yield data;
  };
  return { name: 'the service', records: records() };
}
