/** The results of scanners for secrets: of gitleaks (JSON and SARIF) and TruffleHog (JSON). */

export interface Finding {
  readonly secret: string;
  /** The rule, and where it was found, such as `aws-token in src/a.ts:3`. */
  readonly place: string;
}

/** `null`: the text is no such result. */
export function findingsIn(text: string): Finding[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const results = parsed(text) ?? linesOf(text);
  const findings = results?.flatMap(result => findingOf(result) ?? []) ?? [];
  return findings.length > 0 && findings.length === results?.length ? findings : null;
}

type Members = Readonly<Record<string, unknown>>;

/** The results of an array or of SARIF. */
function parsed(text: string): readonly unknown[] | null {
  try {
    const document = JSON.parse(text);
    if (Array.isArray(document)) return document;
    return document.runs?.flatMap(({ results }: { results?: unknown[] }) => results ?? []) ?? [document];
  } catch {
    return null;
  }
}

/** TruffleHog writes a document a line. */
function linesOf(text: string): readonly unknown[] | null {
  try {
    const lines = text.split('\n').filter(line => line.trim() !== '');
    return lines.map(line => JSON.parse(line));
  } catch {
    return null;
  }
}

function findingOf(result: unknown): Finding | null {
  const of = (path: string) => valueAt(result, path);
  const location = 'locations.0.physicalLocation';
  const source = Object.values((of('SourceMetadata.Data') as Members | undefined) ?? {})[0];
  const forms = [
    [of('Secret'), of('RuleID'), of('File'), of('StartLine')],
    [of('RawV2') || of('Raw'), of('DetectorName'), valueAt(source, 'file'), valueAt(source, 'line')],
    [
      of(`${location}.region.snippet.text`),
      of('ruleId'),
      of(`${location}.artifactLocation.uri`),
      of(`${location}.region.startLine`),
    ],
  ];
  const [secret, rule, file, line] = forms.find(([secret, rule]) => isText(secret) && isText(rule)) ?? [];
  if (!isText(secret)) return null;
  return { secret, place: `${rule} in ${[file ?? '(unknown)', line].filter(Boolean).join(':')}` };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function valueAt(from: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Members | null | undefined)?.[name], from);
}
