import { signal } from '@preact/signals';
import { session } from '../service/session.ts';
import { form } from './home-state.ts';

const message = signal('');

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    message.value = `${what} copied.`;
  } catch {
    message.value = 'The browser did not let it be copied.';
  }
}

/** The home as a request. `$LEEWARD_TOKEN` replaces the token. */
export function asCurl(line: string, home: object, organization: string | undefined): string {
  const path = `v1/underwrite/${line}${organization === undefined ? '' : `/${organization}`}`;
  const body = JSON.stringify(home).replaceAll("'", `'\\''`);
  return `curl -s ${new URL(path, document.baseURI).href} -H "authorization: Bearer $LEEWARD_TOKEN" -H 'content-type: application/json' -d '${body}'`;
}

export function CopyHome() {
  const { line, request } = form.value;
  const home = request.value;
  return (
    <div class="row small no-print">
      <button type="button" onClick={() => void copy(location.href, 'Link')}>
        Copy link
      </button>
      <button
        type="button"
        onClick={() => void copy(asCurl(line.line, home, session.value?.organization), 'curl command')}
      >
        Copy as curl
      </button>
      <button type="button" onClick={() => void copy(JSON.stringify(home, null, 2), 'JSON')}>
        Copy as JSON
      </button>
      <span role="status">{message.value}</span>
    </div>
  );
}
