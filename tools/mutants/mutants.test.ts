import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Fault, findObstacle, listFaults, plant, quote } from './fault.ts'
import { AREAS } from './faults/index.ts'
import { findObstacles } from './obstacles.ts'
import { type Ground, runTests, tryFault } from './plant.ts'

const copy = await mkdtemp(join(tmpdir(), 'signalbox-mutants-'))
after(() => rm(copy, { recursive: true }))
const { NODE_TEST_CONTEXT: _, ...env } = process.env
const ground: Ground = { copy, env, limitMs: 60_000, stop: new AbortController().signal }

const fault: Fault = { file: 'sum.ts', before: 'a + b', after: 'a - b', tests: ['sum.test.ts'] }
const SUM = 'export const sum = (a: number, b: number): number => a + b\n'
const CASE =
  "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { sum } from './sum.ts'\n"

describe('a planted fault', () => {
  test('is killed by a test that fails, survives one that passes, and is taken out again', async () => {
    await writeFile(join(copy, 'sum.ts'), SUM)
    await writeFile(join(copy, 'sum.test.ts'), `${CASE}test('sum', () => assert.equal(sum(1, 2), 3))\n`)
    assert.deepEqual(await runTests(ground, fault.tests), { verdict: 'survived' })
    assert.deepEqual(await tryFault(ground, fault), { verdict: 'killed', failed: 'sum' })
    await writeFile(join(copy, 'sum.test.ts'), `${CASE}test('sum', () => assert.equal(sum(3, 0), 3))\n`)
    assert.deepEqual(await tryFault(ground, fault), { verdict: 'survived' })
    assert.equal(await readFile(join(copy, 'sum.ts'), 'utf8'), SUM)
  })

  test('is late where its tests do not end, and nothing of them is left', async () => {
    await writeFile(join(copy, 'sum.ts'), SUM)
    await writeFile(
      join(copy, 'sum.test.ts'),
      `${CASE}test('sum', async () => { if (sum(1, 2) !== 3) await new Promise((ok) => setTimeout(ok, 3_600_000)) })\n`,
    )
    assert.deepEqual(await tryFault({ ...ground, limitMs: 3000 }, fault), { verdict: 'late' })
  })

  test('must find its text exactly once, and change it', () => {
    assert.equal(findObstacle(fault, SUM), undefined)
    assert.match(findObstacle(fault, 'nothing') ?? '', /^sum\.ts no longer says "a \+ b"/)
    assert.match(findObstacle(fault, 'a + b, a + b') ?? '', /says "a \+ b" 2 times/)
    assert.match(findObstacle({ ...fault, after: 'a + b' }, SUM) ?? '', /becomes itself/)
  })

  test('takes a text that replaces as it is', () => {
    assert.equal(plant({ ...fault, after: '$&$1' }, 'a + b'), '$&$1')
    assert.equal(quote(' a\n  b '), '"a b"')
  })
})

describe('the planted faults of the project', () => {
  test('can all be planted, and are no fewer than they were', () => {
    assert.deepEqual(findObstacles(resolve(import.meta.dirname, '../..')), [])
    assert.ok(listFaults(Object.values(AREAS).flat()).length >= 150)
  })
})
