/** The limits of requests and connections. Each is far above what a legitimate client needs, and low enough to be harmless. */

/** The request line and headers together. A legitimate request has under 1 KiB. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Each costs memory and time, however short it is. A legitimate request has under 50. */
export const MAX_HEADERS = 1_000;
/** The path with its query. All parameters at their longest have under 1 KiB. */
export const MAX_URL_LENGTH = 8 * 1024;
/** From the connection, or the first byte of a later request, to the last byte of the request. */
export const REQUEST_TIMEOUT_MS = 5_000;
/** From the connection to the end of the TLS handshake. The request has its own time after that. */
export const HANDSHAKE_TIMEOUT_MS = 5_000;
/** How often Node checks for connections over that timeout. Its default of 30 s would make the timeout meaningless. */
export const TIMEOUT_CHECK_MS = 500;
/** Closes a connection without any traffic, such as that of a caller who doesn't read the answer. Longer than any page takes. */
export const STALLED_TIMEOUT_MS = 10_000;
/** Requests that wait for earlier answers on their connection, on all connections together: in about 10 MB. */
export const MAX_WAITING_REQUESTS = 2_000;
/** `retry-after` while the store can't be reached: about as long as a restart takes. */
export const RETRY_AFTER_SECONDS = '5';

/** The window of the rate limits. */
export const RATE_WINDOW_SECONDS = 60;
/** Failed authentications per window and client address. A script with a wrong key stays under it. */
export const MAX_FAILED_AUTHENTICATIONS = 60;
/** Callers that are counted at a time, in about 10 MB. Beyond it, the window that ends first is evicted. */
export const MAX_COUNTED_CALLERS = 100_000;

/** A request that has waited longer behind others is answered with a 503, so that its caller can retry. */
export const MAX_WAIT_MS = 200;
/** `retry-after` when the service sheds load: it recovers within a second. */
export const SHED_RETRY_AFTER_SECONDS = '1';

/** Memory for pages that clients haven't read yet: hundreds of ordinary pages of 1,000 keys, or 15 with the longest names. */
export const MAX_UNREAD_BYTES = 64 * 2 ** 20;
/** Keys of the pages that are read from the store at a time. With the longest names they take 17 MB. */
export const MAX_KEYS_BEING_READ = 4_000;
/** A page that would wait longer behind others is refused. */
export const MAX_WAIT_TO_READ_MS = 400;

/** After the stop signal, how long idle connections stay open for requests that are on their way. */
export const LINGER_MS = 500;
/** How long answers in progress may then take. Longer than the timeouts of the stores. */
export const DRAIN_TIMEOUT_MS = 10_000;
