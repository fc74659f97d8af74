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

// What the parser refuses would be answered with a page of HTML: let Leeward refuse it, as problem details.
const refuse: ErrorRequestHandler = (error, request, response, next) => {
  if (!request.path.startsWith(`${prefix}/`)) return next(error);
  // Of a body that came to be too long nothing is left, and Leeward only needs to know that it was.
  if (error.status === 413) Object.assign(request, { rawBody: Buffer.alloc(error.limit + 1) });
  return insurance(request, response);
};
app.use(refuse);

const server = app.listen(port, hostname, () => announce((server.address() as AddressInfo).port));
