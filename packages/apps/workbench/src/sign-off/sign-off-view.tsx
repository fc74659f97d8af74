import { useEffect } from 'preact/hooks';
import { route } from '../address/route.ts';
import { FileButton } from '../design/file-button.tsx';
import { readRuleSetFile } from '../evaluate/edited-text.ts';
import { RegistryFailure } from '../registry/registry-failure.tsx';
import {
  confirmation,
  failure,
  isAtWork,
  loadRegistry,
  openReport,
  propose,
  type Registry,
  registry,
  reportVersion,
} from '../registry/registry-state.ts';
import { proposingNeeds } from '../registry/rights.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireVersion } from '../service/wire.ts';
import { ApprovalReport, statusNames } from './approval-report.tsx';

export function SignOffView() {
  const id = route.value.words.get('version') ?? undefined;
  useEffect(() => {
    if (registry.value.state === 'idle') void loadRegistry();
  }, [registry.value.state]);
  useEffect(() => {
    if (id !== undefined && reportVersion.value?.rule_set_id !== id) void openReport(id);
  }, [id]);
  const now = registry.value;
  const version = id !== undefined && reportVersion.value?.rule_set_id === id ? reportVersion.value : undefined;
  return (
    <>
      <h1 class="no-print">Approve rules</h1>
      <p class="only-heard" role="status">
        {isAtWork.value ? 'At work …' : confirmation.value}
      </p>
      {confirmation.value && <p class="notice good no-print">{confirmation.value}</p>}
      {failure.value && <RegistryFailure failure={failure.value} />}
      {now.state === 'error' && <FailureNotice failure={now.failure} again={() => void loadRegistry()} />}
      {now.state === 'refused' && (
        <div class="notice" role="alert">
          <p>
            <strong>This token may not see the registry.</strong> Sign in with a token that has the scope{' '}
            <code>admin</code> or <code>operator</code>.
          </p>
        </div>
      )}
      {(now.state === 'idle' || now.state === 'loading') && (
        <p class="panel soft" role="status">
          Loading the registry …
        </p>
      )}
      {version && <ApprovalReport version={version} />}
      {now.state === 'ready' && <Lists now={now} selectedId={id} />}
    </>
  );
}

function Lists({
  now,
  selectedId,
}: {
  readonly now: Registry & { readonly state: 'ready' };
  readonly selectedId: string | undefined;
}) {
  const { status, versions } = now;
  return (
    <div class="stack no-print">
      <Propose />
      <section class="panel stack-tight" aria-labelledby="registry-waits">
        <h2 id="registry-waits">Waiting for approval</h2>
        {status.proposed.length === 0 ? (
          <p class="soft">No version is waiting for approval.</p>
        ) : (
          <VersionTable title="Waiting for approval" versions={status.proposed} selectedId={selectedId} />
        )}
      </section>
      <section class="panel stack-tight" aria-labelledby="registry-force">
        <h2 id="registry-force">In force</h2>
        <p class="small soft">
          {status.publication === 0
            ? 'No version was approved here yet. The carriers’ rules came with the service: open them under Rule set.'
            : `Publication ${status.publication}, ${status.published_at?.slice(0, 16).replace('T', ' ')} UTC.`}
        </p>
        {status.carriers.some(({ versions: each }) => each !== null && each.length > 0) && (
          <VersionTable
            title="In force"
            versions={status.carriers.flatMap(({ versions: each }) => each ?? [])}
            selectedId={selectedId}
          />
        )}
      </section>
      <section class="panel stack-tight" aria-labelledby="registry-all">
        <h2 id="registry-all">Newest versions</h2>
        {versions.length === 0 ? (
          <p class="soft">None yet: propose one above, under Rule set, or with leeward rules propose.</p>
        ) : (
          <VersionTable title="Newest versions" versions={versions} selectedId={selectedId} />
        )}
      </section>
    </div>
  );
}

function VersionTable({
  title,
  versions,
  selectedId,
}: {
  readonly title: string;
  readonly versions: readonly WireVersion[];
  readonly selectedId: string | undefined;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section class="scroll" tabIndex={0} aria-label={`${title}, a table`}>
      <table>
        <thead>
          <tr>
            {['Carrier', 'Version', 'Status', 'Effective', 'Proposed', 'Approved', 'Hash'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((each) => (
            <tr key={each.rule_set_id}>
              <th scope="row">{each.carrier}</th>
              <td>
                <a
                  href={`#/sign-off?${new URLSearchParams({ version: each.rule_set_id })}`}
                  aria-current={each.rule_set_id === selectedId ? 'true' : undefined}
                >
                  {each.version}
                  <span class="only-heard"> of {each.carrier}: approval report</span>
                </a>
              </td>
              <td>{statusNames[each.status]}</td>
              <td>
                {each.effective.from}
                {each.effective.until && ` to ${each.effective.until}`}
              </td>
              <td>{each.proposed?.at.slice(0, 10) ?? '–'}</td>
              <td>{each.approved?.at.slice(0, 10) ?? '–'}</td>
              <td>
                <code>{each.sha256.slice(0, 12)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Propose() {
  const send = async (content: string, name: string) => {
    let rule_set: unknown;
    try {
      rule_set = JSON.parse(content);
    } catch (error) {
      const detail = `${name} is not JSON: ${(error as Error).message}`;
      failure.value = { status: 0, code: 'malformed_json', title: 'No rule set', detail, errors: [] };
      return;
    }
    await propose({ rule_set });
  };
  const openFile = async (file: File | undefined) => {
    const result = file && (await readRuleSetFile(file));
    if (result?.refusal)
      failure.value = { status: 0, code: 'too_large', title: 'No rule set', detail: result.refusal, errors: [] };
    else if (result?.version) await send(result.version.text, result.version.name);
  };
  const needs = proposingNeeds();
  if (needs !== undefined) return <p class="notice">{needs}</p>;
  return (
    <section class="panel stack-tight" aria-labelledby="registry-propose">
      <h2 id="registry-propose">Propose a file</h2>
      <p class="row">
        <FileButton
          id="sign-off-file"
          label="Choose a file"
          isDisabled={isAtWork.value}
          open={(file) => void openFile(file)}
        />
        <span class="small soft">
          Leeward looks for likely mistakes and compares it with the version in force. Another person approves it. To
          edit a version first, open it under <a href="#/rules">Rule set</a>.
        </span>
      </p>
    </section>
  );
}
