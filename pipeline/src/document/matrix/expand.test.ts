import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { expandMatrix, sizeOf, type Values } from './expand.ts'

const values = (given: Readonly<Record<string, string>>): Values => new Map(Object.entries(given))

function expand(
  axes: Readonly<Record<string, readonly string[]>>,
  include: readonly Record<string, string>[] = [],
  exclude: readonly Record<string, string>[] = [],
): Record<string, string>[] {
  return expandMatrix({
    axes: new Map(Object.entries(axes)),
    include: include.map(values),
    exclude: exclude.map(values),
  }).map((combination) => Object.fromEntries(combination))
}

describe('a matrix', () => {
  test('is the product of its axes, the first one slowest', () => {
    assert.deepEqual(expand({ os: ['a', 'b'], node: ['22', '24'] }), [
      { os: 'a', node: '22' },
      { os: 'a', node: '24' },
      { os: 'b', node: '22' },
      { os: 'b', node: '24' },
    ])
  })

  test('includes and excludes as GitHub does', () => {
    // The example of its documentation.
    const include = [
      { color: 'green' },
      { color: 'pink', animal: 'cat' },
      { fruit: 'apple', shape: 'circle' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ]
    assert.deepEqual(expand({ fruit: ['apple', 'pear'], animal: ['cat', 'dog'] }, include), [
      { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
      { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
      { fruit: 'pear', animal: 'cat', color: 'pink' },
      { fruit: 'pear', animal: 'dog', color: 'green' },
      { fruit: 'banana' },
      { fruit: 'banana', animal: 'cat' },
    ])
    assert.deepEqual(expand({ os: ['a', 'b'], node: ['22', '24'] }, [], [{ os: 'a' }, { os: 'b', node: '22' }]), [
      { os: 'b', node: '24' },
    ])
    assert.deepEqual(expand({}, [{ a: '1' }, { a: '2' }]), [{ a: '1' }, { a: '2' }])
  })

  test('is the product without what is excluded and with what is included', () => {
    const axis = fc.constantFrom('a', 'b', 'c')
    const value = fc.constantFrom('1', '2', '3')
    const axes = fc.dictionary(axis, fc.uniqueArray(value, { minLength: 1, maxLength: 3 }), { noNullPrototype: true })
    const entry = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { minKeys: 1, noNullPrototype: true })
    fc.assert(
      fc.property(
        axes,
        fc.array(entry, { maxLength: 4 }),
        fc.array(entry, { maxLength: 4 }),
        (given, include, exclude) => {
          const product = expand(given)
          assert.equal(product.length, sizeOf(new Map(Object.entries(given))))
          const excluded = (one: Record<string, string>) =>
            exclude.some((out) => Object.entries(out).every(([key, of]) => one[key] === of))
          const left = product.filter((one) => !excluded(one))
          const fitsNone = (one: Record<string, string>) =>
            !left.some((of) => Object.entries(one).every(([key, text]) => !(key in of) || of[key] === text))
          const made = expand(given, include, exclude)
          assert.equal(made.length, left.length + include.filter(fitsNone).length)
          for (const [at, before] of left.entries()) {
            for (const [key, text] of Object.entries(before)) assert.equal(made[at]?.[key], text)
          }
          assert.deepEqual(made.slice(left.length), include.filter(fitsNone))
        },
      ),
    )
  })
})
