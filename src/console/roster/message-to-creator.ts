import type { Directory } from '../../admin/directory/directory.ts';
import { keyLines } from '../../admin/report/messages.ts';
import type { ApiKeyRecord } from '../../client/client.ts';

/** Why someone writes to the creator of a key, as the drawer has the choice: its words there, the first line and the last one. */
export const messageReasons = {
  needed: [
    'Still needed?',
    'Is this API key still needed?',
    'If it is not, please archive it. If it is, please say what for.',
  ],
  leaked: [
    'Leaked',
    'This API key was found outside (its full text).',
    'Please archive it now and replace it where it is used.',
  ],
} as const;
export type MessageReason = keyof typeof messageReasons;

const ARCHIVED =
  'It is archived already. If it is still in use anywhere, please say where, and replace it there.';

interface Surroundings {
  readonly now: Date;
  readonly directory: Directory;
}

/** A text to send to the creator of a key: which key it is, and what to do. */
export function messageToCreator(key: ApiKeyRecord, reason: MessageReason, around: Surroundings): string {
  const [, opening, closing] = messageReasons[reason];
  const lines = keyLines({ key, policies: [] }, around);
  return [opening, '', lines, '', key.status === 'archived' ? ARCHIVED : closing].join('\n');
}
