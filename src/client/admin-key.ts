import { KeyrosterError } from './errors.ts';
import { fieldOf } from './thrown.ts';
import { untilAborted } from './until-aborted.ts';

/** The admin key, or a function that gives the one to use now. */
export type AdminKeySource = string | (() => string | PromiseLike<string>);

export const ADMIN_KEY_RULE = 'must be an admin key, without spaces or line breaks';

/** Checked by the client, since the error of a runtime that refuses a header repeats its value. */
export function isVisibleAscii(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}

/** The admin key of one attempt, which the signal ends. */
export async function currentAdminKey(source: AdminKeySource, signal: AbortSignal): Promise<string> {
  if (typeof source === 'string') return source;
  const adminKey: unknown = await untilAborted(signal, resultOf(source), tooLate);
  if (!isVisibleAscii(adminKey)) throw adminKeyError(`what the function returns ${ADMIN_KEY_RULE}`);
  return adminKey;
}

async function resultOf(source: () => unknown): Promise<unknown> {
  try {
    return await source();
  } catch (error) {
    const reason = [wordOf(error, 'name'), wordOf(error, 'code')].filter(Boolean).join(', ');
    const what = `the function failed${reason && ` (${reason})`}`;
    throw adminKeyError(`${what}. Its message isn't repeated, since it may contain the key: log it there`);
  }
}

const adminKeyError = (problem: string) =>
  new KeyrosterError({ type: 'admin_key_error', message: `adminKey: ${problem}` });

const tooLate = () => adminKeyError('the function gave no admin key within timeoutMs');

/** A name or a code, as errors have them: one word that begins with a capital. */
function wordOf(error: unknown, field: 'name' | 'code'): string | undefined {
  const word = fieldOf(error, field);
  return typeof word === 'string' && /^[A-Z][A-Za-z_]{1,39}$/.test(word) ? word : undefined;
}
