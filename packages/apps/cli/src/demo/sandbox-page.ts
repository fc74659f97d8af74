import type { DemoPerson } from './demo-people.ts';

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; color: #1d2733; background: #fff }
.note { border-left: 4px solid #b45309; padding: .5rem .75rem; background: #fef3c7 }
button { display: block; width: 100%; margin: .75rem 0; padding: .75rem 1rem; font: inherit; text-align: left; border: 1px solid #5b6b7c; border-radius: .4rem; background: #fff; cursor: pointer }
button:hover, button:focus-visible { background: #eef4fa; outline: 2px solid #1d5fa7 }
small { display: block; color: #445463 }
`;

/** The page where a person of the demo is chosen. */
export function sandboxPage(people: readonly DemoPerson[]): string {
  const buttons = people
    .map(
      ({ id, name, email, role }) =>
        `<button name="person" value="${id}">${name}<small>${role}, ${email}</small></button>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox sign-in</title><meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body>
<h1>Sandbox sign-in</h1>
<p class="note">This is a sandbox of the demo. There are no passwords: anyone who opens this page can be any of these invented people.</p>
<form method="post">
${buttons}
</form>
</body>
</html>
`;
}
