import { createServer } from 'node:net';
import { listen } from './listen.ts';
import type { Scope } from './scope.ts';

/** A port of the loopback interface that is in use until the scope's end. */
export const takenPort = (scope: Scope): Promise<number> => listen(scope, createServer());
