// biome-ignore-all lint/a11y/useSemanticElements: the elements have these roles, but CSS that changes `display` takes them away
// biome-ignore-all lint/a11y/noRedundantRoles: as above
import { declaredColumns } from '../../formats/declared-columns.ts';
import { ApiKeyRow } from '../roster/api-key-row.tsx';
import { KEY_COLUMNS } from '../roster/api-key-table.tsx';
import { headingOf } from '../roster/declared-value.tsx';
import { visible } from '../roster/key-name.tsx';
import { Hint, Middle } from '../roster/middle.tsx';
import { type Found, queryFrom } from './found.ts';
import { namePartsOf } from './name-parts.ts';
import { type Question, questionText } from './question.ts';

interface FoundTableProps {
  readonly question: Question;
  readonly found: readonly Found[];
}

/** The keys that were found, as the roster lists them: each row leads to its place there. What it was found by is marked. */
export function FoundTable({ question, found }: FoundTableProps) {
  const declared = declaredColumns(found[0]?.key);
  return (
    <div class={declared.length > 0 ? 'table-box scrolls' : 'table-box'}>
      <table role="table" class="table api-keys found-keys" style={{ '--declared': declared.length }}>
        <caption class="visually-hidden">Keys that were found, newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            {KEY_COLUMNS.map(heading => (
              <th key={heading} role="columnheader" class={`of-${heading.toLowerCase()}`}>
                {heading}
              </th>
            ))}
            {declared.map(name => (
              <th key={name} role="columnheader">
                {headingOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {found.map(each => (
            <ApiKeyRow
              key={each.key.id}
              apiKey={each.key}
              query={queryFrom(each)}
              declared={declared}
              isOpen={false}
              cells={markedCellOf(each, question)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Instead of the plain cell. */
function markedCellOf({ key, by }: Found, question: Question) {
  switch (by) {
    case 'ID':
      return {
        id: (
          <mark>
            <Middle text={key.id} />
          </mark>
        ),
      };
    case 'hint':
      return {
        hint: (
          <mark>
            <Hint hint={key.partial_key_hint} />
          </mark>
        ),
      };
    case 'name':
      return { name: <MarkedName name={key.name} question={question} /> };
    case 'creator':
    case 'workspace':
      return {};
  }
}

/** The whole name is marked where it was found by its beginning and its end. */
function MarkedName({ name, question }: { readonly name: string; readonly question: Question }) {
  const parts = question.kind === 'key' ? null : namePartsOf(name, questionText(question));
  const { before, match, after } = parts ?? { before: '', match: name, after: '' };
  return (
    <bdi class="name">
      {visible(before)}
      <mark>{visible(match)}</mark>
      {visible(after)}
    </bdi>
  );
}
