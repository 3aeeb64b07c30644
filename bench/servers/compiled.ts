import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installPeers, PEERS } from './peer.ts';

/** Outside of the tree. It stays for the next run, since a build takes up to two minutes. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'keyroster-bench');

/** Each returns the path of a program, or `null` where its compiler isn't installed, which it says. */

/** SQLite in C: `bench/peers/c`, with the SQLite that `better-sqlite3` brings along. */
export function buildSqliteFloor(): string | null {
  installPeers();
  const program = join(CACHE, 'sqlite-floor');
  const sqlite = `${PEERS}/node_modules/better-sqlite3/deps/sqlite3`;
  const sources = [`${PEERS}/c/sqlite-floor.c`, `${sqlite}/sqlite3.c`];
  if (isNewer(program, sources)) return program;
  const defines = ['SQLITE_THREADSAFE=0', 'SQLITE_DEFAULT_MEMSTATUS=0', 'SQLITE_OMIT_LOAD_EXTENSION'];
  const flags = ['-O2', '-I', sqlite, ...defines.map(define => `-D${define}`)];
  return build('cc', [...flags, ...sources, '-lm', '-o', program], program);
}

/** The endpoint in Go: `bench/peers/go`. */
export function buildGoPeer(): string | null {
  const program = join(CACHE, 'go-peer');
  return build('go', ['build', '-C', `${PEERS}/go`, '-o', program, '.'], program);
}

/** The endpoint in Rust: `bench/peers/rust`. */
export function buildRustPeer(): string | null {
  const target = join(CACHE, 'rust');
  const manifest = `${PEERS}/rust/Cargo.toml`;
  const flags = ['--release', '--locked', '--quiet', '--manifest-path', manifest, '--target-dir', target];
  return build('cargo', ['build', ...flags], join(target, 'release/keyroster-bench-peer'));
}

/** What the compiler says of itself. */
export function versionOf(compiler: string, argument: string): string {
  return execFileSync(compiler, [argument], { encoding: 'utf8' }).trim();
}

function build(compiler: string, args: readonly string[], program: string): string | null {
  mkdirSync(CACHE, { recursive: true });
  process.stderr.write(`building ${program}\n`);
  try {
    execFileSync(compiler, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return program;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write(`${compiler} is not installed: what is compared with ${program} is SKIPPED\n`);
    return null;
  }
}

function isNewer(file: string, sources: readonly string[]): boolean {
  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.every(source => statSync(source).mtimeMs < writtenAt);
}
