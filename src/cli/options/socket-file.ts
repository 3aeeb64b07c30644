/** In bytes. Linux takes a little more, and other systems don't. */
const MAX_PATH = 103;

/** Behind a rule that says what else may be. */
export const SOCKET_FILE_RULE = `unix: and the absolute path of a socket, such as unix:/run/keyroster/serve.sock, of at most ${MAX_PATH} bytes`;

export function parseSocketFile(text: string): { readonly path: string } | undefined {
  const path = /^unix:(\/.*[^/])$/.exec(text)?.[1];
  return path !== undefined && !path.includes('://') && Buffer.byteLength(path) <= MAX_PATH
    ? { path }
    : undefined;
}
