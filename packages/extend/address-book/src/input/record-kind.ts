import type { RecordKind } from '../record.ts';

/**
 * What a point stands for, as files say it: `Placement` of the National Address Database and of NENA's standard ("Structure -
 * Rooftop", "Parcel - Centroid", "Property Access", "Linear Geocode" …), `accuracy` of OpenAddresses, or plain words.
 * Undefined for what says nothing.
 */
export function readRecordKind(text: string): RecordKind | undefined {
  const words = text.toLowerCase();
  if (/entrance|door/.test(words)) return 'entrance';
  if (/structure|roof|building|^1$/.test(words)) return 'rooftop';
  if (/access|driveway|^3$/.test(words)) return 'access';
  if (/parcel|site|centroid|^[25]$/.test(words)) return 'parcel';
  if (/geocod|linear|interpolat|^4$/.test(words)) return 'interpolated';
  return undefined;
}
