/** The YAML files in deploy/. */
import { readFileSync } from 'node:fs';
// json-schema-to-typescript, a development dependency, brings it.
import { load, loadAll } from 'js-yaml';

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: the tests look into it
type Yaml = any;

export const kubernetesObjects = [
  'kubernetes.yaml',
  'kubernetes-migrate.yaml',
  'kubernetes-backup.yaml',
].flatMap(name => loadAll(read(name)) as Yaml[]);

/** What the pods of the object of this kind have. */
export const podOf = (kind: string): Yaml => podsOf(kind)[0];

export const podsOf = (...kinds: string[]): Yaml[] =>
  kubernetesObjects
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ spec }) => (spec.jobTemplate?.spec ?? spec).template.spec);

export const composeServices: Readonly<Record<string, Yaml>> = (load(read('compose.yaml')) as Yaml).services;
