/** The limits of requests. Each is far above what a legitimate client needs, and low enough to be harmless. */

/** The path with its query. All parameters at their longest have under 1 KiB. */
export const MAX_URL_LENGTH = 8 * 1024;
/** `retry-after` while the store can't be reached: about as long as a restart takes. */
export const RETRY_AFTER_SECONDS = '5';

/** A smaller answer isn't compressed: it is sent in a moment as it is. */
export const MIN_BYTES_TO_COMPRESS = 16 * 1024;
/** Answers that are compressed at a time. Node has four threads for such work, and one is left for other work. */
export const MAX_COMPRESSIONS = 3;

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
/** The part of it that the pages of one caller may take. */
export const UNREAD_SHARE_OF_CALLER = 1 / 4;
/** Keys of the pages that are read from the store at a time. With the longest names they take 17 MB. */
export const MAX_KEYS_BEING_READ = 4_000;
/** A page that takes longer to read hangs in the store: it takes milliseconds. */
export const STUCK_AFTER_MS = 100;
/** Keys of pages that hang in the store. They could all come at once: 11 MB, or 140 MB with the longest names. */
export const MAX_KEYS_STUCK = 32_000;
/** The same of one organization. More of its pages are refused. */
export const MAX_KEYS_STUCK_EACH = 2_000;
/** A page that would wait longer behind others is refused. */
export const MAX_WAIT_TO_READ_MS = 400;
