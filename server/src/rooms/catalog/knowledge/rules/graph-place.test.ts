import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePipeline } from '@signalbox/pipeline/document'
import type { Graph, GraphStep } from '@signalbox/pipeline/graph'
import { aHeldItem, aJudgedRun } from '../testing.ts'
import { placeInGraph } from './graph-place.ts'
import { holdKnowledge } from './snapshot.ts'

const DOCUMENT = `
name: deploy
steps:
  - name: build
    profile: box
    tasks:
      - name: compile
        run: npm ci
      - name: check
        image: node:24
        services:
          - name: db
            image: postgres:18
        run: npm test
      - name: publish
        pipeline: acme/web/publish
  - name: confirm
    depends_on: [build]
    approval:
      approvers: [user:ada]
  - name: ship
    depends_on: [confirm]
    scope: acme/web/production
    tasks:
      - name: push
        run: ./push
`

function graphOf(text: string): Graph {
  const result = parsePipeline(text)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.graph
}

const { steps } = graphOf(DOCUMENT)
const images: Readonly<Record<string, string>> = { box: 'box:1', 'acme/plain': 'plain:2' }
const profiles = { named: 'acme/plain', imageOf: (name: string | null) => images[name ?? ''] ?? null }
const stepOf = (name: string): GraphStep => {
  const found = steps.find((step) => step.name === name)
  if (!found) throw new Error(name)
  return found
}
const taskOf = (stepName: string, taskName: string) => {
  const step = stepOf(stepName)
  const place = placeInGraph(step, step.tasks.find(({ name }) => name === taskName) ?? null, profiles)
  return place.at === 'task' ? place.task : assert.fail('no task')
}

describe('a compiled pipeline as rules are told of it', () => {
  test('a task has the image that it names, or that of the nearest profile', () => {
    assert.deepEqual(taskOf('build', 'compile'), {
      name: 'compile',
      kind: 'run',
      image: 'box:1',
      images: ['box:1'],
      profile: 'box',
      commands: 'npm ci',
    })
    assert.deepEqual(taskOf('build', 'check').images, ['node:24', 'postgres:18'])
    assert.deepEqual([taskOf('ship', 'push').image, taskOf('ship', 'push').profile], ['plain:2', 'acme/plain'])
  })

  test('a child run and an approval run nothing of their own', () => {
    assert.deepEqual(taskOf('build', 'publish'), {
      name: 'publish',
      kind: 'pipeline',
      image: null,
      images: [],
      profile: null,
      commands: '',
    })
    assert.deepEqual([taskOf('confirm', 'approval').kind, taskOf('confirm', 'approval').image], ['approval', null])
  })

  test('a step has the images of all its tasks, each once, and its scope', () => {
    const place = placeInGraph(stepOf('build'), null, profiles)
    assert.ok(place.at === 'step')
    assert.deepEqual([place.step.images, place.step.scope], [['box:1', 'node:24', 'postgres:18'], null])
    const ship = placeInGraph(stepOf('ship'), null, profiles)
    assert.equal(ship.at === 'step' && ship.step.scope, 'acme/web/production')
  })

  test('without an image on its host there is none', () => {
    const place = placeInGraph(stepOf('ship'), stepOf('ship').tasks[0] ?? null, { named: null, imageOf: () => null })
    assert.deepEqual(place.at === 'task' && [place.task.image, place.task.images, place.task.profile], [null, [], null])
  })

  test('the images of a step are looked for only when a rule asks', () => {
    let asked = 0
    const counting = { named: null, imageOf: () => String((asked += 1)) }
    const place = placeInGraph(stepOf('build'), null, counting)
    const judge = (rule: string) =>
      holdKnowledge(1, [aHeldItem({ rule })], []).judge(aJudgedRun(), place, new Date('2026-11-22T09:00:00Z'))
    assert.equal(judge('run.branch == "main"').violation, null)
    assert.equal(asked, 0)
    assert.equal(judge('step.images.size() > 0').violation, null)
    assert.ok(asked > 0)
  })
})
