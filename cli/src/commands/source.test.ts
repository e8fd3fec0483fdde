import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

describe('sources', () => {
  test('one delivery names the condition of each trigger that did not hold', async () => {
    const trace = {
      verification: 'X-Hub-Signature-256 matches.',
      events: [
        {
          kind: 'push',
          repository: 'acme/shop',
          ref: 'refs/heads/side',
          triggers: [
            {
              name: 'push',
              team_path: 'acme',
              outcome: 'not_matched',
              first_failed: 'ref',
              reason: null,
              run_id: null,
              conditions: [
                { condition: 'event', expected: 'push', seen: 'push', passed: true },
                { condition: 'ref', expected: 'branches main', seen: 'branch side', passed: false },
              ],
            },
          ],
        },
      ],
    }
    const delivery = {
      id: 'd1',
      received_at: '2026-11-21T03:00:00.000Z',
      event_type: 'push',
      repository: 'acme/shop',
      ref: 'refs/heads/side',
      result: 'ignored',
      status_code: 200,
      reason: 'No trigger matched; see the trace.',
      trace,
    }
    await using here = await stage((_request, response) => answer(response, 200, delivery))
    const { out } = await here.run(['source', 'delivery', 's1', 'd1'])
    assert.equal(here.api.seen[0]?.path, '/v1/git-webhook-sources/s1/deliveries/d1')
    assert.match(out, /^acme\/push\tnot_matched\tref\tbranches main\tbranch side$/m)
  })
})
