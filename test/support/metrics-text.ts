import assert from 'node:assert/strict';

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(
  `^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (-?[0-9.]+(?:e[+-]?\\d+)?|NaN|[+-]Inf)$`,
);

/**
 * The series of a text in Prometheus' format and their values. Fails where Prometheus or its `promtool check metrics` would: for a
 * line that isn't one, a family that is described twice or torn apart, and a series that is there twice.
 */
export function seriesOf(text: string): Map<string, number> {
  const series = new Map<string, number>();
  const families = new Set<string>();
  let family = '';
  assert.ok(text.endsWith('\n'));
  for (const line of text.split('\n').filter(Boolean)) {
    const [, keyword, name = ''] = /^# (HELP|TYPE) (\S+) ./.exec(line) ?? [];
    if (keyword === 'HELP') {
      assert.ok(!families.has(name), `${name} is described twice`);
      families.add(name);
      family = name;
    } else if (keyword === 'TYPE') {
      assert.equal(name, family);
    } else {
      const [, sample = '', labels = '', value] = SAMPLE.exec(line) ?? [];
      assert.ok(sample !== '', `not a sample: ${line}`);
      assert.ok(
        [family, `${family}_bucket`, `${family}_sum`, `${family}_count`].includes(sample),
        `${line} is of another family than ${family}`,
      );
      assert.ok(!series.has(sample + labels), `${sample}${labels} is there twice`);
      series.set(sample + labels, Number(value));
    }
  }
  return series;
}
