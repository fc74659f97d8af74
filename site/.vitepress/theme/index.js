import { useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { HomeTop } from './home-top.js';
import './style.css';
import './home-top.css';

/** The theme, with a picture, an answer and the line that installs at the top of the first page. */
export default {
  extends: DefaultTheme,
  Layout: () => {
    const { frontmatter } = useData();
    return h(DefaultTheme.Layout, null, { 'home-hero-before': () => frontmatter.value.question && h(HomeTop) });
  },
};
