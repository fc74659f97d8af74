import { type EncodedFile, encodeText, manifestOf, type Page } from './bundle/page-files.ts';

/** The page, ready to be mounted: `createLeeward({ …, workbench: await loadWorkbench() })`. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json` and the files of the manifest. */
  file(name: string): Promise<EncodedFile | undefined>;
}

/** Options of the page. */
export interface WorkbenchOptions {
  /**
   * If true, a browser tab keeps its sign-in until it is closed, also after a reload: the tokens are then in its session storage. If
   * false, they are only in memory. @default false
   */
  readonly keepSignIn?: boolean;
  /**
   * If true, a sign-in link signs in at once unless the browser tab is signed in already. If false, the user confirms first, because
   * anyone can send a link. Only for a service whose tokens all belong to one person, such as a demo. @default false
   */
  readonly trustLinks?: boolean;
  /** Shows a button that signs in at an identity provider. If omitted, people enter a token. */
  readonly signIn?: { readonly issuerName: string } | undefined;
}

/**
 * Opens the page. The published package reads its built page; from source, the first request builds it on another thread. After a
 * failure, the next request tries again.
 *
 * @example
 * createLeeward({ directory, underwriting, workbench: await loadWorkbench() });
 */
export async function loadWorkbench({
  keepSignIn = false,
  trustLinks = false,
  signIn,
}: WorkbenchOptions = {}): Promise<Workbench> {
  const marks = [
    ...(keepSignIn ? ['data-keep-sign-in'] : []),
    ...(trustLinks ? ['data-trust-links'] : []),
    ...(signIn ? [`data-sign-in="${attributeText(signIn.issuerName)}"`] : []),
  ];
  const encoded = new Map<string, Promise<EncodedFile | undefined>>();
  let opening: Promise<Page> | undefined;
  const open = () => {
    opening ??= load(marks).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const encode = async (name: string) => {
    const page = await open();
    if (name === 'index.html') return encodeText(name, page.index);
    if (name === 'manifest.json') return encodeText(name, JSON.stringify(page.manifest));
    return page.file(name);
  };
  return {
    async file(name) {
      const present = encoded.get(name);
      if (present) return present;
      const file = encode(name);
      encoded.set(name, file);
      // Names that do not exist are not kept, because there is no end of them.
      file.then(
        (answer) => answer ?? encoded.delete(name),
        () => encoded.delete(name),
      );
      return file;
    },
  };
}

/** Imports lazily: the builder loads a compiler. Marks the page for `session.ts`, in the manifest too. */
async function load(marks: readonly string[]): Promise<Page> {
  const { openPage } = await import('#page-files');
  const page = await openPage();
  if (marks.length === 0) return page;
  const index = page.index.replace('<html ', () => `<html ${marks.join(' ')} `);
  const [entry] = manifestOf(new Map([['index.html', index]])).files;
  const files = page.manifest.files.map((file) => (file.name === 'index.html' ? entry! : file));
  return { ...page, index, manifest: { files } };
}

function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
