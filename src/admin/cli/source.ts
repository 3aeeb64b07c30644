/** Where a command reads keys: a service, those of several profiles, or a saved roster. */
import { basename } from 'node:path';
import type { ListParameters } from '../../client/client.ts';
import { type Command, UsageError } from '../../shared/command/command.ts';
import { printAtEnd } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';
import { connect, refuseServiceOptions, type ServiceFlags } from './connection/connect.ts';
import { failureOf } from './connection/failure.ts';
import { severalProfiles } from './connection/profiles.ts';
import { type WalkedPage, type WalkOptions, walkPages } from './connection/walk-pages.ts';

export interface SourceFlags extends ServiceFlags {
  readonly file?: string;
  readonly exact?: boolean;
}

type Walk = AsyncGenerator<WalkedPage, void>;

export class Source {
  /** Where several services are asked. */
  readonly profiles: readonly string[] | undefined;
  /** What was read of each of them. */
  readonly read = new Map<string, Omit<WalkedPage, 'data'>>();
  /** Those of which not all keys were read. */
  readonly missing: string[] = [];
  readonly #flags: SourceFlags;
  #address: string | undefined;

  /** Throws a `UsageError` for options that are of another source. */
  constructor(flags: SourceFlags, command: Command) {
    this.#flags = flags;
    if (flags.file !== undefined) refuseServiceOptions(command, 'is of a service, and --file asks none');
    else this.profiles = severalProfiles(flags);
    if (this.profiles) refuseSettingsOfOne(flags);
  }

  /** In words. */
  get name(): string {
    const { file } = this.#flags;
    if (file !== undefined) return file === '-' ? 'standard input' : basename(file);
    return this.profiles ? `the services of ${this.profiles.join(', ')}` : (this.#address ?? 'the service');
  }

  async *pages(query?: ListParameters, options?: WalkOptions): Walk {
    const { file, exact } = this.#flags;
    if (this.profiles) return yield* this.#pagesOf(this.profiles, query, options);
    if (file === undefined) {
      const service = await connect(this.#flags);
      this.#address = service.address;
      return yield* walkPages(service, query, options);
    }
    const { savedRoster } = await import('./saved/saved-roster.ts');
    for await (const data of savedRoster(file, exact).records)
      yield { data, organizationId: null, scope: null };
  }

  /** Of one service after the other. The first page has that of each, which tells what fields there are. */
  async *#pagesOf(profiles: readonly string[], query?: ListParameters, options?: WalkOptions): Walk {
    const walks = new Map<string, Walk>();
    for (const profile of profiles) {
      const service = await connect({ profile, timeout: this.#flags.timeout });
      walks.set(profile, walkPages({ ...service, profile }, query, options));
    }
    try {
      const firstKeys = [];
      for (const walk of walks) for (const key of (await this.#next(walk))?.data ?? []) firstKeys.push(key);
      if (this.missing.length === walks.size) throw new Refused('no service has answered');
      yield { data: firstKeys, organizationId: null, scope: null };
      for (const walk of walks)
        for (let page = await this.#next(walk); page; page = await this.#next(walk)) yield page;
    } finally {
      for (const walk of walks.values()) await walk.return();
    }
  }

  /** One service that fails is told, and the others are asked. */
  async #next([profile, walk]: [string, Walk]): Promise<WalkedPage | undefined> {
    try {
      const { value } = await walk.next();
      if (value) this.read.set(profile, value);
      return value || undefined;
    } catch (error) {
      const failure = failureOf(error as Error);
      if (!failure) throw error;
      process.exitCode = failure.exitCode;
      this.missing.push(profile);
      printAtEnd(`keyroster-admin: not all keys of ${profile} were read: ${failure.message}`);
    }
  }
}

function refuseSettingsOfOne({ baseUrl, adminKeyFile, vendor, apiVersion }: ServiceFlags): void {
  const { KEYROSTER_ADMIN_KEY, KEYROSTER_ADMIN_KEY_FILE } = process.env;
  const ofKey = adminKeyFile ?? KEYROSTER_ADMIN_KEY ?? KEYROSTER_ADMIN_KEY_FILE;
  if ((baseUrl ?? vendor ?? apiVersion ?? ofKey) === undefined) return;
  throw new UsageError(
    '--base-url, --admin-key-file, --vendor, --api-version and their variables are of one service, and several profiles are asked: leave them out',
  );
}
