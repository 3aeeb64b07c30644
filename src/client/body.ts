/**
 * Max bytes of an answer, decompressed. A page has at most 1,000 records, and the largest record, with a name of 1,000
 * characters that JSON escapes, has under 14 KB; the rest is for fields that a service adds.
 */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The whole body; `undefined` when it is larger than the max. The rest isn't read then, nor after the signal is aborted. */
export async function readBody({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  const reader = body?.getReader();
  const cancel = () => cancelBody(reader);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.length;
    if (bytes > MAX_BODY_BYTES) {
      cancel();
      return undefined;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Lets go of the connection, which would keep the process running. Isn't awaited: a service may keep even that waiting. */
export function cancelBody(body: ReadableStream | ReadableStreamDefaultReader | null | undefined): void {
  body?.cancel().catch(() => {});
}
