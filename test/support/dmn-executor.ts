import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A home as the input of a DMN model, by name. */
export type DmnFacts = Readonly<Record<string, unknown>>;

/** Results of the decisions of an exported rule set. */
export interface DmnResult {
  readonly status: string;
  readonly program: string | null;
  readonly reasons: readonly DmnRule[];
  readonly require: readonly DmnRule[];
  readonly inform: readonly DmnRule[];
}

export interface DmnRule {
  readonly rule: string;
  readonly code: string;
  readonly message: string;
}

/** A running process of the Drools engine for DMN. */
export interface DmnExecutor {
  /** Returns the errors of a model. */
  validate(xml: string): Promise<readonly string[]>;
  /** Evaluates all homes with one model: another model calls its decision service for each of them. */
  decide(xml: string, homes: readonly DmnFacts[]): Promise<readonly DmnResult[]>;
  stop(): Promise<void>;
}

const MODEL = 'https://www.omg.org/spec/DMN/20211108/MODEL/';

/** Starts the executable of `@kie-tools/jitexecutor-native`, a web service. */
export async function startDmnExecutor(executable: string): Promise<DmnExecutor> {
  const port = await freePort();
  const child = spawn(executable, [`-Dquarkus.http.port=${port}`, '-Dquarkus.http.host=127.0.0.1'], {
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}/jitdmn`;
  await waitUntilReady(`http://127.0.0.1:${port}/q/health/live`, child);
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The DMN engine answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  return {
    async validate(xml) {
      const resources = [{ URI: 'rules.dmn', content: xml }];
      const messages = await post('/validate', { mainURI: 'rules.dmn', resources });
      return (messages as { severity: string; message: string }[]).flatMap(({ severity, message }) =>
        severity === 'ERROR' ? [message] : [],
      );
    },
    async decide(xml, homes) {
      const resources = [
        { URI: 'batch.dmn', content: batchOf(xml) },
        { URI: 'rules.dmn', content: xml },
      ];
      const result = (await post('/dmnresult', { mainURI: 'batch.dmn', resources, context: { homes } })) as {
        decisionResults: { evaluationStatus: string; result: DmnResult[] }[];
        messages: { severity: string; message: string }[];
      };
      const error = result.messages.find(({ severity }) => severity === 'ERROR');
      if (error) throw new Error(`The DMN engine reports: ${error.message}`);
      return result.decisionResults[0]!.result;
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Names of the input data of a model. */
export function inputsOfDmn(xml: string): string[] {
  return [...xml.matchAll(/<inputData id="[^"]*" name="([^"]*)"/g)].map(([, name]) => name!);
}

function batchOf(xml: string): string {
  const namespace = /namespace="([^"]*)"/.exec(xml)![1];
  const values = inputsOfDmn(xml).map((name) => `home.${name}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="${MODEL}" namespace="urn:batch" name="batch" id="batch">
  <import name="rules" namespace="${namespace}" importType="${MODEL}"/>
  <inputData id="homes" name="homes"><variable id="homes_variable" name="homes" typeRef="Any"/></inputData>
  <decision id="results" name="results">
    <variable id="results_variable" name="results" typeRef="Any"/>
    <informationRequirement id="needs_homes"><requiredInput href="#homes"/></informationRequirement>
    <knowledgeRequirement id="needs_rules"><requiredKnowledge href="${namespace}#_decide"/></knowledgeRequirement>
    <literalExpression id="each"><text>for home in homes return rules.decide(${values.join(', ')})</text></literalExpression>
  </decision>
</definitions>`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

const ATTEMPTS = 200;
const PAUSE_MS = 100;

async function waitUntilReady(address: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (child.exitCode !== null) throw new Error(`The DMN engine ended with code ${child.exitCode}.`);
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  child.kill();
  throw new Error('The DMN engine did not start.');
}
