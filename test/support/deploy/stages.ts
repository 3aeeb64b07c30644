/** The stages of a Dockerfile and their steps. */
import {
  DockerfileParser,
  type From,
  type Instruction,
  JSONInstruction,
  ModifiableInstruction,
} from 'dockerfile-ast';

export interface Step {
  readonly keyword: string;
  /** The words behind the flags; of a list in brackets its strings. A command without brackets is run by a shell. */
  readonly arguments: readonly string[];
  /** All behind the keyword, as it is written. */
  readonly text: string;
  readonly flags: Readonly<Record<string, string>>;
}

export function stagesOf(dockerfile: string) {
  const stages: { base: string; name: string | null; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    if (instruction.getKeyword() !== 'FROM') stages.at(-1)?.steps.push(stepOf(instruction));
    else {
      const from = instruction as From;
      stages.push({ base: String(from.getImage()), name: from.getBuildStage(), steps: [] });
    }
  }
  return stages;
}

function stepOf(instruction: Instruction): Step {
  const text = instruction.getArgumentsContent() ?? '';
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  const strings = instruction instanceof JSONInstruction ? instruction.getJSONStrings() : [];
  const keyword = instruction.getKeyword();
  const words = instruction.getArguments().map(String);
  const byShell = ['ENTRYPOINT', 'CMD'].includes(keyword) ? ['/bin/sh', '-c', text] : words;
  return {
    keyword,
    arguments: strings.length > 0 ? strings.map(each => each.getJSONValue()) : byShell,
    text,
    flags: Object.fromEntries(flags.map(flag => [flag.getName(), flag.getValue() ?? ''])),
  };
}
