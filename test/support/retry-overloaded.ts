import { setTimeout as wait } from 'node:timers/promises';

const MAX_RETRIES = 50;
const RETRY_MS = 100;

/**
 * Sends a request again while the service sheds load: a busy machine may delay a request for longer than the service lets
 * it wait. For tests in which overload isn't the subject.
 */
export async function retryOverloaded<Answer extends { readonly status: number; readonly body: unknown }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    const answer = await send();
    if (!isOverloaded(answer) || retries === MAX_RETRIES) return answer;
    await wait(RETRY_MS);
  }
}

function isOverloaded({ status, body }: { status: number; body: unknown }): boolean {
  return status === 503 && JSON.stringify(body).includes('overloaded_error');
}
