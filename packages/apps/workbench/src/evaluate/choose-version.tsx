import { useState } from 'preact/hooks';
import { FileButton } from '../design/file-button.tsx';
import { fileName, readRuleSetFile, saved, text, type Version } from './edited-text.ts';
import { ruleSets } from './rule-sets.ts';

interface ChooseVersionProps {
  readonly id: string;
  readonly title: string;
  readonly version: Version | undefined;
  readonly choose: (version: Version) => void;
}

export function ChooseVersion({ id, title, version, choose }: ChooseVersionProps) {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const openFile = async (file: File | undefined) => {
    const result = file && (await readRuleSetFile(file));
    setRefusal(result?.refusal);
    if (result?.version) choose(result.version);
  };
  return (
    <section class="panel stack-tight no-print" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title} <span class="soft">{version?.name}</span>
      </h2>
      <div class="row">
        <FileButton id={`${id}-file`} label="Open a file" open={(file) => void openFile(file)} />
        {text.value !== '' && (
          <button type="button" onClick={() => choose({ name: `${fileName.value}, as edited`, text: text.value })}>
            Current edit
          </button>
        )}
        {saved.value !== undefined && saved.value !== text.value && (
          <button type="button" onClick={() => choose({ name: `${fileName.value}, as saved`, text: saved.value! })}>
            Last saved
          </button>
        )}
        <ServedVersions id={`${id}-served`} label={`${title}: version in force`} choose={choose} />
      </div>
      {refusal && (
        <p class="notice bad" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}

interface ServedVersionsProps {
  readonly id: string;
  readonly label: string;
  readonly choose: (version: Version) => void;
}

/** The served versions, if the token may read them. Only the button chooses: arrow keys in the list must not. */
export function ServedVersions({ id, label, choose }: ServedVersionsProps) {
  const [place, setPlace] = useState('');
  const result = ruleSets.value;
  if (result.state === 'refused')
    return <span class="small soft">To open versions in force, sign in with a token that has the scope rules.</span>;
  const served = result.state === 'ready' ? result.rules.carriers : [];
  if (served.length === 0) return null;
  const listed = served.flatMap(({ carrier, carrier_key: key, versions }) =>
    versions.map(({ version, rule_set }) => ({ value: `${key} ${version}`, name: `${carrier} ${version}`, rule_set })),
  );
  const chosen = listed.find(({ value }) => value === place);
  return (
    <span class="row">
      <select
        id={id}
        class="served"
        aria-label={label}
        value={place}
        onChange={({ currentTarget }) => setPlace(currentTarget.value)}
      >
        <option value="">In force …</option>
        {listed.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {chosen && (
        <button
          type="button"
          id={`${id}-take`}
          onClick={() => choose({ name: chosen.name, text: `${JSON.stringify(chosen.rule_set, null, 2)}\n` })}
        >
          Open
        </button>
      )}
    </span>
  );
}
