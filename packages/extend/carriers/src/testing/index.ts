export { type DialectSuiteOptions, dialectSuite } from './dialect-suite.ts';
