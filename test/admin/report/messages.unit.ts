import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyLines, Messages, recipientOf } from '../../../src/admin/report/messages.ts';
import { ownPolicies } from '../../../src/admin/report/parse-policies.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { directoryOf } from '../../support/people-files.ts';

const now = new Date('2026-11-26T00:00:00Z');
const { directory } = directoryOf(
  [
    'id,kind,name,mail,manager,left_on,suspended',
    'ann,person,Ann Miller,Ann@example.com,,,',
    'ann_svc,service_account,,ann@example.com,,,',
    'bob,person,Bob,bob@example.com,ann@example.com,2026-11-26,',
    'cem,person,Cem,cem@example.com,BOB,2026-01-01,',
    'dan,person,Dan,dan@example.com,,2026-01-01,',
    'eva,person,Eva,eva@example.com,Some Boss,2026-01-01,',
    'fay,person,Fay,fay@example.com,gus@example.com,2026-01-01,',
    'gus,person,Gus,gus@example.com,fay@example.com,2026-01-01,',
    'gus_svc,service_account,Gus bot,gus@example.com,,,',
    'hal,person,Hal,,ann,,yes',
    'ida,person,Ida,,,2027-01-01,',
    'wrkspc_1,workspace,Production.example.com,,,,',
  ].join('\n'),
);
const around = { now, directory };
const policies = ownPolicies([
  { name: 'a', rule: 'max-age', days: 1 },
  { name: 'b', rule: 'expires-within', days: 30 },
]);

function keyOf(id: string, creator: string | undefined, parts: object = {}): ApiKeyRecord {
  const created_by = creator === undefined ? undefined : { id: creator, type: 'user' };
  return { ...exampleRecord, id, name: `name of ${id}`, ...parts, created_by } as ApiKeyRecord;
}

test('whoever is here is asked about their keys; for who has left or is disabled the next manager who is here, else nobody', () => {
  const asked = {
    ann: 'ann@example.com',
    ann_svc: 'ann@example.com',
    bob: 'ann@example.com',
    cem: 'ann@example.com', // by the name of a manager who has left
    dan: '',
    eva: '', // no such manager
    fay: '', // each other's managers
    hal: 'ann@example.com',
    ida: 'ida',
    unknown: 'unknown',
  };
  for (const [creator, to] of Object.entries(asked))
    assert.equal(recipientOf(keyOf('k', creator), around), to, creator);
  assert.equal(recipientOf(keyOf('k', undefined), around), '', 'the service does not tell whose it is');
  assert.equal(recipientOf(keyOf('k', 'dan'), { now }), 'dan', 'without a directory');
});

test('one message has all keys that its reader is asked about, and says whose they are where it is not theirs', () => {
  const messages = new Messages(around);
  const [old, soon] = policies as [(typeof policies)[number], (typeof policies)[number]];
  messages.add({ key: keyOf('k0', 'dan'), policies });
  messages.add({ key: keyOf('k4', 'eva'), policies });
  messages.add({ key: keyOf('k1', 'unknown'), policies: [old] });
  messages.add({ key: keyOf('k2', 'ann', { workspace_id: null }), policies: [old] });
  messages.add({
    key: keyOf('k3', 'cem', { workspace_id: 'wrkspc_1', expires_at: '2026-12-01T00:00:00Z' }),
    policies: [old, soon],
  });
  const all = [...messages.all()];
  assert.deepEqual(
    all.map(({ to }) => to),
    ['ann@example.com', 'unknown', ''],
    'those about the most keys first, and the one for nobody last',
  );
  assert.match(all.at(-1)?.text ?? '', /\n {2}of Dan, who has left\n/);
  assert.match(
    all.at(-1)?.text ?? '',
    /\n {2}of Eva, who has left; no manager is known to be here: Some Boss\n/,
  );
  const { partial_key_hint: hint, created_at, workspace_id } = exampleRecord;
  const created = created_at.slice(0, 10);
  assert.equal(
    all[0]?.text,
    `Are these 2 API keys still needed?

- name of k2 (${hint}), k2
  active, created ${created}, in the default workspace
  active and older than 1 days
- name of k3 (${hint}), k3
  active, created ${created}, expires 2026-12-01, in Production[.]example[.]com
  of Cem, who has left
  active and older than 1 days
  active and expiring within 30 days

Please have those archived that are not, and say what the others are for.`,
  );
  assert.equal(
    all[1]?.text,
    `Is this API key still needed?

- name of k1 (${hint}), k1
  active, created ${created}, in ${workspace_id}
  active and older than 1 days

Please have it archived if it is not, or say what it is for.`,
  );
});

test('no mail program makes a link of the name of a person or their manager, and of several services each key tells its own', () => {
  const { directory } = directoryOf(
    'id,name,left_on,manager\nann,http://evil.example Bcc: x@y.zz,2020-01-01,www.boss.example\n',
  );
  const key = Object.assign(keyOf('k', 'ann', { workspace_id: null }), { profile: 'staging' });
  const [, where, whose] = keyLines({ key, policies: [] }, { now, directory, several: true }).split('\n');
  assert.match(where ?? '', /, in the default workspace of staging$/);
  assert.equal(
    whose,
    '  of http[:]//evil[.]example Bcc: x[@]y[.]zz, who has left; no manager is known to be here: www[.]boss[.]example',
  );
});

test('the name of a key is on one line, in its own direction, and no mail program makes a link of it', () => {
  const nameIn = (name: string) => {
    const [line = '', ...rest] = keyLines({ key: keyOf('k', 'ann', { name }), policies: [] }, { now }).split(
      '\n',
    );
    assert.equal(rest.length, 1, name);
    return line.slice('- '.length, -` (${exampleRecord.partial_key_hint}), k`.length);
  };
  const shown: Record<string, string> = {
    'a\u202e\nb\u2028c\r\n\u0085To: d': 'a b c To: d',
    'https://evil.example/?a=1#b': 'https[:]//evil[.]example/?a=1#b',
    'www.evil.example': 'www[.]evil[.]example',
    'evil.example, now. ok': 'evil[.]example, now. ok',
    'eve@evil.example': 'eve[@]evil[.]example',
    'mailto:eve tel:1': 'mailto[:]eve tel[:]1',
    '\\\\evil\\share': '[\\][\\]evil[\\]share',
    'evil。example evil．example': 'evil[。]example evil[．]example',
    '\u0000': '(no name)',
  };
  for (const [name, text] of Object.entries(shown)) assert.equal(nameIn(name), text);
});
