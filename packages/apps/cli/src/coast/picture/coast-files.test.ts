import { coastAnswerToGeoJson } from '@leeward/coast/geojson';
import { makePicture } from '@leeward/coast-picture';
import { describe, expect, it } from 'vitest';
import { answer, coast, gazetteer, place } from '../../../../../../test/support/square-island.ts';
import { coastHtml } from './coast-html.ts';
import { coastKml } from './coast-kml.ts';

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
