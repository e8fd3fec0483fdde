import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { bindValue, compileCondition, compileExpression, createBudget, evaluateCondition } from './index.ts'

const options = { identifiers: ['event', 'steps'] }
const list = Array.from({ length: 1_500 }, (_, at) => at)
const commits = (length: number) =>
  Array.from({ length }, (_, at) => ({
    sha: String(at).padStart(40, 'a'),
    message: `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`,
  }))
const event = bindValue({
  branch: 'main',
  number: 5,
  labels: ['a', 'b'],
  list,
  constructor: null,
  body: 'a'.repeat(65_536),
  digits: '9'.repeat(65_536),
  paths: Array.from({ length: 10_000 }, (_, at) => `docs/page-${at}.md`),
  many: commits(2_000),
  few: commits(200),
})

function decide(text: string) {
  const compiled = compileExpression(text, options)
  assert.ok(compiled.ok, text)
  return evaluateCondition(compiled.expression, { event, steps: bindValue({}) })
}

function failure(text: string): string {
  const result = decide(text)
  return result.ok ? `it is ${result.value}` : result.message
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

  test('of what is read of null the error says so', () => {
    const compiled = compileExpression('event.branch == "main" && event.labels.size() > 0', options)
    assert.ok(compiled.ok)
    assert.deepEqual(evaluateCondition(compiled.expression, { event: null, steps: bindValue({}) }), {
      ok: false,
      message: 'event is null here, so that it has no branch',
    })
    assert.match(failure('event.nothing == 1'), /field not found: nothing/)
  })

  test('what can give neither true nor false is no condition', () => {
    const refused = (text: string) => !compileCondition(text, options).ok
    for (const text of ['1 + 1', '"yes"', 'null', '[true]', '{"a": true}', 'size(event.labels)', '-event.number'])
      assert.ok(refused(text), text)
    assert.ok(refused('event.number > 1 ? "a" : "b"'))
    for (const text of ['true', 'event.flag', '!event.flag', 'event.number > 1 ? event.flag : false', 'bool("true")'])
      assert.ok(!refused(text), text)
    assert.ok(compileExpression('1 + 1', options).ok, 'as a text it is of use')
  })

  test('a string or a list that grows by itself ends as an error', () => {
    const doubled = (seed: string) => `[${seed}]${'.map(a, a + a)'.repeat(18)}[0].size() == 1`
    assert.equal(decide(doubled('event.list')).ok, false)
    assert.match(failure(`[event.branch]${'.map(a, a + a)'.repeat(22)}[0].size() == 1`), /too long|more than/)
    assert.deepEqual(decide('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")'), {
      ok: true,
      value: false,
    })
  })

  // Each would take seconds to hours on an event of the largest size: the test passes by ending.
  const hostile: [string, string][] = [
    ['rounds in rounds', 'event.many.all(a, event.many.all(b, a.sha != ""))'],
    ['large rounds', `event.many.all(a, event.many.all(b, ${Array(35).fill('a.sha == ""').join(' || ')} || true))`],
    ['walks that end at once', 'event.many.all(a, event.paths.exists(p, true))'],
    [
      'searches',
      `event.many.all(a, !(${Array.from({ length: 35 }, (_, at) => `event.body.contains("ab${at}")`).join(' || ')}))`,
    ],
    ['searches for much', 'event.many.all(a, !event.body.contains(a.message))'],
    ['comparisons of all', 'event.many.all(a, event == event)'],
    ['comparisons of long texts', 'event.many.all(a, event.many.all(b, event.body + "a" < event.body + "b"))'],
    ['looking into a long list', 'event.many.all(a, !(a.sha in event.paths))'],
    ['looking for a list', 'event.many.all(a, event.many in [event.many])'],
    ['counting', 'event.many.all(a, size(event.body) > 0 && event.body.size() > 0)'],
    ['bytes that are kept', 'event.many.map(a, event.many.map(b, bytes(event.body))).size() > 0'],
    ['texts that are kept', 'event.many.map(a, event.many.map(b, event.body + event.body + a.sha)).size() > 0'],
    ['numbers of many digits', 'event.many.all(a, int(event.digits) > 0 || true)'],
    ['a pattern of many parts', 'event.body.matches("(?:a?){100}a{100}$")'],
    ['a pattern that an event gives', 'event.many.all(a, !event.body.matches(a.message))'],
    ['errors that are forgotten', 'event.many.all(a, event.many.all(b, a.none == 1 || b.none == 1 || true))'],
  ]
  for (const [name, text] of hostile) {
    test(`ends by its budget: ${name}`, () => assert.match(failure(text), /takes more than \d+ steps/))
  }

  test('what people ask of large events stays within it', () => {
    for (const text of [
      'event.paths.exists(path, path.startsWith("src/"))',
      '!event.paths.exists(path, path.matches("[.]go$")) || "x" in event.paths',
      'event.few.all(commit, !commit.message.contains("[skip ci]"))',
      'event.body.contains("deploy") || event.body.matches("^/deploy( |$)")',
      'event.many.filter(commit, commit.sha.endsWith("0")).size() >= 0 && event.many != null',
      'event.many == event.many',
    ]) {
      assert.equal(decide(text).ok, true, `${text}: ${failure(text)}`)
    }
  })

  test('an element that a list does not have is said plainly', () => {
    for (const index of [100_000, -1]) {
      const compiled = compileExpression(`event.paths[${index}] == "a"`, options)
      assert.ok(compiled.ok)
      const message = `the list has no element ${index}; the first one is 0`
      assert.deepEqual(compiled.expression.evaluate({ event, steps: bindValue({}) }), { ok: false, message })
    }
  })

  test('all holders of a budget share it', () => {
    const compiled = compileExpression('event.paths.exists(path, path == "none")', options)
    assert.ok(compiled.ok)
    const budget = createBudget()
    const whole = budget.left
    const bindings = { event, steps: bindValue({}) }
    assert.deepEqual(compiled.expression.evaluate(bindings, budget), { ok: true, value: false })
    assert.ok(budget.left < whole)
    let rounds = 1
    while (compiled.expression.evaluate(bindings, budget).ok) rounds++
    assert.ok(rounds < 20 && budget.left < 0)
    assert.equal(compiled.expression.evaluate(bindings).ok, true)
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
