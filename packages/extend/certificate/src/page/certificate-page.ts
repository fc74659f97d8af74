import { createHash } from 'node:crypto';
import type { DrawnMap } from '@leeward/coast-picture';
import { type Content, Html, html } from '@leeward/http/html';
import {
  capitalized,
  METERS_PER_MILE,
  unitFor,
  wordOf,
  writeDataset,
  writeLength,
  writeTime,
  writeWord,
} from '@leeward/terms';
import type {
  CertificateContent,
  CertificateDistance,
  CertificateRule,
  CertificateVerdict,
} from '../content/certificate-schema.ts';
import { homeText } from '../content/home-text.ts';
import { pageStyle } from './page-style.ts';

/** The page around the certificate. */
export interface PageParts {
  readonly before: string;
  readonly after: string;
}

/** The statements of the page beyond the content. */
export interface PageFacts {
  readonly contentSha256: string;
  readonly keyId: string;
  readonly map: DrawnMap | undefined;
}

const styleSource = `'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'`;

/** The content security policy of pages. */
export const pagePolicy = `${policy}; frame-ancestors 'none'`;

/** Begins the certificate in a page; its JSON follows, with `&` and `<` escaped. The verifier searches it. */
const OPENING = '<pre id="leeward-certificate">';

/** A page to print, without scripts, links or outside content. */
export function certificatePage(content: CertificateContent, facts: PageFacts): PageParts {
  const { text } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Underwriting certificate: ${homeText(content)}</title>
<style>${new Html(pageStyle)}</style></head><body><main>
${heading(content)}
<section><h2>Verdicts</h2>${content.verdicts.map(verdictArticle)}${notOffered(content)}</section>
${content.distances.length > 0 && distanceSection(content, facts.map)}
${valueSection(content)}
${content.warnings.length > 0 && html`<section><h2>Notes</h2><ul>${content.warnings.map(({ message }) => html`<li><p>${message}</p></li>`)}</ul></section>`}
${versionSection(content)}
${signatureSection(content, facts)}
<details><summary>The signed data (JSON)</summary>
${new Html(OPENING)}</pre></details>
</main></body></html>
`;
  const at = text.lastIndexOf(OPENING) + OPENING.length;
  return { before: text.slice(0, at), after: text.slice(at) };
}

/** The page with its certificate. */
export function fillPage({ before, after }: PageParts, json: string): string {
  return `${before}${json.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}${after}`;
}

function heading(content: CertificateContent): Html {
  const { counts, issuer, prepared_for, reference, home } = content;
  const type = home['policy_type'];
  const about = [
    ...(typeof type === 'string' ? [writeWord(type)] : []),
    `effective ${content.effective_date}`,
    `evaluated as of ${writeTime(content.as_of)}`,
  ];
  const people = [
    `Issued ${writeTime(content.issued_at)}${issuer === null ? '' : ` by ${issuer}`}${prepared_for === null ? '' : ` for ${prepared_for}`}`,
    ...(content.organization_id === null ? [] : [`organization ${content.organization_id}`]),
    ...(reference === null ? [] : [`reference ${reference}`]),
  ];
  const count = (status: 'eligible' | 'referral' | 'needs_information' | 'ineligible') =>
    html`<li class="${status}"><b>${counts[status]}</b> ${wordOf('status', status)}</li>`;
  return html`<header><p class="label">Underwriting certificate</p><h1>${capitalized(homeText(content))}</h1>
<p>${capitalized(about.join(', '))}.</p><p class="muted small">${people.join(', ')}. Certificate ${content.certificate_id}.</p>
<ul class="counts">${count('eligible')}${count('referral')}${count('needs_information')}${count('ineligible')}</ul>
<p class="notice">${content.notice}</p></header>`;
}

function verdictArticle(verdict: CertificateVerdict): Html {
  const { decided_by, status, tier, rule_set, missing } = verdict;
  const decided = decided_by.filter(({ truth }) => truth !== 'undecided');
  const open = decided_by.filter(({ truth }) => truth === 'undecided');
  return html`<article class="verdict"><div><h3>${verdict.carrier}</h3>
<p class="status ${status}">${capitalized(wordOf('status', status))}</p>
<p class="muted small">${writeWord(verdict.policy_type)}${tier !== undefined && html`, tier ${tier}`}, rules ${rule_set.version}${verdict.source !== 'catalog' && html` (${verdict.source})`}${verdict.certainty !== undefined && html`, certainty ${verdict.certainty * 100} %`}</p></div>
<div>${decided.map(ruleBlock)}${decided_by.length === 0 && html`<p>No rule declines or refers this home.</p>`}
${missing.length > 0 && html`<p>Missing: ${missing.map(({ label }) => label).join(', ')}.</p>`}
${open.length > 0 && html`<ul class="open">${open.map(openRule)}</ul>`}
${requirements('Required', verdict.requirements)}${requirements('Perhaps required', verdict.possible_requirements)}
${verdict.terms.length > 0 && html`<p>Terms: ${verdict.terms.map(({ text }) => text).join('; ')}</p>`}
${verdict.notes.map(({ message }) => html`<p class="muted">${message}</p>`)}
${changeBlock(verdict)}</div></article>`;
}

function ruleBlock({ message, rule_id, tests, distances = [], kind, ends_at }: CertificateRule): Html {
  return html`<div class="rule"><p>${message}</p><ul>${tests.map(({ text, source }) => html`<li>${text} <span class="muted">Source: ${source.text}.</span></li>`)}
${distances.map((text) => html`<li>${text}</li>`)}</ul><p class="muted small">${kind === 'rule' ? 'Rule' : capitalized(kind)} <code>${rule_id}</code>${typeof ends_at === 'string' && html`, until ${writeTime(ends_at)}`}</p></div>`;
}

function openRule({ tests, message, rule_id, outcome }: CertificateRule): Html {
  const text = tests.length === 0 ? message : tests.map((test) => test.text).join(' ');
  return html`<li>${text} <span class="muted">May ${outcome}: <code>${rule_id}</code></span></li>`;
}

function requirements(title: string, list: CertificateVerdict['requirements']): Content {
  return list.map(({ message, rule_id }) => html`<p>${title}: ${message} <code class="muted">${rule_id}</code></p>`);
}

function changeBlock({ would_change, status }: CertificateVerdict): Content {
  if (would_change === undefined || (status !== 'ineligible' && status !== 'referral')) return false;
  const { ways, outcome, note } = would_change;
  if (outcome === 'none_helps') return html`<p>No change to the home would give a better answer.</p>`;
  if (ways.length === 0) return note !== undefined && html`<p>${note}</p>`;
  return html`<p>What would change it:</p><ul class="small">${ways.map(
    ({ changes, becomes }) =>
      html`<li>${changes.map(({ text }) => text).join(' and ')} → ${wordOf('status', becomes)}</li>`,
  )}</ul>`;
}

function notOffered({ not_offered = [] }: CertificateContent): Content {
  const codes = [...new Set(not_offered.map(({ code }) => code))];
  return codes.map((code) => {
    const names = new Set(not_offered.filter((each) => each.code === code).map(({ carrier }) => carrier));
    return html`<p class="muted small">${capitalized(wordOf('notOffered', code))}: ${[...names].join(', ')}.</p>`;
  });
}

function distanceSection({ distances, location, picture }: CertificateContent, map: DrawnMap | undefined): Html {
  const caption = picture?.caption ?? [];
  const shorelines = [...new Set(distances.flatMap(({ shore }) => shore?.dataset.attribution ?? []))];
  const figure =
    map &&
    html`<figure><svg class="map sheet-map" viewBox="0 0 ${map.width} ${map.height}" role="img" aria-label="${caption[0] ?? 'Map of the home and the nearest shore'}">${new Html(map.content)}</svg>
<figcaption>${caption.map((text) => html`<p>${text}</p>`)}</figcaption></figure>`;
  return html`<section><h2>Distance to the shore</h2><div class="${figure ? 'distance' : ''}">${figure}
<div><dl class="shores">${distances.map(distanceEntry)}</dl>${location !== null && html`<p class="small">The home is at ${location.lat.toFixed(5)}, ${location.lng.toFixed(5)}: ${wordOf('precision', location.precision)}${location.error_radius_meters > 0 && html`, within ${writeLength(location.error_radius_meters)}`}${location.source !== 'coordinates' && ` (${wordOf('dataset', location.source)})`}. ${location.attribution}</p>`}
${shorelines.map((attribution) => html`<p class="muted small">${attribution}</p>`)}</div></div></section>`;
}

function distanceEntry({ to, meters, range_meters, shore, source }: CertificateDistance): Html {
  const range = `between ${writeLength(range_meters.min)} and ${writeLength(range_meters.max)}`;
  const far = `${writeLength(meters)}${meters >= METERS_PER_MILE / 5 ? ` (${Math.round(meters).toLocaleString('en-US')} m)` : ''}`;
  if (shore === null) return html`<dt>${capitalized(to)}: ${far}</dt><dd>Source: ${source.text}.</dd>`;
  const { bearing_degrees, compass_point, point, dataset, by_source } = shore;
  const others = by_source.filter((each) => each.dataset !== dataset.name);
  return html`<dt>${capitalized(to)}: ${far}</dt><dd>${capitalized(range)}; ${compass_point}, bearing ${bearing_degrees.toFixed(1)}°.
Nearest point ${point.lat.toFixed(6)}, ${point.lng.toFixed(6)} (${shore.name}). ${capitalized(writeDataset(dataset))}, accurate to ${writeLength(shore.accuracy_meters)}${others.length > 0 && html`; ${others.map((each) => `${wordOf('dataset', each.dataset)}: ${writeLength(each.meters)}`).join(', ')}`}.${shore.is_tidal_river_possible && ' A tidal river may be nearer.'}</dd>`;
}

function valueSection({ values }: CertificateContent): Html {
  return html`<section><h2>Values of the home</h2><table><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Source</th></tr></thead>
<tbody>${values.map(({ label, text, source }) => html`<tr><th scope="row">${capitalized(label)}</th><td>${text}</td><td>${source.text}</td></tr>`)}</tbody></table></section>`;
}

function versionSection({ versions = {}, verdicts, not_offered = [] }: CertificateContent): Html {
  const row = (name: string, value: string | undefined) =>
    value !== undefined && html`<dt>${name}</dt><dd>${value}</dd>`;
  const ruleSets = new Map(verdicts.map(({ carrier, rule_set }) => [`${carrier}, ${rule_set.version}`, rule_set]));
  const carriers = new Set([...verdicts, ...not_offered].map(({ carrier_key }) => carrier_key)).size;
  return html`<section><h2>Versions</h2><dl>${row('Engine', versions.engine)}${row('Coastline', versions.coastline)}${row('Addresses', versions.addresses)}
${row('All rules', versions.rules && `${versions.rules} (${carriers} ${unitFor(carriers, 'carriers')})`)}
${[...ruleSets].map(([name, { sha256, override_sha256 }]) => html`<dt>${name}</dt><dd><code>${sha256}</code>${override_sha256 !== undefined && html` with the overrides <code>${override_sha256}</code>`}</dd>`)}</dl></section>`;
}

function signatureSection({ picture }: CertificateContent, { contentSha256, keyId }: PageFacts): Html {
  return html`<section><h2>Signature</h2><dl><dt>Content, SHA-256</dt><dd><code>${contentSha256}</code></dd>
${picture !== null && html`<dt>Map, SHA-256</dt><dd><code>${picture.sha256}</code></dd>`}
<dt>Key</dt><dd><code>${keyId}</code> (Ed25519)</dd></dl>
<p class="small">This file contains the signed data, and the signature covers this whole page: a change of any byte is detected. Verify it with <code>leeward certificate verify FILE --url SERVICE</code>, or offline with <code>node verify.mjs --key keys.json FILE</code>; the keys are those of <code>GET /v1/certificate-keys</code>. A printed page is a copy: compare its hash with that of the file.</p></section>`;
}
