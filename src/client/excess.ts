/** Of UTF-8. The texts of docs/api.md#the-record have far less; who folds or matches one takes a multiple of its memory and time. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The page, its list and the record are three; the rest is for fields that a service adds. */
const MAX_LEVELS = 3 + 32;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What in this JSON would take the memory or time of whoever uses it: told before it is parsed, in one pass. */
export function excessIn(json: string): string | undefined {
  let levels = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === OPEN_OBJECT || character === OPEN_LIST) levels += 1;
    else if (character === CLOSE_OBJECT || character === CLOSE_LIST) levels -= 1;
    else if (character === QUOTE) {
      const end = endOfText(json, at); // no character has more than 3 bytes
      if ((end - at) * 3 > MAX_TEXT_BYTES && isTooLong(json.slice(at, end + 1)))
        return `has a text of more than ${MAX_TEXT_BYTES / 1024} KiB`;
      at = end;
    }
    if (levels > MAX_LEVELS) return 'has a value of more than 32 levels';
  }
  return undefined;
}

/** The index of the closing quote; behind the end where it isn't there. */
export function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** @param text with its quotes. */
function isTooLong(text: string): boolean {
  const length = text.length - 2;
  if (length > MAX_TEXT_BYTES * 6) return true; // none has a longer escape
  try {
    return new TextEncoder().encode(JSON.parse(text)).length > MAX_TEXT_BYTES;
  } catch {
    return false; // nor is the whole JSON
  }
}
