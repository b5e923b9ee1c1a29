// Writes sbom.cdx.json, the bill of materials of the native engine in CycloneDX 1.6, which each package with an engine contains.
// `--check` only tests whether the file is current. It has no time and no serial number, so that it changes only with its content.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './committed.mjs';
import { compiledIn, OTHERS } from './crates.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const licensed = (expression) => [{ expression: expression.replaceAll('/', ' OR ') }];

const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
/** The SHA-256 of each crate's archive, by name and version. */
const checksums = new Map(
  [...lock.matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(.+)"/g)].map(([, name, version, sum]) => [
    `${name}@${version}`,
    sum,
  ]),
);

const crates = compiledIn().map(({ name, version, license }) => {
  const purl = `pkg:cargo/${name}@${version}`;
  const hashes = [{ alg: 'SHA-256', content: checksums.get(`${name}@${version}`) }];
  return { type: 'library', 'bom-ref': purl, name, version, hashes, licenses: licensed(license), purl };
});
const rest = OTHERS.map(({ id, type, name, license }) => ({ type, 'bom-ref': id, name, licenses: licensed(license) }));
const components = [...crates, ...rest];
const engine = 'engine';
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'library',
      'bom-ref': engine,
      name: manifest.napi.packageName,
      version: manifest.version,
      licenses: licensed(manifest.license),
      externalReferences: [{ type: 'vcs', url: manifest.repository.url }],
    },
  },
  components,
  dependencies: [{ ref: engine, dependsOn: components.map((component) => component['bom-ref']) }],
};

const content = `${JSON.stringify(bom, null, 2)}\n`;
writeOrCheck('sbom.cdx.json', content, 'sbom.mjs');
