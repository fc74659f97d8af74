/** Private modules of hyparquet-writer, for tests that write damaged files. */
export { writeMetadata } from 'hyparquet-writer/src/metadata.js';
export { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';
