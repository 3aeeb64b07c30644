/** The results of scanners for secrets: of gitleaks (JSON and SARIF) and TruffleHog (JSON). */

export interface Finding {
  readonly secret: string;
  /** The rule, and where it was found, such as `aws-token in src/a.ts:3`. */
  readonly place: string;
}

const LOCATION = 'locations.0.physicalLocation';
/** Where each scanner has it; `*` is the only member, whatever its name. */
const PATHS = {
  secret: ['Secret', 'RawV2', 'Raw', `${LOCATION}.region.snippet.text`],
  rule: ['RuleID', 'DetectorName', 'ruleId'],
  file: ['File', 'SourceMetadata.Data.*.file', `${LOCATION}.artifactLocation.uri`],
  line: ['StartLine', 'SourceMetadata.Data.*.line', `${LOCATION}.region.startLine`],
} as const;

/** `null`: the text is no such result. */
export function findingsIn(text: string): Finding[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const results = resultsIn(text);
  const findings = results.flatMap(result => {
    const [secret, rule, file = '(unknown)', line] = Object.values(PATHS).map(paths =>
      firstAt(result, paths),
    );
    if (typeof secret !== 'string' || typeof rule !== 'string') return [];
    return [{ secret, place: `${rule} in ${[file, line].filter(Boolean).join(':')}` }];
  });
  return findings.length > 0 && findings.length === results.length ? findings : null;
}

/** The results of an array, of SARIF, or of TruffleHog, which writes a document a line. */
function resultsIn(text: string): readonly unknown[] {
  try {
    const document = JSON.parse(text);
    if (Array.isArray(document)) return document;
    return document.runs?.flatMap(({ results }: { results?: unknown[] }) => results ?? []) ?? [document];
  } catch {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    return lines.length > 1 ? lines.flatMap(resultsIn) : [null];
  }
}

/** An empty text only where none of them has another. */
function firstAt(from: unknown, paths: readonly string[]): unknown {
  const values = paths.map(path => path.split('.').reduce(memberOf, from));
  return values.find(value => value !== undefined && value !== '') ?? values.find(value => value === '');
}

function memberOf(value: unknown, name: string): unknown {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return name === '*' ? Object.values(members)[0] : members[name];
}
