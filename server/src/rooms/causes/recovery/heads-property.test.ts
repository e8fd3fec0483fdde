import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openHeads, type Sending, sha } from './testing/open-heads.ts'

/** Pushes, looks and deliveries in any order: each final head has its run, and no look makes anything again and again. */

const house = await openHeads()
const { clock, push, compare, settle, commits, made } = house
after(() => house.close())

type Step =
  | {
      readonly kind: 'push'
      readonly branch: number
      readonly fate: 'told' | 'late' | 'lost' | 'twice'
      /** To a commit that nobody saw before, to one where the branch was, or nowhere: the branch is removed. */
      readonly to: 'new' | 'back' | 'gone'
    }
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
      to: fc.constantFrom('new' as const, 'new' as const, 'new' as const, 'back' as const, 'gone' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
)

/** The branches, and how often each of their heads was told of. */
class Branches {
  readonly onTheirWay: Sending[] = []
  readonly #heads = new Map<string, string | null>()
  readonly #been = new Map<string, string[]>()
  /** Of a commit: how often a branch came there, and how often that was sent. */
  readonly #causes = new Map<string, number>()

  async move(branch: string, to: 'new' | 'back' | 'gone'): Promise<() => Promise<number>> {
    const been = this.#been.get(branch) ?? []
    const present = this.#heads.get(branch) ?? null
    const older = been.findLast((head) => head !== present)
    const fresh = sha(`${(this.#causes.size + 1).toString(16).padStart(4, '0')}f`)
    const isGone = to === 'gone' && present !== null
    const head = isGone ? null : to === 'back' ? (older ?? fresh) : fresh
    this.#heads.set(branch, head)
    if (head !== null) this.#been.set(branch, [...been, head])
    if (head !== null) this.#count(head)
    await clock.advance(1000)
    const send = push(head, branch)
    return () => {
      if (head !== null) this.#count(head)
      return send()
    }
  }

  #count(head: string): void {
    this.#causes.set(head, (this.#causes.get(head) ?? 0) + 1)
  }

  async check(): Promise<void> {
    const all = await commits()
    const runsOf = (head: string) => all.filter((commit) => commit === head).length
    for (const [branch, head] of this.#heads) {
      if (head === null) continue
      const comings = this.#been.get(branch)?.filter((one) => one === head).length
      const runs = runsOf(head)
      const isRight = comings === 1 ? runs === 1 : runs > 0
      assert.ok(isRight, `${runs} runs of ${branch} at ${head}, where it came ${comings} times: ${all.join()}`)
    }
    for (const [head, causes] of this.#causes) assert.ok(runsOf(head) <= causes, `${runsOf(head)} runs of ${head}`)
  }
}

/** Ways that failed once: the removal of the branch comes again, after what it is now was made. */
const FAILED: [Step[]][] = [
  [
    [
      { kind: 'push', branch: 0, fate: 'twice', to: 'gone' },
      { kind: 'push', branch: 0, fate: 'late', to: 'new' },
    ],
  ],
]

test('each final head has its run, whatever was lost, late, repeated or removed', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await house.forget()
      const branches = new Branches()
      const { onTheirWay } = branches
      for (const branch of ['b0', 'b1']) await (await branches.move(branch, 'new'))()
      await clock.advance(1000)
      await compare()
      for (const one of steps) {
        await clock.advance(1000)
        if (one.kind === 'look') await compare()
        if (one.kind === 'wait') await clock.advance(one.minutes * 60_000)
        if (one.kind === 'arrive') await onTheirWay.splice(one.which % Math.max(onTheirWay.length, 1), 1)[0]?.()
        if (one.kind !== 'push') continue
        const send = await branches.move(`b${one.branch}`, one.to)
        if (one.fate === 'told' || one.fate === 'twice') await send()
        if (one.fate === 'twice' || one.fate === 'late') onTheirWay.push(send)
      }
      await clock.advance(60_000)
      await settle()
      for (const send of onTheirWay) await send()
      await clock.advance(3_600_000)
      await settle()
      await settle()
      await branches.check()
      const before = await made()
      await clock.advance(3_600_000)
      await settle()
      await settle()
      assert.deepEqual(await made(), before)
    }),
    { numRuns: 40, examples: FAILED },
  )
})
