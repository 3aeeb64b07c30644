import { fileURLToPath } from 'node:url';
import { type ConsoleFiles, readConsole } from '../../server/console.ts';

/** Three folders up is the package, from the sources and from `dist/` alike. */
const FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url));

export const NO_CONSOLE = 'there is no built web console: "npm run console" makes it; going on without';

export function builtConsole(): Promise<ConsoleFiles | null> {
  return readConsole(FOLDER);
}
