import { STATUSES } from '../../shared/record/status.ts';
import type { RecordVersion, VersionSettings } from './record-version.ts';

/** An API key as the SDKs type it that send this version (docs/api.md#version-2026-10-21). */
export const record20261021: RecordVersion = {
  properties: ({ contract: { workspace_id: _, ...shared }, nullable, object, ownerId, time }) => ({
    ...shared,
    expires_at: nullable(time, 'null: never, or nobody knows.'),
    principal: { type: 'null', description: 'Who the key acts as: not known here.' },
    scope: object({
      type: { type: 'string', const: 'workspace' },
      workspace_id: ownerId('The workspace, also the default one.'),
    }),
    status: {
      type: 'string',
      enum: [...STATUSES, 'expired'],
      description: 'expired: active until expires_at.',
    },
  }),
  render,
  needs: {
    setting: 'defaultWorkspace',
    why: "shows the ID of each key's workspace, and a roster doesn't know that of the default workspace",
  },
};

// Members are found in the text, as to parse it takes longer than all else. None is found in a value, where JSON escapes quotes.
const WORKSPACE = ',"workspace_id":';
const EXPIRY = ',"expires_at":';
const ACTIVE = '"active"';
/** Declared fields that this version's own hide. */
const HIDDEN = /,"(?:principal|scope)":(?:"(?:[^"\\]|\\.)*"|[^",}]+)/g;

/** No record has its workspace earlier, so the search for the next one begins behind this. */
const CHARACTERS_BEFORE_WORKSPACE = 150;

/** What a service knows of the time: its milliseconds. */
const MOMENT_LENGTH = 'YYYY-MM-DDTHH:MM:SS.sss'.length;
/** Later than any. */
const NEVER = 'never';

/** A piece ends when it is longer. V8 has far longer texts in memory of their own, which takes as long as to make them. */
const PIECE_LENGTH = 65_536;

/** All records of a page have the same fields. */
function render(bytes: Buffer, { defaultWorkspace }: VersionSettings, now: number) {
  const stored = bytes.toString();
  const [first = ''] = stored.split(',{"id":', 1);
  const records = first.search(HIDDEN) < 0 ? stored : stored.replace(HIDDEN, '');
  const mayExpire = first.includes(EXPIRY);
  const moment = new Date(now).toISOString().slice(0, MOMENT_LENGTH);
  const inserted = `,${mayExpire ? '' : '"expires_at":null,'}"principal":null,"scope":{"type":"workspace","workspace_id":`;
  const pieces: Buffer[] = [];
  let piece = '';
  let from = 0;
  let nextExpiry = NEVER;
  let at = records.indexOf(WORKSPACE);
  while (at >= 0) {
    const expiry = mayExpire ? expiryOf(records, at) : NEVER;
    if (expiry <= moment) piece += `${records.slice(from, at - ACTIVE.length)}"expired"`;
    else piece += records.slice(from, at);
    if (expiry > moment && expiry < nextExpiry) nextExpiry = expiry;
    const value = at + WORKSPACE.length;
    const isDefault = records[value] === 'n';
    from = isDefault ? value + 'null'.length : records.indexOf('"', value + 1) + 1;
    piece += `${inserted}${isDefault ? `"${defaultWorkspace}"` : records.slice(value, from)}}`;
    if (piece.length > PIECE_LENGTH) {
      pieces.push(Buffer.from(piece));
      piece = '';
    }
    at = records.indexOf(WORKSPACE, from + CHARACTERS_BEFORE_WORKSPACE);
  }
  pieces.push(Buffer.from(piece + records.slice(from)));
  return { records: pieces, ...(nextExpiry !== NEVER && { until: Date.parse(`${nextExpiry}Z`) }) };
}

/** Up to its milliseconds, as such times can be compared as texts. `end` is where the key's status ends. */
function expiryOf(records: string, end: number): string {
  if (!records.endsWith(ACTIVE, end)) return NEVER;
  const value = records.indexOf(EXPIRY, end) + EXPIRY.length;
  return records[value] === '"' ? records.slice(value + 1, value + 1 + MOMENT_LENGTH) : NEVER;
}
