/** What a request and a connection may have. Each bound is far over what a legitimate client needs, and small enough to be harmless. */

/** Request line and headers together; a legitimate request has under 1 KiB. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** The path with its query; every parameter at its longest comes to under 1 KiB. */
export const MAX_URL_LENGTH = 8 * 1024;
/** From the connection, or the first byte of a later request, to a request's last byte. There is no body to wait for. */
export const REQUEST_TIMEOUT_MS = 5_000;
/** How often Node looks for connections over their time; its own default of 30 s would outweigh the one above. */
export const TIMEOUT_CHECK_MS = 500;
/** A connection on which nothing moves: a caller that doesn't read its answer. Longer than any answer takes to make. */
export const STALLED_TIMEOUT_MS = 10_000;
/** What a client should wait while the store can't be reached: about as long as a restart takes. */
export const RETRY_AFTER_SECONDS = '5';

/** Rate limits count over this time; a minute is what people think in. */
export const RATE_WINDOW_SECONDS = 60;
/** Failed authentications per client address. A mistaken script stays under it; guessing at 256 random bits is hopeless anyway. */
export const MAX_FAILED_AUTHENTICATIONS = 60;
/** Callers that are counted at a time: about 10 MB. With more, the count that ends next is forgotten. */
export const MAX_COUNTED = 100_000;

/** A request that has waited this long behind others is answered 503: its caller is better served elsewhere or later. */
export const MAX_WAIT_MS = 200;
/** What a client should wait when the service sheds load: it is at full speed again within a second. */
export const SHED_RETRY_AFTER_SECONDS = '1';

/** After the signal to stop, how long open connections have to send what is on its way. */
export const LINGER_MS = 500;
/** And how long the answers under way have; longer than the store's own timeouts. */
export const DRAIN_TIMEOUT_MS = 10_000;
