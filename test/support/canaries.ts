/** Secrets that a test puts in by every way there is, and then looks for in everything that comes out. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

/** Found in the middle of a secret, so that a copy cut at either end is found too. */
const MIDDLE = 12;

/** A full API key and the hint that masks it. */
export function apiKeyCanary(): { key: string; hint: string } {
  const key = `sk-ven-api03-${randomBytes(48).toString('hex')}`;
  return { key, hint: `${key.slice(0, 16)}...${key.slice(-4)}` };
}

/** A full API key as short as those of some vendors: it could pass for an ordinary name. */
export function shortApiKeyCanary(): string {
  return `sk_live_${randomBytes(12).toString('hex')}`;
}

/** An admin key in form, with one character wrong. */
export function mistyped(adminKey: string): string {
  const swapped = adminKey.at(-12) === 'a' ? 'b' : 'a';
  return adminKey.slice(0, -12) + swapped + adminKey.slice(-11);
}

export function assertNoTrace(secrets: readonly string[], output: string | Uint8Array, where: string): void {
  const bytes = Buffer.from(output);
  for (const [number, secret] of secrets.entries()) {
    const start = Math.floor((secret.length - MIDDLE) / 2);
    const found = bytes.indexOf(secret.slice(start, start + MIDDLE));
    assert.equal(found, -1, `secret ${number} is in ${where}: …${bytes.subarray(found - 60, found + 60)}…`);
  }
}
