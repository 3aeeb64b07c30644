/** The store of `examples/in-memory-store.js`, as it is and with a fault put into it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ApiKeyRecord, RosterReader } from '../../src/service/library/library.ts';
import './resolve-keyroster.ts';

export interface InMemoryStore extends RosterReader {
  put(organizationId: string, record: ApiKeyRecord): void;
}

export type InMemoryStoreClass = new (
  content: Iterable<readonly [string, readonly ApiKeyRecord[]]>,
) => InMemoryStore;

const source = readFileSync(new URL('../../examples/in-memory-store.js', import.meta.url), 'utf8');

/** A text of the source, and what replaces it. */
export type Patch = readonly [text: string, replacement: string];

/** The class, with each of these texts of its source replaced. */
export async function inMemoryStore(...patches: Patch[]): Promise<InMemoryStoreClass> {
  let patched = source;
  for (const [text, replacement] of patches) {
    assert(patched.includes(text), `examples/in-memory-store.js has no ${text}`);
    patched = patched.replaceAll(text, () => replacement);
  }
  return (await import(`data:text/javascript,${encodeURIComponent(patched)}`)).InMemoryStore;
}
