/** A page made from a file of the repository, with its path on the site and its title in the navigation. */
export interface TakenPage {
  /** Without its ending, from the root of the site: `guide/start`. */
  readonly at: string;
  readonly title: string;
  /** From the root of the repository. */
  readonly file: string;
}

/** A page that is written from the code's own tables. */
export interface GeneratedPage {
  readonly at: string;
  readonly title: string;
}

export type SitePage = TakenPage | GeneratedPage;

export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** The pages of the site, in the order of its navigation. The build adds API groups and TypeScript modules. */
export const siteSections: readonly SiteSection[] = [
  {
    title: 'Guides',
    pages: [
      { at: 'guide/start', title: 'Start', file: 'docs/start.md' },
      { at: 'guide/embed', title: 'Embed', file: 'docs/embed.md' },
      { at: 'guide/author', title: 'Author', file: 'docs/authoring-guide.md' },
      { at: 'guide/operate', title: 'Operate', file: 'docs/operate.md' },
      { at: 'guide/security-review', title: 'Security review', file: 'docs/security-review.md' },
      { at: 'guide/extend', title: 'Extend', file: 'docs/extend.md' },
    ],
  },
  {
    title: 'More guides',
    pages: [
      { at: 'guide/addresses', title: 'Addresses to the house', file: 'docs/addresses.md' },
      { at: 'guide/http-carriers', title: 'Carriers over HTTP without code', file: 'docs/http-carriers.md' },
      { at: 'guide/carrier-adapters', title: 'Write a carrier adapter', file: 'docs/carrier-adapters.md' },
      { at: 'guide/queue-backends', title: 'Write a queue backend', file: 'docs/queue-backends.md' },
      { at: 'guide/books', title: 'Whole books', file: 'docs/books.md' },
      {
        at: 'guide/books-beyond-one-machine',
        title: 'Books beyond one machine',
        file: 'docs/books-beyond-one-machine.md',
      },
      { at: 'guide/certificate', title: 'Certificates and letters', file: 'docs/certificate.md' },
      { at: 'guide/artifact', title: 'Rules as one file', file: 'docs/artifact.md' },
      { at: 'guide/agents', title: 'Agents', file: 'docs/agents.md' },
      { at: 'guide/webhooks', title: 'Webhooks', file: 'docs/webhooks.md' },
      { at: 'guide/quotes', title: 'States of a rate', file: 'docs/quotes.md' },
      { at: 'guide/lines', title: 'A line of business of your own', file: 'docs/lines.md' },
      { at: 'guide/coastline', title: 'The coastline and its accuracy', file: 'docs/coastline.md' },
      { at: 'guide/coast-pictures', title: 'The coast in pictures', file: 'docs/coast-pictures.md' },
      { at: 'guide/own-coastlines', title: 'Coastlines of your own', file: 'docs/own-coastlines.md' },
      { at: 'guide/sign-in', title: 'People sign in', file: 'docs/sign-in.md' },
      { at: 'guide/sizing', title: 'Sizing', file: 'docs/sizing.md' },
      { at: 'guide/workbench', title: 'The workbench', file: 'docs/workbench.md' },
      { at: 'guide/servers', title: 'Inside other servers', file: 'examples/README.md' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { at: 'reference/command-line', title: 'Command line', file: 'packages/apps/cli/README.md' },
      { at: 'reference/settings', title: 'Settings' },
      { at: 'reference/metrics', title: 'Metrics' },
      { at: 'reference/problems', title: 'Problems' },
      { at: 'reference/rule-format', title: 'Rule format', file: 'docs/rule-format.md' },
      { at: 'reference/artifact-format', title: 'Format of artifacts', file: 'docs/artifact-format.md' },
      { at: 'reference/facts', title: 'Facts and operators', file: 'docs/rule-reference.md' },
    ],
  },
  { title: 'HTTP API', pages: [{ at: 'api/index', title: 'Overview' }] },
  {
    title: 'Packages',
    pages: [
      { at: 'packages/engine', title: '@leeward/engine', file: 'packages/core/engine/README.md' },
      { at: 'packages/coast', title: '@leeward/coast', file: 'packages/core/coast/README.md' },
      {
        at: 'packages/coast-builder',
        title: '@leeward/coast-builder',
        file: 'packages/extend/coast-builder/README.md',
      },
      {
        at: 'packages/coast-picture',
        title: '@leeward/coast-picture',
        file: 'packages/extend/coast-picture/README.md',
      },
      { at: 'packages/coastline-us', title: '@leeward/coastline-us', file: 'packages/core/coastline-us/README.md' },
      { at: 'packages/lines', title: '@leeward/lines', file: 'packages/extend/lines/README.md' },
      { at: 'packages/places', title: '@leeward/places', file: 'packages/core/places/README.md' },
      {
        at: 'packages/address-book',
        title: '@leeward/address-book',
        file: 'packages/extend/address-book/README.md',
      },
      { at: 'packages/artifact', title: '@leeward/artifact', file: 'packages/extend/artifact/README.md' },
      { at: 'packages/certificate', title: '@leeward/certificate', file: 'packages/extend/certificate/README.md' },
      { at: 'packages/python', title: 'leeward for Python', file: 'packages/extend/python/README.md' },
      { at: 'packages/java', title: 'leeward for Java', file: 'packages/extend/java/README.md' },
      { at: 'packages/books', title: '@leeward/books', file: 'packages/extend/books/README.md' },
      { at: 'packages/rows', title: '@leeward/rows', file: 'packages/extend/rows/README.md' },
      { at: 'packages/quotes', title: '@leeward/quotes', file: 'packages/core/quotes/README.md' },
      { at: 'packages/carriers', title: '@leeward/carriers', file: 'packages/extend/carriers/README.md' },
      { at: 'packages/authoring', title: '@leeward/authoring', file: 'packages/extend/authoring/README.md' },
      { at: 'packages/accounts', title: '@leeward/accounts', file: 'packages/extend/accounts/README.md' },
      { at: 'packages/registry', title: '@leeward/registry', file: 'packages/extend/registry/README.md' },
      { at: 'packages/database', title: '@leeward/database', file: 'packages/core/database/README.md' },
      { at: 'packages/http', title: '@leeward/http', file: 'packages/core/http/README.md' },
      { at: 'packages/http-admin', title: '@leeward/http-admin', file: 'packages/extend/http-admin/README.md' },
      { at: 'packages/mcp', title: '@leeward/mcp', file: 'packages/extend/mcp/README.md' },
      { at: 'packages/workbench', title: '@leeward/workbench', file: 'packages/apps/workbench/README.md' },
      { at: 'packages/terms', title: '@leeward/terms', file: 'packages/core/terms/README.md' },
      { at: 'packages/worker-pool', title: '@leeward/worker-pool', file: 'packages/core/worker-pool/README.md' },
    ],
  },
  { title: 'TypeScript', pages: [{ at: 'typescript/index', title: 'Overview' }] },
  {
    title: 'The project',
    pages: [
      { at: 'project/overview', title: 'At a glance', file: 'README.md' },
      { at: 'project/architecture', title: 'Architecture', file: 'AGENTS.md' },
      { at: 'project/glossary', title: 'Glossary', file: 'docs/glossary.md' },
      { at: 'project/decisions', title: 'Decisions and their reasons', file: 'docs/decisions.md' },
      { at: 'project/corpora', title: 'Test cases of other people', file: 'docs/corpora.md' },
      { at: 'project/benchmarks', title: 'Benchmarks' },
      { at: 'project/changes', title: 'Changes', file: 'CHANGELOG.md' },
      { at: 'project/contributing', title: 'Contributing', file: 'CONTRIBUTING.md' },
      { at: 'project/security', title: 'Security', file: 'SECURITY.md' },
    ],
  },
];

/** Path on the site by file. */
export const pageOfFile: ReadonlyMap<string, string> = new Map(
  siteSections.flatMap(({ pages }) => pages.flatMap((page) => ('file' in page ? [[page.file, page.at] as const] : []))),
);
