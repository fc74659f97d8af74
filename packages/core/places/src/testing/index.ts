export { type AnswerServer, type Responder, respondJson, respondText, startAnswerServer } from './answer-server.ts';
export type { ConformanceCase } from './conformance-case.ts';
export { type GeocoderSubject, geocoderCases } from './geocoder-cases.ts';
export { type HttpGeocoderSubject, httpGeocoderCases } from './http-geocoder-cases.ts';
export { createScriptedGeocoder, foundAnswer, type ScriptedGeocoder, type ScriptStep } from './scripted-geocoder.ts';
