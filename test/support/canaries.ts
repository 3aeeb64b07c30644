/** Secrets that a test puts into every input, and then looks for in every output. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

/** This many characters from the middle of a secret are looked for, so that a truncated copy is found too. */
const PROBE_LENGTH = 12;

/** A full API key and the hint that masks it. */
export function apiKeyCanary(): { key: string; hint: string } {
  const key = `sk-ven-api03-${randomBytes(48).toString('hex')}`;
  return { key, hint: `${key.slice(0, 16)}...${key.slice(-4)}` };
}

/** A full API key in the short format of some vendors, which looks like an ordinary name. */
export function shortApiKeyCanary(): string {
  return `sk_live_${randomBytes(12).toString('hex')}`;
}

/** The admin key with one wrong character. */
export function mistyped(adminKey: string): string {
  const swapped = adminKey.at(-12) === 'a' ? 'b' : 'a';
  return adminKey.slice(0, -12) + swapped + adminKey.slice(-11);
}

export function assertNoTrace(secrets: readonly string[], output: string | Uint8Array, where: string): void {
  const bytes = Buffer.from(output);
  for (const [number, secret] of secrets.entries()) {
    const start = Math.floor((secret.length - PROBE_LENGTH) / 2);
    const found = bytes.indexOf(secret.slice(start, start + PROBE_LENGTH));
    assert.equal(found, -1, `secret ${number} is in ${where}: …${bytes.subarray(found - 60, found + 60)}…`);
  }
}
