import type { ApiKeyRecord } from '../../client/client.ts';
import { shownStatus } from '../../shared/record/lifecycle.ts';
import { ageText } from './age.ts';

/** Why someone writes to the creator of a key, as the drawer has the choice. */
export const messageReasons = { needed: 'Still needed?', leaked: 'Leaked' } as const;
export type MessageReason = keyof typeof messageReasons;

const openings: Readonly<Record<MessageReason, string>> = {
  needed: 'Is this API key still needed?',
  leaked: 'This API key was found outside (its full text).',
};
const closings: Readonly<Record<MessageReason, string>> = {
  needed: 'If it is not, please archive it. If it is, please say what for.',
  leaked: 'Please archive it now and replace it where it is used.',
};
const ARCHIVED =
  'It is archived already. If it is still in use anywhere, please say where, and replace it there.';

/** A text to send to the creator of a key: which key it is, and what to do. */
export function messageToCreator(key: ApiKeyRecord, reason: MessageReason, now: number): string {
  const { id, name, partial_key_hint, created_at, created_by, workspace_id } = key;
  const status = shownStatus(key, now);
  return [
    openings[reason],
    '',
    `Name: ${oneLine(name) || '(no name)'}`,
    `Hint: ${partial_key_hint}`,
    `ID: ${id}`,
    `Created: ${created_at.slice(0, 10)}, age ${ageText(created_at, now)}, by ${created_by.id}`,
    `Workspace: ${workspace_id ?? 'the default workspace'}`,
    `Status: ${status}`,
    '',
    status === 'archived' ? ARCHIVED : closings[reason],
  ].join('\n');
}

/** A name can't add lines of its own to the message, nor turn the direction of what is behind it. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}
