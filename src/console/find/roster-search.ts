import type { ApiKeyRecord } from '../../client/client.ts';
import { type MatchKind, matcherOf } from '../../find/match.ts';
import type { Question } from '../../find/question.ts';
import type { Walk } from '../walk/walk.ts';
import { walkOfQuery } from '../walk/walk-of-query.ts';
import { type Found, isExact } from './found.ts';
import type { SearchSource } from './search-source.ts';

/** More are counted and not kept: a person asks for something narrower then. */
export const MAX_KEPT = 500;

/** Reads the whole roster for a question: the service has no search by name or hint. */
export class RosterSearch {
  readonly question: Question;
  readonly walk: Walk;
  /** The newest first, at most `MAX_KEPT`. */
  readonly found: Found[] = [];
  /** Those by ID or hint, at most `MAX_KEPT`: also where more than that were found by name. */
  readonly exact: Found[] = [];
  /** How many there are, also those beyond `MAX_KEPT`. */
  count = 0;
  #newer: string | null = null;

  constructor(session: SearchSource, question: Question) {
    this.question = question;
    const match = matcherOf(question);
    this.walk = walkOfQuery(session, {}, keys => {
      for (const key of keys) this.#look(key, match(key), session.leaked);
      return false;
    });
  }

  #look(key: ApiKeyRecord, by: MatchKind | null, leaked: Set<string>): void {
    if (by !== null) {
      const found = { key, by, newer: this.#newer };
      this.count += 1;
      if (this.found.length < MAX_KEPT) this.found.push(found);
      if (isExact(found) && this.exact.length < MAX_KEPT) this.exact.push(found);
      if (this.question.kind === 'key' && by === 'hint') leaked.add(key.id);
    }
    this.#newer = key.id;
  }
}
