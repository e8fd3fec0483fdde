import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aGraph, aStep, aTask, Play } from '../status/testing/index.ts'
import { formatReference, OUTPUT_LIMITS, parseOutputFile, parseTemplate, resolveEnvironment } from './index.ts'

describe('templates', () => {
  test('are literal text and references', () => {
    const reference = { step: 'a-b', task: 't', output: 'x_y' }
    assert.deepEqual(parseTemplate('plain').template, ['plain'])
    assert.deepEqual(parseTemplate('').template, [''])
    assert.deepEqual(parseTemplate('v$steps.a-b.t.outputs.x_y.').template, ['v', reference, '.'])
    assert.deepEqual(parseTemplate('$steps.a-b.t.outputs.x_y-$HOME').template, [reference, '-$HOME'])
    assert.deepEqual(parseTemplate('$$steps.a').template, ['$steps.a'])
  })

  test('report what looks like a reference and is none', () => {
    assert.match(
      parseTemplate('$steps.a.outputs.x').problems[0]?.message ?? '',
      /`\$steps\.a\.outputs\.x` is no output reference/,
    )
  })

  test('never throw, and give back every reference that is written', () => {
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,5}$/)
    const output = fc.stringMatching(/^[A-Za-z_]([A-Za-z0-9_-]{0,4}[A-Za-z0-9_])?$/)
    const reference = fc.record({ step: name, task: name, output }, { noNullPrototype: true })
    fc.assert(
      fc.property(reference, (given) =>
        assert.deepEqual(parseTemplate(`${formatReference(given)} `).template, [given, ' ']),
      ),
    )
    fc.assert(fc.property(fc.string(), (text) => void parseTemplate(text)))
  })
})

describe('environments', () => {
  const outputs = { open: { sensitive: false }, hidden: { sensitive: true }, unwritten: { sensitive: false } }
  const play = new Play(aGraph(aStep('a', { tasks: [aTask('t', { outputs })] })))
  play.run('a/t', 'success', { outputs: { open: '1', hidden: 's3cret' } })
  const from = (output: string) => ({ step: 'a', task: 't', output })

  test('get the values of outputs, and say which are sensitive and which are missing', () => {
    const env = { A: ['x', from('open'), 'y'], B: [from('hidden')], C: [from('unwritten')], D: ['plain'] }
    assert.deepEqual(resolveEnvironment(env, play.state), {
      values: { A: 'x1y', B: 's3cret', C: '', D: 'plain' },
      sensitiveValues: ['s3cret'],
      missing: ['$steps.a.t.outputs.unwritten'],
    })
  })

  test('get all instances of a task with a matrix as an array, and mask each of them', () => {
    const all = { step: 'a', tasks: ['t', 'x'], output: 'hidden' }
    assert.deepEqual(resolveEnvironment({ A: [all] }, play.state), {
      values: { A: '["s3cret",null]' },
      sensitiveValues: ['s3cret'],
      missing: ['$steps.a.x.outputs.hidden'],
    })
  })

  test('a name of a prototype is an ordinary missing output', () => {
    assert.deepEqual(resolveEnvironment({ A: [from('constructor')] }, play.state).values, { A: '' })
  })
})

describe('output files', () => {
  test('hold name=value lines and heredocs', () => {
    const text = 'a=1\r\nb=x=y\n\nc<<EOF\nfirst\n second\nEOF\nd<<END\nEND\na=2'
    assert.deepEqual(parseOutputFile(text), { outputs: { a: '2', b: 'x=y', c: 'first\n second', d: '' }, problems: [] })
  })

  test('what cannot be used is left out and named with its line', () => {
    const { outputs, problems } = parseOutputFile('nonsense\n9x=1\na=\0\nb=ok\nc<<EOF\nopen')
    assert.deepEqual(outputs, { b: 'ok' })
    assert.deepEqual(
      problems.map((one) => /^line \d+/.exec(one)?.[0]),
      ['line 1', 'line 2', 'line 3', 'line 5'],
    )
  })

  test('limits hold for one value, for all together and for their number', () => {
    const large = `a=${'x'.repeat(OUTPUT_LIMITS.valueBytes + 1)}`
    assert.match(parseOutputFile(large).problems[0] ?? '', /at most 1048576 are kept/)
    const many = Array.from({ length: OUTPUT_LIMITS.count + 1 }, (_, at) => `n${at}=1`).join('\n')
    assert.equal(Object.keys(parseOutputFile(many).outputs).length, OUTPUT_LIMITS.count)
    const heavy = Array.from({ length: 5 }, (_, at) => `n${at}=${'x'.repeat(OUTPUT_LIMITS.valueBytes)}`).join('\n')
    assert.equal(Object.keys(parseOutputFile(heavy).outputs).length, 4)
  })

  test('never throw, and give back what was written', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseOutputFile(text)))
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^\0\r\n]*$/), { minLength: 1 }), (lines) => {
        const value = lines.filter((line) => line !== 'EOF').join('\n')
        if (value !== '') assert.equal(parseOutputFile(`v<<EOF\n${value}\nEOF\n`).outputs['v'], value)
      }),
    )
  })
})

test('the folder needs neither YAML nor CEL, for the runner loads it', async () => {
  for (const file of (await readdir(new URL('.', import.meta.url))).filter((name) => !name.endsWith('.test.ts'))) {
    const source = await readFile(new URL(`./${file}`, import.meta.url), 'utf8')
    for (const [, type, from] of source.matchAll(/^(?:import|export)( type)? .*from '([^']+)'/gm)) {
      assert.ok(type !== undefined || from?.startsWith('./'), `${file} loads ${from}`)
    }
  }
})
