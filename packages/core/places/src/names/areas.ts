import type { NamedPlace } from './named-table.ts';

/** By state: the name and other names, the middle of a circle around all of it, its radius in km. SOURCES.md has the sources. */
// biome-ignore format: one line an area
const circles: Readonly<Record<string, readonly (readonly [names: string, latitude: number, longitude: number, radius: number])[]>> = {
  al: [['Fort Morgan|Fort Morgan Peninsula', 30.24, -87.87, 16]],
  ca: [
    ['Balboa Island', 33.607, -117.892, 1.5],
    ['Balboa Peninsula', 33.605, -117.915, 4.5],
    ['Catalina Island|Santa Catalina Island', 33.394, -118.456, 18],
    ['Hollywood', 34.105, -118.325, 6],
    ['Mission Beach', 32.771, -117.252, 2.5],
    ['Ocean Beach', 32.745, -117.247, 2.5],
    ['Pacific Beach', 32.8, -117.24, 4],
    ['Point Loma', 32.71, -117.245, 6.5],
  ],
  fl: [
    ['30A|Scenic 30A', 30.315, -86.13, 16],
    ['Amelia Island', 30.61, -81.445, 12],
    ['Anastasia Island', 29.81, -81.265, 13.5],
    ['Anna Maria Island', 27.492, -82.717, 7],
    ['Brickell', 25.76, -80.193, 2.5],
    ['Cape San Blas', 29.7, -85.37, 15],
    ['Casey Key', 27.155, -82.485, 7],
    ['Clearwater Beach', 27.99, -82.825, 5.5],
    ['Coconut Grove', 25.727, -80.245, 4],
    ['Florida Keys|The Florida Keys|FL Keys', 24.95, -81.05, 97],
    ['Gasparilla Island', 26.764, -82.271, 7],
    ['Hutchinson Island|South Hutchinson Island', 27.32, -80.225, 19.5],
    ['Jupiter Island', 27.055, -80.113, 14.5],
    ['Lido Key|Lido Beach', 27.317, -82.57, 3.5],
    ['Little Havana', 25.77, -80.22, 3],
    ['Manasota Key', 27.005, -82.405, 14.5],
    ['North Beach', 25.857, -80.123, 3],
    ['North Hutchinson Island|Orchid Island', 27.665, -80.37, 24],
    ['Okaloosa Island', 30.395, -86.6, 9],
    ['Pensacola Beach', 30.337, -87.12, 9],
    ['Perdido Key', 30.302, -87.41, 12],
    ['Pine Island', 26.596, -82.111, 14],
    ['Sand Key', 27.88, -82.835, 12],
    ['Santa Rosa Island', 30.36, -86.91, 41],
    ['Siesta Key', 27.255, -82.54, 8],
    ['Singer Island', 26.805, -80.038, 6],
    ['South Beach|SoBe', 25.78, -80.135, 3],
    ['St. George Island', 29.665, -84.87, 20],
    ['Wynwood', 25.803, -80.199, 2],
  ],
  hi: [
    ['Big Island|The Big Island|Hawaii Island|Island of Hawaii', 19.615, -155.554, 81],
    ['Kauai', 22.083, -159.54, 28],
    ['Lanai', 20.83, -156.93, 17],
    ['Maui', 20.8, -156.33, 44],
    ['Molokai', 21.13, -157.01, 33],
    ['Oahu', 21.437, -157.966, 38],
    ['Waikiki|Waikiki Beach', 21.278, -157.828, 3],
  ],
  ma: [
    ['Cape Cod', 41.75, -70.3, 42],
    ["Martha's Vineyard|Marthas Vineyard Island", 41.382, -70.644, 18],
    ['Plum Island', 42.75, -70.785, 9],
  ],
  md: [
    ['Assateague Island', 38.086, -75.24, 31],
    ['Kent Island', 38.938, -76.335, 13],
  ],
  me: [['Mount Desert Island|MDI', 44.333, -68.315, 15]],
  mp: [
    ['Rota', 14.154, 145.206, 11],
    ['Saipan', 15.196, 145.764, 13],
    ['Tinian', 15.012, 145.642, 11],
  ],
  as: [['Tutuila', -14.283, -170.703, 18]],
  nc: [
    ['Bogue Banks', 34.672, -76.889, 22],
    ['Figure Eight Island', 34.269, -77.742, 5],
    ['Hatteras Island', 35.48, -75.6, 38],
    ['Outer Banks|The Outer Banks|OBX', 35.8, -75.75, 92],
    ['Roanoke Island', 35.877, -75.676, 9],
    ['Topsail Island', 34.448, -77.507, 21],
  ],
  nj: [
    ['Absecon Island', 39.344, -74.481, 8],
    ['Barnegat Peninsula', 39.935, -74.07, 21],
    ['Five Mile Island|The Wildwoods', 38.982, -74.831, 7],
    ['Holgate', 39.54, -74.265, 5],
    ['Jersey Shore|The Jersey Shore', 39.7, -74.42, 100],
    ['Long Beach Island|LBI|Long Beach Township|Long Beach', 39.637, -74.2, 17.5],
    ['Loveladies', 39.72, -74.135, 4],
    ['Ludlam Island', 39.162, -74.683, 7],
    ['Seven Mile Island', 39.065, -74.752, 8],
  ],
  ny: [
    ['Brighton Beach', 40.578, -73.96, 2.5],
    ['City Island', 40.847, -73.787, 2.5],
    ['Coney Island', 40.576, -73.98, 5],
    ['Fire Island', 40.697, -73.034, 26.5],
    ['Long Island', 40.843, -72.948, 97],
    ['North Fork|The North Fork', 41.04, -72.44, 27],
    ['Rockaway Peninsula|The Rockaways|Rockaways|Far Rockaway Peninsula', 40.58, -73.84, 10.5],
    ['The Hamptons|Hamptons', 40.89, -72.4, 27],
  ],
  ri: [['Aquidneck Island', 41.552, -71.288, 14.5]],
  sc: [
    ['Daniel Island', 32.86, -79.91, 6],
    ['Fripp Island', 32.32, -80.48, 5],
    ['Grand Strand|The Grand Strand', 33.55, -78.9, 52],
    ['James Island', 32.73, -79.95, 9],
    ['Litchfield Beach', 33.47, -79.1, 6],
  ],
  tx: [
    ['Bolivar Peninsula|Crystal Beach', 29.46, -94.57, 23],
    ['Galveston Island', 29.21, -94.922, 25],
    ['Mustang Island', 27.72, -97.13, 17],
    ['North Padre Island', 27.6, -97.22, 11],
    ['Padre Island', 26.85, -97.35, 97],
  ],
  va: [['Sandbridge|Sandbridge Beach', 36.72, -75.93, 8]],
  vi: [['St. Croix', 17.717, -64.735, 20]],
  wa: [
    ['Camano Island', 48.159, -122.429, 14],
    ['Fidalgo Island', 48.438, -122.602, 12],
    ['Lopez Island', 48.496, -122.856, 10],
    ['Orcas Island', 48.638, -122.885, 12],
    ['San Juan Island', 48.536, -123.058, 13],
    ['Whidbey Island', 48.154, -122.521, 31],
  ],
};

