import type { ApiKeyRecord } from '../../client/client.ts';
import { DAY_MS, isOlder } from '../../report/age.ts';
import { ageText } from './age.ts';
import { dateOf } from './created.tsx';
import { type MessageReason, messageWords } from './message-words.ts';

/** Older keys are replaced, also where they are needed. */
const OLD_MS = 365 * DAY_MS;

/** A text to send to the creator of a key: which key it is, and what to do. */
export function messageToCreator(key: ApiKeyRecord, reason: MessageReason, now: number): string {
  const { id, name, partial_key_hint, created_at, created_by, workspace_id, status } = key;
  const { opening, closing } = messageWords[reason](status, isOlder(now - Date.parse(created_at), OLD_MS));
  return [
    opening,
    '',
    `Name: ${oneLine(name) || '(no name)'}`,
    `Hint: ${partial_key_hint}`,
    `ID: ${id}`,
    `Created: ${dateOf(created_at)}, age ${ageText(created_at, now)}, by ${created_by.id}`,
    `Workspace: ${workspace_id ?? 'the default workspace'}`,
    `Status: ${status}`,
    '',
    closing,
  ].join('\n');
}

/** A name can't add lines of its own to the message, nor turn the direction of what is behind it. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}
