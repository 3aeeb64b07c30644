import { fileURLToPath } from 'node:url';
import { type ConsoleFiles, readConsole } from '../../server/console.ts';

/** The package is three folders up, from the sources and from `dist/` alike. */
const FOLDER = fileURLToPath(new URL('../../../dist/console', import.meta.url));

export const NO_CONSOLE = 'the web console is not built: serving without it; "npm run console" builds it';

export function builtConsole(): Promise<ConsoleFiles | null> {
  return readConsole(FOLDER);
}