/** Short names of cities with ZIP codes. */
// biome-ignore format: one line a name
const nicknames: readonly (readonly [nickname: string, city: string, state: string])[] = [
  ['Jax', 'Jacksonville', 'fl'],
  ['Jax Beach', 'Jacksonville Beach', 'fl'],
  ['New York City', 'New York', 'ny'],
  ['NYC', 'New York', 'ny'],
  ['NOLA', 'New Orleans', 'la'],
  ['Philly', 'Philadelphia', 'pa'],
  ['St. Pete', 'Saint Petersburg', 'fl'],
  ['Vegas', 'Las Vegas', 'nv'],
];

/** An area, and its other names. */
export interface NamedArea extends NamedPlace {
  readonly otherNames: readonly string[];
}

export function listAreas(): readonly NamedArea[] {
  return Object.entries(circles).flatMap(([state, areas]) =>
    areas.map(([names, latitude, longitude, kilometers]): NamedArea => {
      const [name = '', ...otherNames] = names.split('|');
      const errorRadiusMeters = kilometers * 1000;
      return Object.freeze({
        name,
        state,
        latitude,
        longitude,
        errorRadiusMeters,
        population: 0,
        kind: 'area',
        otherNames,
      });
    }),
  );
}

/** A short name of a city. */
export interface Nickname {
  readonly nickname: string;
  readonly city: string;
  readonly state: string;
}

export function listNicknames(): readonly Nickname[] {
  return nicknames.map(([nickname, city, state]) => ({ nickname, city, state }));
}
