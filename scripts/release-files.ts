/** Moves unreleased changelog entries to a version, dated yyyy-mm-dd. Throws if none, or if it exists. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  if (changelog.includes(`## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`);
  const [whole = '', entries = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (entries.trim() === '') throw new Error('CHANGELOG.md has nothing below "## Unreleased"');
  return changelog.replace(whole, () => `## Unreleased\n\n## ${version} (${date})\n${entries}`);
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** What `npm sbom --sbom-format cyclonedx` prints. */
export interface Inventory {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** An inventory of all packages, without those that are neither installed with rookery nor named in its notices. */
export function shippedOf(inventory: Inventory, notices: string): Inventory {
  const isBundled = ({ name, version }: Component) => notices.includes(`\n${name} ${version} (`);
  const isInstalled = ({ properties }: Component) =>
    !properties.some(({ name }) => name === 'cdx:npm:package:development');
  const isShipped = (each: Component) => isInstalled(each) || isBundled(each);
  const others = new Set(
    inventory.components.filter((each) => !isShipped(each)).map((each) => each['bom-ref']),
  );
  return {
    ...inventory,
    metadata: { ...inventory.metadata, component: { ...inventory.metadata.component, name: 'rookery' } },
    components: inventory.components.filter(isShipped),
    dependencies: inventory.dependencies
      .filter(({ ref }) => !others.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((other) => !others.has(other)),
      })),
  };
}
