import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const miami = ['coast', 'near', '25.7826', '-80.1341'];

describe('leeward coast near, into files', () => {
  it('writes the requested files, and prints the answer', async () => {
    using folder = temporaryFolder();
    const files = ['--kml', 'a.kml', '--geojson', 'a.geojson'];
    const { code, output, errors } = await runWords([...miami, ...files, '--title', 'Ocean Drive'], {
      folder: folder.path,
    });
    expect(code).toBe(0);
    expect(output).toContain('The coast is 0.39 miles');
    expect(errors).toBe('Wrote a.kml.\nWrote a.geojson.\n');
    expect(readFileSync(join(folder.path, 'a.kml'), 'utf8')).toContain('<name>Ocean Drive</name>');
    const features = JSON.parse(readFileSync(join(folder.path, 'a.geojson'), 'utf8')).features;
    expect(features.map(({ properties }: { properties: { role: string } }) => properties.role)).toEqual([
      'address',
      'coast',
      'line',
      'accuracy',
    ]);
  });

  it('prints GeoJSON without a file name, before or after the place', async () => {
    for (const words of [
      [...miami, '--geojson'],
      ['coast', 'near', '--geojson', '25.7826', '-80.1341'],
    ]) {
      const { code, output } = await runWords(words);
      expect(code).toBe(0);
      expect(JSON.parse(output).type).toBe('FeatureCollection');
    }
  });

  it('names a file that cannot be written', async () => {
    const { code, errors } = await runWords([...miami, '--kml', '/nowhere/a.kml']);
    expect(code).toBe(1);
    expect(errors).toContain('/nowhere/a.kml cannot be written (ENOENT).');
  });
});
