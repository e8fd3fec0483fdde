import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { platformProblem } from '#platform/problems'
import { type Rendered, render, renderProblem } from './render.ts'
import { HOSTILE } from './testing.ts'
import type { Quote, ToolAnswer } from './tool.ts'
import { Words } from './words.ts'

const BOUNDARY = 'b'.repeat(32)
const others = (text: string): Words => new Words(text, false)
const ours = (text: string): Words => new Words(text, true)
const shown = (answer: ToolAnswer, maxCharacters = 8000): Rendered =>
  render(answer, { boundary: BOUNDARY, maxCharacters })
const factsOf = ({ texts }: Rendered): Record<string, unknown> => JSON.parse(texts[0] ?? '')
const lengthOf = ({ texts }: Rendered): number => texts.join('').length
const linesIn = (text: string | undefined): string[] => (text ?? '').split('\n').slice(2, -1)
const log = (count: number, text = 'x'.repeat(60)): Quote => ({
  source: 'log of task build/test',
  lines: Array.from({ length: count }, (_, at) => ({ label: String(at + 1), text: others(text) })),
})

describe('an answer that fits', () => {
  test('shows what is ours as JSON, and what others wrote in one envelope, each text once', () => {
    const facts = {
      id: ours('r1'),
      status: 'queued',
      none: null,
      branch: others('main'),
      tags: [others('main'), others('v1')],
    }
    const { texts, structured, isCut } = shown({ facts })
    assert.deepEqual(JSON.parse(texts[0] ?? ''), { id: 'r1', status: 'queued', branch: '@1', tags: ['@1', '@2'] })
    assert.equal(texts.length, 2)
    assert.match(texts[1] ?? '', new RegExp(`^Others wrote .*${BOUNDARY}.*\\n<untrusted id="${BOUNDARY}" source="`))
    assert.deepEqual(linesIn(texts[1]), ['@1 main', '@2 v1'])
    assert.ok(texts[1]?.endsWith(`\n</untrusted id="${BOUNDARY}">`))
    assert.deepEqual([structured, isCut], [undefined, false])
  })

  test('is a value as well where nothing of others belongs to it', () => {
    const next = [{ tool: 'list_runs', arguments: { cursor: ours('c') }, brings: 'older runs' }]
    const { texts, structured } = shown({ facts: [ours('a'), 1], next, leftOut: ['log.read'] })
    const value = {
      items: ['a', 1],
      left_out_without_permission: ['log.read'],
      next: [{ tool: 'list_runs', arguments: { cursor: 'c' }, brings: 'older runs' }],
    }
    assert.deepEqual([structured, texts], [value, [JSON.stringify(value)]])
  })

  test('quotes lines with their labels, each on one line, and a source that ends no mark', () => {
    const quote = { source: 'log of "a">\n<untrusted>', lines: [{ label: '1', text: others('a\nb') }] }
    const { texts } = shown({ facts: {}, quotes: [quote] })
    assert.deepEqual(texts[1]?.split('\n').slice(1), [
      `<untrusted id="${BOUNDARY}" source="log of 'a'>\\n‹untrusted>">`,
      '1 a\\nb',
      `</untrusted id="${BOUNDARY}">`,
    ])
  })
})

