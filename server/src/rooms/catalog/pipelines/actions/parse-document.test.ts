import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePipeline } from '@signalbox/pipeline/document'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'
import { aDocument, aLargeDocument } from '../testing.ts'
import { createDocumentParser } from './parse-document.ts'

const kit = { clock: systemClock, log: createLog({ level: 'silent', pretty: false }) }
const parse = createDocumentParser(kit)

/** Turns of the event loop until the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  const state = { isDone: false }
  const done = work.finally(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  await done
  return turns
}

describe('a document that takes long', () => {
  test('lets the event loop turn meanwhile', async () => {
    const turns = await countTurns(parse(aLargeDocument('large')))
    assert.ok(turns > 10, `${turns} turns`)
  })

  test('comes out as it would here, with every problem at its line and column', async () => {
    const large = aLargeDocument('large')
    const lines = large.split('\n')
    const bomb = Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(at === 0 ? 0 : 9)}x]`)
    const texts = [
      large,
      lines.with(900, `${lines[900]}: [`).join('\n'),
      lines.with(900, `${lines[900]?.replace('run:', 'rum:')}`).join('\n'),
      bomb.join('\n'),
      `# &\n${'['.repeat(60)}${']'.repeat(60)}`,
      `name: &name it\nsteps: *name\n`,
      'name: "&"\r\nsteps:\n\t- x',
    ]
    for (const text of texts) assert.deepEqual(await parse(text), parsePipeline(text))
    const problems = await parse(texts[2] ?? '')
    assert.deepEqual(problems.ok ? [] : problems.problems.map(({ line }) => line), [901, 901])
    const exploded = await parse(bomb.join('\n'))
    assert.ok(!exploded.ok && exploded.problems.some(({ code }) => code === 'alias_expansion'))
  })

  test('may be nested deeper than any stack: that is a problem of the document, and the next one is parsed', async () => {
    const nested = await parse('['.repeat(200_000))
    assert.ok(!nested.ok && nested.problems.some(({ code }) => code === 'too_deep' || code === 'yaml_syntax'))
    assert.equal((await parse(aLargeDocument('large'))).ok, true)
  })
})

test('a short document is parsed here, and opens no thread', async () => {
  const here = createDocumentParser(kit, () => assert.fail('a thread'))
  assert.equal((await here(aDocument('short'))).ok, true)
  await assert.rejects(here(aLargeDocument('large')), /a thread/)
  await assert.rejects(here(aDocument('short', 'variables: { A: "&" }\n')), /a thread/)
})
