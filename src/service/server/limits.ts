/** The limits of connections. Each is far above what a legitimate client needs, and low enough to be harmless. */

/** The request line and headers together. A legitimate request has under 1 KiB. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Each costs memory and time, however short it is. A legitimate request has under 50. */
export const MAX_HEADERS = 1_000;
/** From the connection, or the first byte of a later request, to the last byte of the request. */
export const REQUEST_TIMEOUT_MS = 5_000;
/** From the connection to the end of the TLS handshake. The request has its own time after that. */
export const HANDSHAKE_TIMEOUT_MS = 5_000;
/** How often Node checks for connections over that timeout. Its default of 30 s would make the timeout meaningless. */
export const TIMEOUT_CHECK_MS = 500;
/** Closes a connection without any traffic, such as that of a caller who doesn't read the answer. Longer than any page takes. */
export const STALLED_TIMEOUT_MS = 10_000;
/**
 * How long an idle connection is kept for another request. nginx and the load balancers of AWS keep one for 60 s: if it were closed
 * here first, a request could be on its way to it.
 */
export const KEEP_ALIVE_MS = 75_000;
/** Requests that wait for earlier answers on their connection, on all connections together: in about 10 MB. */
export const MAX_WAITING_REQUESTS = 2_000;

/** After the stop signal, how long idle connections stay open for requests that are on their way. */
export const LINGER_MS = 500;
/** How long answers in progress may then take. Longer than the timeouts of the stores. */
export const DRAIN_TIMEOUT_MS = 10_000;
