import { getPrograms, type Wanted } from './programs.ts';

/** The programs around the site on a real machine. `npm run test:long` installs them where it is allowed to. */
const wanted: readonly Wanted[] = [
  { name: 'nginx', programs: ['nginx'], packages: ['nginx'], isService: true },
  { name: 'Caddy', programs: ['caddy'], packages: ['caddy'], isService: true },
  { name: 'promtool', programs: ['promtool'], packages: ['prometheus'], isService: true },
  {
    name: 'systemd',
    programs: ['systemd-nspawn', 'mmdebstrap', 'nsenter'],
    packages: ['systemd-container', 'mmdebstrap', 'util-linux'],
  },
];

export default function getFrontPrograms(): void {
  for (const one of wanted) {
    const found = getPrograms(one);
    if ('missing' in found) process.stdout.write(`Left out, what needs ${one.name}: ${found.missing}.\n`);
  }
}
