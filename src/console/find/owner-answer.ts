import type { Question } from '../../find/question.ts';

/** What is said of the ID of a creator or a workspace. Nothing is sent or read for it. */
export class OwnerAnswer {
  readonly question: Question & { kind: 'owner' };

  constructor(question: Question & { kind: 'owner' }) {
    this.question = question;
  }
}
