import { setTimeout as wait } from 'node:timers/promises';

interface Answer {
  readonly status: number;
  /** Parsed or not. */
  readonly body: unknown;
}

const MAX_RETRIES = 50;
const RETRY_MS = 100;

/**
 * Sends a request again while the service sheds load: a busy machine may delay a request for longer than the service lets
 * it wait. For tests in which overload isn't the subject.
 */
export function retryOverloaded<Received extends Answer>(send: () => Promise<Received>): Promise<Received> {
  return retryWhile(isOverloaded, send);
}

/** The same for what gives several answers. */
export async function retryWhile<Result>(
  hasFailed: (result: Result) => boolean,
  send: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    const result = await send();
    if (!hasFailed(result) || retries === MAX_RETRIES) return result;
    await wait(RETRY_MS);
  }
}

export function isOverloaded({ status, body }: Answer): boolean {
  return status === 503 && JSON.stringify(body).includes('overloaded_error');
}
