import type { Page } from '../roster/page.ts';
import { describedAnswer, describedModel, describedQuery, describedRoster } from './describe.ts';
import { modelPage } from './model.ts';
import { pageProblem, type Question } from './page-problem.ts';
import { type Content, orFailed } from './store-under-test.ts';

/** Throws an error that tells the rule that the page breaks, and the roster, the query and the answer. */
export async function checkPage(
  content: Content,
  question: Question,
  list: () => Promise<Page | null>,
): Promise<void> {
  const { organization, query } = question;
  const keys = content.get(organization) ?? [];
  const told = (problem: string, came: string) =>
    [
      problem,
      '',
      ...describedRoster(organization, keys),
      `listApiKeys('${organization}', ${describedQuery(query)})`,
      `expected: ${describedModel(modelPage(keys, query))}`,
      `came:     ${came}`,
    ].join('\n');
  const answer = await orFailed('listApiKeys', list).catch(({ message, cause }: Error) => {
    throw new Error(told(message, 'an error'), { cause });
  });
  const problem = pageProblem(content, question, answer);
  if (problem !== null) throw new Error(told(problem, describedAnswer(answer)));
}
