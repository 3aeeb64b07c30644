/**
 * What `@anthropic-ai/sdk` 1.12 types of an API key, which it asks for as version 2026-10-21: a check for each property. In
 * test/foreign-clients.soak.ts the compiler compares it with the package.
 */

type Check<T> = (value: unknown) => value is T;
type Checked<Of> = Of extends Check<infer T> ? T : never;
type Checks = Readonly<Record<string, Check<unknown>>>;
type ObjectOf<Of extends Checks> = { [Name in keyof Of]: Checked<Of[Name]> };

const text: Check<string> = value => typeof value === 'string';

const oneOf =
  <const Value>(...values: Value[]): Check<Value> =>
  (value): value is Value =>
    values.includes(value as Value);

const anyOf =
  <Of extends Check<unknown>[]>(...checks: Of): Check<Checked<Of[number]>> =>
  (value): value is Checked<Of[number]> =>
    checks.some(check => check(value));

/** With these properties and no others. */
const object =
  <Of extends Checks>(checks: Of): Check<ObjectOf<Of>> =>
  (value): value is ObjectOf<Of> =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every(name => Object.hasOwn(checks, name)) &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const none = oneOf(null);

export const SDK_RECORD = {
  id: text,
  created_at: text,
  created_by: anyOf(object({ id: text, type: oneOf('service_account', 'user') }), none),
  expires_at: anyOf(text, none),
  name: text,
  partial_key_hint: anyOf(text, none),
  principal: anyOf(
    object({ type: oneOf('user_actor'), user_id: text }),
    object({ type: oneOf('service_account_actor'), service_account_id: text }),
    none,
  ),
  scope: anyOf(
    object({ type: oneOf('organization') }),
    object({ type: oneOf('workspace'), workspace_id: text }),
  ),
  status: oneOf('active', 'archived', 'expired', 'inactive'),
  type: oneOf('api_key'),
} satisfies Checks;

export type SdkRecord = ObjectOf<typeof SDK_RECORD>;

/** The properties that aren't there with their type. */
export function missingOf(record: object): string[] {
  return Object.entries<Check<unknown>>(SDK_RECORD)
    .filter(([name, check]) => !check((record as Record<string, unknown>)[name]))
    .map(([name]) => name);
}
