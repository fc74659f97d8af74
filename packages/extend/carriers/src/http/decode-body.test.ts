import { exampleCall as context, exampleRequest as request } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { decodeBody } from './decode-body.ts';
import { createHttpCarrier } from './http-carrier.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();
const mark = '\ufeff';
const json = '{"name":"Añasco Señorial"}';
const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><Name>Añasco</Name>`;

describe('a body', () => {
  it.each([
    ['UTF-8', Buffer.from(json), undefined, json],
    ['UTF-8 with a mark', Buffer.from(mark + json), undefined, json],
    ['UTF-8 with a mark that its header contradicts', Buffer.from(mark + json), 'text/xml; charset=latin1', json],
    ['Latin-1 by its header', latin(json), 'application/json; charset=ISO-8859-1', json],
    ['Latin-1 by its header, in quotes', latin(json), 'application/json;CHARSET = "iso-8859-1"; v=1', json],
    ['UTF-16 with a mark', little(mark + json), undefined, json],
    ['UTF-16, its other end first, with a mark', big(mark + json), 'application/json', json],
    ['UTF-16 by its header', big(json), 'application/json; charset=utf-16be', json],
    ['UTF-16 without a word of it', little(json), 'application/json', json],
    ['UTF-16, its other end first, without a word of it', big(json), null, json],
    ['Latin-1 by its declaration', latin(xml('ISO-8859-1')), 'application/xml', xml('ISO-8859-1')],
    [
      'Latin-1 by its declaration, in other quotes',
      latin(xml('latin1').replaceAll('"', "'")),
      undefined,
      xml('latin1').replaceAll('"', "'"),
    ],
    ['UTF-16 by its declaration', little(xml('UTF-16')), 'application/xml', xml('UTF-16')],
    ['UTF-8 by its declaration', Buffer.from(xml('UTF-8')), 'application/xml', xml('UTF-8')],
    ['UTF-8 in an encoding that is not known', Buffer.from(json), 'application/json; charset=klingon', json],
    ['nothing', Buffer.alloc(0), undefined, ''],
    ['one byte', Buffer.from('7'), undefined, '7'],
  ])('of %s is read', (_, bytes, contentType, text) => {
    expect(decodeBody(bytes, contentType)).toBe(text);
  });

  it('of unknown encoding that is not UTF-8 is rejected', () => {
    expect(() => decodeBody(latin(json), 'application/json; charset=klingon')).toThrow(TypeError);
  });

  it.each([
    ['JSON', undefined, latin('{"premium":10,"note":"Añasco"}'), 'application/json; charset=iso-8859-1'],
    ['JSON in UTF-16', undefined, little(`${mark}{"premium":10,"note":"Añasco"}`), 'application/json'],
    [
      'XML',
      { format: 'xml', root: 'Ask', request: [{ path: '/A', constant: 1 }] },
      latin(`${xml('ISO-8859-1').split('<Name>')[0]}<r><premium>10</premium><note>Añasco</note></r>`),
      'application/xml',
    ],
  ])('of %s reads as an answer of its carrier', async (_, dialect, bytes, type) => {
    await using server = await createTestServer((__, response) => {
      response.writeHead(200, { 'content-type': type }).end(bytes);
    });
    const at = dialect === undefined ? '' : '/r';
    const { carrier, faults } = checkHttpCarrier({
      format: 1,
      carrier: { key: 'lantern', name: 'Lantern' },
      offers: [{ form_types: ['ho3'] }],
      idempotent: true,
      request: { method: 'POST', url: server.url },
      ...(dialect && { dialect }),
      response: { premium: `${at}/premium`, messages: { path: at, message: '/note' } },
    });
    expect(faults).toEqual([]);
    expect(await createHttpCarrier(carrier!).quote(request, context)).toMatchObject({
      premiumCents: 1000n,
      messages: [{ message: 'Añasco' }],
    });
  });
});
