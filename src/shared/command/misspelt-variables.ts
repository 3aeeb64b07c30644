import { printableName } from '../record/fields.ts';
import { printError } from './terminal/print.ts';

const PREFIX = 'KEYROSTER_';

/** What commands of both programs read, which may share an environment, beside the settings of `serve`. */
const OTHERS = [
  'KEYROSTER_DATABASE_URL',
  'KEYROSTER_VENDOR',
  'KEYROSTER_API_VERSION',
  'KEYROSTER_ACTOR',
  'KEYROSTER_WAIT',
  'KEYROSTER_MOVE_TO',
  'KEYROSTER_BACKUP_FOLDER',
  'KEYROSTER_DEBUG',
  'KEYROSTER_BASE_URL',
  'KEYROSTER_ADMIN_KEY',
  'KEYROSTER_ADMIN_KEY_FILE',
  'KEYROSTER_PROFILE',
];

/** Without it the default, or the profile's, would hold in silence. */
export async function warnOfMisspeltVariables(
  program: string,
  settings?: () => Promise<readonly string[]>,
): Promise<void> {
  const warnings = await misspeltVariables(process.env, settings);
  for (const warning of warnings) printError(`${program}: warning: ${warning}`);
}

/**
 * A warning for each. A variable that is like none may be there for something else, and is left alone.
 * @param settings the program's other variables. Most commands don't need to load them.
 */
export async function misspeltVariables(
  environment: Readonly<Record<string, string | undefined>>,
  settings = async (): Promise<readonly string[]> => [],
): Promise<string[]> {
  const others = Object.keys(environment).filter(
    variable =>
      variable.startsWith(PREFIX) &&
      !OTHERS.includes(variable) &&
      !isOfKubernetes(variable, environment[variable] ?? ''),
  );
  if (others.length === 0) return [];
  const { nameMeant } = await import('../nearest-name.ts');
  // Without what all have in common, by which any two would be alike.
  const nameOf = (variable: string) => variable.slice(PREFIX.length);
  const names = [...(await settings()), ...OTHERS].map(nameOf);
  return others.flatMap(variable => {
    const meant = nameMeant(nameOf(variable), names);
    if (meant === undefined || meant === nameOf(variable)) return [];
    return [`${printableName(variable)}: unknown variable, did you mean ${PREFIX}${meant}?`];
  });
}

/** It makes these of each Service, such as one that is named `keyroster-metrics`. */
function isOfKubernetes(variable: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(variable) ||
    /^(tcp|udp|sctp):\/\//.test(value)
  );
}
