import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { runWords } from './run-words.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * A `leeward` program for shell scripts that runs every command line in this process, because starting a process
 * dominates the time of a script. Words must not be empty or multi-line.
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
    let requests = '';
    for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      requests += chunk;
      if (requests.endsWith('\n\n')) break;
    }
    const [at, ...words] = requests.trimEnd().split('\n');
    const outcome = await runWords(words, { folder: at! });
    errors += outcome.errors;
    socket.end(`${outcome.code}\n${outcome.output}`);
  }

  return {
    /** Command to call it from a script. */
    command: `bash ${folder.path}/leeward`,
    /** Output on standard error so far. */
    errors: () => errors,
    [Symbol.dispose]() {
      server.close();
      folder[Symbol.dispose]();
    },
  };
}
