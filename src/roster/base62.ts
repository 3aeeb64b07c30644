const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A byte that is as large has no character: some characters would come more often than others. */
const LIMIT = 256 - (256 % ALPHABET.length);

/** Cryptographically random characters of 5.95 bits each. */
export function randomBase62(length: number): string {
  let characters = '';
  while (characters.length < length) {
    // As many as are missing, since each call costs more than its bytes.
    for (const byte of crypto.getRandomValues(new Uint8Array(length - characters.length)))
      if (byte < LIMIT) characters += ALPHABET[byte % ALPHABET.length];
  }
  return characters;
}

/** The last `length` digits of a whole number in base 62, padded with zeros. */
export function toBase62(number: number, length: number): string {
  let rest = number;
  let digits = '';
  for (let place = 0; place < length; place++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
