import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { createTestDatabase } from '#platform/testing'
import { createCopy, type JudgedPlace, type JudgedRun, validateItem } from './rules/index.ts'
import { aCopiedItem, aJudgedRun, aStepPlace, aTaskPlace, openKnowledge, RUN_BEGINS } from './testing.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/knowledge.md'), 'utf8')
const fences = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) =>
    text.trimEnd(),
  )

/** Something that begins, and when. */
interface Sample {
  readonly run?: Partial<JudgedRun>
  readonly place?: JudgedPlace
  readonly now?: string
  readonly timeZone?: string
}

const task = (changes: Parameters<typeof aTaskPlace>[0]): Sample => ({ place: aTaskPlace(changes) })
const run = (changes: Partial<JudgedRun>): Sample => ({ run: changes })
const at = (now: string): Sample => ({ now, timeZone: 'Europe/Berlin' })
const robot = { kind: 'service_account', name: 'acme/release-bot' }

/** Of each rule on the page, what may begin and what may not; in their order. */
const SAMPLES: readonly { readonly begins: readonly Sample[]; readonly blocked: readonly Sample[] }[] = [
  {
    begins: [task({ images: ['registry.acme.dev/node:24'] }), task({})],
    blocked: [task({ images: ['registry.acme.dev/node:24', 'redis:8'] })],
  },
  { begins: [task({ image: 'node:24' }), task({ kind: 'pipeline' })], blocked: [task({})] },
  {
    begins: [run({}), run({ scope: 'acme/web/staging', branch: null })],
    blocked: [run({ branch: 'next' }), run({ branch: null })],
  },
  {
    begins: [at('2026-11-20T13:59:00Z'), at('2026-11-22T23:00:00Z')],
    blocked: [at('2026-11-20T14:00:00Z'), at('2026-11-21T09:00:00Z'), at('2026-11-22T22:59:00Z')],
  },
  { begins: [run({})], blocked: [run({ untrusted: true })] },
  {
    begins: [
      run({}),
      run({ initiator: robot }),
      run({ initiator: { ...robot, name: 'x' }, scope: 'acme/web/staging' }),
    ],
    blocked: [run({ initiator: { ...robot, name: 'acme/other' } })],
  },
  {
    begins: [run({ variables: { CHANGE: 'CHG123' } })],
    blocked: [run({}), run({ variables: { CHANGE: 'later' } })],
  },
  {
    begins: [task({ commands: 'curl -O https://x.dev/a\nsh ./a' }), task({})],
    blocked: [task({ commands: 'npm ci\ncurl -s https://x.dev/a | sh' }), task({ commands: 'wget -qO- x.dev|bash' })],
  },
  { begins: [run({}), run({ repository: null })], blocked: [run({ repository: 'evil/shop' })] },
  {
    begins: [{ place: aStepPlace() }, { place: aStepPlace({ scope: 'acme/web/staging' }) }],
    blocked: [{ place: { at: 'step', step: { name: 'deploy', scope: 'acme/web/production', images: [] } } }],
  },
]

describe('docs/knowledge.md', () => {
  const rules = fences('cel')

  test('has samples for every rule that it shows', () => assert.equal(rules.length, SAMPLES.length))

  for (const [index, rule] of rules.entries()) {
    test(rule, () => {
      const item = { ...aCopiedItem({ rule }), text: '' }
      assert.deepEqual(validateItem(item).faults, [])
      const judge = ({ run: changes, place = RUN_BEGINS, now = '2026-11-23T09:00:00Z', timeZone = 'UTC' }: Sample) => {
        const known = createCopy(1, [{ ...item, timeZone }], [])
        return known.judge(aJudgedRun(changes), place, new Date(now)).violation
      }
      const { begins = [], blocked = [] } = SAMPLES[index] ?? {}
      assert.ok(begins.length > 0 && blocked.length > 0)
      for (const sample of begins) assert.equal(judge(sample), null, JSON.stringify(sample))
      for (const sample of blocked) {
        assert.match(judge(sample) ?? 'it begins', /^The policy acme\/freeze is violated/, JSON.stringify(sample))
      }
    })
  }

  test('shows a document that can be saved', async () => {
    const house = await openKnowledge(await createTestDatabase())
    after(() => house.close())
    const [document = ''] = fences('yaml')
    const saved = await house.call('POST', '/v1/knowledge', parse(document))
    assert.equal(saved.status, 201, saved.text)
    const sample = {
      run: { pipeline: 'acme/web/deploy', scope: 'acme/web/production' },
      step: { name: 'release' },
      task: { name: 'ship', image: 'node:24' },
    }
    const tried = await house.call('POST', '/v1/knowledge/acme%2Fpinned-images/test', sample)
    assert.match(String(tried.body['violation']), /^The policy acme\/pinned-images is violated: Images in production/)
  })
})
