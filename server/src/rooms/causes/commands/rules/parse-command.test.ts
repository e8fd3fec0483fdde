import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { commandLinesOf } from './command-lines.ts'
import { parseComment } from './parse-command.ts'

const SHA = 'c'.repeat(40)

describe('a comment', () => {
  const commands: [string, object][] = [
    ['/run build', { verb: 'run', pipeline: 'build', scope: undefined, variables: {} }],
    [
      'Nice work!\r\n\r\n/run acme/web/build on acme/web/staging A=1 B=x=y C= \r\nthanks',
      { verb: 'run', pipeline: 'acme/web/build', scope: 'acme/web/staging', variables: { A: '1', B: 'x=y', C: '' } },
    ],
    ['/rerun', { verb: 'rerun', failed: false }],
    ['/rerun\tfailed', { verb: 'rerun', failed: true }],
    ['/cancel', { verb: 'cancel' }],
    [`/approve release ${SHA}`, { verb: 'approve', step: 'release', sha: SHA }],
    [`/ok-to-test ${'ab'.repeat(32)}`, { verb: 'ok-to-test', sha: 'ab'.repeat(32) }],
    ['/why', { verb: 'why' }],
    ['/help', { verb: 'help' }],
    // The first that is one counts.
    ['/retest\n/cancel\n/run build', { verb: 'cancel' }],
    ['```\n/run a\n```\n/cancel', { verb: 'cancel' }],
    ['> /run a\n\n/cancel', { verb: 'cancel' }],
    ['a `code` span\n/cancel', { verb: 'cancel' }],
    ['<!-- a comment -->\n/cancel', { verb: 'cancel' }],
  ]
  for (const [body, command] of commands) {
    test(`${JSON.stringify(body)} is a command`, () => {
      const parsed = parseComment(body)
      assert.deepEqual(parsed.kind === 'command' && parsed.command, command)
    })
  }

  const nothing: string[] = [
    '',
    'please /run build',
    ' /run build',
    '    /run build',
    '\t/run build',
    '> /run build',
    '> quoted\n/run build',
    '>> deeper\nlazy\n/run build',
    '- > in a list\n/run build',
    '```\n/run build\n```',
    '```sh\n/run build',
    '~~~\n/run build\n~~~',
    '~~~\n```\n/run build\n~~~',
    '````\n```\n/run build\n````',
    '- ```\n/run build\n  ```',
    '<!--\n/run build\n-->',
    '<!-- /run build -->',
    'text <!-- open\n/run build',
    '<pre>\n/run build\n</pre>',
    '<PRE>/run build\n/run build</PRE>',
    '<blockquote>\n/run build\n</blockquote>',
    '`span\n/run build\nspan`',
    '//run build\nx',
    '/RUN build\nx',
    '/ｒun build\nx',
    '/run\u00a0build\nx',
    '\ufeff/run build',
    '\u200b/run build',
    'a\u2028/run build',
    'a\u000b/run build',
    '/etc/passwd\n/usr/bin\nx',
  ]
  for (const body of nothing) {
    test(`${JSON.stringify(body)} is none`, () => assert.equal(parseComment(body).kind, 'none'))
  }

  const malformed: [string, RegExp][] = [
    ['/run', /Write \/run <pipeline>/],
    ['/run ../build', /Write \/run/],
    ['/run build --scope x', /Write \/run/],
    ['/run build on', /Write \/run/],
    ['/run build A=1 A=2', /A is set twice/],
    ['/run build 1A=2', /Write \/run/],
    [`/run build ${Array.from({ length: 51 }, (_, at) => `A${at}=1`).join(' ')}`, /at most 50/],
    [`/run build A=${'x'.repeat(3_000)}`, /at most 2000/],
    ['/run build A=\u202eevil', /cannot be seen/],
    ['/run build A=a\u200bb', /cannot be seen/],
    ['/run build\0', /cannot be seen/],
    ['/run build A=\ud800', /cannot be seen/],
    ['/rerun all', /\/rerun failed/],
    ['/cancel now', /alone on its line/],
    ['/approve release', /\/approve <step> <commit>/],
    [`/approve release ${SHA.slice(0, 39)}`, /whole commit/],
    [`/approve release ${SHA.toUpperCase()}`, /whole commit/],
    [`/approve release ${SHA} ${SHA}`, /\/approve/],
    ['/ok-to-test ccccccc', /whole commit/],
    [`/ok-to-test ${SHA}0`, /whole commit/],
  ]
  for (const [body, fault] of malformed) {
    test(`${JSON.stringify(body.slice(0, 60))} is refused with a sentence`, () => {
      const parsed = parseComment(body)
      assert.equal(parsed.kind, 'malformed')
      assert.match(parsed.kind === 'malformed' ? parsed.fault : '', fault)
    })
  }

  test('of one unknown word alone is told from one that holds more', () => {
    assert.equal(parseComment('  \n/deploy\n').kind, 'unknown')
    assert.equal(parseComment('/deploy\nplease').kind, 'none')
    assert.equal(parseComment('/retest\n/other').kind, 'none')
  })
})

