import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { coastAnswerToGeoJson } from '@leeward/coast/geojson';
import { makePicture } from '@leeward/coast-picture';
import type { FoundPlace } from '@leeward/http';
import { loadZipGazetteer } from '@leeward/places/zips';
import { describe, expect, it } from 'vitest';
import { coastHtml } from './coast-html.ts';
import { coastKml } from './coast-kml.ts';

/** A square island off Georgia, the water on the right of its line. */
const island: Shoreline = {
  name: 'island & co',
  version: '1 <b>',
  attribution: '"somebody"',
  positions: Float64Array.of(-80.9, 31.4, -80.8, 31.4, -80.8, 31.5, -80.9, 31.5, -80.9, 31.4),
  lineStarts: Uint32Array.of(0, 5),
  layerNames: ['tidal'],
  layers: new Uint16Array(5).fill(1),
  shoreNames: ['Atlantic'],
  shores: new Uint8Array(5),
  water: 'right',
  accuracy: { radiusMeters: [200], method: '' },
  coverage: [],
};
const coast = createCoast(buildCoastIndex(island));
const place: FoundPlace = {
  latitude: 31.45,
  longitude: -80.82,
  source: 'coordinates',
  precision: 'exact',
  method: 'coordinates',
  errorRadiusMeters: 300,
  warnings: [],
};
const gazetteer = await loadZipGazetteer();
const answer = coast.nearest(place, 'tidal');
const picture = (title?: string) => makePicture({ coast, answer, place, definition: 'tidal', gazetteer, title });

describe('the files of an answer', () => {
  it('are a self-contained page with a map for each width, and the same bytes each time', () => {
    const text = coastHtml(picture('A <home>'));
    expect(coastHtml(picture('A <home>'))).toBe(text);
    expect(text).not.toMatch(/<script|href=|src=|url\(|@import|@font-face|\bon\w+=/);
    expect(text).toContain('prefers-color-scheme:dark');
    expect(text).toContain('A &lt;home&gt;');
    for (const part of [
      'class="home"',
      'class="foot"',
      'class="way"',
      'class="radius"',
      'class="ofHome"',
      'class="b1"',
    ])
      expect(text.split(part)).toHaveLength(part.includes('"b1"') ? 4 : 3);
    expect(text).toContain('1.18 mi');
    expect(text).toContain('island &amp; co, 1 &lt;b&gt;. &quot;somebody&quot;.');
  });

  it('is as KML what it is as GeoJSON', () => {
    const kml = coastKml(coastAnswerToGeoJson(answer), picture().words);
    expect(kml.match(/<Placemark>/g)).toHaveLength(4);
    expect(kml).toContain('<coordinates>-80.82,31.45</coordinates>');
    expect(kml).toContain('island &amp; co');
    expect(kml.match(/<(\w+)[ >]/g)!.length).toBeGreaterThan(20);
  });
});
