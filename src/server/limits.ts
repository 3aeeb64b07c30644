/** What a request may have. Each bound is far over what a legitimate client needs, and small enough to be harmless. */

/** Request line and headers together; a legitimate request has under 1 KiB. */
export const MOST_HEADER_BYTES = 16 * 1024;
/** The path with its query; every parameter at its longest comes to under 1 KiB. */
export const MOST_URL_LENGTH = 8 * 1024;
/** From the first byte of a request to the last. There is no body to wait for. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for connections over their time; its own default of 30 s would triple the one above. */
export const TIMEOUT_CHECK_MS = 500;
/** What a client should wait while the store can't be reached: about as long as a restart takes. */
export const RETRY_AFTER_SECONDS = '5';