const LINES = [
  '/run build',
  '/cancel',
  `/approve release ${SHA}`,
  '/help',
  '> /run build',
  '```',
  '~~~~',
  '<!--',
  '-->',
  '<pre>',
  '</pre>',
  '`',
  '',
  '    /why',
  '- ```',
  'text',
  '\u202e/run build',
  '/run \u2066build\u2069',
  '\0',
  '\ud83d',
]
const anyBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.constantFrom(...LINES), { maxLength: 60 }).map((lines) => lines.join('\n')),
)

describe('for any text', () => {
  test('parsing never throws, and what it shows holds no character that cannot be seen', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const parsed = parseComment(body)
        if (parsed.kind === 'none') return
        assert.doesNotMatch(parsed.line, /[\p{Cc}\p{Cf}\p{Cs}]/u)
        assert.ok(parsed.line.length <= 400)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a command is a whole line of the comment', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const lines = body.split(/\r\n|\r|\n/).map((line) => line.trimEnd())
        for (const line of commandLinesOf(body)) assert.ok(line.startsWith('/') && lines.includes(line))
      }),
      { numRuns: 2_000 },
    )
  })

  test('whatever is quoted or fenced as a whole gives no command', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const lines = body.split(/\r\n|\r|\n/)
        assert.equal(parseComment(lines.map((line) => `> ${line}`).join('\n')).kind, 'none')
        assert.equal(parseComment(`~~~~~~~~\n${lines.map((line) => `x${line}`).join('\n')}\n/run build`).kind, 'none')
        assert.equal(parseComment(lines.map((line) => `    ${line}`).join('\n')).kind, 'none')
      }),
      { numRuns: 1_000 },
    )
  })

  test('a command stays one when harmless paragraphs are put before it', () => {
    const word = fc.constantFrom('fine', 'LGTM', 'a > b', '#1', '**bold**', 'https://example.com/run')
    const paragraph = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 20 }), (paragraphs) => {
        assert.equal(parseComment([...paragraphs, '/cancel'].join('\n\n')).kind, 'command')
      }),
    )
  })
})

test('a hostile comment of 64 KiB or ten thousand lines is read in no time', () => {
  const hostile = [
    '/run build A=1 '.repeat(5_000),
    '/\n'.repeat(10_000),
    '/x\n'.repeat(21_000),
    '`'.repeat(65_536),
    `${'`\n'.repeat(10_000)}/run build`,
    '<!--'.repeat(16_384),
    '<pre'.repeat(16_384),
    '</pre'.repeat(13_000),
    '<pre></pre>'.repeat(5_900),
    `${'> '.repeat(30_000)}\n/run build`,
    `${'- '.repeat(30_000)}\n`,
    `${'1. '.repeat(20_000)}\n`,
    `${' '.repeat(65_000)}/run`,
    `/${'a'.repeat(65_000)}`,
    `/${'-'.repeat(65_000)}`,
    `${'\u202e'.repeat(30_000)}\n/run build`,
    `/run build ${'\u200b'.repeat(60_000)}`,
    '\0'.repeat(65_536),
    '\ud800'.repeat(65_536),
    `${'\r'.repeat(30_000)}/run build`,
  ]
  for (const body of hostile) {
    const begun = process.cpuUsage()
    parseComment(body)
    const took = process.cpuUsage(begun).user / 1000
    assert.ok(took < 500, `${JSON.stringify(body.slice(0, 20))} took ${took} ms of CPU`)
  }
})
