import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredText } from '../../shared/formats/render-csv.ts';
import { agoText } from './age.ts';

/** With the microseconds, as the service has it. */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

/** In UTC. */
export function dateOf(at: string): string {
  return at.slice(0, 10);
}

/** How long ago a time was, or when it comes. The time itself is in its title, and on paper the day. */
export function Created({ at }: { readonly at: string }) {
  return (
    <time class="created" dateTime={at} data-day={dateOf(at)} title={exactTime(at)}>
      {agoText(at, Date.now())}
    </time>
  );
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** `last_used_at` becomes "Last used at". */
export function headingOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface Props {
  readonly apiKey: ApiKeyRecord;
  readonly name: string;
  /** Whether a time is shown with its microseconds. */
  readonly exact?: boolean;
}

/** A value of a declared field, by what it is: the console doesn't know the field. */
export function DeclaredValue({ apiKey, name, exact = false }: Props) {
  const text = declaredText(apiKey, name);
  if (text === '') return <span class="muted">none</span>;
  if (TIMESTAMP.test(text)) return exact ? <span>{exactTime(text)}</span> : <Created at={text} />;
  return (
    <span class="declared-text truncate" title={text}>
      {text}
    </span>
  );
}
