/** Best first. Node's `fetch` decodes them all, and doesn't ask for zstd by itself, nor for br over plain HTTP. */
const CODINGS = 'zstd, br, gzip';

/** The same `fetch`, which asks for compressed answers. */
export function askingForCompressed(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('accept-encoding', CODINGS);
    return send(input, { ...init, headers });
  };
}
