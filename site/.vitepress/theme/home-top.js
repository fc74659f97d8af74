import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

/** The top of the first page: the question, the line that installs, a picture, and an answer of the service. */
export const HomeTop = defineComponent(() => {
  const { frontmatter } = useData();
  const isCopied = ref(false);
  const copy = async () => {
    await navigator.clipboard.writeText(frontmatter.value.install);
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, 2000);
  };
  const picture = (theme) => {
    const { alt, [theme]: path } = frontmatter.value.picture;
    return h('img', { class: theme, src: withBase(path), alt, width: 1400, height: 1000 });
  };
  const verdict = ({ status, words, carrier, why }) =>
    h('div', [h('dt', [h('span', { class: ['status', status] }, words), ' ', h('b', carrier)]), h('dd', why)]);
  return () => {
    const { question, tagline, install, actions, picture: shown, answer, homeInWords, command } = frontmatter.value;
    return h('header', { class: 'home-top' }, [
      h('div', [
        h('h1', question),
        h('p', { class: 'tagline' }, tagline),
        h('p', { class: 'install' }, [
          h('code', install),
          h('button', { type: 'button', onClick: copy }, isCopied.value ? 'Copied' : 'Copy'),
        ]),
        h(
          'p',
          { class: 'ways' },
          actions.map(({ text, link }) => h('a', { href: withBase(link) }, text)),
        ),
      ]),
      h('a', { class: 'picture', href: withBase(shown.link) }, [picture('light'), picture('dark')]),
      h('section', { class: 'answer', 'aria-labelledby': 'answer-title' }, [
        h('h2', { id: 'answer-title' }, homeInWords),
        h('p', { class: 'command' }, h('code', command)),
        h('dl', answer.verdicts.map(verdict)),
        h('p', { class: 'counts' }, `One carrier of each. All carriers of the demo: ${answer.counts}.`),
      ]),
    ]);
  };
});
