/**
 * The script of the page, which the policy allows by its hash: search, and requests from the page. Without scripts the page
 * is whole, and has neither. It writes text only, never markup.
 */
export const pageScript = `
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const search = document.querySelector('#search');
const sections = [...document.querySelectorAll('section.operation, section.schema')];
const links = new Map([...document.querySelectorAll('nav li a')].map((link) => [link.hash.slice(1), link]));
const texts = new Map();
const textOf = (section) => {
  if (!texts.has(section)) texts.set(section, section.textContent.toLowerCase());
  return texts.get(section);
};
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  for (const section of sections) {
    const title = section.querySelector('h3').textContent.toLowerCase();
    const isHit = words.every((word) => title.includes(word) || textOf(section).includes(word));
    section.hidden = !isHit;
    const link = links.get(section.id);
    if (link) link.parentElement.hidden = !isHit;
  }
  for (const group of document.querySelectorAll('section.group'))
    group.hidden = words.length > 0 && group.querySelector('section.operation:not([hidden]), section.schema:not([hidden])') === null;
  if (words.length > 0) for (const list of document.querySelectorAll('nav details')) list.open = true;
};
search.parentElement.hidden = false;
search.addEventListener('input', filter);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || /INPUT|TEXTAREA/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  search.focus();
});
// A link to a section that the search hides shows all again.
addEventListener('hashchange', () => {
  const section = document.getElementById(location.hash.slice(1));
  if (!section?.closest('[hidden]')) return;
  search.value = '';
  filter();
  section.scrollIntoView();
});

let token = '';
const open = (button) => {
  const { method, path, body, guarded } = button.dataset;
  const field = (label, control) => make('label', {}, label, control);
  const names = [...path.matchAll(/\\{(\\w+)\\}/g)].map(([, name]) => name);
  const inputs = names.map((name) => [name, make('input', { value: button.dataset['param_' + name] ?? '' })]);
  const tokenInput = make('input', { type: 'password', value: token, autocomplete: 'off' });
  const text = make('textarea', { value: body ?? '', rows: Math.min(16, (body ?? '').split('\\n').length + 1), spellcheck: false });
  const answer = make('pre', { tabIndex: 0, hidden: true });
  const form = make(
    'form',
    { className: 'try-form' },
    ...inputs.map(([name, input]) => field(name, input)),
    ...(guarded ? [field('Token, kept until you leave the page', tokenInput)] : []),
    ...(body === undefined ? [] : [field('Request', text)]),
    make('button', { type: 'submit', textContent: 'Send' }),
    answer,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    token = tokenInput.value.trim();
    const filled = inputs.reduce((all, [name, input]) => all.replace('{' + name + '}', encodeURIComponent(input.value)), path);
    answer.hidden = false;
    answer.textContent = 'Sending …';
    try {
      const response = await fetch(new URL('.' + filled, location.href), {
        method: method.toUpperCase(),
        headers: {
          ...(token === '' ? {} : { authorization: 'Bearer ' + token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: text.value }),
      });
      const content = await response.text();
      let shown = content;
      try {
        shown = JSON.stringify(JSON.parse(content), null, 2);
      } catch {}
      answer.textContent = response.status + ' ' + response.statusText + '\\n\\n' + shown.slice(0, 200000);
    } catch (error) {
      answer.textContent = 'No answer: ' + error.message;
    }
  });
  button.replaceWith(form);
  form.querySelector('input, textarea, button').focus();
};
for (const button of document.querySelectorAll('button.try')) {
  button.hidden = false;
  button.addEventListener('click', () => open(button));
}
`;
