import { ByteReader } from '../byte-reader.ts';

/** A town, neighborhood or island that no ZIP code is named after. */
export interface NamedPlace {
  /** `Juno Beach` */
  readonly name: string;
  /** Lower case. */
  readonly state: string;
  /** WGS 84, to two hundredths of a degree. */
  readonly latitude: number;
  readonly longitude: number;
  /** Maximum distance of its homes. */
  readonly errorRadiusMeters: number;
  /** Within a tenth; 0 if unknown. */
  readonly population: number;
  /** `area`: an island, a neighborhood or a stretch of coast, as a circle around all of it. */
  readonly kind: 'town' | 'area';
}

/** The data file of named places. */
export interface NamedTable {
  /** A population for each pair of state and city in the ZIP table, in the order of their first ZIP code. */
  readonly cityPopulations: readonly number[];
  /** By state and name. */
  readonly towns: readonly NamedPlace[];
}

export const STEPS_PER_DEGREE = 200;
const STEPS_PER_DOUBLING = 4;
const MIN_POPULATION = 100;

/** 0 for an unknown population; four ranks double it. */
export function rankOfPopulation(population: number): number {
  if (population <= 0) return 0;
  return Math.max(1, 1 + Math.round(Math.log2(population / MIN_POPULATION) * STEPS_PER_DOUBLING));
}

export function populationOfRank(rank: number): number {
  return rank === 0 ? 0 : Math.round(MIN_POPULATION * 2 ** ((rank - 1) / STEPS_PER_DOUBLING));
}

/** Positions are stored as differences, radii in half kilometers. */
export function unpackNamedTable(bytes: Uint8Array): NamedTable {
  const reader = new ByteReader(bytes);
  const column = <Value>(size: number, next: () => Value): Value[] => Array.from({ length: size }, next);
  const running = () => {
    let sum = 0;
    return () => {
      sum += reader.signed();
      return sum / STEPS_PER_DEGREE;
    };
  };
  const population = () => populationOfRank(reader.unsigned());
  const cityPopulations = column(reader.unsigned(), population);
  const towns = column(reader.unsigned(), () => {
    const state = reader.text();
    const names = reader.text().split('\n');
    const latitudes = column(names.length, running());
    const longitudes = column(names.length, running());
    const radii = column(names.length, () => reader.unsigned());
    const populations = column(names.length, population);
    return names.map((name, index): NamedPlace => {
      return Object.freeze({
        name,
        state,
        latitude: latitudes[index]!,
        longitude: longitudes[index]!,
        errorRadiusMeters: radii[index]! * 500,
        population: populations[index]!,
        kind: 'town',
      });
    });
  });
  return { cityPopulations, towns: towns.flat() };
}
