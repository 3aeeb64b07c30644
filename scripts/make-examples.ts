/** Prints examples/api-keys.jsonl, the same in every run: `npm run examples`. */
import { createHash } from 'node:crypto';
import { type ApiKey, renderApiKey } from '../src/service/roster/api-key.ts';
import type { CreatorType } from '../src/shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../src/shared/record/partial-key-hint.ts';
import type { Status } from '../src/shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../src/shared/record/timestamp.ts';

const RECORDS = 2_500;
const SEED = 20_230_601;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

let draws = 0;
/** Uniform in [0, 1), and the same sequence on every machine. */
const random = () => createHash('sha256').update(`${SEED} ${draws++}`).digest().readUInt32BE() / 2 ** 32;
const below = (bound: number) => Math.floor(random() * bound);
const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
const characters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[below(ALPHABET.length)]).join('');

const creators = Array.from({ length: 40 }, (_, number) => {
  const type: CreatorType = number < 32 ? 'user' : 'service_account';
  return { id: `${type === 'user' ? 'user' : 'svac'}_01${characters(22)}` as CreatorId, type };
}) as [{ id: CreatorId; type: CreatorType }];
const workspaces = Array.from({ length: 12 }, () => `wrkspc_01${characters(22)}` as WorkspaceId) as [
  WorkspaceId,
];

const products = [
  'Billing',
  'Search',
  'Checkout',
  'Support bot',
  'Data pipeline',
  'Mobile app',
  'Translation',
  'Fraud check',
  'Notebook',
  'Onboarding',
  'Résumé parser',
  'Größenberater',
  'Отчёты',
  'Аналитика',
  '請求書処理',
  '検索',
  '客服机器人',
  '数据管道',
  '고객 지원',
  'خدمة العملاء',
  'תמיכה',
  'ग्राहक सेवा',
  'Υποστήριξη',
  '🚀 Launch',
] as const;
const uses = [
  'production',
  'staging',
  'development',
  'CI',
  'load test',
  'nightly job',
  'evaluation',
  'local',
] as const;
const people = [
  "Ana's laptop",
  'Developer Key',
  'Test key (delete me)',
  'ci-github-actions',
  'terraform',
  'tmp',
  'demo "quick start"',
] as const;

let createdAt = parseTimestamp('2023-06-01T08:00:00Z') as Timestamp;
for (let number = 0; number < RECORDS; number++) {
  createdAt = (createdAt + timeToNextKey()) as Timestamp;
  process.stdout.write(`${renderApiKey(apiKey(createdAt))}\n`);
}

/** In microseconds. Most keys are hours apart; some, as if a script made them, share a microsecond or are one apart. */
function timeToNextKey(): bigint {
  const share = random();
  if (share < 0.06) return 0n;
  if (share < 0.2) return 1n;
  return BigInt(Math.floor(-Math.log(1 - random()) * 12 * 3600)) * 1_000_000n + BigInt(below(1_000_000));
}

function apiKey(createdAt: Timestamp): ApiKey {
  return {
    id: `apikey_01${characters(22)}` as ApiKeyId,
    name: random() < 0.25 ? pick(people) : `${pick(products)} ${pick(uses)}`,
    createdAt,
    createdBy: pick(creators),
    partialKeyHint: `sk-ven-api03-${characters(3)}...${characters(4)}` as PartialKeyHint,
    status: status(),
    workspaceId: random() < 0.15 ? null : (workspaces[Math.floor(random() ** 2 * workspaces.length)] ?? null),
  };
}

function status(): Status {
  const share = random();
  return share < 0.68 ? 'active' : share < 0.82 ? 'inactive' : 'archived';
}
