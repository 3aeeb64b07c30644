/** Generators of valid domain values for fast-check. */
import fc from 'fast-check';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { CREATOR_TYPES } from '../../src/shared/record/api-key-record.ts';
import type { ApiKeyId, CreatorId, OwnerId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import { parseName } from '../../src/shared/record/name.ts';
import type { PartialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import { STATUSES } from '../../src/shared/record/status.ts';
import { parseTimestamp, type Timestamp } from '../../src/shared/record/timestamp.ts';

const VISIBLE_ASCII = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));
const textOf = (characters: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

export const keyId = (maxLength = 255) =>
  textOf(
    VISIBLE_ASCII.filter(character => /[A-Za-z0-9_.:|/@~-]/.test(character)),
    1,
    maxLength,
  ) as unknown as fc.Arbitrary<ApiKeyId>;

/** That of a creator, a workspace or an organization; of a few vendors more than of any characters. */
export const ownerId = <Id extends OwnerId>(maxLength = 255) =>
  fc
    .oneof(
      textOf(
        VISIBLE_ASCII.filter(character => !'"\\<>'.includes(character)),
        1,
        maxLength,
      ),
      fc.constantFrom(
        'auth0|6507f2a1c3d4e5f60718293a',
        "o'neil+keys@mail.example.com",
        'arn:aws:iam::123456789012:user/team/deploy',
        'gid://shop/Customer/4839201748392',
        'CN=Ana,OU=Team A,DC=example'.replaceAll(' ', '_'),
      ),
    )
    .filter(text => text.length <= maxLength && !LOOKS_LIKE_A_HASH.test(text)) as unknown as fc.Arbitrary<Id>;
const LOOKS_LIKE_A_HASH = /\$.*\$|^\{|=$/;

const earliest = parseTimestamp('0000-01-01T00:00:00Z') as bigint;
const latest = parseTimestamp('9999-12-31T23:59:59.999999Z') as bigint;
export const timestamp = fc.bigInt({ min: earliest, max: latest }) as unknown as fc.Arbitrary<Timestamp>;

/** Any character. The unit `binary` of fast-check has the same ones, but makes a table of them first, which takes a second. */
export const anyCharacter = fc
  .nat({ max: 0x10_ffff })
  .filter(code => code < 0xd800 || code > 0xdfff)
  .map(code => String.fromCodePoint(code));

export const name = fc
  .string({ unit: anyCharacter, maxLength: 40 })
  .filter(text => parseName(text) !== undefined);

const hintPart = (maxLength: number) => textOf([...'ABCXYZabcxyz0189_-'], 1, maxLength);
export const partialKeyHint = fc
  .tuple(hintPart(32), hintPart(8))
  .map(([prefix, suffix]) => `${prefix}...${suffix}` as PartialKeyHint);

/** A record with the prototype of parsed values, so that `deepEqual` can compare them. */
const plainRecord = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { noNullPrototype: true });

/** Any API key. Some fields can be restricted to few values, so that generated keys share them. */
export const apiKey = (
  only: {
    id?: fc.Arbitrary<ApiKeyId>;
    createdAt?: fc.Arbitrary<Timestamp>;
    creatorId?: fc.Arbitrary<CreatorId>;
    workspaceId?: fc.Arbitrary<WorkspaceId>;
  } = {},
): fc.Arbitrary<ApiKey> =>
  plainRecord({
    id: only.id ?? keyId(),
    name,
    createdAt: only.createdAt ?? timestamp,
    createdBy: plainRecord({
      id: only.creatorId ?? ownerId<CreatorId>(),
      type: fc.constantFrom(...CREATOR_TYPES),
    }),
    partialKeyHint,
    status: fc.constantFrom(...STATUSES),
    workspaceId: fc.option(only.workspaceId ?? ownerId<WorkspaceId>()),
  });

const oneOf = <T extends string>(...values: string[]) => fc.constantFrom(...(values as T[]));
/** Few IDs and times, so that writes meet the same keys, and some would change what is fixed. */
export const meetingKey = apiKey({
  id: oneOf<ApiKeyId>('k1', 'k2', 'k3'),
  createdAt: fc.constantFrom(1_730_332_707_427_722n as Timestamp, 1_730_332_707_427_723n as Timestamp),
  creatorId: oneOf<CreatorId>('user_a', 'user_b'),
  workspaceId: oneOf<WorkspaceId>('wrkspc_a', 'wrkspc_b'),
});
