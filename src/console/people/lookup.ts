import type { Directory } from '../../admin/directory/directory.ts';

/** The teams in the order of their names, by the digests that addresses have. */
export function teamsOf(directory: Directory): ReadonlyMap<string, string> {
  const teams = new Map(Array.from(directory.entries, ({ team = '' }) => [team.toLowerCase(), team]));
  teams.delete('');
  return new Map([...teams].sort().map(([name, team]) => [teamDigest(name), team]));
}

/** Of a team's name, whatever its case, as an address may have nothing of a directory: FNV-1a, 64 bits. */
export function teamDigest(team: string): string {
  let digest = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(team.toLowerCase()))
    digest = BigInt.asUintN(64, (digest ^ BigInt(byte)) * 0x100000001b3n);
  return digest.toString(36);
}

/** The IDs of those with this name or mail address, whatever its case. */
export function idsNamed(directory: Directory, kind: 'creator' | 'workspace', text: string): string[] {
  const wanted = text.toLowerCase();
  return Array.from(directory.entries)
    .filter(entry => directory[kind](entry.id) === entry)
    .filter(({ name, mail }) => name?.toLowerCase() === wanted || mail?.toLowerCase() === wanted)
    .map(({ id }) => id);
}
