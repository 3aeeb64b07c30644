import { keyLines } from '../../admin/report/messages.ts';
import type { ApiKeyRecord } from '../../client/client.ts';

const ARCHIVED =
  'It is archived already. If it is still in use anywhere, please say where, and replace it there.';

/** A text to send to the creator of a key: which key it is, and what to do, also where a full key that was found may be this one. */
export function messageToCreator(
  key: ApiKeyRecord,
  leaked: boolean,
  around: Parameters<typeof keyLines>[1],
): string {
  const [opening, closing] = leaked
    ? [
        'This API key was found outside (its full text).',
        'Please archive it now and replace it where it is used.',
      ]
    : ['Is this API key still needed?', 'If it is not, please archive it. If it is, please say what for.'];
  const lines = keyLines({ key, policies: [] }, around);
  return [opening, '', lines, '', key.status === 'archived' ? ARCHIVED : closing].join('\n');
}
