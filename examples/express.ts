// Express 5. Mounted before `express.json()`, Leeward reads bodies itself, and refuses what is too long before it is read.
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@leeward/http/node';
import express from 'express';
import { announce, hostname, leeward, port, prefix } from './insurance.ts';

const app = express();

// `all`, not `use`: `use` removes the prefix, which Leeward needs for its paths.
app.all(`${prefix}/{*path}`, createNodeHandler(leeward));

app.use(express.json());
app.get('/', (_request, response) => void response.send('A page of the host’s own.\n'));

const server = app.listen(port, hostname, () => announce((server.address() as AddressInfo).port));
