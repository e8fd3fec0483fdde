import { rmSync } from 'node:fs'
import { type House, makeDataDir, startHouse } from '../../e2e/house/house.ts'
import { makePipeline, makeTeam, type Team } from '../../e2e/house/team.ts'
import { makePeople, rememberSignIn, SIGNED_IN, signIn } from '../../e2e/web/people.ts'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Bar, barOf, ROUNDS } from './bar.ts'
import { toPixel } from './live.ts'
import { openMeasured, type Round } from './measured-page.ts'
import { installProbe } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const BACK_MS = 5000
const ROWS = 'table[aria-label="Runs"] tbody tr:has(a)'
const WAITING = `name: waiting
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`

/**
 * The control plane is killed and started again under an open list: from its first answer to the run that begins then.
 * Every run begun before is still there.
 */
export async function measureAway({ browser }: Stand): Promise<readonly Bar[]> {
  const dataDir = makeDataDir()
  const options = { dataDir, ports: { port: await freePort(), runnerPort: await freePort() } }
  let house = await startHouse(options)
  const context = await browser.newContext()
  try {
    const team = await makeTeam(house.api, TEAM)
    const pipeline = await makePipeline(house.api, team, WAITING)
    await signIn(context, house.url, (await makePeople(house.api, TEAM)).owner)
    await context.addInitScript(installProbe, undefined)
    await context.addInitScript(rememberSignIn, SIGNED_IN)
    const { page, measure } = await openMeasured(context)
    await page.goto(`${house.url}/#/t/${TEAM}/runs`)
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await house.kill('SIGKILL')
      await page.getByText('The control plane does not answer.').waitFor()
      house = await startHouse(options)
      const begin = () => beginRun(house, team, pipeline)
      rounds.push(await measure(() => toPixel(page, { selector: ROWS, count: round + 1 }, begin)))
    }
    return [barOf('control plane restarted, to the first new run in the page', BACK_MS, rounds)]
  } finally {
    await context.close()
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function beginRun({ api }: House, team: Team, pipeline: string): Promise<unknown> {
  return api.send('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, { scope: team.scope })
}
