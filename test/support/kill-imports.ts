import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ApiKey } from '../../src/roster/api-key.ts';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { StoreBusy } from '../../src/roster/errors.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { openFile } from '../../src/sqlite/connection.ts';
import { openReader, openWriter } from '../../src/sqlite/store.ts';
import { firstKeys } from './changing-roster.ts';
import { embeddedStore } from './embedded-store.ts';
import { type EndedImport, type Moment, PHASES, type Phase, runImport } from './killed-import.ts';
import { importKeys } from './roster.ts';
import { TEST_ACTOR } from './store-at.ts';

/** Imports that run at the same time: one for each core of a small machine. */
const PAIR = [0, 1];
const TARGET_PHASES: readonly Phase[] = ['reading', 'writing', 'committing'];
const MAX_RETRIES = 20;
const KNOWN = 2_000;
const IMPORTED = 4_000;

/** The import renames half of the known keys and adds new ones. */
const known = firstKeys(KNOWN);
const imported = firstKeys(KNOWN / 2 + IMPORTED)
  .slice(KNOWN / 2)
  .map((key, number) => (number < KNOWN / 2 ? { ...key, name: 'renamed' } : key));

/**
 * Kills an import with SIGKILL at this many random moments: a third of them anywhere in the run, a third in its transaction, a
 * third from its commit on. The roster must be unchanged or complete, recorded only when it is complete, and the next import
 * must succeed. The seed is random; KILL_IMPORT_SEED fixes it.
 */
export async function killImports(t: TestContext, moments: number): Promise<void> {
  const seed = Number(process.env.KILL_IMPORT_SEED ?? Math.floor(Math.random() * 2 ** 32));
  t.diagnostic(`KILL_IMPORT_SEED=${seed}`);
  const random = randomFrom(seed);
  const { folder, file: start, organization } = await embeddedStore(t);
  await importInto(start, organization, known);
  const before = await rosterIn(start, organization);
  const source = join(folder, 'api-keys.jsonl');
  writeFileSync(source, imported.map(key => `${renderApiKey(key)}\n`).join(''));

  const copyOfStart = (name: string) => {
    const place = join(folder, name);
    mkdirSync(place);
    copyFileSync(start, join(place, 'keyroster.db'));
    return join(place, 'keyroster.db');
  };
  const run = (store: string, moment?: Moment) =>
    runImport([source, '--organization', organization, '--database', `sqlite:${store}`], environment, moment);
  const environment = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') };

  await run(copyOfStart('warm'));
  const undisturbed: EndedImport[] = [];
  for (const pair of ['a', 'b', 'c']) {
    const stores = PAIR.map(lane => copyOfStart(`undisturbed-${pair}${lane}`));
    undisturbed.push(...(await Promise.all(stores.map(store => run(store)))));
  }
  const after = await rosterIn(join(folder, 'undisturbed-a0', 'keyroster.db'), organization);
  assert.equal(after.length, KNOWN / 2 + IMPORTED);
  const lengthMs = (phase: Phase) =>
    median(undisturbed.map(({ startMs }) => (startMs.closed ?? 0) - (startMs[phase] ?? 0)));
  const lengths = TARGET_PHASES.map(phase => `${lengthMs(phase).toFixed(0)} ms from "${phase}" to its end`);
  t.diagnostic(`an import that isn't killed takes ${lengths.join(', ')}`);

  const ends: EndedImport[] = [];
  for (let number = 0; number < moments; number += PAIR.length) {
    const pair = PAIR.map(lane => {
      const phase = TARGET_PHASES[(number + lane) % TARGET_PHASES.length] as Phase;
      return { phase, delayMs: random() * lengthMs(phase), store: copyOfStart(`${number + lane}`) };
    });
    ends.push(...(await Promise.all(pair.map(({ store, ...moment }) => run(store, moment)))));
    for (const [lane, { store, phase, delayMs }] of pair.entries()) {
      const end = ends[number + lane] as EndedImport;
      const what = `run ${number + lane}, ${delayMs.toFixed(1)} ms from ${phase}, ended in ${end.phase}`;
      assertAllOrNothing(await rosterIn(store, organization), await importsRecordedIn(store), end, what);
      assert.equal(integrity(store), 'ok', what);
      const { refused } = await importInto(store, organization, imported);
      assert.equal(refused, 0, what);
      assert.deepEqual(await rosterIn(store, organization), after, what);
    }
  }
  const killed = ends.filter(end => end.exitCode === null);
  const counts = PHASES.map(phase => `${killed.filter(end => end.phase === phase).length} ${phase}`);
  t.diagnostic(`killed: ${counts.join(', ')}; ended before they were killed: ${moments - killed.length}`);

  function assertAllOrNothing(
    roster: readonly string[],
    recorded: number,
    { phase, exitCode }: EndedImport,
    what: string,
  ): void {
    assert.ok(exitCode === null || exitCode === 0, what);
    const complete =
      phase === 'committing' ? roster.length === after.length : phase === 'committed' || phase === 'closed';
    assert.deepEqual(roster, complete ? after : before, what);
    assert.equal(recorded, complete ? 2 : 1, what);
  }
}

async function importInto(store: string, organization: OrganizationId, keys: readonly ApiKey[]) {
  const writer = openWriter(store, TEST_ACTOR);
  return importKeys(writer, organization, keys).finally(() => writer.close());
}

/** The imports in the audit log. */
async function importsRecordedIn(store: string): Promise<number> {
  const writer = openWriter(store, TEST_ACTOR);
  const entries = writer.listAuditEntries({ action: 'import' }, 0, 10);
  return (await entries.finally(() => writer.close())).length;
}

/** The organization's records, read again when a busy machine delays a read for longer than the reader allows. */
async function rosterIn(store: string, organization: OrganizationId): Promise<string[]> {
  for (let retries = 0; ; retries++) {
    try {
      return await recordsIn(store, organization);
    } catch (error) {
      if (!(error instanceof StoreBusy) || retries === MAX_RETRIES) throw error;
    }
  }
}

async function recordsIn(store: string, organization: OrganizationId): Promise<string[]> {
  const reader = openReader(store);
  const records: string[] = [];
  try {
    for await (const items of walkRoster(reader, organization))
      records.push(...items.map(({ record }) => record));
  } finally {
    await reader.close();
  }
  return records;
}

function integrity(store: string): unknown {
  const database = openFile(store, { readOnly: false });
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    database.close();
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

/** Pseudo-random numbers from 0 to 1 (mulberry32): the same seed gives the same sequence. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
