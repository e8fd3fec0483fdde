// Text of others, before it is shown to an agent: nothing in it is invisible, and nothing in it looks like a border.

/**
 * Controls; characters that are drawn as nothing or that turn the direction: zero-width, bidirectional, soft hyphen,
 * variation selectors, tags (U+E0000), fillers, whatever Unicode lets programs ignore; the blank pattern of Braille;
 * halves of surrogate pairs; what has no meaning, or none but a private one.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Words that begin a mark by which models and clients tell who speaks, or where the envelope ends: those of the chat
 * templates that are in use, such as ChatML, Llama, Gemma, Mistral, DeepSeek, GLM, Harmony, MiniMax, Nemotron and Seed.
 */
const TAG_WORDS = [
  'untrusted|system|assistant|user|human|developer|model|observation|context|environment',
  'tool|function|invoke|parameter|result|instruction|think|antml|message|chat|turn|role|channel|analysis|final',
  'im_|start_|end_|endof|begin|eot|bos|eos|sop|eop|eod|sys|s>|sep|mask|pad|unk',
  'extra_id|reserved_|special_|unused|seed:|fim_',
]
const BRACKET_WORDS = [
  'inst|sys|system|system_prompt|user|assistant|tool_results|tool_calls|tool_content|available_tools',
  'think|args|call_id|model_settings|gmask|smask|round \\d+',
]
/** Whoever speaks at the start of a line, and what is such a word below a heading alone: `response: 200` is a usual line. */
const SPEAKERS = [
  'human|assistant|system|user|developer|prompter|system prompt|gpt4 correct user|gpt4 correct assistant',
]
const HEADINGS = ['instructions?|response|input|output|model|tool|context|question|answer|ai|bot']

/** Each letter may be a wide one, and a space may follow it. `\\d` and what repeats stays what it is. */
function loosely(words: readonly string[]): string {
  return words.join('|').replaceAll(/(?<!\\)[a-z](?![?+])(?=(\|)?)/g, (letter: string, end: string | undefined) => {
    const wide = String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)
    return `[${letter}${wide}]${end === undefined ? ' ?' : ''}`
  })
}

const OPEN = '[<\\uff1c\\ufe64\\u3008\\u2329\\u27e8\\u300a]'
const PIPE = '[|｜￨│∣¦]'
const BRACKET = '[[［【]'
const COLON = '[:：﹕︓]'
const LINE = '(?:^|\\\\[nr])'
const LINE_END = '(?:$|\\\\[nr])'
/** What stands before a heading or a name: `### `, `**`, `> `, `=== `. */
const ADORNED = '[\\s#*>=_~+-]*'

/**
 * Marks with what is shown for them: their first character is replaced, or a point is put behind their word, so that they
 * read alike and are none. No character is looked at more than a few times: a run of spaces that is searched from each of
 * its places would cost its square. Replacing by a constant text takes a tenth of the time of a function.
 */
const MARKS: readonly (readonly [mark: RegExp, shown: string])[] = [
  [
    new RegExp(
      `${OPEN}(?=\\s*(?=\\S)(?:${PIPE}|(?:[/<＜]\\s*(?=\\S))?(?:${PIPE}|${loosely(TAG_WORDS)}))|[^\\s<>＜|｜]{1,40}${PIPE})`,
      'giu',
    ),
    '‹',
  ],
  [
    new RegExp(
      `${BRACKET}(?=\\s*(?=\\S)(?:(?:${PIPE}|/)\\s*(?=\\S))?(?:${loosely(BRACKET_WORDS)})(?![\\p{L}\\d_]))`,
      'giu',
    ),
    '⁅',
  ],
  // Those of MiniMax: `]~b]`, `]~!b[`, `[e~[`.
  [/\](?=\s?~\s?!?\s?\w\s?[[\]])/gu, '⁆'],
  [/\[(?=\s?\w\s?~\s?[[\]])/gu, '⁅'],
  [new RegExp(`${LINE}${ADORNED}(?:${loosely(SPEAKERS)})(?=[\\s*_]*${COLON})`, 'giu'), '$&·'],
  [
    new RegExp(
      `${LINE}\\s*#{1,6}[\\s*_]*(?:${loosely([...SPEAKERS, ...HEADINGS])})(?=[\\s*_]*(?:${COLON}|${LINE_END}))`,
      'giu',
    ),
    '$&·',
  ],
]

/** Each mark has one of these characters; most lines of a log have none, and are looked at once. */
const OF_MARKS = new RegExp(`${OPEN}|${BRACKET}|${COLON}|[\\]#]`, 'u')

/** `text` on one line, with everything in it to be seen. */
export function makeVisible(text: string): string {
  let shown = ''
  let kept = 0
  // A text of nothing else is as quick as any: a function that is called for each match takes ten times as long.
  for (let at = text.search(HIDDEN); at >= 0 && at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0
    const size = code > 0xffff ? 2 : 1
    const seen = lookUp(code)
    if (seen !== undefined) {
      shown += text.slice(kept, at) + seen
      kept = at + size
    }
    at += size - 1
  }
  return kept === 0 ? text : shown + text.slice(kept)
}

/** How characters are seen; undefined: as they are. Most texts have few different ones. */
const looks = new Map<number, string | undefined>([
  [0x09, undefined],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x1b, '\\e'],
])
const MOST_LOOKS = 5000

function lookUp(code: number): string | undefined {
  // The letters of most texts.
  if (code >= 0x20 && code < 0x7f) return undefined
  const known = looks.get(code)
  if (known !== undefined || looks.has(code)) return known
  const look = HIDDEN.test(String.fromCodePoint(code)) ? `\\u{${code.toString(16)}}` : undefined
  if (looks.size < MOST_LOOKS) looks.set(code, look)
  return look
}

/** `text`, made visible, without what looks like the border of an envelope or a change of speaker. */
export function defuse(text: string): string {
  const visible = makeVisible(text)
  if (!OF_MARKS.test(visible)) return visible
  return MARKS.reduce((shown, [mark, harmless]) => shown.replaceAll(mark, harmless), visible)
}

/** `text` defused, in at most `limit` characters; in less than fifty there is no room for more than the note. */
export function defuseWithin(text: string, limit: number): string {
  let kept = limit
  for (;;) {
    const shown = defuse(cutMiddle(text, kept))
    if (shown.length <= limit || kept === 0) return shown
    // What was hidden takes up to ten characters to be seen.
    kept = Math.floor((kept * limit) / (shown.length + 1))
  }
}

/** `text` with at most `limit` characters: the middle is left out, and the text says how much. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = Math.max(0, limit - noteOf(text.length).length)
  const head = Math.ceil((kept * 2) / 3)
  const tail = text.length - (kept - head)
  return `${text.slice(0, head)}${noteOf(text.length - kept)}${text.slice(tail)}`.toWellFormed()
}

function noteOf(count: number): string {
  return ` (…${count} characters left out…) `
}
