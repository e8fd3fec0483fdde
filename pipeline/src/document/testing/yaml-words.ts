import fc from 'fast-check'

/** Mostly what is plain, now and then what is not: a text of which all were strange would never be read plainly. */
export const common = [
  'a',
  'b',
  'c',
  'name',
  'steps',
  'run',
  'x-1',
  '1',
  'true',
  'a b',
  '/x',
  '$steps.a.t.outputs.o',
  '${{ matrix.a }}',
]
export const strange = [
  [
    '-1',
    '+1',
    '007',
    '1.10',
    '1.',
    '.5',
    '1e3',
    '1e999',
    '-0',
    '0x1F',
    '0o17',
    '0b1',
    '1_000',
    '1:30',
    '99999999999999999999',
  ],
  ['~', 'null', 'Null', 'nULL', 'TRUE', 'False', 'yes', 'no', '.inf', '-.INF', '.nan', '.NaN', '2001-01-01', '<<', '='],
  [
    '__proto__',
    'constructor',
    'a#b',
    'a:b',
    'http://x',
    '-a',
    '?a',
    ':a',
    'a?',
    'é',
    '日本',
    '😀',
    '\u00a0',
    '\u2028',
    '\u0085',
  ],
  [
    '\ufffd',
    'a,b',
    '[',
    '}',
    '%a',
    '@a',
    '`a',
    '&a',
    '*a',
    '!a',
    'a  b',
    "it's",
    'say "x"',
    'a &b',
    'a *b',
    'a !b',
    'a - b',
  ],
  ['a ? b', 'a | b', '>', '--', '---', '...', '.', '-', '#', 'x'.repeat(1_030)],
].flat()

/** One of the first list, and once in ten times one of the second. */
export function mostly(usual: readonly string[], other: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...other) },
  )
}

export const word = mostly(common, strange)
export const plain = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const doubleQuoted = fc
  .array(
    fc.oneof(
      mostly(
        common,
        strange.filter((one) => !one.includes('"')),
      ),
      mostly(
        ['\\n', '\\"', '\\\\', ' ', ' #', ': ', "'"],
        ['\\t', '\\0', '\\x41', '\\xe9', '\\x80', '\\u00e9', '\\u0000', '\\v', '\\e', '\\\t'],
      ),
      mostly(
        ['\n', '\n ', ' \n ', '\n\n ', '\\\n '],
        ['\\ud83d', '\\ude00', '\\U0001f600', '\\UFFFFFFFF', '\\/', '\\N', '\\_', '\\L', '\\ ', '\\q'],
      ),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`)
const singleQuoted = fc
  .array(
    fc.oneof(
      mostly(
        common,
        strange.filter((one) => !one.includes("'")),
      ),
      mostly(["''", ' ', ': ', '\n', '\n ', ' \n ', '\n\n '], ['#', ' #', '\\', '"', '\t']),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `'${parts.join('')}'`)
export const quoted = fc.oneof(doubleQuoted, singleQuoted)
