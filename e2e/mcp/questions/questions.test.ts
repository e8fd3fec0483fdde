import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Api } from '../../house/api.ts'
import { type House, startHouse } from '../../house/house.ts'
import { startRunner } from '../../house/runner.ts'
import { runEnd } from '../../house/runs.ts'
import { makeTeam } from '../../house/team.ts'
import { converse } from './agent.ts'
import { QUESTIONS } from './questions.ts'
import { makeQuestionWorld, type QuestionWorld } from './world.ts'

// People's questions, answered by an agent without a model: what it needs for a call stands in the question or in an answer.
// A stranger who asks the same learns nothing.

const MOST_CALLS = 4
const MOST_TOKENS = 10_000

const ends = new AsyncDisposableStack()
let house: House
let world: QuestionWorld
before(async () => {
  house = await startHouse()
  ends.defer(() => house.stop())
  const team = await makeTeam(house.api, 'acme')
  // Of the team: its owner sees what the runner lacks.
  const runner = await startRunner(house, { teamPath: team.path, scopes: ['acme/test', 'acme/frozen'] })
  ends.defer(() => runner.stop())
  // A runner that stops waits for what it runs; also where the world was not finished.
  ends.defer(() => endRuns(house.api))
  world = await makeQuestionWorld(house, team)
})
after(() => ends.disposeAsync())

async function endRuns(api: Api): Promise<void> {
  const open = await api.get<{ run_id: string }[]>('/v1/runs?status=queued&status=running&limit=100')
  for (const { run_id: id } of open) await api.ask('POST', `/v1/runs/${id}/cancel`)
  for (const { run_id: id } of open) await runEnd(api, id)
}

test('there are thirty questions of six kinds, of at most four calls each', () => {
  const counts = Object.fromEntries(
    [...Map.groupBy(QUESTIONS, ({ about }) => about)].map(([kind, all]) => [kind, all.length]),
  )
  assert.deepEqual(counts, { 'nothing started': 8, waiting: 5, failed: 6, changed: 4, schedule: 3, write: 4 })
  assert.ok(QUESTIONS.every(({ calls }) => calls.length <= MOST_CALLS))
})

// First, because the agent's writes change what there is to learn.
describe('a stranger learns nothing', () => {
  for (const [index, question] of QUESTIONS.entries()) {
    test(`${index + 1}: ${question.about}`, async () => {
      const { facts, stranger, hidden } = world
      const { answers } = await converse({ url: house.url, token: stranger }, question, facts)
      const asked = question.text(facts)
      for (const word of hidden.filter((each) => !asked.includes(each))) {
        for (const answer of answers) assert.ok(!answer.includes(word), `${word} in ${answer}`)
      }
      for (const said of question.says) {
        assert.ok(!answers.some((answer) => said.test(answer)) || isOfNothing(said), `${said} in ${answers.join('\n')}`)
      }
    })
  }
})

describe('the agent answers', () => {
  for (const [index, question] of QUESTIONS.entries()) {
    test(`${index + 1}: ${question.about}`, async () => {
      const { facts, agent } = world
      const { answers, tokens } = await converse({ url: house.url, token: agent }, question, facts)
      assert.equal(answers.length, question.calls.length, answers.join('\n'))
      for (const said of question.says) {
        assert.ok(
          answers.some((answer) => said.test(answer)),
          `${said} in ${answers.join('\n')}`,
        )
      }
      assert.ok(tokens <= MOST_TOKENS, `${tokens} tokens`)
    })
  }
})

/** What a stranger is told of anything that is not there. */
function isOfNothing(said: RegExp): boolean {
  return [/push\.no_source/, /allowlist/].some((each) => each.source === said.source)
}
