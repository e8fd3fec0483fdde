import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApprovalRequest } from '@signalbox/contracts/runs'
import fc from 'fast-check'
import { explainRun } from './explain-run.ts'
import { type OutlookTask, type RunOutlook, spell } from './outlook.ts'

/** Words of others: no sentence may hold them. */
const EVIL = 'SBXEVIL'
const evil = fc.string({ maxLength: 20 }).map((text) => `${EVIL} ${text}`)
const when = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const RUNNING = ['queued', 'running', 'paused'] as const
const OVER = ['success', 'failure', 'warning', 'timed_out', 'canceled'] as const
const TASK = ['pending', 'ready', 'running', 'success', 'failure', 'timed_out', 'canceled', 'skipped', 'lost'] as const

const lacking = fc.constantFrom(null, 'No runner serves the scope a/b.')
const lack = fc.oneof(
  fc.record({
    reason: lacking,
    unmet: maybe(fc.constantFrom('scope', 'executor', 'labels', 'enabled', 'working', 'reachable', 'free')),
    places: fc.record({ runners: fc.nat(9), taken: fc.nat(9), total: fc.nat(9) }),
  }),
  // Where runners are hidden from whoever asks: neither of the two is told without the other.
  fc.record({ reason: lacking, unmet: fc.constant(undefined), places: fc.constant(undefined) }),
)

const task: fc.Arbitrary<OutlookTask> = fc.record({
  step: fc.constantFrom('build', 'ship'),
  task: fc.constantFrom('a', 'b'),
  status: fc.constantFrom(...TASK),
  startedAt: orNull(when),
  retryAt: orNull(when),
  attempt: maybe(
    fc.record({
      status: fc.constantFrom('waiting', 'leased', 'child', 'success', 'failure', 'lost'),
      startedAt: orNull(when),
      leasedAt: orNull(when),
      reason: orNull(evil),
      runnerId: maybe(fc.constant('r1')),
      child: maybe(fc.constantFrom('hidden', 'c1')),
    }),
  ),
  usualMs: maybe(fc.nat(1e7)),
  lack: maybe(lack),
})

const request: fc.Arbitrary<ApprovalRequest> = fc.record({
  run_id: fc.constant('run'),
  step: fc.constant('ask'),
  pipeline: fc.constant('acme/build'),
  team_path: fc.constant('acme'),
  scope: fc.constant('acme/test'),
  repository: orNull(evil),
  commit_sha: orNull(evil),
  initiator: fc.record({ kind: fc.constant('user' as const), id: fc.constant('u'), name: evil }),
  status: fc.constantFrom('waiting', 'approved', 'rejected', 'timed_out', 'withdrawn'),
  approvers: fc.constant(['user:ada']),
  required: fc.constant(1),
  obstacle: orNull(fc.constant('Nobody can.')),
  refusal: orNull(fc.constant('Only user:ada may decide about ask.')),
  allow_self: fc.boolean(),
  message: orNull(evil),
  fields: fc.constant([]),
  requested_at: fc.constant('2027-01-01T00:00:00.000Z'),
  deadline_at: orNull(fc.constant('2027-01-01T00:00:00.000Z')),
  remind_at: fc.constant(null),
  decided_at: fc.constant(null),
  decisions: fc.array(
    fc.record({
      decision: fc.constantFrom('approve', 'reject'),
      by: fc.record({ kind: fc.constant('user' as const), id: fc.constant('u'), name: evil }),
      comment: orNull(evil),
      fields: fc.constant({}),
      commit_sha: fc.constant(null),
      decided_at: fc.constant('2027-01-01T00:00:00.000Z'),
      lapsed: fc.constant(null),
    }),
    { maxLength: 2 },
  ),
})

const outlook: fc.Arbitrary<RunOutlook> = fc
  .record({
    id: fc.constant('run'),
    pipeline: fc.constant('acme/build'),
    teamPath: fc.constant('acme'),
    scope: fc.constant('acme/test'),
    status: fc.constantFrom(...RUNNING, ...OVER),
    reason: orNull(evil),
    cancelReason: orNull(evil),
    startedAt: orNull(when),
    at: when,
    cancelRequestedAt: orNull(when),
    queueDeadlineAt: orNull(when),
    deadlineAt: orNull(when),
    now: when,
    hold: maybe(
      fc.oneof(
        fc.record({ kind: fc.constant('fork' as const), pullRequest: orNull(fc.nat()) }),
        fc.record({ kind: fc.constant('group' as const), group: evil, behind: maybe(fc.constant('r0')) }),
      ),
    ),
    emergency: maybe(fc.record({ declaredAt: when, seen: maybe(fc.record({ id: fc.constant('e'), reason: evil })) })),
    queue: maybe(
      fc
        .record({ lack, before: orNull(fc.nat(5)), estimateSeconds: orNull(fc.nat()) })
        .map(({ lack: of, ...rest }) => ({ ...of, ...rest, counted: 1000 })),
    ),
    tasks: fc.array(task, { maxLength: 15 }),
    requests: fc.array(request, { maxLength: 2 }),
    mayApproveForks: fc.boolean(),
  })
  .map(({ at, ...run }) => ({ ...run, finishedAt: OVER.some((status) => status === run.status) ? at : null }))

describe('an explanation of a run', () => {
  test('says something, with evidence, and no word of others in any sentence', () => {
    fc.assert(
      fc.property(outlook, (run) => {
        const { findings, whatToDo } = explainRun(run)
        // A queued run that is held by nothing and needs no runner does not exist.
        const isHeld = run.status !== 'queued' || run.hold || run.queue || run.emergency
        assert.ok(findings.length > 0 || !isHeld)
        for (const { code, sentence, evidence } of [...findings, ...whatToDo]) {
          assert.match(code, /^(run|do)\.[a-z_]+$/)
          assert.ok(!sentence.includes(EVIL), sentence)
          assert.ok(evidence.length > 0 && evidence.length <= 20)
        }
      }),
    )
  })

  test('spells times as people say them', () => {
    const said = [0, 400, 40_000, 60_000, 90_000, 3_600_000, 7_500_000, 3 * 86_400_000].map(spell)
    assert.deepEqual(said, ['0 s', '0 s', '40 s', '1 min', '1 min 30 s', '1 h', '2 h 5 min', '3 d'])
  })
})
