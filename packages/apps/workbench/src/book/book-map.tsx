import { signal } from '@preact/signals';
import { Count } from '../design/status-bars.tsx';
import type { CountyOfBook, Placement } from '../evaluate/evaluator-messages.ts';
import { CountyMap, type Step } from '../map/county-map.tsx';
import { StepLegend } from '../map/step-legend.tsx';
import { openPolicies, PolicyList } from './policy-list.tsx';

const MAX_LISTED = 100;
const steps = [
  [0, 'none'],
  ['open', 'could, if answered'],
  [1, 'up to a quarter'],
  [2, 'up to half'],
  [3, 'up to three quarters'],
  [4, 'more'],
] as const;
export const placementWords = {
  carrier: 'have a carrier',
  possible: 'could have one',
  none: 'lack a carrier',
} as const;
const chosen = signal<string | undefined>(undefined);

export function BookMap({ counties }: { readonly counties: readonly CountyOfBook[] }) {
  if (counties.length === 0)
    return <p class="panel soft">The book has no counties. Add a column county to see a map.</p>;
  const byFips = new Map(counties.map((county) => [county.fips, county]));
  const ofStates = new Set(counties.map(({ fips }) => fips.slice(0, 2)));
  const policies = counties.reduce((sum, each) => sum + each.policies, 0);
  const open = (fips: string, placement?: Placement) => {
    chosen.value = fips;
    const title = `${byFips.get(fips)!.name}: policies${placement === undefined ? '' : ` that ${placementWords[placement]}`}`;
    openPolicies(
      'counties',
      title,
      placement === undefined ? { kind: 'county', fips } : { kind: 'placement', placement, county: fips },
    );
  };
  const words = `${policies.toLocaleString('en-US')} policies in ${counties.length.toLocaleString('en-US')} ${counties.length === 1 ? 'county' : 'counties'}.`;
  return (
    <div class="pair">
      <section class="panel stack-tight" aria-labelledby="book-map">
        <h2 id="book-map">By county</h2>
        <CountyMap
          stateFips={ofStates.size === 1 ? [...ofStates][0]! : ''}
          isClose
          label={`Map of counties: ${words} Of each, the share that some carrier takes or refers.`}
          stepOf={(fips) => stepOf(byFips.get(fips))}
          nameOf={(fips) => {
            const county = byFips.get(fips)!;
            return `${county.name}: ${describeCounty(county)}`;
          }}
          chosen={chosen.value}
          choose={(fips) => open(fips)}
        />
        <p class="small soft">Share of a county’s policies that a carrier accepts or refers:</p>
        <StepLegend steps={steps} />
      </section>
      <div class="panel">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
        <section class="scroll few-rows" tabIndex={0} aria-label="Counties of the book">
          <table class="bars cards">
            <caption>{words}</caption>
            <thead>
              <tr>
                <th scope="col">County</th>
                <th scope="col" class="number">
                  Policies
                </th>
                <th scope="col" class="number">
                  A carrier takes
                </th>
                <th scope="col" class="number">
                  One could
                </th>
              </tr>
            </thead>
            <tbody>
              {counties.slice(0, MAX_LISTED).map((county) => (
                <tr key={county.fips} class={county.fips === chosen.value ? 'chosen' : undefined}>
                  <th scope="row">{county.name}</th>
                  <td class="number" data-label="Policies">
                    <Count count={county.policies} label={county.name} open={() => open(county.fips)} />
                  </td>
                  <td class="number" data-label="A carrier takes">
                    <Count
                      count={county.withTaker}
                      label={`${county.name}: a carrier takes`}
                      open={() => open(county.fips, 'carrier')}
                    />
                    , {share(county.withTaker, county)} %
                  </td>
                  <td class="number" data-label="One could">
                    <Count
                      count={county.open}
                      label={`${county.name}: one could`}
                      open={() => open(county.fips, 'possible')}
                    />
                    , {share(county.open, county)} %
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {counties.length > MAX_LISTED && <p class="soft">and {counties.length - MAX_LISTED} counties with fewer.</p>}
        </section>
        <PolicyList under="counties" />
      </div>
    </div>
  );
}

const share = (part: number, { policies }: CountyOfBook) => Math.round((100 * part) / policies);
const describeCounty = (county: CountyOfBook) =>
  `${county.policies.toLocaleString('en-US')} policies, ${share(county.withTaker, county)} % with a carrier, ${share(county.open, county)} % more if answered`;

function stepOf(county: CountyOfBook | undefined): Step | undefined {
  if (county === undefined) return undefined;
  const { policies, withTaker, open } = county;
  if (withTaker === 0) return open > 0 ? 'open' : 0;
  const quarters = Math.ceil((4 * withTaker) / policies);
  return quarters <= 1 ? 1 : quarters === 2 ? 2 : quarters === 3 ? 3 : 4;
}
