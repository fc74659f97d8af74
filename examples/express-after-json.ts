// Express 5, where `express.json()` has read every body before Leeward sees the request.
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@leeward/http/node';
import express, { type ErrorRequestHandler } from 'express';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = express();
const insurance = createNodeHandler(leeward);

app.use(
  express.json({
    limit: '256kb',
    // The bytes as they came. Without this line Leeward takes the parsed body, written back to JSON.
    verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
  }),
);
app.get('/', (_request, response) => void response.send('A page of the host’s own.\n'));
app.all(`${prefix}/{*path}`, insurance);

// The parser's error would become an HTML page. Let Leeward answer with problem details instead.
const refuse: ErrorRequestHandler = (error, request, response, next) => {
  if (!request.path.startsWith(`${prefix}/`)) return next(error);
  // The parser discarded a body over the limit. Leeward needs only its length.
  if (error.status === 413) Object.assign(request, { rawBody: Buffer.alloc(error.limit + 1) });
  return insurance(request, response);
};
app.use(refuse);

const server = app.listen(port, hostname, () => announce((server.address() as AddressInfo).port));
