/** People and workspaces by ID, from the admin's own files, which never leave the machine. */
import type { State } from './states.ts';

export const ENTRY_KINDS = ['person', 'service_account', 'workspace'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export interface DirectoryEntry {
  readonly id: string;
  /** `undefined`: no file says, so it may be any. */
  readonly kind?: EntryKind | undefined;
  readonly name?: string | undefined;
  readonly mail?: string | undefined;
  readonly team?: string | undefined;
  readonly manager?: string | undefined;
  /** The file that names the manager. */
  readonly managerIn?: string | undefined;
  /** By the words of a file. `undefined`: it doesn't say; a file with days of leaving does. */
  readonly state?: State | undefined;
  /** In milliseconds since 1970: of a day its first moment, UTC. */
  readonly leftOn?: number | undefined;
}

export type Absence = Exclude<State, 'here'>;
export const ABSENCES: Readonly<Record<Absence, string>> = {
  left: 'who has left',
  disabled: 'who is disabled',
};

/** By the day, or by the words. `undefined`: nobody says. */
export const stateAt = ({ state, leftOn }: Pick<DirectoryEntry, 'state' | 'leftOn'>, now: number) =>
  leftOn !== undefined && leftOn <= now ? 'left' : state;

function absenceOf(entry: DirectoryEntry | undefined, now: number): Absence | undefined {
  const state = entry && stateAt(entry, now);
  return state === 'here' ? undefined : state;
}

/** Of how many creators a directory knows how many. Of the others it tells nothing, so neither that they have left nor that they haven't. */
export interface Coverage {
  readonly creators: number;
  readonly known: number;
  /** Absent: the directory doesn't tell. */
  readonly left?: number;
  readonly disabled?: number;
}

export const knowsNobody = ({ creators, known }: Coverage) => creators > 0 && known === 0;

export function coverageText({ creators, known, left, disabled = 0 }: Coverage): string {
  const states = [
    known > 0 && left !== undefined && `${left.toLocaleString('en')} of them left`,
    disabled > 0 && `${disabled.toLocaleString('en')} disabled`,
  ].filter(Boolean);
  const knows = `the directory knows ${known.toLocaleString('en')} of ${creators.toLocaleString('en')} creators`;
  return [knows, ...states].join(', ');
}

/** Who the manager is, among all people of the files. `undefined`: nobody can be told. */
export type ManagerOf = (entry: DirectoryEntry) => DirectoryEntry | undefined;

export class Directory {
  /** Whether a file has a day or a word of who has left: without one nobody knows, and "none" would be a wrong answer. */
  readonly tellsLeft: boolean;
  readonly #byId: ReadonlyMap<string, DirectoryEntry>;
  readonly #managerOf: ManagerOf;
  /** In lower case, once somebody is looked for: a page has no time for it before. */
  #byMail: ReadonlyMap<string | undefined, readonly DirectoryEntry[]> | undefined;

  /** @param entries with another ID each. */
  constructor(entries: readonly DirectoryEntry[], tellsLeft = false, managerOf: ManagerOf = () => undefined) {
    this.tellsLeft = tellsLeft;
    this.#managerOf = managerOf;
    this.#byId = new Map(entries.map(entry => [entry.id, entry]));
  }

  /** How many entries it has. */
  get size(): number {
    return this.#byId.size;
  }

  get entries(): Iterable<DirectoryEntry> {
    return this.#byId.values();
  }

  /** `undefined`: nobody it knows. */
  creator(id: string): DirectoryEntry | undefined {
    const entry = this.#byId.get(id);
    return entry?.kind === 'workspace' ? undefined : entry;
  }

  workspace(id: string): DirectoryEntry | undefined {
    const entry = this.#byId.get(id);
    return (entry?.kind ?? 'workspace') === 'workspace' ? entry : undefined;
  }

  /** At a time in milliseconds since 1970. `undefined`: this creator is here, or nobody says. */
  absence(creatorId: string, now: number): Absence | undefined {
    return absenceOf(this.creator(creatorId), now);
  }

  /** One that it doesn't know hasn't. */
  hasLeft(creatorId: string, now: number): boolean {
    return this.absence(creatorId, now) === 'left';
  }

  coverage(creatorIds: ReadonlySet<string>, now = Date.now()): Coverage {
    const countOf = (isMeant: (id: string) => boolean) => Array.from(creatorIds).filter(isMeant).length;
    return {
      creators: creatorIds.size,
      known: countOf(this.knows),
      ...(this.tellsLeft && { left: countOf(id => this.hasLeft(id, now)) }),
      disabled: countOf(id => this.absence(id, now) === 'disabled'),
    };
  }

  readonly knows = (creatorId: string) => this.creator(creatorId) !== undefined;

  /** Whether the creator is of this team, whatever its case. */
  isOfTeam(creatorId: string, team: string): boolean {
    return this.creator(creatorId)?.team?.toLowerCase() === team.toLowerCase();
  }

  /** The IDs of those with this mail address, whatever its case: a person's own, and perhaps those of their service accounts. */
  idsOf(mail: string): readonly string[] {
    this.#byMail ??= Map.groupBy(
      Array.from(this.entries).filter(entry => entry.kind !== 'workspace' && entry.mail),
      entry => entry.mail?.toLowerCase(),
    );
    return (this.#byMail.get(mail.toLowerCase()) ?? []).map(({ id }) => id);
  }

  /** Who is asked about a creator's keys: the creator, by mail address or else ID, or the next manager who is here, by mail address. */
  recipient(creatorId: string, now: number): string | undefined {
    let who: DirectoryEntry | undefined = this.creator(creatorId);
    if (absenceOf(who, now) === undefined) return who?.mail?.toLowerCase() ?? creatorId;
    const asked = new Set<string>();
    while (who?.manager !== undefined && !asked.has(who.manager)) {
      asked.add(who.manager);
      who = this.#managerOf(who);
      if (who?.mail && absenceOf(who, now) === undefined) return who.mail.toLowerCase();
    }
    return undefined;
  }

  /** What a person is shown in the place of the ID. */
  creatorName(id: string): string {
    return nameOf(this.creator(id)) ?? id;
  }

  workspaceName(id: string): string {
    return nameOf(this.workspace(id)) ?? id;
  }
}

const nameOf = (entry: DirectoryEntry | undefined) => entry?.name ?? entry?.mail;
