import { printableName } from '../../roster/fields.ts';
import { printError } from '../terminal/print.ts';

const PREFIX = 'KEYROSTER_';

/** What commands read beside the settings of `serve`, or share with it. */
const OTHERS = [
  'KEYROSTER_DATABASE_URL',
  'KEYROSTER_VENDOR',
  'KEYROSTER_CONFIG',
  'KEYROSTER_ACTOR',
  'KEYROSTER_WAIT',
  'KEYROSTER_MOVE_TO',
  'KEYROSTER_DEBUG',
  'KEYROSTER_BASE_URL',
  'KEYROSTER_ADMIN_KEY',
  'KEYROSTER_ADMIN_KEY_FILE',
  'KEYROSTER_PROFILE',
];

/** Without it the default would hold in silence: the admin key would go to another service. */
export async function warnOfMisspeltVariables(): Promise<void> {
  for (const warning of await misspeltVariables(process.env)) printError(`keyroster: warning: ${warning}`);
}

/** A warning for each. A variable that is like none may be there for something else, and is left alone. */
export async function misspeltVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const others = Object.keys(environment).filter(
    variable =>
      variable.startsWith(PREFIX) &&
      !OTHERS.includes(variable) &&
      !isOfKubernetes(variable, environment[variable] ?? ''),
  );
  if (others.length === 0) return []; // most of the admin's commands need no settings of `serve`, and don't load them
  const { SETTINGS, variableOf } = await import('../../settings.ts');
  const { nameMeant } = await import('../../nearest-name.ts');
  // Without what all have in common, by which any two would be alike.
  const nameOf = (variable: string) => variable.slice(PREFIX.length);
  const names = [...Object.values(SETTINGS).map(variableOf), ...OTHERS].map(nameOf);
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
