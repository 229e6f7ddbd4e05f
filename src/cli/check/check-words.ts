import { type Content, describeProblem } from '../../server/content/content.ts';
import { defaultsFolder } from '../../server/content/defaults.ts';

/** Notes on texts that are valid: defaults still in use, and retired names. One sentence each. */
export function describeTexts({ defaultsUsed, retired }: Content): string[] {
  const defaultsInUse = defaultsUsed.flatMap(({ file, names }) => {
    const list = listByBlock(names);
    return list === '' ? file : `${file}: ${list}`;
  });
  return [
    ...retired.map((one) => `${describeProblem(one, ' ')}; you can delete the line.`),
    ...(defaultsInUse.length > 0
      ? [
          `these words are our defaults, and you can write your own: ${defaultsInUse.join('; ')}. They are in ${defaultsFolder}.`,
        ]
      : []),
  ];
}

/** Up to this many default texts of a block are named one by one: they may be new in this version. */
const fewNames = 4;

function listByBlock(names: readonly string[]): string {
  const blocks = Map.groupBy(names, (name) => name.split(' › ')[0] ?? '');
  // The language of the content follows from its words, and is not for rewording. A day is no words.
  blocks.delete('language');
  blocks.delete('privacyChecked');
  return [...blocks]
    .flatMap(([block, namesInBlock]) =>
      namesInBlock.length > fewNames ? `${block} (${namesInBlock.length} of its words)` : namesInBlock,
    )
    .join(', ');
}
