import type { KnownSettings, Setting } from '../../packages/apps/cli/src/settings/setting.ts';
import { settingsTable } from '../../packages/apps/cli/src/settings/settings-table.ts';
import { createMemoryHazardEvents } from '../../packages/core/http/src/hazard-events/hazard-event-feed.ts';
import { problemKinds } from '../../packages/core/http/src/problem/problem.ts';
import { problemHelp } from '../../packages/core/http/src/problem/problem-help.ts';
import { addAuditStreamMetrics } from '../../packages/extend/http-admin/src/observe/audit-stream-metrics.ts';
import { addHazardEventMetrics } from '../../packages/extend/http-admin/src/observe/hazard-event-metrics.ts';
import { createMetrics } from '../../packages/extend/http-admin/src/observe/metrics.ts';
import { createQuoteMetrics } from '../../packages/extend/http-admin/src/observe/quote-metrics.ts';
import type { WrittenPage } from './api-pages.ts';

/** Settings, metrics and problems, each from the table that the program itself reads. */
export function tablePages(): WrittenPage[] {
  return [settingsPage(), metricsPage(), problemsPage()];
}

function settingsPage(): WrittenPage {
  const rows = Object.entries(settingsTable as Readonly<Record<string, Setting<unknown>>>).map(([key, setting]) => {
    const { variable, option, usual, secret, description } = setting;
    const byDefault = typeof usual === 'function' ? describeDefault(usual) : usual;
    const words =
      secret === undefined
        ? description
        : `${description} Never printed${secret === 'whole' ? '' : ' with its password'}.`;
    const names = [key, variable, ...(option === undefined ? [] : [option])].map((name) => `\`${name}\``);
    const otherwise = byDefault === undefined ? '' : ` Default: \`${byDefault}\`.`;
    return `| ${names.join('<br>')} | ${cell(words)}${otherwise} |`;
  });
  const markdown = `# Settings

Of \`leeward serve\` and \`leeward worker\`: on the command line, in the environment, or in the JSON file that \`--config\` or \`LEEWARD_CONFIG\`
names, the former first: each setting by its name in the file, its variable and its option. \`npx leeward config\` prints those in force, where each comes from, and what is wrong with them.

| setting | what it says |
|---|---|
${rows.join('\n')}
`;
  return { at: 'reference/settings', title: 'Settings', markdown };
}

/** Describes a default that depends on other settings, for a service that is not a demo. */
function describeDefault(usual: (known: KnownSettings) => string | undefined): string | undefined {
  return usual({ demo: false, text: () => undefined });
}

function metricsPage(): WrittenPage {
  const metrics = createMetrics();
  const nothing = async () => [];
  addHazardEventMetrics(metrics, createMemoryHazardEvents());
  addAuditStreamMetrics(metrics, { start() {}, sent: new Map(), statuses: nothing, stop: async () => {} });
  createQuoteMetrics(metrics, { backlog: nothing, failures: nothing, quotas: nothing, carrierCooldowns: nothing });
  const rows = metrics.registry
    .getMetricsAsArray()
    .map((metric) => metric as typeof metric & { labelNames?: readonly string[] })
    .map(({ name, help, type, labelNames = [] }) => {
      const by = labelNames.length === 0 ? '' : ` by ${labelNames.map((label) => `\`${label}\``).join(', ')}`;
      return `| \`${name}\`<br>${type}${by} | ${cell(help)} |`;
    });
  const markdown = `# Metrics

At \`/metrics\`, in the text format of Prometheus: for the operator's token, or without one on the port that \`LEEWARD_METRICS_PORT\` names.
Labels are templates of paths, methods, statuses, outcomes, names of geocoders, keys of carriers and destinations of the audit log, never what a caller wrote. A worker tells
those of quotes on that port. What to watch: [Sizing](../guide/sizing.md#overload).

| metric | what it tells |
|---|---|
${rows.join('\n')}
`;
  return { at: 'reference/metrics', title: 'Metrics', markdown };
}

function problemsPage(): WrittenPage {
  const codes = Object.keys(problemKinds) as (keyof typeof problemKinds)[];
  const sections = codes.map((code) => {
    const { status, title } = problemKinds[code];
    const { means, wayOut } = problemHelp[code];
    return `## ${code}\n\n**${status} ${title}.** ${means}\n\n${wayOut}`;
  });
  const markdown = `# Problems

Whatever is not answered with success is answered with problem details (RFC 9457, \`application/problem+json\`). \`code\` is for programs, \`detail\`
says what happened this time, and \`errors\` names every fault of a request at once, each with a JSON Pointer. \`type\` leads to what stands
here, served by the service itself.

${sections.join('\n\n')}
`;
  return { at: 'reference/problems', title: 'Problems', markdown };
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
}
