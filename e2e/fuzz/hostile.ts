import fc from 'fast-check'

/** Texts that have broken others: names, refs, queries, templates, terminals, paths. */
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202egnp.exe',
  '\u200b\u2066\ufeff',
  '\u001b]0;owned\u0007\u001b[31m',
  'line\nbreak\r\nSet-Cookie: a=b',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(50),
  '__proto__',
  'constructor',
  'toString',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  "'; drop table runs; --",
  "' or 1=1 --",
  '%',
  '%_\\%',
  '*',
  '**/**/**/**/**/**/**',
  '!',
  '$(touch /tmp/owned)',
  '`id`',
  '${{ secrets.X }}',
  '$steps.a.b.outputs.c',
  '-oProxyCommand=x',
  '--upload-pack=x',
  '<img src=x onerror=alert(1)>',
  'refs/heads/..',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '/',
  '//',
  'acme//x',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T25:61:61Z',
  'A'.repeat(600),
  'z'.repeat(70_000),
] as const

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

/** Any JSON value, with a preference for values at the border of the valid. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e308,
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(20), JSON.parse('{"__proto__":{"polluted":true}}') as unknown) },
)

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : { a: [nested(depth - 1)] }
}

/** A document that was right, spoiled on its way: JSON text in, bytes out. */
export function spoil(text: string): fc.Arbitrary<Buffer> {
  return fc.oneof(
    fc.nat({ max: text.length }).map((end) => Buffer.from(text.slice(0, end))),
    fc.constantFrom(
      Buffer.from(text.replace(/\{("[^"]*"):/, '{$1:null,$1:')),
      Buffer.from(text.replace('{', '{"__proto__":{"polluted":true},')),
      Buffer.from(text.replace('{', '{"surplus":1,')),
      Buffer.from(text.replace('{', `{"n":${'9'.repeat(400)},`)),
      Buffer.from(text.replace('{', '{"n":1e999,')),
      Buffer.from(`[${text}]`),
      Buffer.from(`${text}${text}`),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(text, 'utf16le'),
      Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
      Buffer.from(text.replace(/:"/, ':"\u0000')),
      Buffer.from(text.replace(/:"/, ':"\\u0000')),
      Buffer.from(text.replace(/:"/, ':"\\ud800')),
      Buffer.from('['.repeat(20_000)),
      Buffer.from(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
      Buffer.from('a=b&c=d&__proto__=x'),
      Buffer.from('name: &a [*a, *a]\n<<: *a\n'),
      Buffer.alloc(0),
    ),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
}
