import { namePartsOf } from '../../find/name-parts.ts';
import { type Question, questionText } from '../../find/question.ts';
import { declaredColumns } from '../../formats/render-csv.ts';
import { ApiKeyRow } from '../roster/api-key-row.tsx';
import { visible } from '../roster/key-name.tsx';
import { KeyTable } from '../roster/key-table.tsx';
import { Hint, Middle } from '../roster/middle.tsx';
import { type Found, queryFrom } from './found.ts';

interface FoundTableProps {
  readonly question: Question;
  readonly found: readonly Found[];
}

/** The keys that were found, as the roster lists them: each row leads to its place there. What it was found by is marked. */
export function FoundTable({ question, found }: FoundTableProps) {
  const declared = declaredColumns(found[0]?.key);
  return (
    <KeyTable caption="Keys that were found, newest first" declared={declared}>
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
    </KeyTable>
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
