/** The YAML files in deploy/, with the fields that tests look at. */
import { readFileSync } from 'node:fs';
// json-schema-to-typescript, a development dependency, brings it.
import { load, loadAll } from 'js-yaml';

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

interface Probe {
  readonly httpGet: { readonly path: string };
}

export interface Container {
  readonly name: string;
  readonly command?: readonly [string, ...string[]];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly securityContext: { readonly runAsUser?: number };
}

export interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly enableServiceLinks: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly seccompProfile: unknown };
}

interface Selector {
  readonly matchLabels?: unknown;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly selector?: Selector;
    readonly podSelector?: Selector;
    readonly template?: { readonly metadata: { readonly labels: unknown }; readonly spec: PodSpec };
  };
}

export const kubernetesObjects = (name: string) => loadAll(read(name)) as KubernetesObject[];

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: unknown;
  readonly secrets?: unknown;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

type Compose = { readonly services: Readonly<Record<string, ComposeService>> };

export const composeServices = () => (load(read('compose.yaml')) as Compose).services;
