import { fileURLToPath } from 'node:url';

const binOf = (part: string) => fileURLToPath(new URL(`../../src/${part}/cli/bin.ts`, import.meta.url));

/** What each program runs. */
export const BINS = { keyroster: binOf('service'), 'keyroster-admin': binOf('admin') } as const;
export type ProgramName = keyof typeof BINS;

/** The commands of the admin's program, in the order of its help. */
export const OF_ADMIN = 'login logout profiles list get find report diff watch'.split(' ');

/** The program that has the command of these arguments. */
export function programOf([command = '']: readonly string[]): ProgramName {
  return OF_ADMIN.includes(command) ? 'keyroster-admin' : 'keyroster';
}

export const binFor = (args: readonly string[]): string => BINS[programOf(args)];
