export const SHORE_NAMES = ['Atlantic', 'Gulf', 'Pacific', 'Bering', 'Arctic', 'Caribbean', 'Great Lakes'] as const;

type Axis = readonly (readonly [number, number])[];

/** Bering Sea in the north, Pacific in the south: the Aleutians and the Alaska Peninsula, west to east. */
const ALEUTIAN_AXIS: Axis = [
  [-190, 52.95],
  [-186.8, 52.88],
  [-184, 52.4],
  [-182.5, 51.98],
  [-181, 51.5],
  [-179.2, 51.35],
  [-178, 51.8],
  [-176.6, 51.8],
  [-174.3, 52.2],
  [-172.5, 52.32],
  [-170, 52.75],
  [-168.3, 53.25],
  [-166.8, 53.6],
  [-165.9, 54.1],
  [-164.4, 54.7],
  [-163.1, 55.1],
  [-162.75, 55.23],
  [-161.4, 55.65],
  [-160, 56.0],
  [-158.9, 56.45],
  [-158.1, 56.85],
  [-157, 57.45],
  [-156, 58.0],
  [-155.3, 58.6],
  [-154.9, 59.3],
  [-154, 60.6],
];

/** Atlantic in the north, Caribbean in the south: Cuba, Hispaniola, Puerto Rico, the Virgin Islands, the Leeward Islands. */
const ANTILLEAN_AXIS: Axis = [
  [-87, 21.5],
  [-84.95, 21.87],
  [-82.5, 22.7],
  [-79.5, 22],
  [-77, 20.8],
  [-74.2, 20.2],
  [-72.8, 19.2],
  [-70, 19],
  [-68.4, 18.6],
  [-67.2, 18.3],
  [-66, 18.2],
  [-65.6, 18.3],
  [-65.3, 18.32],
  [-64.95, 18.345],
  [-64.73, 18.345],
  [-64.4, 18.5],
  [-63, 18.1],
  [-61.5, 16.5],
  [-61, 14],
  [-60.9, 11],
];

/** Gulf in the west, Atlantic in the east: the middle of Florida from the north, and the Keys. */
const FLORIDA_AXIS: Axis = [
  [-84, 34],
  [-82.6, 30.3],
  [-81.75, 28.5],
  [-81.2, 26.9],
  [-80.75, 25.9],
  [-80.42, 25.33],
  [-80.36, 25.24],
  [-80.43, 25.11],
  [-80.6, 24.95],
  [-80.85, 24.815],
  [-81.1, 24.708],
  [-81.4, 24.66],
  [-81.65, 24.6],
  [-81.8, 24.552],
  [-82.2, 24.5],
  [-83.2, 24.45],
  [-84.95, 21.87],
];

const index = (name: (typeof SHORE_NAMES)[number]): number => SHORE_NAMES.indexOf(name);

/** By position; accurate for the United States, rough for its neighbours. */
export function shoreNameIndex(longitude: number, latitude: number): number {
  // Continuous from the western Pacific to the Atlantic.
  const x = longitude > 100 ? longitude - 360 : longitude;
  if (x < -141 || (x < -100 && latitude > 50)) {
    // North of Bering Strait, and along the Beaufort Sea.
    if (latitude > 65.63) return index('Arctic');
    return x > -190 && x < -154 && latitude > latitudeAt(ALEUTIAN_AXIS, x) ? index('Bering') : index('Pacific');
  }
  if (x < -100 || isPacificOfCentralAmerica(x, latitude)) return index('Pacific');
  if (latitude > 51 && x < -65) return index('Arctic');
  if (x < -80.2 && latitude > 21.5 && x < longitudeAt(FLORIDA_AXIS, latitude)) return index('Gulf');
  if (x < -87 && latitude > 18) return index('Gulf');
  return x < -60.5 && latitude < latitudeAt(ANTILLEAN_AXIS, x) ? index('Caribbean') : index('Atlantic');
}

/** From Tehuantepec to Panama. */
function isPacificOfCentralAmerica(x: number, latitude: number): boolean {
  const bridge: Axis = [
    [-100, 18.5],
    [-95, 17],
    [-91, 15.5],
    [-86, 13.5],
    [-84, 10.6],
    [-81, 8.6],
    [-79, 9.15],
    [-77.3, 8],
    [-76, 5],
  ];
  return x < -76 && latitude < latitudeAt(bridge, x);
}

function latitudeAt(axis: Axis, longitude: number): number {
  return interpolate(axis, longitude, 0, 1);
}

function longitudeAt(axis: Axis, latitude: number): number {
  return interpolate([...axis].reverse(), latitude, 1, 0);
}

function interpolate(axis: Axis, value: number, from: 0 | 1, to: 0 | 1): number {
  if (value <= axis[0]![from]) return axis[0]![to];
  for (let i = 1; i < axis.length; i++) {
    const a = axis[i - 1]!;
    const b = axis[i]!;
    if (value <= b[from]) return a[to] + ((value - a[from]) / (b[from] - a[from])) * (b[to] - a[to]);
  }
  return axis[axis.length - 1]![to];
}
