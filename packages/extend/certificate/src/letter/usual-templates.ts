/** The letter as plain text. */
export const usualTextTemplate = `{{#issuer}}
{{issuer}}
{{/issuer}}
{{date}}

{{#prepared_for}}
{{prepared_for}}

{{/prepared_for}}
{{carrier}} declines {{policy_type}} for {{home}}
{{#reference}}
Reference: {{reference}}
{{/reference}}

{{carrier}} does not accept this home for a policy of the type {{policy_type}} from {{effective_date}}. The reasons:

{{#reasons}}
{{number}}. {{message}}
{{#tests}}
   - {{text}} Source of the value: {{source}}.
{{/tests}}
{{#distances}}
   - {{text}}
{{/distances}}
{{#ends}}
   {{ends}}
{{/ends}}
{{/reasons}}

{{#ways}}
{{lead}}
{{#changes}}
   - {{text}}
{{/changes}}
{{/ways}}
{{^ways}}
{{no_way}}
{{/ways}}

If one of these values is wrong or has changed, send the correct value with a document that shows it. The home is then evaluated again.

Evaluated as of {{as_of}} with the rules {{rule_set_version}} of {{carrier}} (SHA-256 {{rule_set_sha256}}). Certificate {{certificate_id}}.
{{notice}}
`;

/** The letter as a page to print. */
export const usualHtmlTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{carrier}} declines {{policy_type}}</title>
<style>
:root{color-scheme:light dark;--ink:light-dark(#1f262b,#e9e8e3);--soft:light-dark(#5a6468,#a5abae);--paper:light-dark(#fff,#15181a)}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 Georgia,'Times New Roman',serif}
main{max-width:42rem;margin:0 auto;padding:2.5rem 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:1.5rem 0 .25rem}h2{font-size:1rem;margin:1.25rem 0 .25rem}p{margin:.5rem 0}
ol,ul{margin:.25rem 0;padding-left:1.4rem}li{margin:.35rem 0;break-inside:avoid}
.soft{color:var(--soft)}footer{margin-top:1.5rem;font-size:.8em}
@media print{:root{color-scheme:light}main{max-width:none;padding:0}@page{margin:20mm}}
</style>
</head>
<body>
<main>
<p>{{#issuer}}<strong>{{issuer}}</strong><br>{{/issuer}}{{date}}</p>
{{#prepared_for}}
<p>{{prepared_for}}</p>
{{/prepared_for}}
<h1>{{carrier}} declines {{policy_type}} for {{home}}</h1>
{{#reference}}
<p class="soft">Reference: {{reference}}</p>
{{/reference}}
<p>{{carrier}} does not accept this home for a policy of the type {{policy_type}} from {{effective_date}}. The reasons:</p>
<ol>
{{#reasons}}
<li>{{message}}
<ul>
{{#tests}}
<li>{{text}} <span class="soft">Source of the value: {{source}}.</span></li>
{{/tests}}
{{#distances}}
<li>{{text}}</li>
{{/distances}}
</ul>
{{#ends}}
<p>{{ends}}</p>
{{/ends}}
</li>
{{/reasons}}
</ol>
{{#ways}}
<p>{{lead}}</p>
<ul>
{{#changes}}
<li>{{text}}</li>
{{/changes}}
</ul>
{{/ways}}
{{^ways}}
<p>{{no_way}}</p>
{{/ways}}
<p>If one of these values is wrong or has changed, send the correct value with a document that shows it. The home is then evaluated again.</p>
<footer class="soft">
<p>Evaluated as of {{as_of}} with the rules {{rule_set_version}} of {{carrier}} (SHA-256 {{rule_set_sha256}}). Certificate {{certificate_id}}.</p>
<p>{{notice}}</p>
</footer>
</main>
</body>
</html>
`;
