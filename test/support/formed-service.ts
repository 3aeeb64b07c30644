/** A service of the operation with a form that a test draws: all that `spec.md` of the operation leaves to the service. */
import fc from 'fast-check';
import { startAnsweringService } from './answering-service.ts';
import type { Scope } from './scope.ts';

/** A key as it is, whatever its record tells. */
export interface Key {
  readonly number: number;
  readonly id: string;
  readonly second: number;
  readonly status: string;
  readonly workspace: string | null;
  readonly creator: string;
}

const FILTERS = ['status', 'workspace_id', 'created_by_user_id', 'created_from', 'created_before'] as const;
export type Filter = (typeof FILTERS)[number];

const START = Date.UTC(2025, 0, 1);
export const timeOf = (second: number) => new Date(START + second * 1_000).toISOString();

/** In the words of each service; what is of another form tells no time. */
const times: Readonly<Record<string, (second: number) => unknown>> = {
  micros: second => timeOf(second).replace('Z', '123Z'),
  seconds: second => timeOf(second).replace('.000', ''),
  nanos: second => timeOf(second).replace('Z', '123456Z').toLowerCase(),
  offset: second => timeOf(second + 19_800).replace('Z', '+05:30'),
  space: second => timeOf(second).replace('T', ' '),
  unix: second => String(Math.floor(START / 1_000) + second),
  none: () => undefined,
};
const orders: Readonly<Record<string, (a: Key, b: Key) => number>> = {
  newest: (a, b) => b.second - a.second || b.number - a.number,
  oldest: (a, b) => a.second - b.second || b.number - a.number,
  'by ID': (a, b) => (a.id < b.id ? -1 : 1),
  hidden: (a, b) => ((a.number * 7_919) % 101) - ((b.number * 7_919) % 101),
};
const refusals: readonly ((filter: string) => object)[] = [
  filter => ({ error: { type: 'invalid_request_error', message: `${filter}: unknown parameter` } }),
  () => ({ message: 'bad request', error: 'Bad Request' }),
  filter => ({ detail: [{ loc: ['query', filter], msg: 'Extra inputs are not permitted' }] }),
  filter => ({ title: 'Bad Request', detail: `no filter ${filter}` }),
];
/** How records tell a field, by the number of the key. */
const TOLD = { all: () => true, some: (number: number) => number % 5 !== 0, none: () => false };
const drawn = <T>(values: Readonly<Record<string, T>>) => fc.constantFrom(...Object.keys(values));

export const formOfService = fc.record({
  order: drawn(orders),
  time: drawn(times),
  status: drawn(TOLD),
  workspace: fc.constantFrom('all', 'some', 'none', 'scope'),
  creator: drawn(TOLD),
  hint: fc.constantFrom('...', '…', '****', 'some', 'none'),
  filters: fc.record(
    Object.fromEntries(FILTERS.map(name => [name, fc.constantFrom('honoured', 'ignored', 'refused')])),
  ),
  refusal: fc.nat({ max: refusals.length - 1 }),
  refusedStatus: fc.constantFrom(400, 422),
  /** What an unknown cursor gets. */
  cursor: fc.constantFrom(400, 404, 422, 'first page'),
  ends: fc.boolean(),
  maxLimit: fc.constantFrom(1, 7, 1_000),
  ignoresLimit: fc.boolean(),
});
export type Form = typeof formOfService extends fc.Arbitrary<infer T> ? T : never;

export const keysOfRoster = fc
  .array(
    fc.record({
      second: fc.nat({ max: 30 }),
      status: fc.constantFrom('active', 'active', 'inactive', 'archived', 'expired', 'suspended'),
      workspace: fc.constantFrom('w|1', 'w2', null),
      creator: fc.constantFrom('auth0|1', 'ann@example.com'),
    }),
    { maxLength: 40 },
  )
  .map(keys =>
    keys.map(
      (key, number): Key => ({
        ...key,
        number,
        id: `key/${(number * 37) % 101}`,
        second: key.second * 86_400,
      }),
    ),
  );

