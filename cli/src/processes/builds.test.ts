import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { buildIfStale } from './builds.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-builder-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What a person is told where the builder is this program. */
async function toldBy(program: string, signal = new AbortController().signal): Promise<string[]> {
  const builder = join(folder, 'builder.mjs')
  writeFileSync(builder, program)
  const lines: string[] = []
  await buildIfStale(builder, { tell: (line) => lines.push(line), signal })
  return lines
}

describe('a build at a start', () => {
  test('is asked for where it is stale alone, and told as the builder tells it', async () => {
    assert.deepEqual(await toldBy('console.log(process.argv[2]); console.error("second")'), ['--if-stale', 'second'])
    assert.deepEqual(await toldBy(''), [])
  })

  test('that fails says what to do, and keeps nothing from starting', async () => {
    const lines = await toldBy('console.error("no bundler"); process.exitCode = 1')
    assert.equal(lines[0], 'no bundler')
    assert.match(lines[1] ?? '', /works without it; `npm run build`/)
  })

  test('ends without a word with the start that is given up', async () => {
    const given = new AbortController()
    const told = toldBy('setInterval(() => undefined, 1000)', given.signal)
    given.abort()
    assert.deepEqual(await told, [])
  })

  test('is not missed where its builder is not a part of the installation', async () => {
    await buildIfStale(join(folder, 'absent.mjs'), { tell: assert.fail, signal: new AbortController().signal })
  })
})
