import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { runWords } from './run-words.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * A `leeward` that shell scripts can call, with every command line run in this process: to start the program anew for each takes
 * most of what a script takes. Of its words none is empty or has more than one line.
 */
export async function leewardForScripts() {
  const server = createServer((socket) => void answer(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = temporaryFolder({
    leeward: `exec 3<> /dev/tcp/127.0.0.1/${port}
printf '%s\\n' "$PWD" "$@" '' >&3
read -r code <&3
cat <&3
exit "$code"
`,
  });
  let errors = '';

  async function answer(socket: Socket): Promise<void> {
    let asked = '';
    for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      asked += chunk;
      if (asked.endsWith('\n\n')) break;
    }
    const [at, ...words] = asked.trimEnd().split('\n');
    const outcome = await runWords(words, { folder: at! });
    errors += outcome.errors;
    socket.end(`${outcome.code}\n${outcome.output}`);
  }

  return {
    /** How a script calls it. */
    command: `bash ${folder.path}/leeward`,
    /** What was written to standard error so far. */
    errors: () => errors,
    [Symbol.dispose]() {
      server.close();
      folder[Symbol.dispose]();
    },
  };
}
