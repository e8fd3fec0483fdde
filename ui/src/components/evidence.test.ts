import { describe, expect, test } from 'vitest'
import { linkOfEvidence } from './evidence.ts'

const RUN = '019a0000-0000-7000-8000-000000000001'

describe('what a sentence rests on', () => {
  test('leads to its page', () => {
    expect(linkOfEvidence({ kind: 'run', id: RUN })).toEqual({ words: 'the run', address: `#/runs/${RUN}` })
    expect(linkOfEvidence({ kind: 'pipeline', id: 'acme/web' }).address).toBe('#/pipelines/acme%2Fweb')
    expect(linkOfEvidence({ kind: 'team', id: 'acme/web' })).toEqual({
      words: 'team acme/web',
      address: '#/t/acme%2Fweb/home',
    })
    expect(linkOfEvidence({ kind: 'override', id: 'acme/shop' }).address).toBe('#/overrides/acme/shop')
  })

  test('within a run leads to its place there', () => {
    const place = { run_id: RUN } as const
    expect(linkOfEvidence({ kind: 'task', id: 'build/unit', ...place })).toEqual({
      words: 'task build/unit',
      address: `#/runs/${RUN}?task=build%2Funit`,
    })
    expect(linkOfEvidence({ kind: 'log_line', id: 'build/unit/2', line: 41, ...place })).toEqual({
      words: 'line 41',
      address: `#/runs/${RUN}?task=build%2Funit&line=build%2Funit%2F2%3A41`,
    })
    expect(linkOfEvidence({ kind: 'approval', id: 'release', ...place }).address).toBe(`#/runs/${RUN}?tab=approvals`)
    // A name that looks like a number is still a name.
    expect(linkOfEvidence({ kind: 'step', id: '12', ...place }).address).toBe(`#/runs/${RUN}?task=%2212%22`)
  })

  test('of which the place is not known has no link', () => {
    expect(linkOfEvidence({ kind: 'task', id: 'build/unit' }).address).toBeUndefined()
    expect(linkOfEvidence({ kind: 'grant', id: RUN })).toEqual({ words: 'the grant', address: undefined })
    expect(linkOfEvidence({ kind: 'delivery', id: RUN }).address).toBeUndefined()
    expect(linkOfEvidence({ kind: 'delivery', id: RUN }, new Map([[RUN, 'source']])).address).toBe(
      `#/sources/source/deliveries/${RUN}`,
    )
  })
})
