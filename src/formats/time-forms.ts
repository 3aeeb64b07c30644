import { TIMESTAMP_RULE } from '../roster/timestamp.ts';

interface Form {
  /** The same time as in RFC 3339, with all its digits; `undefined` for what isn't of this form. */
  readonly toRfc3339: (value: unknown) => string | undefined;
  readonly rule: string;
}

/** The forms in which a source may have a time. */
const forms = {
  rfc3339: { toRfc3339: value => textOf(value), rule: TIMESTAMP_RULE },
  postgresql: {
    toRfc3339: fromPostgresql,
    rule: 'must be a timestamp of PostgreSQL with its zone, such as 2024-10-30 23:58:27.427722+00',
  },
  seconds: {
    toRfc3339: value => fromEpoch(value, 0),
    rule: 'must be seconds since 1970, such as 1730332707.427722',
  },
  milliseconds: {
    toRfc3339: value => fromEpoch(value, 3),
    rule: 'must be milliseconds since 1970, such as 1730332707427',
  },
} as const satisfies Record<string, Form>;

export type TimeForm = keyof typeof forms;
export const TIME_FORMS = Object.keys(forms) as TimeForm[];

/** A time of this form in RFC 3339, or the rule that it breaks. `cut` drops what is below the microsecond. */
export function rfc3339Of(value: unknown, form: TimeForm, cut: boolean): { text: string } | { rule: string } {
  const { toRfc3339, rule } = forms[form];
  const text = toRfc3339(value);
  if (text === undefined) return { rule };
  const [, finer = ''] = /\.\d{6}(\d+)/.exec(text) ?? [];
  if (/[1-9]/.test(finer) && !cut)
    return { rule: 'is finer than a microsecond: "nanoseconds": "cut" drops that' };
  return { text: text.replace(/(\.\d{6})\d+/, '$1') };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Its ISO style, with the offset that its `TimeZone` gives: `+00`, `-03:30`. */
function fromPostgresql(value: unknown): string | undefined {
  const form = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)([+-]\d\d)(?::?(\d\d))?$/;
  const [, date, time, hours, minutes = '00'] = form.exec(textOf(value) ?? '') ?? [];
  return date && `${date}T${time}${hours}:${minutes}`;
}

/** The latest of the year 9999, in seconds. */
const MAX_SECONDS = 253_402_300_799;

/** By its decimal digits, as a floating-point number of them isn't exact. */
function fromEpoch(value: unknown, decimals: number): string | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,16})(?:\.(\d+))?$/.exec(String(value)) ?? [];
  if (whole === undefined || sign === '-' || (typeof value !== 'number' && typeof value !== 'string'))
    return undefined;
  const digits = whole.padStart(decimals + 1, '0');
  const seconds = Number(digits.slice(0, digits.length - decimals));
  const below = digits.slice(digits.length - decimals) + fraction;
  if (seconds > MAX_SECONDS) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${below.padEnd(1, '0')}Z`;
}
