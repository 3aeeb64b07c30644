/**
 * Tells texts that look like a full API key, or like a hash of one, from names and masked hints. It is a guess: of random texts
 * of at least 32 characters it misses at most 1 in 10, of shorter keys 1 in 5. Names of separated words are never taken for a
 * key; of words that are joined without a separator 1 in 5 may be. A cuid, a nanoid or a ULID is a random text too, so this is
 * asked of hints and names, and not of IDs. A UUID counts as an ID.
 */
export function looksLikeKey(text: string): boolean {
  if (text.length < MIN_LENGTH && !text.includes('$')) return false; // only the hash of a password is shorter, and has a `$`
  return PASSWORD_HASH.test(text) || text.split(SEPARATORS).some(isRandomOrDigest);
}

/** What may stand around a key in a longer text. */
const SEPARATORS = /[\s"'`,;:()<>[\]{}|$]+/;

/** No key has these, and every mask does. */
function isMasked(word: string): boolean {
  return /\.\.|…|\*\*|••|__|x{4}/i.test(word);
}

function isUuid(word: string): boolean {
  return /(?:^|[_-])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(word);
}

/** bcrypt, argon2, scrypt, PBKDF2 and crypt, in the forms of the usual libraries. */
const PASSWORD_HASH =
  /(?:^|\s)(?:\$(?:2[abxy]?|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]*|s0|[1567y])\$|(?:pbkdf2|bcrypt|argon2|scrypt)[\w:-]*\$).{8}/i;

function isRandomOrDigest(word: string): boolean {
  return HEX_DIGEST.test(word) || (!isMasked(word) && !isUuid(word) && isRandom(word));
}

/** The digests of MD5, SHA-1 and SHA-2, and BLAKE2, as PostgreSQL shows bytes too. */
const HEX_DIGEST =
  /^(?:0x|\\x)?(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;

/** Parts that tell vendor, type and version, such as those of `sk_live_`. */
const LABELS = /^(?:[a-z]{1,10}\d{0,2}[-_])*/;
/** Shorter ones are too often words. */
const MIN_LENGTH = 20;
/** Without a separator. In base64url one character in 32 is one. */
const MIN_RUN = 10;

/** Whether it has a long part in which letters of both cases and digits alternate as no words do. */
function isRandom(word: string): boolean {
  return isRandomBody(word.replace(/(?<!=)=+$/, '').replace(LABELS, ''));
}

function isRandomBody(body: string): boolean {
  if (body.length < MIN_LENGTH || !/^[\w.+/=~-]+$/.test(body)) return false;
  const runs = body.split(/[^A-Za-z0-9]+/);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best));
  return longest.length >= MIN_RUN && alternates(longest);
}

/** As a person would read them: `Production`, `API`, `2024`. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** Measured with random texts and with names that people give: see the test. */
const MAX_MEAN_PIECE = { mixedCase: 3.6, lowerCase: 4.4, upperCase: 6 };
const MAX_SHARE_OF_WORDS = 0.65;

function alternates(run: string): boolean {
  const pieces = run.match(PIECE) ?? [];
  if (pieces.length < 2) return false;
  const mean = run.length / pieces.length;
  if (!/[a-z]/.test(run)) return mean < MAX_MEAN_PIECE.upperCase;
  if (!/[A-Z]/.test(run)) return mean < MAX_MEAN_PIECE.lowerCase;
  const inWords = pieces.filter(piece => piece.length >= 4).join('').length;
  return mean < MAX_MEAN_PIECE.mixedCase && inWords / run.length < MAX_SHARE_OF_WORDS;
}

/**
 * The same of an ID, which is a random text too. A key is told by a label that only keys have (`sk_live_`), a hash by the length of
 * its hex, and both by a random part longer than that of any usual ID: cuids, nanoids, ULIDs, KSUIDs with a label or without, UUIDs
 * with and without dashes, and 32 letters without a label are IDs. So a key as short as those is missed unless it has such a
 * label, and so is MD5, which looks like a UUID without dashes. An ID that is joined of two random ones is taken for a key, but not one
 * of several parts, each of which is an ID: `auth0|6507…`, a mail address, an ARN, a UUID with something before or after it.
 */
export function idLooksLikeKey(id: string): boolean {
  const parts = HAS_PARTS.test(id) ? id.split(/[^\w+=~\\-]+/) : [id];
  const isKey = OF_PROVIDER.test(id) ? isLabelledKey : partLooksLikeKey;
  return PASSWORD_HASH.test(id) || parts.some(isKey);
}

/** The same of an owner's ID. The `sub` of Entra ID is Base64 of 32 bytes, as SHA-256 and some keys are: so that is an ID here. */
export function ownerIdLooksLikeKey(id: string): boolean {
  return idLooksLikeKey(id) && (!/^[\w-]{43}$/.test(id) || isLabelledKey(id));
}

/** Of users who sign in by others, whose random text it is: `waad|…`. */
const OF_PROVIDER = /^[\w-]+\|/;
/** Base64 of a text, such as GraphQL's IDs, hides nothing. */
const BASE64_OF_TEXT = /^(?:[A-Za-f][A-HQ-Xg-nw-z0-3][\w+/=-]{2})+$/;

/** What isn't in a key, nor in Base64; or a path, as `users/` at the begin of Base64 is chance. */
const HAS_PARTS = /[^\w+/=~\\-]|^[a-z]{2,}\//;
const UUIDS = /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/gi;

function isLabelledKey(id: string): boolean {
  const labels = labelOf(id);
  const secret = id.slice(labels.length);
  return LABEL_OF_KEY.test(labels) && (isUuid(secret) || HEX_DIGEST.test(secret) || isRandomBody(secret));
}

function partLooksLikeKey(id: string): boolean {
  if (isMasked(id) || ETHEREUM_ADDRESS.test(id) || BASE64_OF_TEXT.test(id)) return false;
  const whole = id.replace(/(?<!=)=+$/, '');
  if (isLabelledKey(whole)) return true;
  const word = whole.replaceAll(UUIDS, ''); // first, as a UUID may begin as a label does
  const labels = labelOf(word);
  const body = word.slice(labels.length);
  if (LONG_HEX_DIGEST.test(body)) return true;
  const limit = labels === '' ? MAX_RANDOM_ID.bare : MAX_RANDOM_ID.labelled;
  return body.length > limit && !HEX_DIGEST.test(body) && isRandomBody(body);
}

/** What tells vendor, type and version. Longer ones than of keys: `organization_`, `serviceAccount_`, `google-oauth2|`, `arn:aws:`. */
export function labelOf(text: string): string {
  return /^(?:[a-z]{1,20}\d{0,3}[-_|:])*/i.exec(text)?.[0] ?? '';
}
const LABEL_OF_KEY =
  /(?:^|[-_])(?:[prs]k|secret|live|test|token|bearer|password|private|gh[oprsu]|glpat|xox[a-z])\d*[-_]/i;
/** Those of SHA-1 and SHA-2. */
const LONG_HEX_DIGEST = /^(?:0x|\\x)?(?:[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;
const ETHEREUM_ADDRESS = /^0x[\da-f]{40}$/i;
/** In characters: those of a KSUID, and of better-auth's IDs. */
const MAX_RANDOM_ID = { labelled: 27, bare: 32 };
