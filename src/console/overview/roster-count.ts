import type { Session } from '../shell/session.ts';
import type { Walk } from '../walk/walk.ts';
import { walkOfQuery } from '../walk/walk-of-query.ts';
import { Tally } from './tally.ts';

/** One count of the whole roster: a walk, and the figures of exactly the keys that it has read. Another count is another object. */
export class RosterCount {
  readonly tally = new Tally();
  readonly walk: Walk;

  constructor(session: Session) {
    this.walk = walkOfQuery(session, {}, keys => {
      for (const key of keys) this.tally.add(key);
      return false;
    });
  }
}
