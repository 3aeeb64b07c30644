/** The results of scanners for secrets: of gitleaks and TruffleHog (JSON), and of any in SARIF. */
import { parsedJson } from '../../shared/record/parsed-json.ts';

export interface Finding {
  readonly secret: string;
  /** `null`: it is no finding, but other text. */
  readonly place: Place | null;
}

/** Where a scanner found it, and by which of its rules. */
export interface Place {
  readonly rule: string;
  readonly file: string;
  readonly line: number | null;
}

/** Such as `aws-token in src/a.ts:3`. */
export const placeText = ({ rule, file, line }: Place) => `${rule} in ${line ? `${file}:${line}` : file}`;

const LOCATION = 'locations.0.physicalLocation';
/** Where each has it; `*` is the only member, whatever its name. */
const PATHS = {
  secret: ['Secret', 'RawV2', 'Raw', `${LOCATION}.region.snippet.text`],
  rule: ['RuleID', 'DetectorName', 'ruleId'],
  file: ['File', 'SourceMetadata.Data.*.file', `${LOCATION}.artifactLocation.uri`],
  line: ['StartLine', 'SourceMetadata.Data.*.line', `${LOCATION}.region.startLine`],
} as const;

/** What of the text is no finding, such as a line of the scanner's log, or all of it, is the last one. */
export function findingsIn(text: string): Finding[] {
  const findings: Finding[] = [];
  const rest: string[] = [];
  for (const result of resultsIn(text)) {
    const finding = typeof result === 'string' ? null : findingOf(result);
    if (finding) findings.push(finding);
    else rest.push(typeof result === 'string' ? result : JSON.stringify(result));
  }
  return [...findings, { secret: findings.length > 0 ? rest.join('\n') : text, place: null }];
}

/** What scanners write about what they find: of hashes, or in a form that isn't known. */
const OF_SCANNER =
  /rule_?(?:id|name)|detector[ _]?(?:name|type)|secret[ _](?:type|sha|detected)|hashed_secret|plugins_used|ignore_sha|check_id|"rule"|finding\.+: /i;

/** A single line that isn't JSON is a name. */
export function looksLikeReport(text: string): boolean {
  return /^[[{]|\n/.test(text) && OF_SCANNER.test(text);
}

function findingOf(result: unknown): Finding | null {
  const [secret, rule, file = '(unknown)', line] = Object.values(PATHS).map(paths => firstAt(result, paths));
  if (typeof secret !== 'string' || typeof rule !== 'string') return null;
  return { secret, place: { rule, file: String(file), line: typeof line === 'number' ? line : null } };
}

/** Those of a document, or of lines that are one each. */
function resultsIn(text: string): readonly unknown[] {
  const document = parsed(text);
  if (document === undefined) return text.split('\n').map(line => parsed(line) ?? line);
  if (Array.isArray(document)) return document;
  const { runs } = document as Readonly<Record<string, unknown>>;
  return Array.isArray(runs) ? runs.flatMap(run => run?.results ?? []) : [document];
}

const parsed = (text: string) => (/^\s*[[{]/.test(text) ? parsedJson(text) : undefined);

/** An empty text only where none of them has another. */
function firstAt(from: unknown, paths: readonly string[]): unknown {
  const values = paths.map(path => path.split('.').reduce(memberOf, from));
  return values.find(Boolean) ?? values.find(value => value === '');
}

function memberOf(value: unknown, name: string): unknown {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return name === '*' ? Object.values(members)[0] : members[name];
}
