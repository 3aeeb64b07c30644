import assert from 'node:assert/strict';

const SAMPLE = /^(\w+(?:\{(?:\w+="[^"]*",?)+\})?) (-?[0-9.]+(?:e[+-]?\d+)?|NaN|[+-]Inf)$/;

/** The series of a text in Prometheus' format and their values. Fails where a family or a series is there twice. */
export function seriesOf(text: string): Map<string, number> {
  const described = text.match(/^# HELP \S+/gm) ?? [];
  assert.equal(new Set(described).size, described.length, 'a family is described twice');
  const lines = text.split('\n').filter(line => !/^(#|$)/.test(line));
  const samples = lines.map(line => SAMPLE.exec(line) ?? assert.fail(`not a sample: ${line}`));
  const series = new Map(samples.map(([, name = '', value]) => [name, Number(value)]));
  assert.equal(series.size, samples.length, 'a series is there twice');
  return series;
}
