import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ALONE, LONG, planLots, planStages, writeLot } from './plan.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONGEST = 'e2e/faults/runners.test.ts'

describe('who shares a process', () => {
  const short = Array.from({ length: 40 }, (_, at) => `server/src/rooms/some/${at}.test.ts`)
  const files = [...short, 'pipeline/src/a.test.ts', 'e2e/unmeasured.test.ts', LONGEST]
  const lots = planLots(files)

  test('each file is in one lot', () => {
    assert.deepEqual(lots.flatMap((lot) => lot.files).toSorted(), files.toSorted())
  })

  test('tests in a browser share two processes of about the same time, with nobody else', () => {
    const web = ['e2e/web/sweep.test.ts', 'e2e/web/a.test.ts', 'e2e/web/b.test.ts']
    const shared = planLots([...files, ...web]).filter((lot) => lot.files.some((file) => web.includes(file)))
    assert.deepEqual(
      shared.map((lot) => lot.files),
      [['e2e/web/sweep.test.ts'], ['e2e/web/a.test.ts', 'e2e/web/b.test.ts']],
    )
    assert.deepEqual(
      planLots(['e2e/web/a.test.ts']).map((lot) => lot.files),
      [['e2e/web/a.test.ts']],
    )
  })

  test('the longest begins first', () => {
    assert.deepEqual(lots[0]?.files, [LONGEST])
    const seconds = lots.map((lot) => lot.seconds)
    assert.deepEqual(
      seconds,
      seconds.toSorted((a, b) => b - a),
    )
  })

  test('what is long and what starts the product is alone; the others are with neighbours of their package', () => {
    const together = lots.filter((lot) => lot.files.length > 1)
    assert.deepEqual(together.flatMap((lot) => lot.files).toSorted(), short.toSorted())
    assert.ok(together.length > 1, 'no lot takes for ever')
  })

  test('containers come first, beside other work; browsers come last, with nobody else', () => {
    const engines = ['runner/src/executors/container/a.test.ts', 'e2e/faults/containers.test.ts']
    const web = ['e2e/web/a.test.ts', 'e2e/web/b.test.ts']
    const all = [...files, ...engines, ...web]
    const [first = [], second = [], third = [], ...more] = planStages(all).map((stage) =>
      stage.flatMap((lot) => lot.files),
    )
    assert.deepEqual(more, [])
    assert.deepEqual([...first, ...second, ...third].toSorted(), all.toSorted())
    assert.deepEqual(
      engines.filter((file) => !first.includes(file)),
      [],
    )
    assert.ok(first.length > engines.length, 'other tests run beside the containers')
    assert.deepEqual(third.toSorted(), web)
  })

  test('tests with containers share two processes', () => {
    const engines = ['a', 'b', 'c'].map((name) => `runner/src/executors/container/${name}.test.ts`)
    assert.equal(planLots([...files, ...engines]).filter((lot) => engines.includes(lot.files[0] ?? '')).length, 2)
  })

  test('browsers alone are one stage', () => {
    assert.equal(planStages(['e2e/web/a.test.ts', 'e2e/web/b.test.ts']).length, 1)
  })

  test('without a browser nothing waits', () => {
    assert.deepEqual(planStages([...files, 'e2e/faults/containers.test.ts']).length, 1)
  })

  test('every file that is named is there', () => {
    assert.deepEqual(
      [...Object.keys(LONG), ...ALONE].filter((file) => !existsSync(join(ROOT, file))),
      [],
    )
  })

  test('a lot runs each of its files as a test by its name, and each has its own time', () => {
    const text = writeLot(new Map([['a b.test.ts', 'file:///srv/a%20b.test.ts']]), 'file:///srv/limit.ts')
    assert.match(text, /^import \{ beginFile \} from "file:\/\/\/srv\/limit\.ts"$/m)
    assert.match(
      text,
      /^test\("a b\.test\.ts", \{ timeout: 2147483647 \}, \(\) => \{\n {2}beginFile\("a b\.test\.ts"\)\n {2}return import\("file:\/\/\/srv\/a%20b\.test\.ts"\)\n\}\)$/m,
    )
  })

  test('a file of a lot may take longer than one test, and a test within it may not', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-lot-'))
    t.after(() => rm(folder, { recursive: true }))
    const [file, lot] = [join(folder, 'long.test.mjs'), join(folder, 'lot.mjs')]
    // Each begins its wait right after its limit of 1000 ms: a slow machine makes both late, in the same order.
    await writeFile(
      file,
      `import { test } from 'node:test'
      import { setTimeout as wait } from 'node:timers/promises'
      test('one', () => wait(600))
      test('another', () => wait(600))
      test('endless', ({ signal }) => wait(600_000, undefined, { signal }))`,
    )
    const limit = pathToFileURL(join(import.meta.dirname, 'file-limit.ts')).href
    await writeFile(lot, writeLot(new Map([['long', pathToFileURL(file).href]]), limit))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const words = ['--test', '--test-timeout=1000', '--test-reporter=tap', lot]
    const { promise, resolve } = Promise.withResolvers<string>()
    execFile(process.execPath, words, { env }, (_error, out) => resolve(out))
    const out = await promise
    assert.match(out, /^ *ok \d - one$/m)
    assert.match(out, /^ *ok \d - another$/m)
    assert.match(out, /^ *not ok \d - endless$/m)
    assert.match(out, /timed out after 1000ms/)
  })
})
