import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fillIn } from './fill-in.ts'
import { instanceName } from './slug.ts'

describe('the name of an instance', () => {
  const nameOf = (task: string, ...values: string[]) =>
    instanceName(task, new Map(values.map((value, at) => [`axis${at}`, value])))

  test('has the values in it, of the characters that names have', () => {
    assert.equal(nameOf('unit', '22'), 'unit-22')
    assert.equal(nameOf('unit', 'Ubuntu 24.04', 'a_b'), 'unit-ubuntu-24-04-a_b')
    assert.equal(nameOf('unit', '', '24'), 'unit-24')
  })

  test('is cut where it is too long, and told apart all the same', () => {
    const long = 'x'.repeat(100)
    assert.notEqual(nameOf('unit', `${long}a`), nameOf('unit', `${long}b`))
    assert.notEqual(nameOf('unit', '*'), nameOf('unit', '+'))
  })

  test('is always a name', () => {
    const task = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,62}$/)
    fc.assert(
      fc.property(task, fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (name, values) => {
        assert.match(nameOf(name, ...values), /^[a-z0-9][a-z0-9_-]{0,62}$/)
      }),
    )
  })
})

describe('a text with values of the matrix', () => {
  test('is filled in', () => {
    const filled = (text: string) => fillIn(text, { node: '22', 'os-name': 'a${{ matrix.node }}' })
    assert.deepEqual(filled('node:${{ matrix.node }}-${{matrix.os-name}}'), {
      text: 'node:22-a${{ matrix.node }}',
      problems: [],
    })
    assert.deepEqual(filled('$${{ matrix.node }}').text, '${{ matrix.node }}')
  })

  test('what names no value is a problem that says what to write', () => {
    assert.match(fillIn('${{ matrix.nod }}', { node: '1' }).problems[0] ?? '', /has no `nod`; it has node/)
    assert.match(fillIn('${{ matrix.node }}', null).problems[0] ?? '', /has no matrix/)
    assert.match(fillIn('${{ event.x }}', { node: '1' }).problems[0] ?? '', /write \$\{\{ matrix\.<axis> \}\}/)
    assert.match(fillIn('${{ matrix.node', { node: '1' }).problems[0] ?? '', /cannot be replaced/)
  })

  test('never throws, and leaves every other text alone', () => {
    const piece = fc.constantFrom('${{', '}}', 'matrix.', 'node', '$', ' ')
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const filled = fillIn(text, { node: '1' })
        if (!text.includes('${{')) assert.deepEqual(filled, { text, problems: [] })
      }),
    )
  })
})
