import { isDeepStrictEqual } from 'node:util';
import { RECORD_FIELDS } from '../../shared/record/api-key-record.ts';
import { recordOf } from '../roster/api-key.ts';
import { areNewestFirst, type Page, requiredOfPage } from '../roster/pages/page.ts';
import { type Content, modelPage, type Question } from './model.ts';

/** A sentence that says what is wrong with the answer; `null` when it is the page of the model. */
export function pageProblem(content: Content, question: Question, answer: Page | null): string | null {
  const { organization, query } = question;
  const expected = modelPage(content.get(organization) ?? [], query);
  if (!expected && answer)
    return `the cursor ${query.cursor?.id} is no key of this organization within the scope: return null`;
  // What the service requires of any page, by what pageItem knows of its records.
  const required = requiredOfPage(answer, query);
  if (required !== null) return `listApiKeys must return ${required}`;
  if (!expected) return null;
  if (!answer)
    return `the cursor ${query.cursor?.id} is a key of this organization: return the page, also where it doesn't pass the filter or the times`;
  const { items, hasMore } = answer;
  if (!areNewestFirst(items))
    return 'listApiKeys must return items newest first, those of one time by ID, the greatest first, compared as bytes';
  const [listed, wanted] = [items, expected.keys].map(all => new Set(all.map(({ id }) => id)));
  const missing = expected.keys.find(({ id }) => !listed?.has(id));
  const wrong = items.find(({ id }) => !wanted?.has(id));
  if (missing) return `${missing.id} is missing${wrong ? `, and ${wrong.id} is listed instead` : ''}`;
  if (wrong) return `${wrong.id} must not be listed`;
  if (hasMore !== expected.hasMore)
    return `hasMore must be ${expected.hasMore}: ${hasMore ? 'no key is left' : 'more keys match'}`;
  for (const [index, key] of expected.keys.entries()) {
    const [record, stored] = [JSON.parse(String(items[index]?.record)), recordOf(key)];
    for (const field of RECORD_FIELDS as readonly (keyof typeof stored)[])
      if (!isDeepStrictEqual(record[field], stored[field]))
        return `the record of ${key.id} must have ${field} ${shown(stored[field])}, and it is ${shown(record[field])}`;
  }
  return null;
}

/** In ASCII, since some texts that differ look the same. */
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  const short = text.length > 80 ? `${text.slice(0, 40)}..." (${text.length - 2} characters)` : text;
  return short.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
