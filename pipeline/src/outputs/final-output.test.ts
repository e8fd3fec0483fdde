import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { GraphFinalOutput, ValueTemplate } from '../graph/index.ts'
import { aGraph, aStep, aTask, Play } from '../status/testing/index.ts'
import { OUTPUT_LIMITS, renderFinalOutput } from './index.ts'

const outputs = { o: { sensitive: false }, hidden: { sensitive: true }, unwritten: { sensitive: false } }

/** A run in which each task wrote `o`. */
function after(values: Readonly<Record<string, string>>): Play {
  const play = new Play(aGraph(aStep('a', { tasks: Object.keys(values).map((name) => aTask(name, { outputs })) })))
  for (const [name, o] of Object.entries(values)) play.run(`a/${name}`, 'success', { outputs: { o, hidden: 's3cret' } })
  return play
}

const from = (task: string, output = 'o') => ({ step: 'a', task, output })
const anOutput = (format: GraphFinalOutput['format'], template: ValueTemplate) => ({
  name: 'summary',
  format,
  template,
})

function render(
  format: GraphFinalOutput['format'],
  template: ValueTemplate,
  values: Record<string, string> = { t: '93' },
) {
  return renderFinalOutput(anOutput(format, template), after(values).state)
}

describe('a final output', () => {
  test('is text with the outputs of any task in it, and names what is missing', () => {
    const template = ['Coverage: ', from('t'), ' %, ', from('t', 'unwritten'), from('x')]
    assert.deepEqual(render('markdown', template), {
      ok: true,
      content: 'Coverage: 93 %, ',
      missing: ['$steps.a.t.outputs.unwritten', '$steps.a.x.outputs.o'],
    })
  })

  test('has all instances of a task with a matrix as an array', () => {
    const template = [{ step: 'a', tasks: ['t', 'u', 'x'], output: 'o' }]
    const rendered = render('text', template, { t: '1', u: 'two' })
    assert.deepEqual(rendered, { ok: true, content: '["1","two",null]', missing: ['$steps.a.x.outputs.o'] })
  })

  test('shows nothing that is sensitive', () => {
    for (const part of [from('t', 'hidden'), { step: 'a', tasks: ['t'], output: 'hidden' }]) {
      const rendered = render('text', [part])
      assert.equal(rendered.ok, false)
      assert.match(rendered.ok ? '' : rendered.message, /\$steps\.a\.t\.outputs\.hidden` is sensitive/)
    }
  })

  test('has a limit, in bytes', () => {
    const most = OUTPUT_LIMITS.finalBytes
    assert.ok(render('text', ['x'.repeat(most - 2), from('t')]).ok)
    assert.equal(render('text', ['x'.repeat(most - 1), from('t')]).ok, false)
    assert.equal(render('text', ['é'.repeat(most - 2)]).ok, false)
  })
})

describe('a final output of JSON', () => {
  test('holds values as the JSON that they are, and as characters inside a text', () => {
    const template = ['{"a": ', from('t'), ', "b": "', from('u'), '", "c": ', from('x'), ', "d\\"": "', from('x'), '"}']
    const rendered = render('json', template, { t: '[93]', u: 'a "b"\n\\' })
    assert.deepEqual(rendered.ok && JSON.parse(rendered.content), { a: [93], b: 'a "b"\n\\', c: null, 'd"': '' })
  })

  test('is refused where a value is none, or the whole is none', () => {
    const messageOf = (template: ValueTemplate, t = 'high') => {
      const rendered = render('json', template, { t })
      return rendered.ok ? '' : rendered.message
    }
    assert.match(messageOf(['{"a": ', from('t'), '}']), /gives "high", which is no JSON: put quotes/)
    assert.match(messageOf(['{"a": ', from('t'), '}'], '1, "admin": true'), /is no JSON/)
    assert.match(messageOf(['{"a": ', from('t')], '1'), /what the template gives is no JSON/)
  })

  test('no value changes what surrounds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (text, value) => {
        const template = ['{"text": "', from('t'), '", "value": ', from('u'), '}']
        const rendered = render('json', template, { t: text, u: JSON.stringify(value) })
        assert.ok(rendered.ok)
        assert.deepEqual(JSON.parse(rendered.content), { text, value: JSON.parse(JSON.stringify(value)) })
      }),
      { numRuns: 200 },
    )
  })
})
