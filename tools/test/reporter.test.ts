import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = await mkdtemp(join(tmpdir(), 'signalbox-reporter-'))
after(() => rm(folder, { recursive: true }))

/** What the reporter prints of a file with this text. */
async function reportOf(text: string): Promise<string> {
  const file = join(folder, 'told.test.mjs')
  await writeFile(file, text)
  const reporter = join(import.meta.dirname, 'reporter.ts')
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test', `--test-reporter=${reporter}`, file], { env }, (_error, out) => resolve(out))
  })
}

test('the reason of a failure stands where it happens, before the next file and the end', async () => {
  const out = await reportOf(`
    import { describe, test } from 'node:test'
    describe('outer', () => {
      test('well', () => {})
      test('ill', () => { throw new Error('the reason') })
    })
  `)
  const [during = '', atTheEnd = ''] = out.split('failing tests:')
  assert.match(during, / {4}\| Error: the reason\n/)
  assert.equal(during.split('the reason').length, 2, 'the suite does not repeat it')
  assert.doesNotMatch(during, /well/)
  assert.match(during, /^failed .* 1\/2 {2}/m)
  assert.match(atTheEnd, /the reason/)
})
