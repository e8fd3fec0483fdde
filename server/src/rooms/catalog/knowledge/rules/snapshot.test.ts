import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCopiedItem, aJudgedRun, anActiveEmergency, aStepPlace, aTaskPlace, RUN_BEGINS } from '../testing.ts'
import type { JudgedPlace, JudgedRun } from './judged.ts'
import { type CopiedItem, createCopy } from './snapshot.ts'

const now = new Date('2026-11-22T22:30:00.000Z')

function judge(item: Partial<CopiedItem>, place: JudgedPlace = RUN_BEGINS, run: Partial<JudgedRun> = {}) {
  return createCopy(1, [aCopiedItem(item)], []).judge(aJudgedRun(run), place, now)
}

const isJudged = (item: Partial<CopiedItem>, place: JudgedPlace): boolean =>
  judge({ ...item, rule: `(${item.rule}) && false` }, place).violation !== null

describe('where a rule is judged', () => {
  const places = [RUN_BEGINS, aStepPlace(), aTaskPlace()]
  for (const [rule, at, expected] of [
    ['run.scope != ""', null, [true, true, true]],
    ['now.hour >= 0', null, [true, true, true]],
    ['step.name != ""', null, [false, true, true]],
    ['run.scope != "" && task.name != ""', null, [false, false, true]],
    ['run.scope != ""', 'run', [true, false, false]],
    ['run.scope != ""', 'step', [false, true, false]],
    ['step.name != ""', 'task', [false, false, true]],
  ] as const) {
    test(`${rule} at ${at ?? 'every place'}`, () => {
      assert.deepEqual(
        places.map((place) => isJudged({ rule, judgedAt: at }, place)),
        expected,
      )
    })
  }

  test('a reference is pinned everywhere and judged nowhere', () => {
    for (const place of places) {
      const verdict = judge({ kind: 'reference', rule: null, message: null }, place)
      assert.deepEqual(verdict, { pins: [aCopiedItem().revisionId], violation: null })
    }
  })
})

describe('whose rules a place is judged by', () => {
  const applies = (item: Partial<CopiedItem>, run: Partial<JudgedRun>, place?: JudgedPlace): boolean =>
    judge(item, place, run).pins.length === 1

  test('what a team says of an environment binds the pipelines of others there', () => {
    const item = { teamPath: 'acme/web', scope: 'acme/web/production' }
    assert.ok(applies(item, { teamPath: 'acme/ops', pipeline: 'acme/ops/deploy' }))
    assert.equal(applies(item, { scope: 'acme/web/staging' }), false)
  })

  test('what a team says of its pipelines binds them in the environments of others', () => {
    const item = { teamPath: 'acme/web', scope: '**' }
    assert.ok(applies(item, { scope: 'acme/ops/production' }))
    assert.equal(applies(item, { scope: 'acme/ops/production', teamPath: 'acme/ops' }), false)
    assert.equal(applies(item, { scope: 'acme/web2/production', teamPath: 'acme/web2' }), false)
  })

  test('a step is judged in its own scope', () => {
    const item = { teamPath: 'acme/web', scope: '*/*/production', rule: 'environment == "none"' }
    assert.equal(judge(item, aStepPlace(), { scope: 'acme/web/staging' }).violation, null)
    assert.notEqual(
      judge(item, aStepPlace({ scope: 'acme/web/production' }), { scope: 'acme/web/staging' }).violation,
      null,
    )
    assert.notEqual(judge(item, aTaskPlace({}, 'acme/web/production'), { scope: 'acme/web/staging' }).violation, null)
  })

  test('what the platform says binds all', () => {
    assert.ok(applies({ teamPath: '/' }, { teamPath: 'other', scope: 'other/test' }))
  })
})

describe('a verdict', () => {
  test('of a rule that holds', () => {
    assert.deepEqual(judge({ rule: 'run.branch == "main"' }), { pins: [aCopiedItem().revisionId], violation: null })
  })

  test('of a rule that does not names the item and its message', () => {
    assert.equal(
      judge({ rule: 'run.branch != "main"' }).violation,
      'The policy acme/freeze is violated: Nothing is deployed now.',
    )
    assert.equal(
      judge({ rule: 'false', teamPath: '/', kind: 'guardrail', message: 'wait' }).violation,
      'The guardrail /freeze is violated: wait.',
    )
  })

  test('of several names each of them, from above, and pins all in that order', () => {
    const items = [
      aCopiedItem({ id: 'c', revisionId: 'rc', teamPath: 'acme/web', name: 'low', rule: 'false', kind: 'guardrail' }),
      aCopiedItem({ id: 'b', revisionId: 'rb', teamPath: 'acme', name: 'fine' }),
      aCopiedItem({ id: 'a', revisionId: 'ra', teamPath: '/', name: 'top', rule: 'false' }),
      aCopiedItem({ id: 'd', revisionId: 'rd', teamPath: 'other' }),
    ]
    const verdict = createCopy(1, items, []).judge(aJudgedRun(), RUN_BEGINS, now)
    assert.deepEqual(verdict.pins, ['ra', 'rb', 'rc'])
    assert.equal(
      verdict.violation,
      'The policy /top is violated: Nothing is deployed now. Violated as well: guardrail acme/web/low.',
    )
  })

  test('is the same each time', () => {
    const known = createCopy(1, [aCopiedItem({ rule: 'run.branch != "main"' })], [])
    const run = aJudgedRun()
    assert.deepEqual(known.judge(run, RUN_BEGINS, now), known.judge(run, RUN_BEGINS, now))
  })
})

