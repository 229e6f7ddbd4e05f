/** The reason why this version may not be released, or null. A released version must never change. */
export function refuseVersion(version: string, changelog: string): string | null {
  const sections = changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { heading: heading.trim(), isEmpty: lines.every((line) => line.trim() === '') };
    });
  const next = sections.find(({ heading }) => heading === 'Next');
  if (next && !next.isEmpty) {
    return `CHANGELOG.md still has lines under "Next". Give them the number of the new version, there and in package.json: ${version} may be installed somewhere, and would be unpacked over.`;
  }
  if (!sections.some(({ heading }) => heading.split(/\s/)[0] === version)) {
    return `CHANGELOG.md has no "## ${version}", the version in package.json. Say there what a person who runs the site must know.`;
  }
  return null;
}
