import type { Kind, Piece } from './sentences.ts';

export interface Rule {
  readonly id: string;
  readonly kinds: readonly Kind[];
  /** What to write instead. */
  readonly advice: string;
  /** Finds the construction in `masked`: code is `_`. */
  readonly pattern: RegExp;
  /** A sentence that matches this is not a hit: ordinary English, or a word of the domain. */
  readonly except?: RegExp;
  /** Files the rule applies to. Default all. */
  readonly files?: RegExp;
  readonly notFiles?: RegExp;
}

const SENTENCES: readonly Kind[] = ['comment', 'prose', 'test', 'text'];
const NAMES: readonly Kind[] = ['name'];

/** Subjects that may say, ask, tell or want: people and their groups, and the forms, questions and laws that they write. */
const PERSON =
  '(?:I|you|we|they|users?|agents?|readers?|callers?|underwriters?|people|persons?|someone|anyone|everyone|somebody|customers?|producers?|reviewers?|approvers?|authors?|operators?|administrators?|homeowners?|owners?|developers?|contributors?|maintainers?|brokers?|insureds?|applicants?|members?|clients?|teams?|organizations?|humans?|visitors?|questions?|forms?|RFC|law|who)';
/** A clause without a person before the verb. */
const THING_BEFORE = String.raw`(?<!\b${PERSON}\b[^.;:]{0,60})`;

