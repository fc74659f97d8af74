// Writes the public exports of every package as Markdown, a page each way in: `node typescript-pages.js OUT < entries.json`,
// where entries are `{ specifier, source, page }`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application, OptionDefaults, ReflectionKind } from 'typedoc';

const out = process.argv[2];
const entries = JSON.parse(readFileSync(0, 'utf8'));
const bySource = new Map(entries.map((entry) => [entry.source, entry]));

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: entries.map(({ source }) => source),
  tsconfig: new URL('tsconfig.json', import.meta.url).pathname,
  out,
  readme: 'none',
  // Types that are generated of the OpenAPI document stand there.
  exclude: ['**/*.generated.ts'],
  blockTags: [...OptionDefaults.blockTags, '@description', '@constant'],
  outputFileStrategy: 'modules',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hideGroupHeadings: false,
  useCodeBlocks: true,
  expandObjects: false,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  // Where a member stands is what its type is linked to; what is left fits the page.
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true, hideSources: true },
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  sort: ['source-order'],
  disableGit: true,
  basePath: fileURLToPath(new URL('..', import.meta.url)),
  gitRevision: 'main',
  sourceLinkTemplate: 'https://github.com/leeward/leeward/blob/{gitRevision}/packages/{path}#L{line}',
  skipErrorChecking: true,
  logLevel: 'Warn',
  validation: { notExported: false, invalidLink: true, notDocumented: false, invalidPath: false },
  treatValidationWarningsAsErrors: false,
});
const project = await app.convert();
if (project === undefined) process.exit(1);
for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
  const entry = bySource.get(module.sources?.[0]?.fullFileName);
  if (entry !== undefined) module.name = entry.page;
}
// What errors have of JavaScript's own is no news.
const isForeign = ({ fullFileName }) => fullFileName.includes('/node_modules/');
for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember)) {
  const places = [member, ...(member.signatures ?? [])].flatMap(({ sources = [] }) => sources);
  if (places.length > 0 && places.every(isForeign)) project.removeReflection(member);
}
await app.generateOutputs(project);
if (app.logger.hasErrors()) process.exit(1);
