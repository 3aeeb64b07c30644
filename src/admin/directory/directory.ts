/** The admin's own file of people and workspaces by ID, which never leaves the machine. */

export const ENTRY_KINDS = ['person', 'service_account', 'workspace'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export interface DirectoryEntry {
  readonly id: string;
  /** `undefined`: the file doesn't say, so it may be any. */
  readonly kind?: EntryKind | undefined;
  readonly name?: string | undefined;
  readonly mail?: string | undefined;
  readonly team?: string | undefined;
  /** In milliseconds since 1970: of a day its first moment, UTC. */
  readonly leftOn?: number | undefined;
}

/** Of how many creators a directory knows how many. Of the others it tells nothing, so neither that they have left nor that they haven't. */
export interface Coverage {
  readonly creators: number;
  readonly known: number;
}

export const knowsNobody = ({ creators, known }: Coverage) => creators > 0 && known === 0;

export const coverageText = ({ creators, known }: Coverage) =>
  `the directory knows ${known.toLocaleString('en')} of ${creators.toLocaleString('en')} creators`;

export class Directory {
  /** Whether it has a column of who has left: without one nobody knows, and "none" would be a wrong answer. */
  readonly tellsLeft: boolean;
  readonly #byId: ReadonlyMap<string, DirectoryEntry>;
  /** Those with a mail address, by it in lower case. */
  readonly #byMail: ReadonlyMap<string | undefined, readonly DirectoryEntry[]>;

  /** @param entries with another ID each. */
  constructor(entries: readonly DirectoryEntry[], tellsLeft = false) {
    this.tellsLeft = tellsLeft;
    this.#byId = new Map(entries.map(entry => [entry.id, entry]));
    const creators = entries.filter(({ kind, mail }) => kind !== 'workspace' && mail);
    this.#byMail = Map.groupBy(creators, ({ mail }) => mail?.toLowerCase());
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

  /** Whether this creator has left by now, in milliseconds since 1970. One that it doesn't know hasn't. */
  hasLeft(creatorId: string, now: number): boolean {
    const { leftOn = Number.POSITIVE_INFINITY } = this.creator(creatorId) ?? {};
    return leftOn <= now;
  }

  coverage(creatorIds: ReadonlySet<string>): Coverage {
    return { creators: creatorIds.size, known: Array.from(creatorIds).filter(this.knows).length };
  }

  readonly knows = (creatorId: string) => this.creator(creatorId) !== undefined;

  /** Whether the creator is of this team, whatever its case. */
  isOfTeam(creatorId: string, team: string): boolean {
    return this.creator(creatorId)?.team?.toLowerCase() === team.toLowerCase();
  }

  /** The IDs of those with this mail address, whatever its case: a person's own, and perhaps those of their service accounts. */
  idsOf(mail: string): readonly string[] {
    return (this.#byMail.get(mail.toLowerCase()) ?? []).map(({ id }) => id);
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
