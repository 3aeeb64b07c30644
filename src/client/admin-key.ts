import { KeyrosterError } from './errors.ts';
import { untilAborted } from './retry.ts';

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
  } catch {
    throw adminKeyError(
      "the function failed. Its error isn't repeated, since it may contain the key: log it there",
    );
  }
}

const adminKeyError = (problem: string) =>
  new KeyrosterError({ type: 'admin_key_error', message: `adminKey: ${problem}` });

const tooLate = () => adminKeyError('the function gave no admin key within timeoutMs');
