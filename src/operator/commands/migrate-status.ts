import { isUsable, type Schemas, STOP_OLDER_RELEASES, unusableSchema } from '../../service/roster/schema.ts';
import { EXIT_CODES } from '../../shared/command/exit-codes.ts';
import { printJson, printLine } from '../../shared/command/terminal/print.ts';

/**
 * Prints whether this release can use the store. Where it can't write it, the exit code says so too.
 * @param shownUrl where the store is, without a password.
 */
export async function printStatus(schemas: Schemas, asJson: boolean, shownUrl: string): Promise<void> {
  const { store, release } = schemas;
  const [reads, writes] = [isUsable(store, release, 'read'), isUsable(store, release, 'write')];
  if (!writes) process.exitCode = EXIT_CODES.needsALook; // before anything is printed, whose reader may leave
  if (asJson)
    return printJson({
      store_schema: store.version,
      release_schema: release.version,
      reads_from_schema: release.usableFrom,
      reads,
      writes,
    });
  if (!isUsable(store, release, 'migrate'))
    return printLine(unusableSchema('the store', store, release).message);
  const has =
    store.version === 0 ? `there is no store in ${shownUrl}` : `the store has schema ${store.version}`;
  printLine(
    `${has}; this release has ${release.version}, and reads ${release.usableFrom} to ${release.version}`,
  );
  printLine(whatToDo(schemas, reads));
}

function whatToDo({ store, release }: Schemas, reads: boolean): string {
  const missing = release.version - store.version;
  if (missing === 0) return 'the schema is up to date';
  if (missing < 0) return 'the schema is of the next release, over which this one goes on';
  const run = `run "keyroster migrate", which applies ${missing} migration(s)`;
  if (reads) return `this release reads the store; to write it, ${run}`;
  if (store.version === 0) return run;
  return `this release can't use the store: ${STOP_OLDER_RELEASES}, which applies ${missing} migration(s)`;
}