/** The first match of each rule in a piece is one hit. */
export const RULES: readonly Rule[] = [
  // Constructions to avoid
  {
    id: 'opening-free-relative',
    kinds: SENTENCES,
    pattern:
      /^(What|Whoever|Whatever|Whichever|Wherever|Whom|Whose|Who|Whence|Whereof|Which)\b(?!.*\?["')]*$)(?! to\b)/,
    except: /^(What's new|Who this is for)/,
    advice: 'Name the subject: "The caller …", "Fields that …".',
  },
  {
    id: 'opening-whether',
    kinds: SENTENCES,
    pattern: /^Whether\b/,
    advice: 'Write "Returns true if …", "True if …" or "If …".',
  },
  {
    id: 'opening-where',
    kinds: SENTENCES,
    pattern: /^Where\b(?!.*\?["')]*$)(?! (to|possible)\b)/,
    advice: 'Write "If …", or name the subject.',
  },
  {
    id: 'opening-how',
    kinds: SENTENCES,
    pattern: /^How\b(?!.*\?["')]*$)(?! (to|we|you|it works)\b)(?![^.]*\bworks?\.?$)/,
    advice: 'Name the quantity or the thing: "Number of …", "Maximum …".',
  },
  {
    id: 'opening-when',
    kinds: ['comment', 'text'],
    pattern: /^When\b(?!.*\?["')]*$)[^,:;]*$/,
    advice: 'Name the instant or the condition: "Time of …, ISO 8601.", "If …, …".',
  },
  {
    id: 'opening-of',
    kinds: SENTENCES,
    pattern: /^(Of|By|For|To|In|With|From) (what|whom|whoever|which|whose|no|nothing|none)\b|^Of\b(?! course\b)/,
    advice: 'Start with the subject.',
  },
  {
    id: 'opening-same',
    kinds: SENTENCES,
    pattern:
      /^(The same|Likewise|The like|The other way|So (is|are|does|do|has|have|it is|with)|As (above|before)|Nor|Not so)\b(?! \w+ (is|are|was|has|must|may|can|goes|applies|holds|gives|returns)\b)/,
    advice: 'Say what it does: "Like `check`, but …".',
  },
  {
    id: 'free-relative-inside',
    kinds: SENTENCES,
    pattern:
      /\b(of|by|with|than|from|after|before|between|among|beyond|against|behind|until) (what|whom|whoever|whose)\b(?! ?(kind|is new|follows|if)\b)/i,
    except: /\?["')]*$/,
    advice: 'Name the thing: "the fields that …", "the caller".',
  },
  {
    id: 'whoever',
    kinds: SENTENCES,
    pattern: /\b(whoever|whomever|whatever|whosoever|whence|whither|thence|thither|hither)\b/i,
    advice: 'Name who or what.',
  },
  {
    id: 'thing-says',
    kinds: SENTENCES,
    pattern: new RegExp(String.raw`${THING_BEFORE}(?<!^)\b(says?|said|saying|unsaid)\b(?! (goodbye|hello)\b)`, 'i'),
    except: /\bthat is to say\b/,
    advice: 'Things return, report, state or contain.',
  },
  {
    id: 'thing-tells',
    kinds: SENTENCES,
    pattern: new RegExp(
      String.raw`${THING_BEFORE}(?<!^)\b(tells?|told|telling|untold)\b|\b(is|are|was|were|be|been|being) told\b`,
      'i',
    ),
    except: /\btell(s|ing)?( \w+){0,4} apart\b/i,
    advice: 'Things are notified, reported, described.',
  },
  {
    id: 'thing-asks',
    kinds: SENTENCES,
    pattern: new RegExp(
      String.raw`${THING_BEFORE}(?<!^)\b(asks?|asked|asking|unasked)\b|\b(is|are|was|were|been|being) asked\b|^(Asked|Asks)\b`,
      'i',
    ),
    except: /\b(when|if|unless|until|as) asked\b/i,
    advice: 'Things request, call, query, need; carriers are called or queried.',
  },
  {
    id: 'thing-wants',
    kinds: SENTENCES,
    pattern: new RegExp(String.raw`${THING_BEFORE}\b(wants?|wanted|wanting|wishes|unwanted)\b`, 'i'),
    advice: 'Things need or require.',
  },
  {
    id: 'thing-stands',
    kinds: SENTENCES,
    pattern: /\b(stands?|stood|standing)\b(?!-| alone\b)/i,
    except:
      /\b(homes?|houses?|buildings?|dwellings?|structures?|trees?) (that )?(stands?|stood)\b|\bstands? for\b(?! itself)/i,
    advice: 'Use "is", "is stored in", "applies", "remains".',
  },
  {
    id: 'hangs-on',
    kinds: SENTENCES,
    pattern: /\b(hangs?|hung|hanging) (on|from|upon|together)\b/i,
    advice: 'Write "depends on".',
  },
  {
    id: 'comes-out',
    kinds: SENTENCES,
    pattern: /\b(comes?|came|coming) (out|to naught|to nothing|to light|by its)\b/i,
    advice: 'Write "results in", "differs", "match".',
  },
  { id: 'nobody', kinds: SENTENCES, pattern: /\b(nobody|no one|nowhere|naught)\b/i, advice: 'State the positive.' },
  {
    id: 'nothing-that',
    kinds: SENTENCES,
    pattern:
      /\b(nothing|none) (that|which|of|more|but|goes|comes|asks|waits|stands|hangs|tells|says)\b|\b(is|are|was|were|be) nothing\b/i,
    except: /\bnone of (the|these|them|its|their|those)\b/i,
    advice: 'State the positive.',
  },
  {
    id: 'is-no',
    kinds: SENTENCES,
    pattern:
      /(?<!\b(there|There) )\b(is|are|was|were|has|have|had|takes?|gives?|makes?|needs?|knows?|holds?|reads?|finds?|names?|brings?|costs?|means?) (no|none)\b(?! (longer|more than|different|effect|less)\b)/,
    except: /\b(has|have|had|needs?|makes?) no (?!more\b|other\b|such\b)/,
    advice: 'State the positive, or negate the verb: "is not a …".',
  },
  {
    id: 'double-negative',
    kinds: SENTENCES,
    pattern:
      /\b(not|never|cannot|nor|no|n't) (?:[\w'-]+ ){0,3}(nothing|nobody|none|never|without|un(less|known|til))\b/i,
    except: /\b(until|unless|unknown)\b/i,
    advice: 'State the positive.',
  },
  {
    id: 'at-most-noun',
    kinds: SENTENCES,
    pattern:
      /\bat (the|its|their) (most|least)\b|\bno more than what\b|\b(the|The) (most|least|longest|shortest|largest|fewest|furthest|earliest|latest) (that|which|a|an|at|any|of|to|one|it|they|in|such)\b|\b(the|as) (most|least)\b(?= [a-z]+s\b(?! ))|\b(of|to|than|by) the most\b/,
    except: /\b(the|The) (largest|earliest|latest|least|most) (of|in) (the|all|two|these|them|its)\b/,
    advice: 'Write "maximum", "minimum".',
  },
  {
    id: 'opening-most',
    kinds: ['comment', 'text'],
    pattern:
      /^(The (most|least|longest|shortest|fewest)\b(?! (recent|specific|likely|common|important))|Most (a|an|that|one|it|any|at|to|so|in)\b|Longest|Shortest|Least|Fewest)\b|^(At (most|least|the most|the least)|No (more|longer|less|fewer) than|As (many|much|long|few))\b/,
    advice: 'Write "Maximum …", "Minimum …".',
  },
  {
    id: 'its-own',
    kinds: SENTENCES,
    pattern: /\b(its|an) own\b|\bof (its|their|his|her) own\b|\bown accord\b/i,
    advice: 'Delete it, or write "separate".',
  },
  {
    id: 'beside',
    kinds: SENTENCES,
    pattern: /\bbesides?\b/i,
    advice: 'Write "next to", "in addition to", or delete it.',
  },
  {
    id: 'by-itself',
    kinds: SENTENCES,
    pattern: /\b(by|in|for|of|to) (itself|themselves)\b/i,
    advice: 'Delete it, or write "alone", "separately".',
  },
  {
    id: 'as-it-is',
    kinds: SENTENCES,
    pattern:
      /\bas (it|they) (is|are|was|were|stands?|stood|comes?|goes)\b(?=\s*([,.;:)]|$|(and|or|in|on|at|to|with|by|for)\b))|\bas it (stands|were)\b|\bas far as it\b/i,
    advice: 'Write "unchanged", or delete it.',
  },
  {
    id: 'once-more',
    kinds: SENTENCES,
    pattern: /\bonce more\b|\bever more\b|\bone word more\b|\bno more\b(?! than\b)/i,
    advice: 'Write "again", or delete it.',
  },
  {
    id: 'archaic-pronoun',
    kinds: SENTENCES,
    pattern:
      /\b(thereof|therein|thereby|thereto|therefrom|thereupon|whereof|wherein|whereby|whereupon|hereof|herein|hitherto|thus far|lest|ere|aught)\b|(?<!\b(each|all|some|most|one|two|three|both|half|many|none|any|part|number|either|neither|\d+) )\bof (which|whom)\b/i,
    advice: 'Write a second short sentence.',
  },
  {
    id: 'long-sentence',
    kinds: ['comment', 'text'],
    pattern: /^(?:\S+\s+){40,}\S+/,
    advice: 'Split it: one fact a sentence.',
  },
  // Terms
  {
    id: 'term-rest',
    kinds: SENTENCES,
    pattern:
      /\b(rests|rested|resting|at rest|(gives?|given|giving|takes?|a|of|its|their|carrier's|longest|maximum|minimum) rest|rest (of a|time|for|until|ends?|is over)|(left|leaves?|let) (it |them |a carrier )?alone)\b/,
    except: /\bencrypt\w* at rest\b/i,
    advice: 'cooldown, paused',
  },
  { id: 'term-trouble', kinds: SENTENCES, pattern: /\b(troubles?|troubled)\b/i, advice: 'failure, failed' },
  { id: 'term-nudge', kinds: SENTENCES, pattern: /\bnudg(e|es|ed|ing)\b/i, advice: 'wake-up, notification' },
  { id: 'term-pace', kinds: SENTENCES, pattern: /\b(pace|paces|paced|pacing)\b/i, advice: 'rate limiter, rate' },
  {
    id: 'term-lane',
    kinds: SENTENCES,
    files: /(^|\/)(quotes|carriers|http|http-admin|cli|accounts)\/|^(docs|README)/,
    notFiles: /docs\/(engine|decisions|glossary)|cli\/src\/(rules|book)/,
    pattern: /\blanes?\b/i,
    except: /\b(Lane,|\d+ [A-Z][\w]+ Lane|[A-Z]\w+ Lane)\b/,
    advice: 'carrier queue; `concurrency` for its width',
  },
  {
    id: 'term-take-in',
    kinds: SENTENCES,
    pattern: /\b(takes?|taken|taking|took) in\b(?! (order|turn|parallel|milliseconds|ms|seconds)\b)/i,
    advice: 'create, accept',
  },
  {
    id: 'term-look-at',
    kinds: SENTENCES,
    files: /(^|\/)(quotes|carriers)\/|docs\/(quotes|carriers)/,
    pattern: /\b(looks?|looked|looking) (at|again|up a pending)\b|\b(a|the|next|first|last|each) look\b/i,
    advice: 'poll, lookup',
  },
  {
    id: 'term-silent',
    kinds: SENTENCES,
    pattern:
      /\bsilent carriers?\b|\b(is|are|stays?|keeps?|remains?|was|were|be|been) silent\b|\bcarriers?[^.;]{0,30} silent\b/i,
    advice: 'not offered, not evaluated',
  },
  {
    id: 'term-judge',
    kinds: SENTENCES,
    pattern: /\b(judge|judges|judged|judging|judgement|judgment)\b/i,
    advice: 'evaluate (code), decide (API)',
  },
  { id: 'term-witness', kinds: SENTENCES, pattern: /\bwitness(es|ed|ing)?\b/i, advice: 'example, counterexample' },
  {
    id: 'term-reference',
    kinds: SENTENCES,
    files: /(^|\/)engine\/|^test\//,
    pattern: /\bthe reference\b(?! (of|to|id|number|docs?|documentation|manual|pages?|implementation)\b)/i,
    advice: 'json-rules-engine evaluator, oracle (tests)',
  },
  {
    id: 'term-turn',
    kinds: SENTENCES,
    pattern:
      /\b(fair|in|between|of|its|their|other|others'|more|fewer|two|three|few|by) turns\b|\b(a|its|their|his|whose|another's|next|one|each|own|every|first|last|long) turns?\b(?! (on|off|into|out|over|of the (event loop|loop|microtask queue))\b)|\bturns (wait|end|begin|are)\b/i,
    advice: 'time slice, fair scheduler',
  },
  {
    id: 'term-share',
    kinds: SENTENCES,
    pattern:
      /\b(fair|its|their|his|own|whose|smaller|larger) shares?\b(?! of (the )?(homes|rows|requests|land|total|book))|\b(more|less) than (its|a|their|the) share\b|\ba share (is|of (it|them|what))\b/i,
    advice: 'quota, tenant share',
  },
  {
    id: 'term-foot',
    kinds: SENTENCES,
    files: /(^|\/)(coast|coast-builder|coastline-us|cli|workbench)\//,
    pattern:
      /\b(the|its|a|each|every|whose|no|nearest|this|that) foot\b(?!print)|\bfoot (points?|of (a|the))\b|\bfeet of (the )?perpendiculars?\b|\bthe feet\b/i,
    advice: 'nearest point',
  },
  {
    id: 'term-sheet',
    kinds: SENTENCES,
    notFiles: /workbook|xlsx|spreadsheet|guide/,
    pattern: /\b(the|approval|a|one|its|this|each|printed|sign-off) sheets?\b(?! name\b)/i,
    except: /\b(work|spread|style) ?sheet|workbook|Excel|xlsx|cells?\b/i,
    advice: 'approval report',
  },
  {
    id: 'term-house',
    kinds: SENTENCES,
    pattern: /\b(our|rules of the) house\b|\bhouse rules?\b|\bthe house('s)? (rule|style|words?|way|own)\b/i,
    advice: 'project, workspace',
  },
  {
    id: 'term-room',
    kinds: SENTENCES,
    pattern: /\brooms?\b/i,
    except: /\b(bath|bed|living|dining|class|family|sun|mud|rec|laundry|utility) ?rooms?\b|\b(number of|per) rooms?\b/i,
    advice: 'space, capacity, buffer; folder',
  },
  {
    id: 'term-floor',
    kinds: SENTENCES,
    pattern:
      /\bfloor plans?\b|\b(the|each|one|upper|lower|same|its) floors?\b(?! (area|elevation|height|level|space|of (the|a) (building|home|house)))/i,
    except:
      /\b(building|home|house|stor(y|ies)|square|elevation|lowest|flood|first|ground) ?.{0,20}floors?\b|\bfloors?.{0,20}\b(elevation|area|building|flood|home)\b/i,
    advice: 'layer, import order',
  },
  {
    id: 'term-door',
    kinds: SENTENCES,
    pattern: /\b(doors?|doorstep|gate-?keeper)\b/i,
    except: /\b(garage|front|storm|opening|window|glass)s?,?( (and|or))? doors?\b|\bdoors? and windows?\b/i,
    advice: 'entry point, guard',
  },
  {
    id: 'term-desk',
    kinds: SENTENCES,
    pattern: /\bdesks?\b/i,
    except: /\bhelp ?desks?\b/i,
    advice: 'Name the role or the page.',
  },
  {
    id: 'term-dialect-verb',
    kinds: SENTENCES,
    pattern:
      /\b(learnt|gives? (up|back) to|goes without|goes by|bears? (its|the|a)|makes? of (it|them)|is (there|here) for|is made of|are made of|is fit for|are fit for)\b/i,
    advice: 'Use a plain verb: "load", "return", "parse", "is built from".',
  },
  // Names
  {
    id: 'name-participle',
    kinds: NAMES,
    pattern:
      /^(found|known|given|told|asked|wanted|said|there|taken|kept|held|made|seen|meant|heard|shown|unasked|unsaid|untold)$/,
    advice: 'Name the value with a noun: `statuses`, `answer`, `listeners`.',
  },
  {
    id: 'name-tag',
    kinds: NAMES,
    pattern:
      /^'(there|here|unasked|asked|broken|told|said|wanted|silent|judged|resting|rests|asking|looking|taken|kept|held|meant|nobody|nothing|beside|troubled?)'$/,
    advice: "Use plain tags: 'loading' | 'ready' | 'error'.",
  },
  {
    id: 'name-most',
    kinds: NAMES,
    pattern:
      /^(most|least|longest|shortest|atMost|atLeast|fewest)$|^(most|least|longest|shortest)[A-Z]|[a-z](AtMost|AtLeast)$/,
    advice: '`max…`, `min…`',
  },
  {
    id: 'name-term',
    kinds: NAMES,
    // Lower case only at the start of a name or after a digit: `namespace` is not `pace`.
    pattern:
      /(^|[0-9']|(?<=[a-z])(?=[A-Z]))(?<word>[Nn]udge[sd]?|[Tt]roubled?|[Tt]roubles|[Ww]itness(es)?|[Jj]udge[sd]?|[Jj]udging|[Pp]aced?|[Tt]old|[Tt]ells?|[Rr]ests|[Rr]esting|[Rr]ested|[Dd]esk|[Tt]urns|[Ff]airTurns?|[Ff]loorPlans?|[Rr]ooms?)(?=$|[A-Z0-9'])/,
    advice: 'Use the term of the table: cooldown, failure, wakeUp, example, evaluate, rateLimiter, notify, timeSlice.',
  },
  {
    id: 'name-rest',
    kinds: NAMES,
    files: /(^|\/)(quotes|carriers|http|http-admin)\//,
    pattern: /^rest[A-Z]|[a-z]Rest(?=$|[A-Z])/,
    advice: '`cooldown…`, `paused…`',
  },
  {
    id: 'name-lane',
    kinds: NAMES,
    files: /(^|\/)(quotes|carriers|http|http-admin)\//,
    pattern: /(^|[a-z])([Ll]anes?)(?=$|[A-Z])/,
    advice: '`carrierQueue`; `concurrency` for its width',
  },
  {
    id: 'name-foot',
    kinds: NAMES,
    files: /(^|\/)coast\//,
    pattern: /(^|[a-z])(foot|Foot)(?=$|[A-Z])|Feet(?=$|[A-Z])(?<=[a-z]Feet)/,
    advice: '`nearestPoint`',
  },
  {
    id: 'name-sheet',
    kinds: NAMES,
    files: /(^|\/)(workbench|cli|accounts|registry|authoring|engine)\//,
    notFiles: /workbook|xlsx/,
    pattern: /(^|[a-z])(sheets?|Sheets?)(?=$|[A-Z])/,
    except: /[Ss]tyle[Ss]heet|[Ww]orksheet|[Ss]preadsheet/,
    advice: '`approvalReport`',
  },
];

/** Quotations and names of others that stay. Every line needs a reason. */
export const ALLOWED: readonly { readonly files: RegExp; readonly phrase: RegExp; readonly reason: string }[] = [
  { files: /./, phrase: /\bencryption at rest\b/i, reason: 'term of security' },
  { files: /workbench/, phrase: /^Who takes this/, reason: 'the question that the page answers' },
  { files: /quotes\/src\/store\/tables/, phrase: /^told$/, reason: 'column of a table' },
  { files: /quotes\/src\/store\/callbacks/, phrase: /^'taken'$/, reason: 'status on the wire' },
  { files: /quotes\/src\/orchestrator\/quote-event/, phrase: /^'asked'$/, reason: 'value in the logs' },
  { files: /authoring\/src\/finding\/finding/, phrase: /^witness$/, reason: 'key in JSON' },
  { files: /cli/, phrase: /leeward quote trouble/, reason: 'name of a command' },
  { files: /LICENSE|NOTICE|SOURCES/, phrase: /./, reason: 'texts of others' },
];

export interface Hit {
  readonly piece: Piece;
  readonly rule: Rule;
  readonly match: string;
}

/** Returns one hit for every rule that a piece breaks. */
export function checkPiece(piece: Piece): Hit[] {
  const hits: Hit[] = [];
  for (const rule of RULES) {
    if (!rule.kinds.includes(piece.kind)) continue;
    if (rule.files !== undefined && !rule.files.test(piece.file)) continue;
    if (rule.notFiles?.test(piece.file) === true) continue;
    const match = rule.pattern.exec(piece.masked);
    if (match === null || rule.except?.test(piece.masked) === true) continue;
    if (ALLOWED.some((each) => each.files.test(piece.file) && each.phrase.test(piece.masked))) continue;
    hits.push({ piece, rule, match: match[0] });
  }
  return hits;
}
