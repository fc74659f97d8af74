import { expect, it } from 'vitest';
import { recognizeNationalFile } from './recognize-file.ts';

it.each([
  ['tl_2024_us_coastline.shp', 'tiger-coastline'],
  ['tl_2024_12086_areawater.zip', 'tiger-areawater'],
  ['NHDFlowline_0.shp', 'nhd'],
  ['NHDArea.shp', 'nhd'],
  ['NHDWaterbody.shp', 'nhd'],
  ['N25W080.shp', 'cusp'],
  ['CUSPLine.shp', 'cusp'],
  ['NHD_H_Florida_State_Shape.zip', undefined],
  ['tl_2024_12_county.shp', undefined],
  ['north.geojson', undefined],
  ['homes.csv', undefined],
])('%s is %s', (name, kind) => expect(recognizeNationalFile(name)).toBe(kind));
