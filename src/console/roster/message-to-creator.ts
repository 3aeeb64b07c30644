import type { ApiKeyRecord } from '../../client/client.ts';
import { ageText } from './age.ts';
import { dateOf } from './created.tsx';

/** A text to send to the creator of a key: which key it is, and what to do. */
export function messageToCreator(key: ApiKeyRecord, now: number): string {
  const { id, name, partial_key_hint, created_at, created_by, workspace_id, status } = key;
  return [
    'Is this API key still needed?',
    '',
    `Name: ${oneLine(name) || '(no name)'}`,
    `Hint: ${partial_key_hint}`,
    `ID: ${id}`,
    `Created: ${dateOf(created_at)}, age ${ageText(created_at, now)}, by ${created_by.id}`,
    `Workspace: ${workspace_id ?? 'the default workspace'}`,
    `Status: ${status}`,
    '',
    'If it is not, please archive it. If it is, please say what for, and replace it with a new key where it is old.',
  ].join('\n');
}

/** A name can't add lines of its own to the message, nor turn the direction of what is behind it. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}
