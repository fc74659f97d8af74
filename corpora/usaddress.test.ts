import { loadZipGazetteer } from '@leeward/places/zips';
import { it } from 'vitest';
import { holdTo } from './hold-to.ts';
import { compareReading } from './labelled-address.ts';
import { houseOf, openLabelledHouses } from './labelled-houses.ts';
import { openCorpus } from './open-corpus.ts';
import { readLabelledAddresses } from './usaddress-cases.ts';

const corpus = openCorpus('usaddress');

it.skipIf(corpus === undefined)(
  'reads addresses as labelled, and looks up no other house',
  {
    timeout: 600_000,
  },
  async () => {
    const { folder, isWhole } = corpus!;
    const zips = await loadZipGazetteer();
    const addresses = readLabelledAddresses(folder);
    using houses = await openLabelledHouses(addresses, zips, { hasLabelled: true });
    using others = await openLabelledHouses(addresses, zips, { hasLabelled: false });
    const readings = addresses.map((labelled) => ({
      id: labelled.id,
      run() {
        const reading = compareReading(labelled, zips);
        return reading.outcome === 'right' ? undefined : `${reading.outcome}: ${reading.difference}`;
      },
    }));
    const lookups = addresses
      .filter((labelled) => houseOf(labelled, zips) !== undefined)
      .flatMap((labelled) => [
        { id: `lookup of ${labelled.id}`, run: () => houses.compareLookup(labelled) },
        { id: `lookup among others of ${labelled.id}`, run: () => others.compareLookup(labelled) },
      ]);
    await holdTo('usaddress', [...readings, ...lookups], { isWhole });
  },
);
