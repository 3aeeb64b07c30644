import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

/** Outside of the tree. It stays for the next run, since a build takes up to two minutes. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'keyroster-bench');

/** Each returns the path of a program, or `null` where its compiler isn't installed, which it says. */

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
