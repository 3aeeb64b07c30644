import { Option } from 'commander';
import {
  type DeclaredField,
  FIELD_KINDS,
  type FieldKind,
  fieldRecord,
} from '../../service/roster/declared-fields.ts';
import {
  fieldNameProblem,
  type NewField,
  newTypes,
  type TypeFlags,
} from '../../service/roster/writes/new-field.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { jsonOption, required } from '../../shared/command/options.ts';
import { printJson, printJsonArray, printLine, printTable } from '../../shared/command/terminal/print.ts';
import {
  databaseOption,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';

export function fieldsCommand(): Command {
  return new Command('fields')
    .description("fields of the vendor's own, which every record has after those of the contract")
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

interface AddFlags extends WriteFlags {
  readonly type: FieldKind;
  readonly values?: string;
  readonly maxLength?: string;
}

/** The flag of each thing that a type needs. */
const typeFlags = { values: '--values', maxLength: '--max-length' } as const satisfies Record<
  keyof TypeFlags,
  string
>;

function addCommand(): Command {
  return new Command('add')
    .description('declares a field: from then on every record has it, null until a value is imported or put')
    .argument('<name>', 'its name in the record, such as last_used_at')
    .addOption(new Option('--type <type>', 'what its values are').choices(FIELD_KINDS).makeOptionMandatory())
    .option(`${typeFlags.values} <list>`, 'one-of: the values, separated by commas')
    .option(`${typeFlags.maxLength} <number>`, 'text: the longest length in characters, at most 200')
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster fields add last_used_at --type timestamp')
    .action(async (name: string, flags: AddFlags) => {
      const field = newField(name, flags);
      const added = await withWriter(flags, roster => roster.addField(field));
      if (flags.json) await printJson(fieldRecord(added));
      else printLine(added.name);
    });
}

function newField(name: string, { type: kind, values, maxLength }: AddFlags): NewField {
  const problem = fieldNameProblem(name, kind);
  if (problem !== null) throw new UsageError(`name: ${problem}`);
  const given: TypeFlags = {
    values: values?.split(','),
    maxLength: maxLength === undefined ? undefined : wholeNumber(maxLength),
  };
  const { needs, rule, make } = newTypes[kind];
  for (const flag of Object.keys(typeFlags) as (keyof TypeFlags)[])
    if (flag !== needs && given[flag] !== undefined)
      throw new UsageError(`${typeFlags[flag]}: is not for the type ${kind}`);
  const type = make(given);
  return { name, type: required(needs === null ? 'type' : typeFlags[needs], type, rule) };
}

function wholeNumber(text: string): number {
  return /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
}

function listCommand(): Command {
  return new Command('list')
    .description('lists the declared fields, in the order in which records have them')
    .addOptions(databaseOption(), jsonOption())
    .example('keyroster fields list --json')
    .action(async ({ database, json }: { database: string; json?: boolean }) => {
      const fields = await withOperatorReader(database, roster => roster.listFields());
      if (json) await printJsonArray([fields], fieldRecord);
      else await printTable(['NAME', 'TYPE', 'RULE'], [fields], rowOf);
    });
}

function rowOf({ name, type }: DeclaredField): string[] {
  if (type.kind === 'one-of') return [name, type.kind, type.values.join(',')];
  return [name, type.kind, type.kind === 'text' ? `at most ${type.max_length}` : ''];
}

function removeCommand(): Command {
  return new Command('remove')
    .description('removes a declared field and all its values, for good')
    .argument('<name>', 'its name')
    .option('--yes', 'its values may be lost: no field of the same name gets them back')
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster fields remove last_used_at --yes')
    .action(async (name: string, flags: WriteFlags & { yes?: boolean }) => {
      if (fieldNameProblem(name) !== null) throw new UsageError('name: no declared field can have this name');
      if (!flags.yes)
        throw new UsageError(
          `--yes: give it to remove ${name} and all its values, in every organization, for good`,
        );
      const removed = await withWriter(flags, roster => roster.removeField(name));
      if (flags.json) await printJson(fieldRecord(removed));
      else printLine(removed.name);
    });
}
