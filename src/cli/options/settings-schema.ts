import { nameOf, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** The JSON schema of a settings file, which is `docs/config.schema.json`. */
export function settingsSchema() {
  const properties = Object.values(SETTINGS).map(setting => [nameOf(setting), schemaOf(setting)]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A settings file of keyroster, for --config',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}

function schemaOf({ flags, description, without, byDefault, kind }: Setting<unknown>) {
  // What such a flag does is the opposite of its setting.
  const isNegated = flags.startsWith('--no-');
  const words = isNegated ? `false: ${description}` : description;
  const none = without === undefined ? '' : ` (default: ${without})`;
  return {
    description: `${words}${none}`,
    ...kind.schema,
    ...(byDefault !== undefined && { default: kind.valueOf(byDefault) }),
  };
}
