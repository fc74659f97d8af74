import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../carriers/carrier-files.ts';
import { readRuleSet } from './rule-set-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'areas-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ruleSet = (file: string) => ({
  format: 1,
  carrier: { key: 'bay', name: 'Bay' },
  version: '1',
  effective: { from: '2020-01-01' },
  areas: { bay: { file } },
  rules: [
    {
      id: 'r',
      outcome: 'decline',
      code: 'territory',
      message: 'No.',
      when: { all: [{ fact: 'location', operator: 'within', value: 'bay' }] },
    },
  ],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
});
const bay = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-95, 29],
        [-94, 29],
        [-94, 30],
        [-95, 29],
      ],
    ],
  },
};

function write(file: string): string {
  const carrier = join(folder, 'carriers', 'bay');
  mkdirSync(join(carrier, 'areas'), { recursive: true });
  writeFileSync(join(carrier, 'areas', 'bay.geojson'), JSON.stringify(bay));
  const path = join(carrier, 'rule-set.json');
  writeFileSync(path, JSON.stringify(ruleSet(file), null, 2));
  return path;
}

describe('a rule set with an area in a file', () => {
  it('is read with the geometry by checks and by services', () => {
    const path = write('areas/bay.geojson');
    const { ruleSet: checked, findings } = readRuleSet(path, folder);
    expect(findings).toEqual([]);
    expect(checked?.areas?.[0]).toMatchObject({ name: 'bay', rings: bay.geometry.coordinates });
    const catalog = readCatalog('carriers', folder);
    expect(catalog.carriers[0]?.versions[0]?.ruleSet.sha256).toBe(checked?.sha256);
  });

  it('is refused, at the line of the area, if the file is missing or outside of the folder', () => {
    symlinkSync('/etc/hostname', join(folder, 'carriers', 'bay', 'areas', 'link.geojson'));
    for (const file of ['areas/river.geojson', 'areas/link.geojson']) {
      const path = write(file);
      const { findings, ruleSet: checked } = readRuleSet(path, folder);
      expect(checked).toBeUndefined();
      expect(findings.map(({ code, line, message }) => [code, line, message])).toEqual([
        ['invalid_area_file', 13, `There is no file ${file} next to the rule file.`],
      ]);
      expect(() => readCatalog('carriers', folder)).toThrow(`There is no file ${file} next to the rule file.`);
    }
  });
});
