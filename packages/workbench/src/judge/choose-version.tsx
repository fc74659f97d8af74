import { useState } from 'preact/hooks';
import { fileName, readRuleSetFile, saved, text, type Version } from './edited-text.ts';
import { ruleSets } from './rule-sets.ts';

interface ChooseVersionProps {
  readonly id: string;
  readonly title: string;
  readonly version: Version | undefined;
  readonly choose: (version: Version) => void;
}

/** Chooses a version of a rule set: a file from disk, the one that is edited or saved, or one in force. */
export function ChooseVersion({ id, title, version, choose }: ChooseVersionProps) {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const openFile = async (file: File | undefined) => {
    const found = file && (await readRuleSetFile(file));
    setRefusal(found?.refusal);
    if (found?.version) choose(found.version);
  };
  return (
    <section class="panel stack-tight no-print" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title} <span class="soft">{version?.name}</span>
      </h2>
      <div class="row">
        <label class="button">
          Open a file
          <input
            id={`${id}-file`}
            class="only-heard"
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => {
              void openFile(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </label>
        {text.value !== '' && (
          <button type="button" onClick={() => choose({ name: `${fileName.value}, as edited`, text: text.value })}>
            The one edited
          </button>
        )}
        {saved.value !== undefined && saved.value !== text.value && (
          <button type="button" onClick={() => choose({ name: `${fileName.value}, as saved`, text: saved.value! })}>
            The one saved
          </button>
        )}
        <ServedVersions id={`${id}-served`} label={`${title}: one that is in force`} choose={choose} />
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

/** The versions by which the service judges, where the token may read them. */
export function ServedVersions({ id, label, choose }: ServedVersionsProps) {
  const found = ruleSets.value;
  const served = found.state === 'there' ? found.rules.carriers : [];
  if (served.length === 0) return null;
  return (
    <select
      id={id}
      class="served"
      aria-label={label}
      value=""
      onChange={({ currentTarget }) => {
        const [key, place] = currentTarget.value.split(' ');
        const chosen = served.find(({ carrier_key }) => carrier_key === key)?.versions[Number(place)];
        if (chosen) choose({ name: `${key} ${chosen.version}`, text: `${JSON.stringify(chosen.rule_set, null, 2)}\n` });
        currentTarget.value = '';
      }}
    >
      <option value="">In force …</option>
      {served.flatMap(({ carrier, carrier_key, versions }) =>
        versions.map(({ version: each }, place) => (
          <option key={`${carrier_key} ${each}`} value={`${carrier_key} ${place}`}>
            {carrier} {each}
          </option>
        )),
      )}
    </select>
  );
}
