import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExplainInput, explainInstant, type ScheduleState, type StoredFire } from './index.ts'
import { compiled } from './testing/timing.ts'

const SCHEDULE: ScheduleState = {
  createdAt: new Date('2026-01-01T00:00:00Z'),
  timingSince: new Date('2026-01-01T00:00:00Z'),
  enabled: true,
  disabledSince: null,
  enabledSince: null,
  nextFireAt: new Date('2026-11-24T01:30:00Z'),
}

function aFire(other: Partial<StoredFire> = {}): StoredFire {
  const planned = new Date('2026-11-20T01:30:00Z')
  return { id: 'f1', planned, until: null, actual: planned, outcome: 'started', runId: 'r1', reason: null, ...other }
}

/** Every day at 02:30 of Berlin, which is 01:30 UTC; asked about 20 November. */
function explain(other: Partial<Omit<ExplainInput, 'schedule'>> & { readonly schedule?: Partial<ScheduleState> }) {
  return explainInstant({
    at: new Date('2026-11-20T01:30:00Z'),
    within: 60_000,
    now: new Date('2026-11-23T12:00:00Z'),
    compiled: compiled(),
    fires: [],
    ...other,
    schedule: { ...SCHEDULE, ...other.schedule },
  })
}

describe('why a schedule fired or did not', () => {
  const table: readonly (readonly [string, Parameters<typeof explain>[0], RegExp])[] = [
    ['it fired', { fires: [aFire()] }, /^It fired for 2026-11-20T01:30:00Z, and started a run\.$/],
    [
      'it fired late',
      { fires: [aFire({ actual: new Date('2026-11-20T01:31:40Z') })] },
      /, 100 s late, and started a run/,
    ],
    [
      'missed',
      { fires: [aFire({ outcome: 'missed', runId: null, reason: 'The scheduler did not run.' })] },
      /was missed\. The scheduler did not run\.$/,
    ],
    [
      'one of many missed',
      {
        fires: [
          aFire({
            outcome: 'missed',
            planned: new Date('2026-11-18T00:00:00Z'),
            until: new Date('2026-11-21T00:00:00Z'),
            reason: '4,320 fires.',
          }),
        ],
      },
      /was missed\. 4,320 fires\.$/,
    ],
    [
      'skipped',
      { fires: [aFire({ outcome: 'skipped_overlap', runId: null })] },
      /was skipped, as an earlier run had not ended\.$/,
    ],
    ['denied', { fires: [aFire({ outcome: 'denied', runId: null })] }, /was denied, as the owner may not start it/],
    [
      'invalid',
      { fires: [aFire({ outcome: 'invalid', runId: null, reason: 'The pipeline is gone.' })] },
      /could not become a run\. The pipeline is gone\.$/,
    ],
    [
      'not planned',
      { at: new Date('2026-11-20T12:00:00Z') },
      /^Nothing is planned for 2026-11-20T12:00:00Z \(At 02:30, Europe\/Berlin\): the fire before it is planned for 2026-11-20T02:30:00\+01:00, the next one for 2026-11-21T02:30:00\+01:00\.$/,
    ],
    [
      'a date',
      { compiled: compiled({ excludedDates: ['2026-11-20'] }) },
      /^The fire planned for 2026-11-20T02:30:00\+01:00 is excluded by 2026-11-20\.$/,
    ],
    [
      'too early',
      { compiled: compiled({ notBefore: new Date('2026-11-22T00:00:00Z') }) },
      /^Nothing fires before not_before, 2026-11-22T00:00:00Z\.$/,
    ],
    [
      'too late',
      { compiled: compiled({ notAfter: new Date('2026-11-19T00:00:00Z') }) },
      /^Nothing fires after not_after, 2026-11-19T00:00:00Z\.$/,
    ],
    [
      'disabled',
      { schedule: { enabled: false, disabledSince: new Date('2026-11-19T00:00:00Z') } },
      /^The schedule is disabled since 2026-11-19T00:00:00Z\.$/,
    ],
    [
      'enabled later',
      { schedule: { enabledSince: new Date('2026-11-21T00:00:00Z') } },
      /^The schedule was enabled at 2026-11-21T00:00:00Z; what was planned before is not made up for\.$/,
    ],
    [
      'made later',
      { schedule: { createdAt: new Date('2026-11-21T00:00:00Z') } },
      /^The schedule was made later, at 2026-11-21T00:00:00Z\.$/,
    ],
    ['changed later', { schedule: { timingSince: new Date('2026-11-21T00:00:00Z') } }, /^Its timing was changed later/],
    [
      'still to come',
      { at: new Date('2026-11-25T01:30:00Z') },
      /^It is planned for 2026-11-25T02:30:00\+01:00, which is still to come\.$/,
    ],
    [
      'not yet',
      { schedule: { nextFireAt: new Date('2026-11-20T01:30:00Z') } },
      /, and the scheduler has not come to it yet\.$/,
    ],
    ['nobody knows', {}, /by what the schedule says now, but no fire is stored for 2026-11-20T01:30:00Z\.$/],
  ]
  for (const [what, input, says] of table) {
    test(what, () => {
      const [first, ...more] = explain(input)
      assert.match(first?.sentence ?? '', says)
      assert.deepEqual(more, [])
    })
  }

  test('a fire is named with its run as evidence', () => {
    assert.deepEqual(explain({ fires: [aFire()] })[0]?.evidence, [{ fire_id: 'f1', run_id: 'r1' }])
  })

  test('a change of the clocks is told beside the fire', () => {
    const planned = new Date('2026-03-29T01:00:00Z')
    const sentences = explain({ at: planned, fires: [aFire({ planned, actual: planned })] }).map(
      ({ sentence }) => sentence,
    )
    assert.equal(sentences.length, 2)
    assert.match(
      sentences[1] ?? '',
      /^Of the fire planned for 2026-03-29T03:00:00\+02:00: a change of the clocks skips its local time/,
    )
  })
})