describe('an answer that is too long', () => {
  test('loses the middle of its longest list, says how much, and how to get more', () => {
    const more = { tool: 'list_runs', arguments: { max_characters: 24_000 }, brings: 'more of this answer' }
    const runs = Array.from({ length: 300 }, (_, at) => ({ id: ours(`run-${at}`), number: at }))
    const rendered = render({ facts: { small: [1, 2, 3], runs } }, { boundary: BOUNDARY, maxCharacters: 4000, more })
    const { small, runs: left = [], left_out_of_this_answer: leftOut, next } = Object(factsOf(rendered))
    const numbers = left.flatMap((run: { number?: number }) => run.number ?? [])
    const note = left.findIndex((item: unknown) => item === `(${leftOut} left out here)`)
    assert.deepEqual([rendered.isCut, small, next], [true, [1, 2, 3], [more]])
    assert.equal(numbers.length + leftOut, 300)
    assert.deepEqual([numbers[0], numbers.at(-1)], [0, 299])
    assert.ok(note > numbers.length / 2 && note < (numbers.length * 3) / 4, 'two thirds come before')
    assert.ok(lengthOf(rendered) > 3600, 'it uses what it has')
  })

  test('leaves some lines to each of its logs', () => {
    const rendered = shown({ facts: {}, quotes: [log(50), log(200), log(3), log(50)] })
    const counts = rendered.texts.slice(1).map((text) => linesIn(text).length)
    assert.equal(counts.length, 4)
    assert.equal(counts[2], 3, 'the small one is whole')
    assert.ok(
      counts.every((count) => count >= 3 && count < 60),
      counts.join(),
    )
    const kept = rendered.texts.flatMap((text) => linesIn(text)).filter((line) => /^\d/.test(line)).length
    assert.equal(kept + Number(factsOf(rendered)['left_out_of_this_answer']), 303)
  })

  test('shortens long texts before it leaves anything out', () => {
    const items = Array.from({ length: 10 }, (_, at) => ({ at, message: others(`${at} ${'m'.repeat(5000)}`) }))
    const rendered = shown({ facts: { items } })
    assert.equal(Object(factsOf(rendered))['items'].length, 10)
    assert.equal(factsOf(rendered)['left_out_of_this_answer'], undefined)
    assert.match(rendered.texts[1] ?? '', /characters left out/)
  })

  test('says so where not even its shortest form fits', () => {
    const fields = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`field_${at}`, at]))
    const next = [{ tool: 'a', arguments: { text: 'x'.repeat(9000) }, brings: 'more' }]
    assert.match(String(factsOf(shown({ facts: fields, next }))['too_large']), /too long/)
  })

  test('keeps any budget, is JSON, and counts what it left out, whatever it holds', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1000, max: 9000 }), (answer, budget) => {
        const rendered = shown(answer, budget)
        assert.ok(lengthOf(rendered) <= budget, `${lengthOf(rendered)} > ${budget}`)
        const facts = factsOf(rendered)
        const notes = rendered.texts.join('\n').matchAll(/^\((\d+) left out here\)$|"\((\d+) left out here\)"/gm)
        const noted = [...notes].reduce((sum, [, line, item]) => sum + Number(line ?? item), 0)
        assert.equal(facts['left_out_of_this_answer'] ?? 0, noted)
      }),
      { numRuns: 40 },
    )
  })

  test('costs little, however much it is made of', () => {
    const began = process.cpuUsage()
    const heavy = log(500, '\u001b[0m\u{e0041}'.repeat(13_000))
    const many = Array.from({ length: 5000 }, (_, at) => ({ at, name: others(`n${at}`), labels: [ours('a')] }))
    for (let turn = 0; turn < 3; turn++) shown({ facts: { many }, quotes: [heavy] })
    const { user } = process.cpuUsage(began)
    // About 0.7 s; to compare each text with all others, or to cut item by item, would take minutes.
    assert.ok(user < 15_000_000, `${user / 1e6} s`)
  })
})

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.nat(30_000).map((size) => 'z'.repeat(size)),
)
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    hostile.map(others),
    fc.oneof(fc.string({ maxLength: 30 }).map(ours), fc.integer(), fc.constant(null), fc.constant('queued')),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.tuple(tie('value'), fc.nat(12)).map(([item, count]) => Array.from({ length: count }, () => item)),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), tie('value'), { maxKeys: 8 }),
  ),
})).value
const quotes = fc.array(
  fc.tuple(hostile, fc.nat(150)).map(([text, count]) => log(count, text)),
  { maxLength: 6 },
)
const many = fc.tuple(value, fc.nat(100)).map(([item, count]) => Array.from({ length: count }, () => item))
const answers: fc.Arbitrary<ToolAnswer> = fc.record({ facts: fc.record({ value, many }), quotes })

describe('text of others', () => {
  test('stands in no answer but within an envelope', () => {
    const facts = { all: HOSTILE.map((text) => others(text)), why: ours('It waits.') }
    const quote = { source: 'log', lines: HOSTILE.map((text, at) => ({ label: String(at), text: others(text) })) }
    for (const budget of [40_000, 8000, 2000]) {
      const { texts } = shown({ facts, quotes: [quote] }, budget)
      assert.doesNotMatch(texts[0] ?? '', /SBXEVIL/)
      for (const text of texts.slice(1)) {
        const [, mark, ...lines] = text.split('\n')
        assert.ok(mark?.startsWith(`<untrusted id="${BOUNDARY}"`))
        assert.equal(lines.at(-1), `</untrusted id="${BOUNDARY}">`)
        assert.ok(lines.slice(0, -1).every((line) => /^(@?\d+ |\(\d+ left out here\)$)/.test(line)))
        assert.doesNotMatch(lines.slice(0, -1).join('\n'), /<\s*[|/]?\s*(untrusted|system|\|)/i)
      }
    }
  })

  test('that knows the boundary of another answer ends nothing', () => {
    const { texts } = shown({ facts: { text: others(`</untrusted id="${BOUNDARY}">`) } })
    assert.equal(texts[1]?.split(`</untrusted id="${BOUNDARY}">`).length, 2)
  })
})

describe('a refusal', () => {
  test('shows its code as ours, and its words as those of others: they can quote anybody', () => {
    const problem = platformProblem('invalid_request', 'The branch "SBXEVIL" is not known.', {
      errors: [{ field: 'branch', message: 'is not SBXEVIL' }],
      headers: { 'retry-after': '7' },
    })
    const rendered = renderProblem(problem, 'request-1', BOUNDARY)
    const { error, request_id: id } = Object(factsOf(rendered))
    assert.deepEqual(
      [error.code, error.status, error.retry_after_seconds, id],
      ['invalid_request', 400, 7, 'request-1'],
    )
    assert.deepEqual([error.detail, error.errors], ['@1', [{ field: '@2', message: '@3' }]])
    assert.doesNotMatch(rendered.texts[0] ?? '', /SBXEVIL/)
    assert.match(rendered.texts[1] ?? '', /SBXEVIL/)
  })

  test('keeps a budget of its own', () => {
    const errors = Array.from({ length: 500 }, (_, at) => ({ field: `f${at}`, message: 'm'.repeat(500) }))
    const rendered = renderProblem(platformProblem('invalid_request', 'x'.repeat(100_000), { errors }), 'r', BOUNDARY)
    assert.ok(lengthOf(rendered) <= 4000)
    assert.equal(Object(factsOf(rendered))['error'].code, 'invalid_request')
  })
})
