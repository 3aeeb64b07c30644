import { nameMeant } from '../../nearest-name.ts';
import { printableName } from '../../roster/printable-name.ts';
import { printError } from '../terminal/print.ts';
import { SETTINGS } from './settings.ts';

const PREFIX = 'KEYROSTER_';

/** What is read beside the settings, by this command or by others. */
const OTHERS = [
  'KEYROSTER_CONFIG',
  'KEYROSTER_ACTOR',
  'KEYROSTER_WAIT',
  'KEYROSTER_MOVE_TO',
  'KEYROSTER_DEBUG',
  'KEYROSTER_BASE_URL',
  'KEYROSTER_ADMIN_KEY',
  'KEYROSTER_ADMIN_KEY_FILE',
  'KEYROSTER_PROFILE',
  'KEYROSTER_PAGER',
];

const KNOWN = [...Object.values(SETTINGS).map(({ variable }) => variable), ...OTHERS];

/** Without what all have in common, by which any two would be alike. */
const NAMES = KNOWN.map(variable => variable.slice(PREFIX.length));

/** Without it the default would hold in silence. */
export function warnOfMisspeltVariables(): void {
  for (const warning of misspeltVariables(process.env)) printError(`keyroster: warning: ${warning}`);
}

/** A warning for each. A variable that is like none may be there for something else, and is left alone. */
export function misspeltVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([variable, value = '']) => {
    const isOurs = variable.startsWith(PREFIX) && !KNOWN.includes(variable);
    const meant =
      isOurs && !isOfKubernetes(variable, value) && nameMeant(variable.slice(PREFIX.length), NAMES);
    return meant ? [`${printableName(variable)}: unknown variable, did you mean ${PREFIX}${meant}?`] : [];
  });
}

/** It makes these of each Service, such as one that is named `keyroster-metrics`. */
function isOfKubernetes(variable: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(variable) ||
    /^(tcp|udp|sctp):\/\//.test(value)
  );
}
