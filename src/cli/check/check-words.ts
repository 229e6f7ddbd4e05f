import { type Content, describeProblem } from '../../server/content/content.ts';
import { defaultsFolder } from '../../server/content/defaults.ts';

/** Notes about the words of the site, though nothing is wrong with them. One sentence each. */
export function describeWords({ defaultsUsed, retired }: Content): string[] {
  const ours = defaultsUsed.flatMap(({ file, names }) => {
    const said = shorten(names);
    return said === '' ? file : `${file}: ${said}`;
  });
  return [
    ...retired.map((one) => `${describeProblem(one, ' ')}; you can delete the line.`),
    ...(ours.length > 0
      ? [
          `these words are our defaults, and you can write your own: ${ours.join('; ')}. They are in ${defaultsFolder}.`,
        ]
      : []),
  ];
}

/** Up to this many default words of a block are named one by one: they may be new in this version. */
const fewNames = 4;

function shorten(names: readonly string[]): string {
  const blocks = Map.groupBy(names, (name) => name.split(' › ')[0] ?? '');
  return [...blocks]
    .flatMap(([block, those]) =>
      those.length > fewNames ? `${block} (${those.length} of its words)` : those,
    )
    .join(', ');
}
