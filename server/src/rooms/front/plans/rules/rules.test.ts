import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findChanged, judgeConfirmation, type Looker, type StoredPlan, standingOf, statusAt } from './index.ts'

const NOW = new Date('2026-11-28T12:00:00.000Z')
const subject = fc.record({
  kind: fc.constantFrom('user' as const, 'service_account' as const, 'bootstrap' as const),
  id: fc.constantFrom('a', 'b'),
})
const credential = fc.constantFrom(
  { tokenId: 't1', sessionId: null },
  { tokenId: 't2', sessionId: null },
  { tokenId: null, sessionId: 's1' },
  { tokenId: null, sessionId: null },
)
const looker: fc.Arbitrary<Looker> = fc
  .tuple(subject, credential, fc.boolean(), fc.boolean())
  .map(([who, by, isLimited, mayDoIt]) => ({ ...who, ...by, isLimited: isLimited && by.tokenId !== null, mayDoIt }))
const plan: fc.Arbitrary<StoredPlan> = fc
  .tuple(
    subject,
    credential,
    fc.constantFrom('agent' as const, 'person' as const),
    fc.constantFrom('waiting' as const, 'waiting_for_person' as const, 'confirmed' as const, 'refused' as const),
    fc.integer({ min: -5, max: 5 }),
  )
  .map(([planner, by, confirmation, status, left]) => ({
    ...by,
    id: 'p',
    action: 'startRun',
    target: 'pipeline acme/web/build',
    sealedArguments: new Uint8Array(),
    effects: [],
    preconditions: [],
    scopes: [],
    teams: [],
    permission: 'run.start',
    teamPath: 'acme/web',
    held: [['run.start', 'acme/web']],
    confirmation,
    confirmationReason: null,
    confirmationPlace: null,
    status,
    planner: { ...planner, name: planner.id },
    decider: null,
    refusal: null,
    replacedBy: null,
    resources: null,
    sealedOutcome: null,
    createdAt: new Date(NOW.getTime() - 60_000),
    expiresAt: new Date(NOW.getTime() + left * 1000),
    endedAt: null,
  }))

describe('who may do what with a plan', () => {
  test('nobody approves their own, none who could not do it, and no machine', () => {
    fc.assert(
      fc.property(plan, looker, (one, who) => {
        const standing = standingOf(one, who, NOW)
        if (!standing.mayApprove) return
        assert.ok(who.kind === 'user' && who.mayDoIt && !who.isLimited)
        assert.ok(one.planner.kind !== who.kind || one.planner.id !== who.id)
        assert.equal(statusAt(one, NOW), 'waiting_for_person')
      }),
    )
  })

  test('only the credential that planned confirms, once, in time', () => {
    fc.assert(
      fc.property(plan, looker, (one, who) => {
        const { mayConfirm } = standingOf(one, who, NOW)
        const isIt =
          one.planner.kind === who.kind &&
          one.planner.id === who.id &&
          one.tokenId === who.tokenId &&
          one.sessionId === who.sessionId
        assert.equal(mayConfirm, isIt && one.status === 'waiting' && one.expiresAt > NOW)
      }),
    )
  })

  test('what may be done may be seen, and a stranger sees nothing', () => {
    fc.assert(
      fc.property(plan, looker, (one, who) => {
        const { maySee, mayConfirm, mayApprove, mayRefuse, isOwn } = standingOf(one, who, NOW)
        if (mayConfirm || mayApprove || mayRefuse) assert.ok(maySee)
        if (mayRefuse && !isOwn) assert.ok(mayApprove && !who.isLimited)
        if (!isOwn && !who.mayDoIt) assert.ok(!maySee)
        if (!isOwn && one.status === 'waiting') assert.ok(!maySee, 'nobody was asked yet')
      }),
    )
  })
})

describe('who has to confirm', () => {
  const judge = (option: 'agent' | 'person', scopes: readonly string[], teams: readonly string[] = []) =>
    judgeConfirmation(
      option,
      { scopes, teams },
      (scope) => scope === 'acme/web/production',
      (team) => (team === 'acme/web' ? 'acme/web/production' : undefined),
    ).confirmation

  test('another person, where something protected is reached or the option says so', () => {
    assert.equal(judge('agent', ['acme/web/test']), 'agent')
    assert.equal(judge('agent', ['acme/web/test', 'acme/web/production']), 'person')
    assert.equal(judge('agent', [], ['acme/api']), 'agent')
    assert.equal(judge('agent', [], ['acme/api', 'acme/web']), 'person')
    assert.equal(judge('person', []), 'person')
  })
})

describe('what has changed', () => {
  test('is named, also where it is new or gone', () => {
    const planned = [
      { name: 'version', value: '1' },
      { name: 'scope', value: 'a' },
    ]
    assert.deepEqual(findChanged(planned, planned.toReversed()), [])
    assert.deepEqual(findChanged(planned, [{ name: 'version', value: '2' }]), ['version', 'scope'])
    assert.deepEqual(findChanged([], [{ name: 'status', value: 'queued' }]), ['status'])
  })
})
