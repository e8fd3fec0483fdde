import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { bindValue, compileExpression, evaluateCondition } from './index.ts'

const options = { identifiers: ['event', 'steps'] }
const list = Array.from({ length: 1_500 }, (_, at) => at)
const event = bindValue({ branch: 'main', number: 5, labels: ['a', 'b'], list, constructor: null })

function decide(text: string) {
  const compiled = compileExpression(text, options)
  assert.ok(compiled.ok, text)
  return evaluateCondition(compiled.expression, { event, steps: bindValue({}) })
}

function refusal(text: string): string {
  const compiled = compileExpression(text, options)
  return compiled.ok ? '' : compiled.problems.map((one) => `${one.line}:${one.column} ${one.message}`).join('\n')
}

describe('evaluation', () => {
  test('gives true or false', () => {
    for (const text of [
      'event.branch == "main"',
      'event.number + 1 == 6',
      'event.labels.exists(label, label == "b") && !("c" in event.labels)',
      'event.branch.matches("^(main|next)$") || event.branch.startsWith("release/")',
      'has(event.branch) && !has(event.tag)',
      'event.list.filter(n, n > 1490).size() == 9',
      'type(event.number) == int',
    ]) {
      assert.deepEqual(decide(text), { ok: true, value: true }, text)
    }
  })

  test('errors are values', () => {
    for (const text of [
      'event.tag == "v1"',
      'event.branch',
      'event.branch + 1 == 2',
      '1 / 0 == 1',
      'event.labels[9] == "x"',
    ]) {
      assert.equal(decide(text).ok, false, text)
    }
  })

  test('a hostile expression ends soon, as an error or with a value', () => {
    const doubled = (seed: string) => `[${seed}]${'.map(a, a + a)'.repeat(18)}[0].size() == 1`
    const before = performance.now()
    assert.equal(decide('event.list.all(x, event.list.all(y, x >= 0))').ok, false)
    assert.equal(decide(doubled('event.list')).ok, false)
    assert.equal(decide(doubled('event.branch')).ok, true)
    assert.deepEqual(decide('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")'), {
      ok: true,
      value: false,
    })
    assert.ok(performance.now() - before < 2_000)
  })

  test('one evaluation spends nothing of the next one', () => {
    for (let round = 0; round < 40; round++) assert.equal(decide('event.list.all(n, n >= 0)').ok, true)
  })
})

describe('compilation', () => {
  test('tells which paths are read, up to the first computed name', () => {
    const compiled = compileExpression(
      'steps["a-b"].tasks.t.status == "x" && steps[event.branch].status == "y"',
      options,
    )
    assert.deepEqual(compiled.ok && compiled.expression.references, [
      ['steps', 'a-b', 'tasks', 't', 'status'],
      ['steps'],
      ['event', 'branch'],
    ])
  })

  test('refuses unknown names and functions where they stand', () => {
    assert.match(
      refusal('event.a == 1 &&\n branch == 2'),
      /^2:2 `branch` is unknown here; known are `event` and `steps`$/,
    )
    assert.match(refusal('event.all(x, y == x)'), /`y` is unknown/)
    assert.match(refusal('now() == 1'), /there is no function `now`/)
    assert.match(refusal('Foo{a: 1} == 1'), /there is no type `Foo`/)
  })

  test('explains what other languages write', () => {
    assert.match(refusal('event.a = 1'), /write == to compare/)
    assert.match(refusal('event.a and event.b'), /write && instead of `and`/)
    assert.match(refusal('${{ event.a }}'), /without \$\{\{ \}\}/)
    assert.match(refusal('event.a == "x" &&'), /./)
    assert.match(refusal(' '), /is empty/)
  })

  test('keeps to the limits of length, size and nesting', () => {
    assert.match(refusal(`event.a == "${'x'.repeat(2_048)}"`), /at most 2048/)
    assert.match(refusal(Array(200).fill('true').join('&&') + Array(200).fill('||true').join('')), /too large|at most/)
    assert.match(refusal('event.a.all(x, x.all(y, y.all(z, z)))'), /at most 2 deep/)
    for (const text of ['('.repeat(2_000), '!'.repeat(2_000), `${'['.repeat(1_000)}${']'.repeat(1_000)}`])
      assert.notEqual(refusal(text), '')
  })

  test('never throws', () => {
    const token = fc.constantFrom(
      'event',
      '.a',
      '["b"]',
      ' == ',
      '1',
      '"x"',
      '(',
      ')',
      ' && ',
      '!',
      '.all(x, ',
      'x',
      ' ? ',
      ' : ',
      '[',
      ']',
      '{',
      '}',
      '-',
      '+',
      '.matches("(")',
      'size(',
      ',',
      '\n',
    )
    const text = fc.oneof(
      fc.array(token, { maxLength: 20 }).map((tokens) => tokens.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, fc.jsonValue(), (expression, value) => {
        const compiled = compileExpression(expression, options)
        if (compiled.ok) compiled.expression.evaluate({ event: bindValue(value), steps: bindValue(null) })
        else assert.ok(compiled.problems.length > 0)
      }),
      { numRuns: 500 },
    )
  })
})
