import { expect, test } from 'vitest'
import { readTrialAddress, type TrialAddress } from './place-address.ts'
import {
  addressOfRuns,
  boundNewest,
  changeOf,
  lookOfVerdict,
  placeOfRun,
  readWantedRuns,
  runsOfTeam,
  sentenceOf,
  type WantedRuns,
} from './trial.ts'

test('a trial is told in a sentence', () => {
  const verdicts = { allowed: 3, blocked: 1, not_asked: 0, unknown: 0 }
  expect(sentenceOf({ tried: 4, differing: 1, verdicts })).toBe(
    '1 of 4 runs would have gone otherwise. The rule holds for 3, does not for 1, and was not asked about 0.',
  )
  const lost = { allowed: 0, blocked: 0, not_asked: 0, unknown: 1 }
  expect(sentenceOf({ tried: 1, differing: 0, verdicts: lost })).toMatch(/^0 of 1 run .* and of 1 it is not known\.$/)
  expect(sentenceOf({ tried: 0, differing: 0, verdicts: lost })).toBe('There is no such run that you may read.')
})

test('a run says how it would have gone otherwise, and where', () => {
  expect(changeOf({ differs: true, verdict: 'blocked' })).toBe('would have been stopped')
  expect(changeOf({ differs: true, verdict: 'allowed' })).toBe('would have gone on')
  expect(changeOf({ differs: false, verdict: 'blocked' })).toBe('')
  const began_at = '2026-11-28T10:00:00.000Z'
  expect(placeOfRun({ place: null })).toBe('')
  expect(placeOfRun({ place: { at: 'run', step: null, task: null, began_at } })).toBe('the run')
  expect(placeOfRun({ place: { at: 'task', step: 'ship', task: 'push', began_at } })).toBe('ship/push')
  expect(lookOfVerdict('unknown')).toBe('unknown')
})

test('the runs of a trial stand in the address, and come back from it', () => {
  const addresses: readonly [WantedRuns, TrialAddress][] = [
    [runsOfTeam('acme'), {}],
    [{ by: 'team_path', of: 'acme/web', newest: 50 }, { of: 'acme/web' }],
    [
      { by: 'pipeline', of: 'acme/api', newest: 3 },
      { by: 'pipeline', of: 'acme/api', newest: 3 },
    ],
    [
      { by: 'scope', of: 'acme/test', newest: 200 },
      { by: 'scope', of: 'acme/test', newest: 200 },
    ],
  ]
  for (const [runs, address] of addresses) {
    expect(addressOfRuns(runs, 'acme')).toEqual(address)
    expect(readWantedRuns(readTrialAddress({ ...address }), 'acme')).toEqual(runs)
  }
})

test('the route is asked for as many runs as it tries', () => {
  const bounds: readonly [number | string, number][] = [
    [500, 200],
    ['500', 200],
    [200, 200],
    [12.7, 12],
    [1, 1],
    [0, 1],
    [-3, 1],
    ['', 1],
    ['-', 1],
  ]
  for (const [newest, count] of bounds) expect(boundNewest(newest)).toBe(count)
})

test('what an address cannot mean is left out', () => {
  const read = (search: object) => readWantedRuns(readTrialAddress({ ...search }), 'acme')
  expect(read({ by: 'person', of: 7, newest: 'many', else: 1 })).toEqual(runsOfTeam('acme'))
  expect(read({ by: 'scope', newest: 1e9 })).toEqual({ by: 'scope', of: '', newest: 200 })
  expect(read({ newest: -1 })).toEqual(runsOfTeam('acme'))
  expect(read({ of: `a${'\u0301'.repeat(60_000)}` }).of.length).toBeLessThan(20)
})
