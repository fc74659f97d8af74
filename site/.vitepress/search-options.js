/**
 * How the search ranks: guides answer most questions, so references come after them, and generated schemas and exports last.
 * The functions reach the browser as text, so each uses only its parameters.
 */
export const searchOptions = {
  combineWith: 'AND',
  boostDocument: (id) => {
    if (id.startsWith('/guide/start')) return 8;
    if (/^\/guide\/(embed|author|operate|extend)\b/.test(id)) return 5;
    if (id.startsWith('/guide/')) return 4;
    if (/^\/(reference|project\/glossary)\b/.test(id)) return 2;
    if (/^\/(api\/schemas|typescript)\b/.test(id)) return 0.3;
    return id.startsWith('/api/') ? 0.7 : 1;
  },
  processTerm: (term) => {
    const word = term.toLowerCase();
    return /^(an?|and|at|by|do|does|for|from|how|i|in|is|it|of|on|or|the|to|what|with)$/.test(word) ? null : word;
  },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 5 ? 0.2 : false),
};
