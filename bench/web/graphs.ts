import { startRunner } from '../../e2e/house/runner.ts'
import { runEnd } from '../../e2e/house/runs.ts'
import { makePipeline } from '../../e2e/house/team.ts'
import { type Bar, barOf, ROUNDS } from './bar.ts'
import { RUN_LINK } from './loading.ts'
import { openMeasured, type Round } from './measured-page.ts'
import { resultOf } from './moving.ts'
import type { Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const WHOLE_MS = 500
const FOLDED_MS = 1000
const HELD_MS = 100
const STEPS = 10

/** 500 tasks in ten steps, whose graph has 750 edges: nine between steps, the others between tasks. */
function wholeDocument(): string {
  const tasksOf = (step: number): string[] =>
    Array.from({ length: 50 }, (_, task) => {
      // Each task waits for the one five before it; of those between, some for one more.
      const before = [task - 5, ...(task % 3 === step % 3 ? [task - 7] : []), ...(task % 2 === 0 ? [task - 6] : [])]
      const names = before.filter((each) => each >= 0).map((each) => `t${each}`)
      return `      - { name: t${task}, run: "true", if: "false", depends_on: [${names.join(', ')}] }`
    })
  const steps = Array.from({ length: STEPS }, (_, step) =>
    [
      `  - name: s${step}`,
      `    depends_on: [${step === 0 ? '' : `s${step - 1}`}]`,
      '    tasks:',
      ...tasksOf(step),
    ].join('\n'),
  )
  return `name: whole\ncheckout: false\nsteps:\n${steps.join('\n')}\n`
}

/** 2,000 tasks in a hundred steps: each step waits for the one ten before it, and some for one more. */
function largeDocument(): string {
  const numbers = Array.from({ length: 20 }, (_, number) => `"${number}"`).join(', ')
  const steps = Array.from({ length: 100 }, (_, step) => {
    const before = [step - 10, ...(step % 2 === 0 ? [step - 11] : [])].filter((each) => each >= 0)
    return [
      `  - name: s${step}`,
      `    depends_on: [${before.map((each) => `s${each}`).join(', ')}]`,
      `    matrix: { n: [${numbers}] }`,
      '    tasks: [{ name: unit, run: "true", if: "false" }]',
    ].join('\n')
  })
  return `name: large\ncheckout: false\nsteps:\n${steps.join('\n')}\n`
}

/** From the press on a run to its graph, folded by step; from the press on "Unfold" to 500 nodes. */
export async function measureGraphs(stand: Stand): Promise<readonly Bar[]> {
  await using runner = await borrowRunner(stand)
  const whole = await endedRun(stand, wholeDocument())
  const large = await endedRun(stand, largeDocument())
  await runner[Symbol.asyncDispose]()
  const unfolded: Round[] = []
  const folded: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // A page of its own each time: layouts are kept.
    unfolded.push(await openGraph(stand, whole, true))
    folded.push(await openGraph(stand, large, false))
  }
  return [
    barOf('graph of 500 nodes and 750 edges', WHOLE_MS, unfolded),
    barOf('graph of 2,000 tasks, folded by step', FOLDED_MS, folded),
    held('main thread held by 500 nodes', unfolded),
    held('main thread held by 2,000 tasks', folded),
  ]
}

function held(what: string, rounds: readonly Round[]): Bar {
  const longest = Math.max(...rounds.map((round) => round.longest))
  return { figures: [{ what: `${what}: longest`, value: longest, unit: 'ms', atMost: HELD_MS }] }
}

async function borrowRunner({ subject: { house } }: Stand): Promise<AsyncDisposable> {
  const runner = await startRunner(house, { capacity: 2 })
  return { [Symbol.asyncDispose]: () => runner.stop() }
}

async function endedRun({ subject: { house }, team }: Stand, document: string): Promise<string> {
  const pipeline = await makePipeline(house.api, team, document)
  const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const { run_id: id } = await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })
  await runEnd(house.api, id)
  return id
}

const NODE = '.react-flow__node'

async function openGraph(stand: Stand, run: string, isUnfolded: boolean): Promise<Round> {
  const context = await stand.openContext({ selector: RUN_LINK })
  try {
    const { page, measure } = await openMeasured(context)
    await page.goto(stand.address(`/t/${TEAM}/runs?since=${SINCE}`))
    await page.evaluate(() => window.bench.opened)
    const press = async (wanted: Wanted, act: () => Promise<void>) => {
      await page.evaluate((what) => window.bench.arm('click', what), wanted)
      await act()
      return resultOf(page)
    }
    const link = page.locator(`a[href*="${run}"]`)
    const opening = () => press({ selector: NODE, count: 5 }, () => link.click())
    if (!isUnfolded) return await measure(opening)
    await opening()
    const button = page.getByRole('button', { name: 'Unfold all 500 tasks' })
    return await measure(() => press({ selector: '.react-flow__node-item', count: 20 }, () => button.click()))
  } finally {
    await context.close()
  }
}

/** The list begins with the runs of today: those of the graphs are among them. */
const SINCE = '2020-01-01T00:00:00Z'
