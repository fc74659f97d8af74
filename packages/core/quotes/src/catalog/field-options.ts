/** The allowed values of option keys inside `fields`, in display order. */
export const fieldOptions = {
  phone_type: ['mobile', 'home', 'work', 'other'],
  ownership: ['personal', 'trust', 'llc', 'estate'],
  occupancy: ['owner occupied', 'tenant occupied', 'owner and tenant', 'unoccupied', 'vacant', 'under construction'],
  usage: ['primary', 'secondary', 'seasonal', 'rental', 'vacant'],
  roof_option: [
    'architectural shingle',
    '3-tab shingle',
    'slate',
    'metal',
    'tile',
    'flat',
    'clay tile',
    'concrete tile',
    'wood shake',
    'tar and gravel',
    'membrane',
    'other',
  ],
  roof_shape: ['gable', 'hip', 'flat', 'gambrel', 'mansard', 'shed', 'pyramid', 'complex', 'other'],
  protection_class: [
    ...Array.from({ length: 10 }, (_, index) => `${index + 1}`),
    ...Array.from({ length: 8 }, (_, index) => `${index + 1}X`),
    ...Array.from({ length: 8 }, (_, index) => `${index + 1}Y`),
    '8B',
    '10W',
  ],
  construction_type_options: [
    'frame',
    'masonry',
    'masonry veneer',
    'fire resistive/superior',
    'mixed',
    'log',
    'stucco on frame',
    'other',
  ],
  dwelling_type: [
    'single family',
    'townhouse',
    'rowhouse',
    'duplex',
    'triplex',
    'fourplex',
    'condo',
    'mobile home',
    'manufactured',
    'log cabin',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Keys of fields with a fixed set of values. */
type OptionKey = keyof typeof fieldOptions;
