/** An option breaks its rule, or isn't one. The message has the option's name and the rule, never the value. */
export class InvalidOptionError extends TypeError {
  override readonly name = 'InvalidOptionError';
  readonly option: string;
  readonly rule: string;

  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`);
    this.option = option;
    this.rule = rule;
  }
}

/** A misspelt option would silently leave its default. One that is `undefined` is left out. */
export function refuseUnknown(options: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !known.includes(name))
      throw new InvalidOptionError(printable(name), `unknown option; the options are ${known.join(', ')}`);
}

/** A text that is too long for a name, or has too many digits, may be a secret in the wrong place. */
function printable(name: string): string {
  return /^(?!(?:.*\d){3})[A-Za-z_]\w{0,31}$/.test(name) ? name : '(unprintable)';
}
