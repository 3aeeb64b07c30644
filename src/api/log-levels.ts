export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Which requests have a line: all; those that failed, and some of the others; or none. */
export const REQUEST_LOGS = ['full', 'sampled', 'off'] as const;

export type RequestLog = (typeof REQUEST_LOGS)[number];
