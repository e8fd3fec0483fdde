import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseTextTemplate, renderTemplate, TEXT_TEMPLATE_LIMITS } from './text-template.ts'

const run = { branch: 'main', tag: null }
const context = {
  run,
  event: { branch: 'main', number: 7, labels: ['a'], draft: false },
  variables: { STAGE: 'test' },
}

function rendered(text: string, given: Parameters<typeof renderTemplate>[1] = context): string {
  const result = renderTemplate(text, given)
  return result.ok ? result.value : `! ${result.message}`
}

describe('a text with expressions', () => {
  test('is the text with what they give', () => {
    assert.equal(rendered('plain'), 'plain')
    assert.equal(rendered('build-${{ event.branch }}-${{variables.STAGE}}!'), 'build-main-test!')
    assert.equal(rendered('${{ event.number }} ${{ event.draft }} ${{ null }}.'), '7 false .')
    assert.equal(rendered('$${{ event.branch }}'), '${{ event.branch }}')
    assert.equal(rendered('${{ {"a": {"b": "c"}}["a"]["b"] }}'), 'c')
  })

  test('errors are values that say what is wrong', () => {
    assert.match(rendered('${{ event.tag }}'), /^! `event\.tag`: /)
    assert.match(
      rendered('${{ event.branch }}', { run, event: null, variables: {} }),
      /no event started this run.*`run\.branch`/,
    )
    assert.equal(rendered('${{ run.branch }}${{ run.tag }}', { run, event: null, variables: {} }), 'main')
    assert.match(rendered('${{ event.labels }}'), /gives a list or an object/)
    assert.match(rendered('${{ event.branch'), /has no \}\} at its end/)
    assert.match(rendered('${{ matrix.node }}'), /`matrix` is unknown here/)
    assert.match(rendered('${{ 1 }}'.repeat(TEXT_TEMPLATE_LIMITS.expressions + 1)), /more than 20 expressions/)
    assert.match(
      rendered('${{ variables.X }}', { run, event: null, variables: { X: 'x'.repeat(40_000) } }),
      /longer than 32768/,
    )
  })

  test('tells where an expression is wrong', () => {
    const parsed = parseTextTemplate('a ${{  evnt.x }}', ['event'])
    assert.equal(!parsed.ok && parsed.offset, 7)
  })

  test('never throws', () => {
    const piece = fc.constantFrom('${{', '}}', '$${{', 'event', '.a', '"', '{', '}', ' ', '1', '+', 'variables.X')
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 }),
        (pieces) => {
          const text = pieces.join('')
          const result = renderTemplate(text, context)
          assert.ok(result.ok || result.message !== '')
          if (!text.includes('${{')) assert.deepEqual(result, { ok: true, value: text })
        },
      ),
      { numRuns: 500 },
    )
  })
})
