import assert from 'node:assert/strict';
import { type Joined, joinSteps } from '../../src/admin/directory/join-files.ts';
import { type PeopleFile, type Problems, peopleSteps } from '../../src/admin/directory/people-file.ts';
import { resultOf } from '../../src/admin/directory/steps.ts';

export const parsedPeople = (text: string, file = 'people.csv') => resultOf(peopleSteps(file, text));

/** A text of people, which can be read. */
export function peopleOf(text: string, file?: string): PeopleFile {
  const read = parsedPeople(text, file);
  assert(!('problems' in read), JSON.stringify(read));
  return read;
}

export function joinedOf(files: readonly PeopleFile[], everyone?: PeopleFile, now?: number): Joined {
  const joined = resultOf(joinSteps(files, everyone, now));
  assert(!('problems' in joined), JSON.stringify(joined));
  return joined;
}

/** A file by itself, with IDs of creators. */
export const directoryOf = (text: string) => joinedOf([peopleOf(text)]);

export const problemsIn = (read: object | Problems) => ('problems' in read ? read.problems : []);