const isTold = (form: keyof typeof TOLD, { number }: Key) => TOLD[form](number);
export const tells = {
  status: (form: Form, key: Key) => isTold(form.status as keyof typeof TOLD, key),
  creator: (form: Form, key: Key) => isTold(form.creator as keyof typeof TOLD, key),
  time: (form: Form) => form.time !== 'unix' && form.time !== 'none',
  workspace: (form: Form, key: Key) =>
    form.workspace === 'scope' || isTold(form.workspace as keyof typeof TOLD, key),
  hint: (form: Form, { number }: Key) => form.hint !== 'none' && (form.hint !== 'some' || number % 5 !== 0),
};

export const hintOf = (form: Form, { number }: Key) =>
  `sk-any-${String(number).padStart(3, 'R')}${form.hint === 'some' ? '...' : form.hint}${String(number).padStart(4, 'z')}`;

export function recordOf(form: Form, key: Key): Record<string, unknown> & { id: string } {
  const { id, number, status, creator } = key;
  const workspace =
    form.workspace === 'scope'
      ? {
          scope:
            key.workspace === null
              ? { type: 'organization' }
              : { type: 'workspace', workspace_id: key.workspace },
        }
      : { workspace_id: tells.workspace(form, key) ? key.workspace : undefined };
  const record = {
    id,
    type: 'api_key',
    name: `Key ${number}`,
    created_at: times[form.time]?.(key.second),
    created_by: tells.creator(form, key) ? { id: creator, type: 'robot' } : null,
    partial_key_hint: tells.hint(form, key) ? hintOf(form, key) : null,
    status: tells.status(form, key) ? status : number % 2 === 0 ? null : undefined,
    ...workspace,
    extra: { of: ['the service'] },
  };
  return JSON.parse(JSON.stringify(record));
}

/** Whether the key is one of the filter, as the service knows it. */
export function passes(key: Key, name: Filter, value: string): boolean {
  if (name === 'status') return key.status === value || (key.status === 'expired' && value === 'active');
  if (name === 'workspace_id') return key.workspace === value;
  if (name === 'created_by_user_id') return key.creator === value;
  const isNotBefore = START + key.second * 1_000 >= Date.parse(value);
  return name === 'created_from' ? isNotBefore : !isNotBefore;
}

export const inOrder = (form: Form, keys: readonly Key[]) => keys.toSorted(orders[form.order]);

/** `current` has the form and the keys of the next answers. Returns the base URL. */
export function startFormedService(scope: Scope, current: () => { form: Form; keys: readonly Key[] }) {
  return startAnsweringService(scope, (request, response) => {
    const { form, keys } = current();
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const query = new URL(request.url ?? '', 'http://service').searchParams;
    const sent = FILTERS.filter(name => query.has(name));
    const refused = sent.find(name => form.filters[name] === 'refused');
    if (refused) return answer(form.refusedStatus, refusals[form.refusal]?.(refused) ?? {});
    const honoured = sent.filter(name => form.filters[name] === 'honoured');
    const all = inOrder(form, keys);
    const cursor = query.get('after_id') ?? query.get('before_id');
    const place = all.findIndex(({ id }) => id === cursor);
    if (cursor !== null && place < 0 && form.cursor !== 'first page')
      return answer(Number(form.cursor), { error: 'no such cursor' });
    const isBackward = query.has('before_id') && place >= 0;
    const side = isBackward ? all.slice(0, place) : all.slice(place + 1);
    const rest = side.filter(key => honoured.every(name => passes(key, name, String(query.get(name)))));
    const asked = form.ignoresLimit ? 20 : Number(query.get('limit') ?? 20);
    const limit = Math.min(asked, form.maxLimit);
    const data = (isBackward ? rest.slice(-limit) : rest.slice(0, limit)).map(key => recordOf(form, key));
    const ends = form.ends ? { first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null } : {};
    answer(200, { data, ...ends, has_more: rest.length > data.length, next: 'ignored' });
  });
}
