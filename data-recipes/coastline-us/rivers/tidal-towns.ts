/** A town at tidal water. */
export interface TidalTown {
  readonly name: string;
  readonly state: string;
  readonly water: string;
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Tidal waterfronts, most of them up a river, at the middle of the old town or its landing. Evidence is the nearest station of NOAA or
 * TICON-4: the report names it and its distance.
 */
export const TIDAL_TOWNS: readonly TidalTown[] =
  // biome-ignore format: a table
  ([
    ['Beaufort', 'SC', 'Beaufort River', 32.4335, -80.672], ['Bluffton', 'SC', 'May River', 32.2305, -80.863],
    ['Port Royal', 'SC', 'Battery Creek', 32.379, -80.693], ['Georgetown', 'SC', 'Sampit River', 33.3655, -79.282],
    ['Conway', 'SC', 'Waccamaw River', 33.8335, -79.046], ['McClellanville', 'SC', 'Jeremy Creek', 33.0865, -79.461],
    ['Rockville', 'SC', 'Bohicket Creek', 32.598, -80.193], ['Mount Pleasant', 'SC', 'Shem Creek', 32.7935, -79.881],
    ['Savannah', 'GA', 'Savannah River', 32.0815, -81.09], ['Thunderbolt', 'GA', 'Wilmington River', 32.0335, -81.05],
    ['Darien', 'GA', 'Darien River', 31.3685, -81.434], ['Brunswick', 'GA', 'East River', 31.1495, -81.497],
    ['Saint Marys', 'GA', 'St. Marys River', 30.7215, -81.549], ['Richmond Hill', 'GA', 'Ogeechee River', 31.914, -81.311],
    ['New Bern', 'NC', 'Neuse and Trent', 35.1065, -77.037], ['Wilmington', 'NC', 'Cape Fear River', 34.2355, -77.949],
    ['Beaufort', 'NC', 'Taylors Creek', 34.7165, -76.664], ['Swansboro', 'NC', 'White Oak River', 34.6865, -77.119],
    ['Southport', 'NC', 'Cape Fear River', 33.9165, -78.018], ['Washington', 'NC', 'Pamlico River', 35.5425, -77.054],
    ['Jacksonville', 'FL', 'St. Johns River', 30.3255, -81.658], ['Green Cove Springs', 'FL', 'St. Johns River', 29.992, -81.676],
    ['Palatka', 'FL', 'St. Johns River', 29.6475, -81.629], ['Fort Myers', 'FL', 'Caloosahatchee', 26.6445, -81.871],
    ['Stuart', 'FL', 'St. Lucie River', 27.2005, -80.254], ['Fort Lauderdale', 'FL', 'New River', 26.1185, -80.146],
    ['Steinhatchee', 'FL', 'Steinhatchee River', 29.671, -83.388], ['Apalachicola', 'FL', 'Apalachicola River', 29.7255, -84.983],
    ['Fernandina Beach', 'FL', 'Amelia River', 30.671, -81.465], ['Tarpon Springs', 'FL', 'Anclote River', 28.1555, -82.76],
    ['Bradenton', 'FL', 'Manatee River', 27.4985, -82.575], ['Mobile', 'AL', 'Mobile River', 30.6945, -88.039],
    ['Pascagoula', 'MS', 'Pascagoula River', 30.3655, -88.557], ['Port Arthur', 'TX', 'Sabine-Neches Canal', 29.87, -93.93],
    ['Norfolk', 'VA', 'Elizabeth River', 36.8465, -76.291], ['Tappahannock', 'VA', 'Rappahannock River', 37.926, -76.857],
    ['West Point', 'VA', 'York River', 37.5325, -76.796], ['Richmond', 'VA', 'James River', 37.528, -77.425],
    ['Alexandria', 'VA', 'Potomac River', 38.8045, -77.04], ['Fredericksburg', 'VA', 'Rappahannock River', 38.298, -77.455],
    ['Washington', 'DC', 'Potomac River', 38.874, -77.021], ['Annapolis', 'MD', 'Severn River', 38.9775, -76.486],
    ['Chestertown', 'MD', 'Chester River', 39.2075, -76.064], ['Salisbury', 'MD', 'Wicomico River', 38.3635, -75.604],
    ['Cambridge', 'MD', 'Choptank River', 38.5735, -76.073], ['New Castle', 'DE', 'Delaware River', 39.6595, -75.561],
    ['Philadelphia', 'PA', 'Delaware River', 39.9475, -75.14], ['Trenton', 'NJ', 'Delaware River', 40.196, -74.757],
    ['Toms River', 'NJ', 'Toms River', 39.951, -74.195], ['Bridgeton', 'NJ', 'Cohansey River', 39.427, -75.236],
    ['Albany', 'NY', 'Hudson River', 42.646, -73.748], ['Poughkeepsie', 'NY', 'Hudson River', 41.706, -73.938],
    ['Hartford', 'CT', 'Connecticut River', 41.764, -72.667], ['Essex', 'CT', 'Connecticut River', 41.3515, -72.386],
    ['Portsmouth', 'NH', 'Piscataqua River', 43.0785, -70.756], ['Bath', 'ME', 'Kennebec River', 43.9135, -69.812],
    ['Bangor', 'ME', 'Penobscot River', 44.799, -68.77], ['Astoria', 'OR', 'Columbia River', 46.19, -123.834],
    ['Portland', 'OR', 'Willamette River', 45.518, -122.67], ['Longview', 'WA', 'Columbia River', 46.108, -122.955],
    ['Aberdeen', 'WA', 'Chehalis River', 46.9745, -123.815], ['Sacramento', 'CA', 'Sacramento River', 38.5815, -121.508],
    ['Napa', 'CA', 'Napa River', 38.298, -122.284], ['Stockton', 'CA', 'Stockton Channel', 37.953, -121.293],
  ] as const).map(([name, state, water, latitude, longitude]) => ({ name, state, water, latitude, longitude }));
