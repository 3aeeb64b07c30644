/** Why someone writes to the creator of a key, as the drawer has the choice. One without words doesn't compile. */
export const messageReasons = { needed: 'Still needed?', leaked: 'Leaked' } as const;
export type MessageReason = keyof typeof messageReasons;

interface Words {
  readonly opening: string;
  readonly closing: string;
}

/** What the message says before and after what tells the key, by the key's status and whether it is old. */
export const messageWords = {
  needed: (status, isOld) => {
    if (status === 'archived')
      return {
        opening: 'This API key is archived. Is it still in use anywhere?',
        closing: 'If it is, please say where, and use another key there.',
      };
    const replace = isOld ? ', and replace it with a new key: it is more than a year old' : '';
    return {
      opening: `Is this ${status === 'inactive' ? 'inactive ' : ''}API key still needed?`,
      closing: `If it is not, please archive it. If it is, please say what for${replace}.`,
    };
  },
  leaked: status => ({
    opening: 'This API key was found outside (its full text).',
    closing: leakClosings[status] ?? leakClosings.active,
  }),
} satisfies Record<MessageReason, (status: string, isOld: boolean) => Words>;

/** A status that this console doesn't know is taken for active. */
const leakClosings: { readonly [status: string]: string; readonly active: string } = {
  active: 'Please archive it now and replace it where it is used.',
  inactive:
    'It is inactive. Please archive it now, so that nobody activates it again, and replace it where it was used.',
  archived: 'It is archived already. Please say where it was used, and replace it wherever it still is.',
};
