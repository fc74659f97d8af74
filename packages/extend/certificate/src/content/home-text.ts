import type { CertificateContent } from './certificate-schema.ts';

/** The address of a home; without one, its county and state, or its point. */
export function homeText({ home, location }: Pick<CertificateContent, 'home' | 'location'>): string {
  const { address, county, state } = home;
  if (typeof address === 'string') return address;
  if (typeof address === 'object' && address !== null) {
    const parts = Object.values(address).filter((part) => typeof part === 'string' && part !== '');
    if (parts.length > 0) return parts.join(', ');
  }
  const region = String(state).toUpperCase();
  const name = typeof county === 'string' ? countyText(county) : '';
  const place = name === '' ? region : `${name}, ${region}`;
  return location
    ? `a home at ${location.lat.toFixed(5)}, ${location.lng.toFixed(5)} (${place})`
    : `a home in ${place}`;
}

/** `miami-dade` → `Miami-Dade`. */
export function countyText(county: string): string {
  return county.replaceAll(/(^|[ -])[a-z]/g, (start) => start.toUpperCase());
}
