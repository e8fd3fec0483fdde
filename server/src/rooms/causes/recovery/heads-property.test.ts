import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openHeads, type Sending, sha } from './testing/open-heads.ts'

/** Pushes, looks and deliveries in any order: each final head of a branch has exactly one run. */

const house = await openHeads()
const { clock, push, compare, settle, commits } = house
after(() => house.close())

type Step =
  | { readonly kind: 'push'; readonly branch: number; readonly fate: 'told' | 'late' | 'lost' | 'twice' }
  | { readonly kind: 'look' }
  /** One of the deliveries that are on their way. */
  | { readonly kind: 'arrive'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      branch: fc.nat(1),
      fate: fc.constantFrom('told' as const, 'late' as const, 'lost' as const, 'twice' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
)

test('each final head has exactly one run, whatever was lost, late or repeated', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await house.forget()
      const heads = new Map<string, string>()
      const onTheirWay: Sending[] = []
      let made = 0
      const move = async (branch: string) => {
        made += 1
        const head = sha(`${made.toString(16).padStart(4, '0')}f`)
        heads.set(branch, head)
        await clock.advance(1000)
        return push(head, branch)
      }
      for (const branch of ['b0', 'b1']) await (await move(branch))()
      await clock.advance(1000)
      await compare()
      for (const one of steps) {
        await clock.advance(1000)
        if (one.kind === 'look') await compare()
        if (one.kind === 'wait') await clock.advance(one.minutes * 60_000)
        if (one.kind === 'arrive') await onTheirWay.splice(one.which % Math.max(onTheirWay.length, 1), 1)[0]?.()
        if (one.kind !== 'push') continue
        const send = await move(`b${one.branch}`)
        if (one.fate === 'told' || one.fate === 'twice') await send()
        if (one.fate === 'twice' || one.fate === 'late') onTheirWay.push(send)
      }
      await clock.advance(60_000)
      await settle()
      for (const send of onTheirWay) await send()
      await clock.advance(60_000)
      await settle()
      const all = await commits()
      for (const [branch, head] of heads) {
        assert.equal(all.filter((commit) => commit === head).length, 1, `${branch} at ${head}: ${all.join()}`)
      }
    }),
    { numRuns: 40 },
  )
})