describe('what rules are told', () => {
  for (const rule of [
    'run.pipeline == "acme/web/deploy" && run.team_path == "acme/web" && run.scope == "acme/web/production"',
    'run.initiator.kind == "user" && run.initiator.name == "ada" && run.cause == "event"',
    'run.repository == "acme/shop" && run.branch == "main" && !run.untrusted',
    'run.variables.LEVEL == "high" && !("NONE" in run.variables) && !has(run.variables.NONE)',
    'environment == "production"',
    'now.date == "2026-11-22" && now.weekday == "sunday" && now.hour == 22 && now.minute == 30',
    'step.name == "release" && step.scope == "acme/web/production" && step.images == ["node:24", "redis:8"]',
    'task.name == "ship" && task.kind == "run" && task.image == "node:24" && "redis:8" in task.images',
    'task.profile == null && task.commands.contains("npm publish")',
  ]) {
    test(rule, () => {
      const place = aTaskPlace({ image: 'node:24', images: ['node:24', 'redis:8'], commands: 'npm ci\nnpm publish' })
      assert.equal(judge({ rule }, place, { variables: { LEVEL: 'high' } }).violation, null)
    })
  }

  test('what is not there is null', () => {
    const rule = 'run.repository == null && run.branch == null && task.image == null && task.images.size() == 0'
    assert.equal(judge({ rule }, aTaskPlace(), { repository: null, branch: null }).violation, null)
  })

  test('the time of the item’s own zone', () => {
    const rule = 'now.weekday == "monday" && now.hour == 7 && now.date == "2026-11-23"'
    assert.equal(judge({ rule, timeZone: 'Asia/Tokyo' }).violation, null)
  })
})

describe('what cannot be judged is violated', () => {
  for (const [what, item, reason] of [
    ['a variable that is not there', { rule: 'run.variables.NONE == "x"' }, /NONE/],
    ['null where a text is needed', { rule: 'run.branch.startsWith("m")' }, /acme\/freeze cannot be judged/],
    ['no true or false', { rule: '"yes"' }, /true or false/],
    ['a rule that cannot be read any more', { rule: 'run.(' }, /cannot be judged/],
    ['no rule', { rule: null }, /cannot be judged/],
    ['a zone that is gone', { timeZone: 'Atlantis/Capital' }, /time zone Atlantis/],
  ] as const) {
    test(what, () => {
      const { violation } = judge(item, RUN_BEGINS, { branch: null })
      assert.match(violation ?? '', reason)
      assert.match(violation ?? '', /^The policy acme\/freeze cannot be judged, so nothing begins: /)
    })
  }

  test('a rule that costs too much; other teams are judged all the same', () => {
    const variables = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`V${at}`, 'x']))
    const rule = 'run.variables.all(a, run.variables.all(b, run.variables[a] == run.variables[b]))'
    const items = [
      aCopiedItem({ id: 'a', name: 'greedy', rule }),
      aCopiedItem({
        id: 'b',
        teamPath: 'acme/web',
        name: 'modest',
        rule: 'run.variables.all(a, run.variables[a] == "x")',
      }),
    ]
    const { violation } = createCopy(1, items, []).judge(aJudgedRun({ variables }), RUN_BEGINS, now)
    assert.match(violation ?? '', /^The policy acme\/greedy cannot be judged.*takes more than 50000 steps/)
    assert.doesNotMatch(violation ?? '', /modest/)
  })
})

describe('emergencies', () => {
  const known = createCopy(
    1,
    [],
    [
      anActiveEmergency({ id: 'b', scope: 'acme/web/**', teamPath: 'acme/web', reason: 'later' }),
      anActiveEmergency({ id: 'a', scope: 'acme/*/production', reason: 'first' }),
    ],
  )
  test('hold where their pattern fits, the oldest one first', () => {
    assert.equal(known.emergencyOn('acme/web/production')?.reason, 'first')
    assert.equal(known.emergencyOn('acme/web/staging')?.reason, 'later')
    assert.equal(known.emergencyOn('acme/ops/staging'), undefined)
    assert.equal(known.emergencyOn('other/web/production'), undefined)
  })

  test('of the whole platform hold everywhere', () => {
    const all = createCopy(1, [], [anActiveEmergency({ scope: '**', teamPath: '/' })])
    assert.ok(all.emergencyOn('other/test'))
  })
})
