import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { BegunFences } from './begun-fences.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-begun-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0
const aPath = (): string => join(folder, String(++count))

describe('the fences of tasks that may have begun', () => {
  test('are there after the runner was killed', () => {
    const path = aPath()
    const killed = new BegunFences(path)
    killed.add(7n)
    killed.add(18_446_744_073_709_551_615n)
    using again = new BegunFences(path)
    assert.deepEqual(again.list(), [7n, 18_446_744_073_709_551_615n])
    killed[Symbol.dispose]()
  })

  test('are read as far as they were written', () => {
    const path = aPath()
    appendFileSync(path, '1\n2\n3')
    using begun = new BegunFences(path)
    assert.deepEqual(begun.list(), [1n, 2n])
  })

  test('go once the control plane knows of them, and the file with them', () => {
    const path = aPath()
    using begun = new BegunFences(path)
    for (let fence = 1n; fence <= 3000n; fence++) {
      begun.add(fence)
      if (fence < 3000n) begun.forget(fence)
    }
    assert.ok(readFileSync(path, 'utf8').split('\n').length < 1200)
    using again = new BegunFences(path)
    assert.ok(again.list().includes(3000n))
  })

  test('are not more than can matter', () => {
    using begun = new BegunFences(aPath())
    for (let fence = 1n; fence <= 2500n; fence++) begun.add(fence)
    assert.equal(begun.list().length, 2000)
    assert.ok(begun.list().includes(2500n))
  })
})
